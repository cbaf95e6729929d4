#include "library/optimize_database.h"

#include <string>
#include <utility>
#include <vector>

#include "core/check.h"
#include "library/clean_run.h"

namespace understudy::library {

namespace {

// Nobody knows beforehand how many steps a clean-up takes: each gets this part of 0..100, and moves through it ever
// slower.
constexpr double analyses_end = 10, blobs_end = 30;

constexpr const char* analyses_phase = "analyses";
constexpr const char* blobs_phase = "blobs";
constexpr const char* database_phase = "database";

double after_steps(double from, double to, std::int64_t steps) {
    return from + (to - from) * static_cast<double>(steps) / static_cast<double>(steps + 16);
}

std::string name_of(const store::UpkeepStep& step) {
    const std::string table = step.table.empty() ? "" : " of " + step.table;
    switch (step.kind) {
        case store::Upkeep::statistics:
            return "statistics" + table;
        case store::Upkeep::vacuum:
            return "vacuum" + table;
        case store::Upkeep::checkpoint:
            return "checkpoint" + table;
    }
    return "?";
}

}  // namespace

const tasks::CatalogueEntry& OptimizeDatabase::info() const noexcept {
    const auto* entry = tasks::find_task("OptimizeDatabaseTask");
    CHECK(entry != nullptr);
    return *entry;
}

core::Result<void> OptimizeDatabase::execute(tasks::Run& run) {
    const auto from = CleanPlace::parse(run.cursor());
    const bool past_analyses = from.phase == blobs_phase || from.phase == database_phase;
    if (!past_analyses) {
        if (auto done = purge_analyses(run, from.phase == analyses_phase ? from.cursor : ""); !done) return done;
    }
    run.report(analyses_end);
    if (from.phase != database_phase) {
        if (auto done = remove_blobs(run, from.phase == blobs_phase ? from.cursor : ""); !done) return done;
    }
    run.report(blobs_end);
    return keep_up(run);
}

core::Result<void> OptimizeDatabase::purge_analyses(tasks::Run& run, const std::string& cursor) {
    std::int64_t steps = 0;
    const auto purged = clean_in_steps(
        run, {analyses_phase, cursor},
        [&](const std::string& at, const core::Fence& fence) { return analyses_.purge_unreferenced(at, fence); },
        [&](const CleanTotals&) { run.report(after_steps(0, analyses_end, ++steps)); });
    if (!purged) return tl::unexpected(purged.error());
    run.count("analyses_removed", purged->removed);
    return {};
}

core::Result<void> OptimizeDatabase::remove_blobs(tasks::Run& run, const std::string& cursor) {
    CleanPlace place{blobs_phase, cursor};
    std::int64_t removed = 0;
    for (std::int64_t steps = 1;; ++steps) {
        if (run.should_stop()) return core::fail(core::Errc::cancelled, place.phase);
        // A blob's removal has no fence, since it is safe whoever does it; but who lost the run has to stop.
        auto ours = run.commit(place.str(), [&](const core::Fence& fence) { return maintenance_.pass(fence); });
        if (!ours) return ours;
        auto step = blobs_.remove_unreferenced(place.cursor, references_, store::blob_grace);
        if (!step && step.error().code == core::Errc::invalid && !place.cursor.empty()) {
            place.cursor.clear();  // another version's, or another provider's
            continue;
        }
        if (!step) {
            // A folder that is away must not keep the database from its care.
            run.warn("blobs that nothing names were not all removed: " + step.error().context);
            break;
        }
        removed += step->removed;
        run.report(after_steps(analyses_end, blobs_end, steps));
        if (step->cursor.empty()) break;
        place.cursor = std::move(step->cursor);
    }
    run.count("blobs_removed", removed);
    return {};
}

core::Result<void> OptimizeDatabase::keep_up(tasks::Run& run) {
    const auto plan = maintenance_.plan();
    if (!plan) return tl::unexpected(plan.error());
    std::int64_t whole = 0, done = 0;
    for (const auto& step : *plan) whole += step.skip.empty() ? step.size_bytes : 0;
    run.count("database_steps", 0);
    for (const auto& step : *plan) {
        if (!step.skip.empty()) {
            const auto text = name_of(step) + " left out: " + step.skip;
            if (step.wanted) run.warn(text);
            if (!step.wanted) run.log().info(text);
            continue;
        }
        const auto at = progress_within(blobs_end, 100, done, whole);
        if (auto carried = carry_out(run, step, at); !carried) return carried;
        done += step.size_bytes;
    }
    run.report(100);
    return {};
}

core::Result<void> OptimizeDatabase::carry_out(tasks::Run& run, const store::UpkeepStep& step, double at) {
    if (run.should_stop()) return core::fail(core::Errc::cancelled, name_of(step));
    const auto ours = run.commit(CleanPlace{database_phase, ""}.str(),
                                 [&](const core::Fence& fence) { return maintenance_.pass(fence); });
    if (!ours) return tl::unexpected(ours.error());
    run.report(at);
    const auto result = maintenance_.carry_out(step, [&] {
        run.report(at);  // a sign of life: one statement may take minutes
        return run.should_stop();
    });
    if (!result) return tl::unexpected(result.error());
    if (!result->skipped.empty()) {
        run.warn(name_of(step) + " left out: " + result->skipped);
        return {};
    }
    run.count("database_steps");
    if (step.kind == store::Upkeep::vacuum) run.count("vacuumed");
    if (result->freed_bytes > 0) run.count("freed_bytes", result->freed_bytes);
    const auto text = "database step done: " + name_of(step);
    // One of each table that has changed, four times a day: the run counts them.
    if (step.kind == store::Upkeep::statistics)
        run.log().debug(text);
    else
        run.log().info(text);
    return {};
}

}  // namespace understudy::library
