// library/sidecars.h: which files describe the items of a folder, told from what is stored and what the walk saw:
// asking costs no look at the disc. Used by the describing phase of a scan, on the run's thread.
#pragma once

#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/diff.h"

namespace understudy::library {

struct Sidecar {
    std::string name;  ///< bytes
    std::int64_t size_bytes = 0, mtime_ns = 0;
    naming::FileClass file_class = naming::FileClass::none;
    bool broken = false;  ///< was read as it is and could not be understood
    std::string key;      ///< the name in lower case (ASCII)
};

/// What lies in one folder (not below it).
struct SidecarFolder {
    std::string path;
    std::vector<Sidecar> files;            ///< by key, then name
    std::vector<std::string> subtitles;    ///< names of folders of subtitles in it
    std::vector<std::string> fanart;       ///< names of folders of extra fanart in it
    std::vector<std::string> video_stems;  ///< of the media files in it, in lower case, sorted

    /// Those whose name begins with `stem`, in any case.
    [[nodiscard]] std::span<const Sidecar> named_after(std::string_view stem) const;
    /// Called exactly so, in any case; nullptr: none.
    [[nodiscard]] const Sidecar* find(std::string_view name) const;
    /// Stems of other media files that begin with `stem`.
    [[nodiscard]] std::vector<std::string_view> longer_stems(std::string_view stem) const;
};

class Sidecars {
public:
    /// Both outlive it. Of `difference.work` only what is there now is looked at.
    Sidecars(const StoredTree& stored, const Difference& difference);

    /// Empty where nothing is known of it.
    [[nodiscard]] std::shared_ptr<const SidecarFolder> in(const std::string& folder);

private:
    void take_stored(const std::string& start, SidecarFolder& into) const;
    void take_found(const std::vector<FoundFile>& found, std::size_t count, const std::string& start,
                    SidecarFolder& into) const;

    const StoredTree& stored_;
    const Difference& difference_;
    std::size_t work_;
    std::list<std::shared_ptr<const SidecarFolder>> known_;  ///< the last used first
};

/// The folder whose items a sidecar in `folder` is about: above `Subs`, `Subs/<stem>` and `extrafanart`, else itself.
[[nodiscard]] std::string_view described_folder(std::string_view folder) noexcept;

}  // namespace understudy::library
