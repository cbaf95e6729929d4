// library/refresh_library.h: the task that keeps libraries as their folders are. Wired by app, run by the task engine.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "library/embedded_covers.h"
#include "library/scanner.h"
#include "store/libraries.h"
#include "tasks/task.h"

namespace understudy::library {

struct ScanOptions;

class RefreshLibrary final : public tasks::ScheduledTask {
public:
    struct Settings {
        core::Millis settle{10'000};             ///< `Jellyfin:Library:SettleSeconds`
        core::Millis settle_at_most{3'600'000};  ///< the wait doubles up to this while files still change
        std::size_t walk_threads = 4;
        ScannerSettings scanner;
        /// Called on the run's thread, once for a library that a scan changed, with a JSON object for the event
        /// `library.changed`: `{"library","added":[ids],"updated":[ids],"removed":[ids],"counts":{…}}` (at most 1,000
        /// ids each; the counts are whole).
        std::function<void(const std::string& payload)> on_changed;
    };
    /// References outlive it. `covers`: the step after the scans; null: there is none.
    RefreshLibrary(Settings settings, store::LibraryStore& libraries, store::ScanStore& store, media::Prober& prober,
                   core::Clock& clock, core::Random& random,
                   std::shared_ptr<const FileSystem> files = std::make_shared<PosixFileSystem>(),
                   ScanCompanions companions = {}, EmbeddedCovers* covers = nullptr);

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    /// Nothing that somebody reported is lost: what was changed here and there is looked at in one scan.
    [[nodiscard]] std::string join_requests(const std::string& kept, const std::string& wanted) const override;
    /// Options: library/scan_options.h.
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    [[nodiscard]] core::Result<void> ask_again(tasks::Run& run, const ScanOptions& options, ScanOptions follow_up,
                                               bool still_written) const;
    void announce(const model::Library& library, const ScanReport& report) const;

    Settings settings_;
    store::LibraryStore& libraries_;
    store::ScanStore& store_;
    Scanner scanner_;
    EmbeddedCovers* covers_;
};

/// The wait before follow-up number `attempt` (from 0).
[[nodiscard]] core::Millis settle_wait(const RefreshLibrary::Settings& settings, int attempt) noexcept;

}  // namespace understudy::library
