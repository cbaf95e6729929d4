// library/scanner.h: one scan of one library: walk, diff, resolve, probe, commit, retire. Used by RefreshLibrary.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/result.h"
#include "core/time.h"
#include "library/file_system.h"
#include "library/walk.h"
#include "media/prober.h"
#include "model/library.h"
#include "store/collections.h"
#include "store/people.h"
#include "store/scan_store.h"
#include "tasks/task.h"

namespace understudy::library {

struct ScannerSettings {
    unsigned walk_threads = 4;
    core::Millis walk_patience{20'000};  ///< a folder that does not answer for so long is left for the next scan
    std::size_t batch = 500;             ///< items a commit
    core::Millis commit_every{1'000};    ///< … or what there is after this long, so that a dead run has lost little
};

/// Where a scan also puts what it learns: credits, sets, playlists. Null: nowhere.
struct ScanCompanions {
    store::People* people = nullptr;
    store::Collections* collections = nullptr;
};

/// Which part of the run's 0..100 this library's scan is: of what is left from `from` on, its share by weight. A weight
/// is a count of folder entries, at first the last scan's; a walk that sees more raises its own.
struct ScanShare {
    double from = 0, own = 1, others = 0;  ///< others: of the libraries behind it
    [[nodiscard]] double to() const { return from + (100.0 - from) * own / (own + others); }
};

struct ScanReport {
    std::int64_t added = 0, changed = 0, moved = 0, removed = 0, kept_offline = 0, failed = 0, unchanged = 0,
                 returned = 0;
    std::int64_t described = 0;      ///< media files whose item was described again, unopened
    std::int64_t unusable = 0;       ///< entries and folders that could not be used
    std::set<std::string> settling;  ///< files still being written: left for a follow-up
    std::int64_t missing = 0;        ///< files not found by a scan that may not remove yet: left for a follow-up too
    std::vector<core::ItemId> items_added, items_updated, items_removed;  ///< for the announcement; at most 1,000 each
    bool changed_anything = false;
};

class Scanner {
public:
    /// References outlive it; the file system may outlive both in a thread that hangs.
    Scanner(ScannerSettings settings, store::ScanStore& store, media::Prober& prober,
            std::shared_ptr<const FileSystem> files, core::Clock& clock, core::Random& random,
            ScanCompanions companions = {});

    /// `before`: the roots as the last scan left them. `share` may grow. What is added, changed or moved is counted in
    /// `run` with each commit, all else is for the caller to count. Blocks; on the run's thread. Errors: cancelled
    /// (asked to stop), fenced, and what the store says. Trouble with files is no error: it is counted and warned of.
    [[nodiscard]] core::Result<ScanReport> scan(const model::Library& library,
                                                const std::vector<model::RootState>& before, const ScanScope& scope,
                                                tasks::Run& run, ScanShare& share);

private:
    ScannerSettings settings_;
    store::ScanStore& store_;
    media::Prober& prober_;
    std::shared_ptr<const FileSystem> files_;
    core::Clock& clock_;
    core::Random& random_;
    ScanCompanions companions_;
};

}  // namespace understudy::library
