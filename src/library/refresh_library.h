// library/refresh_library.h: the task that keeps libraries as their folders are. Wired by app, run by the task engine.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "library/scanner.h"
#include "store/libraries.h"
#include "tasks/task.h"

namespace understudy::library {

struct RefreshLibrarySettings {
    ScannerSettings scanner;
    core::Millis settle{10'000};             ///< `Jellyfin:Library:SettleSeconds`
    core::Millis settle_at_most{3'600'000};  ///< the wait doubles up to this while files still change
};

class RefreshLibrary final : public tasks::ScheduledTask {
public:
    /// `announce`: called once after a scan that changed something, with a JSON object for the event `library.changed`:
    /// `{"library","added":[ids],"updated":[ids],"removed":[ids],"counts":{…}}` (at most 1,000 ids each). Its failure
    /// is logged, no more.
    using Announce = std::function<core::Result<void>(const std::string& payload)>;
    /// References outlive it.
    RefreshLibrary(RefreshLibrarySettings settings, store::LibraryStore& libraries, store::ScanStore& store,
                   media::Prober& prober, std::shared_ptr<const FileSystem> files, core::Clock& clock,
                   core::Random& random, Announce announce);

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    /// Options: library/scan_options.h.
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    void announce(const model::Library& library, const ScanReport& report, tasks::Run& run) const;

    RefreshLibrarySettings settings_;
    store::LibraryStore& libraries_;
    store::ScanStore& store_;
    Scanner scanner_;
    Announce announce_;
};

/// The wait before follow-up number `attempt` (from 0).
[[nodiscard]] core::Millis settle_wait(const RefreshLibrarySettings& settings, int attempt) noexcept;

}  // namespace understudy::library
