#include "library/clean_collections.h"

#include "core/check.h"
#include "library/clean_run.h"
#include "library/naming/text.h"
#include "library/roots.h"

namespace understudy::library {

const tasks::CatalogueEntry& CleanCollections::info() const noexcept {
    const auto* entry = tasks::find_task("CleanCollectionsAndPlaylists");
    CHECK(entry != nullptr);
    return *entry;
}

core::Result<std::vector<core::LibraryId>> CleanCollections::away(tasks::Run& run) const {
    const auto all = libraries_.all();
    if (!all) return tl::unexpected(all.error());
    std::vector<core::LibraryId> away;
    for (const auto& library : *all) {
        for (const auto& path : library.paths) {
            if (run.should_stop()) return core::fail(core::Errc::cancelled, "look at the libraries' folders");
            const auto root = look_at_root(*files_, path);
            if (root.online) continue;
            run.warn(naming::display_text(path) + " is offline (" + root.reason + "): members of the library '" +
                     library.name + "' stay");
            away.push_back(library.id);
            break;
        }
    }
    return away;
}

core::Result<void> CleanCollections::execute(tasks::Run& run) {
    // Again for each run, also one that goes on: a disc may have gone meanwhile.
    const auto offline = away(run);
    if (!offline) return tl::unexpected(offline.error());
    const auto collections = collections_.all(std::nullopt);
    if (!collections) return tl::unexpected(collections.error());
    std::int64_t members = 0;
    for (const auto& collection : *collections) members += collection.members;
    const auto cleaned = clean_in_steps(
        run, {"members", CleanPlace::parse(run.cursor()).cursor},
        [&](const std::string& cursor, const core::Fence& fence) {
            return collections_.drop_gone_members(cursor, *offline, fence);
        },
        [&](const CleanTotals& totals) { run.report(progress_within(0, 100, totals.looked_at, members)); });
    if (!cleaned) return tl::unexpected(cleaned.error());
    run.report(100);
    run.count("members_dropped", cleaned->removed);
    run.count("collections", static_cast<std::int64_t>(collections->size()));
    if (!offline->empty()) run.count("libraries_offline", static_cast<std::int64_t>(offline->size()));
    return {};
}

}  // namespace understudy::library
