#include "tasks/transactional_run_ledger.h"

#include <algorithm>
#include <map>

namespace understudy::tasks {
namespace {

constexpr std::size_t most_runs_a_page = 1'000;
constexpr std::size_t most_skips = 1'000;
constexpr int most_taken_slots = 1'000;  // a bound for a loop that ends long before

core::Error no_task(const std::string& task) {
    return {core::Errc::not_found, "task " + task + " is not known to the ledger"};
}

std::vector<GroupMember> members_of(LedgerView& view, const std::optional<std::string>& scope) {
    std::map<std::string, TaskRecord> tasks;
    for (auto& task : view.tasks()) tasks.emplace(task.task, std::move(task));
    std::vector<GroupMember> members;
    std::map<TaskScope, std::size_t> index;
    for (auto& row : view.scopes(scope)) {
        const auto task = tasks.find(row.task.task);
        if (task == tasks.end()) continue;
        index.emplace(row.task, members.size());
        members.push_back({task->second, std::move(row), std::nullopt});
    }
    for (auto& run : view.newest_runs(scope)) {
        const auto at = index.find(run.task);
        if (at == index.end()) continue;
        auto& newest = members[at->second].newest;
        if (!newest || newest->epoch < run.epoch) newest = std::move(run);
    }
    return members;
}

}  // namespace

TransactionalRunLedger::TransactionalRunLedger(LedgerTables& tables, LedgerSettings settings, Zone zone)
    : tables_(tables), settings_(std::move(settings)), zone_(std::move(zone)) {}

std::optional<TransactionalRunLedger::Locked> TransactionalRunLedger::lock(LedgerTransaction& tx, const TaskScope& task,
                                                                           Queue queue) {
    if (queue == Queue::claims) {
        const auto known = tx.task(task.task);  // its group never changes while it has runs
        if (known && known->group != Group::none) tx.lock_group();
    }
    auto scope = tx.lock_scope(task);
    if (!scope) return std::nullopt;
    // Read under the lock, in statements of their own: an edit holds all scopes of its task until it has committed.
    auto record = tx.task(task.task);
    auto cluster = tx.cluster();
    if (!record || !cluster) return std::nullopt;
    Locked at;
    at.task = std::move(*record);
    at.scope = std::move(*scope);
    at.cluster = *cluster;
    at.newest = tx.newest_run(task);
    at.now = tx.now();
    return at;
}

SlotFacts TransactionalRunLedger::facts(const Locked& at, bool busy) const {
    const auto skip = settings_.misfire_skip.find(at.task.task);
    SlotFacts facts;
    facts.now = at.now;
    facts.cluster_started = at.cluster.started_at;
    facts.busy = busy;
    facts.misfire_skip = skip != settings_.misfire_skip.end() && skip->second;
    facts.misfire_grace = settings_.misfire_grace;
    return facts;
}

void TransactionalRunLedger::reschedule(LedgerTransaction& tx, Locked& at, bool busy) const {
    const auto facts = this->facts(at, busy);
    auto after = at.scope.slots_after;
    // A clock that ran ahead and was set back must not stop the task; what was finished meanwhile is in the slots.
    if (after) after = std::min(*after, at.now);
    auto next = next_wall_slot(at.task.triggers, facts, after, zone_);
    for (int i = 0; next && i < most_taken_slots && tx.slot_taken(at.scope.task, next->at); ++i)
        next = next_wall_slot(at.task.triggers, facts, next->at, zone_);
    auto interval = next_interval_slot(at.task.triggers, facts, at.scope.last_end, zone_);
    for (int i = 0; interval && i < most_taken_slots && tx.slot_taken(at.scope.task, interval->at); ++i)
        interval->at += core::Millis{1};
    if (interval && (!next || interval->at < next->at)) next = interval;
    at.scope.next_slot = next ? std::optional(next->at) : std::nullopt;
    at.scope.next_trigger = next ? std::optional(next->trigger) : std::nullopt;
}

void TransactionalRunLedger::finish(LedgerTransaction& tx, Locked& at, RunRow& run, RunState state) const {
    const bool was_live = is_live(run.state);
    run.state = state;
    run.ended_at = at.now;
    tx.update_run(run);
    if (was_live) tx.drop_beat(run.id);
    if (!is_open(state)) at.scope.last_end = at.now;
    at.newest = run;
    reschedule(tx, at, is_open(state));
    tx.forget_runs(run.task, at.scope.epoch - static_cast<std::int64_t>(settings_.keep_runs), at.scope.epoch,
                   at.now - settings_.keep_for);
}

std::string TransactionalRunLedger::blocked(LedgerTransaction& tx, const Locked& at, core::UtcTime due) const {
    if (at.task.group == Group::none) return {};
    const auto members = members_of(tx, std::string(cluster_scope));
    return blocked_by(at.task.group, at.task.task, due, members, at.now, at.cluster.timers_paused,
                      settings_.group_patience);
}

core::Result<core::UtcTime> TransactionalRunLedger::now() {
    core::UtcTime now{};
    const auto done = tables_.look([&](LedgerView& view) { now = view.now(); });
    if (!done) return tl::unexpected(done.error());
    return now;
}

core::Result<void> TransactionalRunLedger::ensure_task(const CatalogueEntry& entry, const std::string& scope) {
    const TaskScope row{std::string(entry.key), scope};
    bool there = false;
    const auto looked = tables_.look([&](LedgerView& view) {
        const auto task = view.task(row.task);
        const auto scopes = view.scopes(scope);
        there = view.cluster() && task && task->group == entry.group &&
                std::any_of(scopes.begin(), scopes.end(), [&](const auto& one) { return one.task == row; });
    });
    if (!looked || there) return looked;
    return tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        tx.insert_cluster({false, tx.now()});
        TaskRecord fresh{row.task, entry.group, true, entry.default_triggers()};
        for (auto& trigger : fresh.triggers) trigger.created_at = tx.now();
        tx.insert_task(fresh);
        auto task = tx.lock_task(row.task);  // keeps edits out: they write every scope that is there
        if (task && task->group != entry.group) {
            task->group = entry.group;
            tx.update_task(*task);
        }
        if (tx.lock_scope(row)) return {};
        Locked at;
        if (task) at.task = std::move(*task);
        at.scope.task = row;
        at.cluster = tx.cluster().value_or(ClusterRecord{});
        at.now = tx.now();
        reschedule(tx, at, false);
        tx.insert_scope(at.scope);
        return {};
    });
}

