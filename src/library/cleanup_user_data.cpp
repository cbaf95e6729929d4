#include "library/cleanup_user_data.h"

#include "core/check.h"
#include "library/clean_run.h"

namespace understudy::library {

const tasks::CatalogueEntry& CleanupUserData::info() const noexcept {
    const auto* entry = tasks::find_task("CleanupUserDataTask");
    CHECK(entry != nullptr);
    return *entry;
}

core::Result<void> CleanupUserData::execute(tasks::Run& run) {
    const auto before = clock_.utc_now() - keep_;
    // Items, not their rows: to count those costs a good part of what it costs to remove them.
    const auto detached = data_.detached(before);
    if (!detached) return tl::unexpected(detached.error());
    const auto cleaned = clean_in_steps(
        run, {"detached", CleanPlace::parse(run.cursor()).cursor},
        [&](const std::string& cursor, const core::Fence& fence) {
            return data_.remove_detached(before, cursor, fence);
        },
        [&](const CleanTotals& totals) { run.report(progress_within(0, 100, totals.looked_at, *detached)); });
    if (!cleaned) return tl::unexpected(cleaned.error());
    run.report(100);
    run.count("rows_removed", cleaned->removed);
    run.count("items_forgotten", cleaned->looked_at);
    return {};
}

}  // namespace understudy::library
