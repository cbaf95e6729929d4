// library/watch/changed_folders.h: which folders changed and when they are to be reported: all together, once nothing
// changes any more. A folder that was renamed is two changes, and a scan that sees only one of them takes its items for
// gone. Pure: changes and the time go in, paths to scan come out. Used by LibraryWatch, one thread at a time.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/time.h"

namespace understudy::library {

class ChangedFolders {
public:
    struct Times {
        core::Millis quiet{10'000};   ///< since the last change of all
        core::Millis latest{60'000};  ///< since the first: constant change does not put a report off for ever
    };
    /// Beyond `latest`, what changed within this waits for its other half; beyond twice `latest` nothing waits.
    static constexpr core::Nanos halves = std::chrono::seconds{1};
    static constexpr std::size_t most = 1'000;  ///< paths kept of one root; then the root itself is the path

    explicit ChangedFolders(Times times) : times_(times) {}

    /// `path` lies at or below `root`.
    void changed(const std::string& root, const std::string& path, core::Instant now);
    /// Hands over what is due, without what lies below something else that is.
    [[nodiscard]] std::set<std::string> take_due(core::Instant now);
    /// Hands over everything: nobody will look any more.
    [[nodiscard]] std::set<std::string> take_all();
    /// Could not be reported: due again at once; `root` is no longer known, so each counts as its own.
    void put_back(const std::set<std::string>& paths, core::Instant now);
    /// Until the next one is due; nullopt: there is none.
    [[nodiscard]] std::optional<core::Nanos> next_due(core::Instant now) const;
    [[nodiscard]] bool empty() const noexcept { return changes_.empty(); }

private:
    struct Change {
        std::string root;
        core::Instant first, last;
    };
    [[nodiscard]] core::Nanos left(const Change& change, core::Instant now) const;
    [[nodiscard]] bool is_quiet(core::Instant now) const;
    void count_roots();

    Times times_;
    std::map<std::string, Change> changes_;
    bool overdue_ = false;                 ///< a report was refused
    std::optional<core::Instant> latest_;  ///< change of all
    std::map<std::string, std::size_t> of_root_;
};

}  // namespace understudy::library