core::Result<RunLedger::Overview> TransactionalRunLedger::overview(const std::string& pod_label) {
    Overview overview;
    const auto done = tables_.look([&](LedgerView& view) {
        overview = {};
        overview.now = view.now();
        overview.timers_paused = view.cluster().value_or(ClusterRecord{}).timers_paused;
        std::map<std::string, TaskRecord> tasks;
        for (auto& task : view.tasks()) tasks.emplace(task.task, std::move(task));
        std::map<TaskScope, std::vector<RunRow>> runs;  // newest first
        for (auto& run : view.newest_runs(pod_label)) runs[run.task].push_back(std::move(run));
        std::vector<GroupMember> members;
        for (auto& scope : view.scopes(pod_label)) {
            const auto task = tasks.find(scope.task.task);
            if (task == tasks.end()) continue;
            const auto& two = runs[scope.task];
            members.push_back(
                {task->second, std::move(scope), two.empty() ? std::nullopt : std::optional(two.front())});
        }
        for (const auto& member : members) {
            TaskStateRow row;
            row.task = member.scope.task;
            row.version = member.scope.version;
            row.enabled = member.task.enabled;
            row.triggers = member.task.triggers;
            row.epoch = member.scope.epoch;
            row.next_slot = member.scope.next_slot;
            row.next_trigger = member.scope.next_trigger;
            row.pending = member.scope.pending;
            row.last_end = member.scope.last_end;
            row.last_start = member.scope.last_start;
            for (const auto& run : runs[row.task]) {
                if (is_live(run.state)) {
                    row.live = run;
                    continue;
                }
                if (!row.last_result) row.last_result = run;
                if (is_open(run.state) && run.epoch == row.epoch) row.open = run;
            }
            if (const auto since = wish_of(member, overview.now, overview.timers_paused)) {
                row.waiting_for = blocked_by(member.task.group, row.task.task, *since, members, overview.now,
                                             overview.timers_paused, settings_.group_patience);
            }
            overview.tasks.push_back(std::move(row));
        }
    });
    if (!done) return tl::unexpected(done.error());
    return overview;
}

