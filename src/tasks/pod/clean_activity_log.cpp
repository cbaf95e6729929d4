#include "tasks/pod/clean_activity_log.h"

namespace understudy::tasks::pod {
namespace {

constexpr std::int64_t batch = 5'000;  // keeps a unit well below two seconds

}  // namespace

const CatalogueEntry& CleanActivityLog::info() const noexcept {
    return *find_task("CleanActivityLog");
}

core::Result<void> CleanActivityLog::execute(Run& run) {
    const auto keep = keep_();
    for (;;) {
        if (run.should_stop()) return core::fail(core::Errc::cancelled, "activity log");
        std::int64_t removed = 0;
        const auto written = run.commit(std::nullopt, [&](const core::Fence& fence) -> core::Result<void> {
            const auto gone = log_.remove_older_than(keep, batch, fence);
            if (!gone) return tl::unexpected(gone.error());
            removed = *gone;
            return {};
        });
        if (!written) return written;
        run.count("removed", removed);
        if (removed < batch) return {};
    }
}

}  // namespace understudy::tasks::pod