core::Result<std::vector<RunRow>> TransactionalRunLedger::live_runs() {
    std::vector<RunRow> runs;
    const auto done = tables_.look([&](LedgerView& view) { runs = view.live_runs(); });
    if (!done) return tl::unexpected(done.error());
    return runs;
}

core::Result<BeatAnswer> TransactionalRunLedger::beat(core::RunId run, std::int64_t epoch, std::int64_t counter,
                                                      const RunProgress& progress) {
    BeatAnswer answer;
    const auto done = tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        answer = {};
        // The beat's row goes when the run ends, so a counter that moves is a run that lives.
        answer.still_ours = tx.move_beat(run, counter, progress);
        if (!answer.still_ours) return {};
        const auto row = tx.run(run);
        answer.still_ours = row && is_live(row->state) && row->epoch == epoch;
        if (row) answer.cancel_requested = row->cancel_requested;
        if (row) answer.cancel_reason = row->cancel_reason;
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    return answer;
}

core::Result<void> TransactionalRunLedger::checkpoint(const core::Fence& fence) {
    return tables_.transaction([&](LedgerTransaction& tx) { return tx.pass_fence(fence); });
}

core::Result<void> TransactionalRunLedger::end(const core::Fence& fence, const RunEnd& end) {
    return tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        const auto fenced = [&](const std::string& why) {
            return core::fail(core::Errc::fenced, "end of run " + fence.run.str() + ": " + why);
        };
        if (is_live(end.state) || end.state == RunState::aborted)
            return core::fail(core::Errc::invalid, "a run cannot end as " + std::string(to_string(end.state)));
        const auto known = tx.run(fence.run);
        if (!known) return fenced("there is no such run");
        auto at = lock(tx, known->task, Queue::others);
        auto run = tx.lock_run(fence.run);
        if (!at || !run) return fenced("there is no such run");
        // The same call again after an unknown outcome: it had been applied.
        if (run->state == end.state && run->epoch == fence.epoch && run->cursor_seq == fence.cursor_seq + 1) return {};
        if (!is_live(run->state)) return fenced("it is " + std::string(to_string(run->state)));
        if (run->epoch != fence.epoch || run->cursor_seq != fence.cursor_seq)
            return fenced("epoch " + std::to_string(run->epoch) + ", write " + std::to_string(run->cursor_seq) +
                          " is not epoch " + std::to_string(fence.epoch) + ", write " +
                          std::to_string(fence.cursor_seq));
        at->now = tx.now();
        ++run->cursor_seq;
        if (fence.cursor) run->cursor = *fence.cursor;
        run->progress = std::max(run->progress, end.progress);
        run->error = end.error;
        run->counts = end.counts;
        run->warnings = end.warnings;
        finish(tx, *at, *run, end.state);
        tx.update_scope(at->scope);
        return {};
    });
}

core::Result<bool> TransactionalRunLedger::cancel(const TaskScope& task, const std::string& reason) {
    bool found = false;
    const auto done = tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        found = false;
        auto at = lock(tx, task, Queue::others);
        if (!at) return tl::unexpected(no_task(task.task));
        auto run = at->live() || at->open() ? tx.lock_run(at->newest->id) : std::nullopt;
        if (run) {
            found = true;
            if (!run->cancel_requested) run->cancel_reason = reason;
            run->cancel_requested = true;
            if (is_live(run->state)) {
                run->state = RunState::cancelling;
                tx.update_run(*run);
            } else {
                at->now = tx.now();
                finish(tx, *at, *run, RunState::cancelled);
                tx.update_scope(at->scope);
            }
        } else if (at->scope.pending && at->scope.pending->not_before <= at->now) {
            found = true;
            at->scope.pending.reset();
            tx.update_scope(at->scope);
        }
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    return found;
}

core::Result<void> TransactionalRunLedger::set_triggers(const std::string& task, const std::vector<Trigger>& triggers) {
    return tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        auto record = tx.lock_task(task);
        if (!record) return tl::unexpected(no_task(task));
        auto scopes = tx.lock_scopes(task);
        const auto now = tx.now();
        const auto old = std::move(record->triggers);
        record->triggers = triggers;
        for (auto& trigger : record->triggers) {
            // A trigger that stays as it was keeps its age: posting the same list again puts nothing off.
            const auto same = std::find_if(old.begin(), old.end(), [&](const Trigger& one) {
                return one.when == trigger.when && one.max_runtime == trigger.max_runtime;
            });
            trigger.created_at = same != old.end() ? same->created_at : now;
        }
        tx.update_task(*record);
        const auto cluster = tx.cluster().value_or(ClusterRecord{});
        for (auto& scope : scopes) {
            auto newest = tx.newest_run(scope.task);
            Locked at{*record, std::move(scope), cluster, std::move(newest), now};
            ++at.scope.version;
            reschedule(tx, at, at.live() || at.open());
            tx.update_scope(at.scope);
        }
        return {};
    });
}

core::Result<void> TransactionalRunLedger::set_enabled(const std::string& task, bool enabled) {
    return tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        auto record = tx.lock_task(task);
        if (!record) return tl::unexpected(no_task(task));
        if (record->enabled == enabled) return {};
        auto scopes = tx.lock_scopes(task);
        const auto now = tx.now();
        record->enabled = enabled;
        tx.update_task(*record);
        const auto cluster = tx.cluster().value_or(ClusterRecord{});
        for (auto& scope : scopes) {
            auto newest = tx.newest_run(scope.task);
            Locked at{*record, std::move(scope), cluster, std::move(newest), now};
            ++at.scope.version;
            // What passed while the task was off is let go; an overdue interval runs at once.
            if (enabled) at.scope.slots_after = std::max(at.scope.slots_after.value_or(now), now);
            reschedule(tx, at, at.live() || at.open());
            tx.update_scope(at.scope);
        }
        return {};
    });
}

core::Result<void> TransactionalRunLedger::set_timers_paused(bool paused) {
    return tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        tx.insert_cluster({paused, tx.now()});
        auto cluster = tx.cluster();
        if (!cluster) return {};
        cluster->timers_paused = paused;
        tx.update_cluster(*cluster);
        return {};
    });
}

core::Result<std::optional<RunRow>> TransactionalRunLedger::find_run(core::RunId run) {
    std::optional<RunRow> row;
    const auto done = tables_.look([&](LedgerView& view) { row = view.run(run); });
    if (!done) return tl::unexpected(done.error());
    return row;
}

core::Result<RunLedger::RunPage> TransactionalRunLedger::runs(const RunFilter& filter) {
    RunPage page;
    const auto done = tables_.look([&](LedgerView& view) {
        page = {};
        auto rest = filter;
        rest.limit = std::min(rest.limit, most_runs_a_page);
        if (filter.waiting || (filter.with_waiting && !filter.state && filter.pod.empty())) {
            const auto cluster = view.cluster().value_or(ClusterRecord{});
            auto rows = waiting_rows(members_of(view, std::nullopt), view.now(), cluster.timers_paused,
                                     settings_.group_patience);
            std::erase_if(rows, [&](const RunRow& row) {
                return (!filter.task.empty() && row.task.task != filter.task) || !filter.pod.empty();
            });
            page.total = rows.size();
            const auto from = std::min(rest.start_index, rows.size());
            const auto to = std::min(from + rest.limit, rows.size());
            page.items.assign(rows.begin() + static_cast<std::ptrdiff_t>(from),
                              rows.begin() + static_cast<std::ptrdiff_t>(to));
            rest.start_index -= from;
            rest.limit -= page.items.size();
        }
        if (filter.waiting) return;
        auto found = view.runs(rest);
        page.total += found.total;
        for (auto& row : found.items) page.items.push_back(std::move(row));
    });
    if (!done) return tl::unexpected(done.error());
    return page;
}

core::Result<void> TransactionalRunLedger::note_skip(const SkipRow& skip) {
    return tables_.transaction([&](LedgerTransaction& tx) -> core::Result<void> {
        tx.insert_skip(skip, most_skips);
        return {};
    });
}

core::Result<std::vector<SkipRow>> TransactionalRunLedger::skips(std::size_t limit) {
    std::vector<SkipRow> rows;
    const auto done = tables_.look([&](LedgerView& view) { rows = view.skips(std::min(limit, most_skips)); });
    if (!done) return tl::unexpected(done.error());
    return rows;
}

}  // namespace understudy::tasks
