#include "tasks/database/sql_ledger_tables.h"

#include <algorithm>

#include "tasks/database/sql_ledger_rows.h"

namespace understudy::tasks::database {
namespace {

using store::sql::Null;
using store::sql::Session;

std::string joined(std::string_view a, std::string_view b) {
    return std::string(a).append(b);
}

/// A transaction or a look on one session; the first failure sticks (see LedgerView).
class SqlLedgerTransaction final : public LedgerTransaction {
public:
    explicit SqlLedgerTransaction(Session& session) : session_(session) {}

    [[nodiscard]] core::Result<void> outcome(core::Result<void> of_work) const {
        if (error_) return tl::unexpected(*error_);
        return of_work;
    }

    core::UtcTime now() override {
        core::UtcTime now{};
        ask("SELECT {now_ms}", {}, [&](const Row& row) { now = core::from_unix_ms(row.integer(0)); });
        return now;
    }
    std::optional<ClusterRecord> cluster() override {
        std::optional<ClusterRecord> found;
        ask("SELECT timers_paused, cluster_started_at FROM cluster_state WHERE id = 1", {}, [&](const Row& row) {
            found = ClusterRecord{row.integer(0) != 0, core::from_unix_ms(row.integer(1))};
        });
        return found;
    }
    std::vector<TaskRecord> tasks() override { return all(joined(select_tasks, "ORDER BY task"), {}, read_task); }
    std::optional<TaskRecord> task(const std::string& key) override {
        return first(joined(select_tasks, "WHERE task = ?"), {key}, read_task);
    }
    std::vector<ScopeRecord> scopes(const std::optional<std::string>& scope) override {
        if (!scope) return all(joined(select_scopes, "ORDER BY s.task, s.scope"), {}, read_scope);
        return all(joined(select_scopes, "WHERE s.scope = 'cluster' OR s.scope = ? ORDER BY s.task, s.scope"), {*scope},
                   read_scope);
    }
    std::vector<RunRow> newest_runs(const std::optional<std::string>& scope) override {
        // Epochs of a scope have no gaps and the oldest are forgotten first: no sorting of whole histories.
        auto sql = joined(select_runs,
                          "JOIN task_state s ON s.task = r.task AND s.scope = r.scope WHERE r.epoch >= s.epoch - 1");
        if (scope) sql += " AND (s.scope = 'cluster' OR s.scope = ?)";
        sql += " ORDER BY r.task, r.scope, r.epoch DESC";
        return all(sql, scope ? std::vector<Value>{*scope} : std::vector<Value>{}, read_run);
    }
    std::optional<RunRow> newest_run(const TaskScope& task) override {
        return first(joined(select_runs, "WHERE r.task = ? AND r.scope = ? ORDER BY r.epoch DESC LIMIT 1"),
                     {task.task, task.scope}, read_run);
    }
    std::optional<RunRow> run(core::RunId id) override {
        return first(joined(select_runs, "WHERE r.run_id = ?"), {id_value(id)}, read_run);
    }
    std::vector<RunRow> live_runs() override {
        return all(joined(select_runs, "WHERE r.state IN ('running', 'cancelling') ORDER BY r.task, r.scope"), {},
                   read_run);
    }
    RunLedger::RunPage runs(const RunFilter& filter) override {
        std::string where = "WHERE 1 = 1";
        std::vector<Value> values;
        const auto also = [&](std::string_view column, Value value) {
            where.append(" AND ").append(column).append(" = ?");
            values.push_back(std::move(value));
        };
        if (!filter.task.empty()) also("r.task", filter.task);
        if (!filter.pod.empty()) also("r.pod", storable(filter.pod));
        if (filter.state) also("r.state", std::string(to_string(*filter.state)));
        RunLedger::RunPage page;
        ask("SELECT COUNT(*) FROM task_runs r " + where, values,
            [&](const Row& row) { page.total = static_cast<std::size_t>(row.integer(0)); });
        values.emplace_back(static_cast<std::int64_t>(filter.limit));
        values.emplace_back(static_cast<std::int64_t>(filter.start_index));
        page.items = all(
            joined(select_runs, where) + " ORDER BY r.started_at DESC, r.epoch DESC, r.run_id DESC LIMIT ? OFFSET ?",
            values, read_run);
        return page;
    }
    std::vector<SkipRow> skips(std::size_t limit) override {
        std::vector<SkipRow> rows;
        ask("SELECT task, slot_at, pod, skipped_at, reason, holder FROM task_skips ORDER BY sequence DESC LIMIT ?",
            {static_cast<std::int64_t>(limit)}, [&](const Row& row) { rows.push_back(read_skip(row)); });
        return rows;
    }

    void lock_group() override { ask("SELECT name FROM task_groups WHERE name = 'exclusive' {for_update}", {}); }
    std::optional<TaskRecord> lock_task(const std::string& key) override {
        return first(joined(select_tasks, "WHERE task = ? {for_update}"), {key}, read_task);
    }
    std::optional<ScopeRecord> lock_scope(const TaskScope& task) override {
        return first(joined(select_scopes, "WHERE s.task = ? AND s.scope = ? {for_update}"), {task.task, task.scope},
                     read_scope);
    }
    std::vector<ScopeRecord> lock_scopes(const std::string& key) override {
        return all(joined(select_scopes, "WHERE s.task = ? ORDER BY s.scope {for_update}"), {key}, read_scope);
    }
    std::optional<RunRow> lock_run(core::RunId id) override {
        // Two statements: the second sees what the writer committed that the first waited for.
        ask("SELECT run_id FROM task_runs WHERE run_id = ? {for_no_key_update}", {id_value(id)});
        return run(id);
    }
    std::optional<BeatRecord> lock_beat(core::RunId id) override {
        std::optional<BeatRecord> beat;
        ask("SELECT beat, beat_at FROM task_beats WHERE run_id = ? {for_update}", {id_value(id)}, [&](const Row& row) {
            beat = BeatRecord{row.integer(0), core::from_unix_ms(row.integer(1))};
        });
        return beat;
    }

    void insert_cluster(const ClusterRecord& cluster) override {
        execute(
            "INSERT INTO cluster_state (id, timers_paused, cluster_started_at) VALUES (1, ?, ?)"
            " ON CONFLICT DO NOTHING",
            {flag(cluster.timers_paused), time_value(cluster.started_at)});
    }
    void update_cluster(const ClusterRecord& cluster) override {
        execute("UPDATE cluster_state SET timers_paused = ?, cluster_started_at = ? WHERE id = 1",
                {flag(cluster.timers_paused), time_value(cluster.started_at)});
    }
    void insert_task(const TaskRecord& task) override {
        execute(
            "INSERT INTO task_definitions (task, task_group, enabled, triggers) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            {task.task, group_name(task.group), flag(task.enabled), triggers_to_stored_json(task.triggers)});
    }
    void update_task(const TaskRecord& task) override {
        execute("UPDATE task_definitions SET task_group = ?, enabled = ?, triggers = ? WHERE task = ?",
                {group_name(task.group), flag(task.enabled), triggers_to_stored_json(task.triggers), task.task});
    }
    void insert_scope(const ScopeRecord& scope) override {
        auto values = scope_values(scope);
        values.insert(values.begin(), {Value(scope.task.task), Value(scope.task.scope)});
        execute(
            "INSERT INTO task_state (task, scope, version, epoch, next_slot, next_trigger, slots_after,"
            " pending_options, pending_not_before, pending_attempt, last_end, last_start)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            std::move(values));
    }
    void update_scope(const ScopeRecord& scope) override {
        auto values = scope_values(scope);
        values.emplace_back(scope.task.task);
        values.emplace_back(scope.task.scope);
        execute(
            "UPDATE task_state SET version = ?, epoch = ?, next_slot = ?, next_trigger = ?, slots_after = ?,"
            " pending_options = ?, pending_not_before = ?, pending_attempt = ?, last_end = ?, last_start = ?"
            " WHERE task = ? AND scope = ?",
            std::move(values));
    }

    void insert_run(const RunRow& run) override {
        auto values = run_values(run);
        values.push_back(time_value(run.heartbeat_at));
        values.emplace_back(run.beat);
        values.push_back(id_value(run.id));
        execute(
            "INSERT INTO task_runs (task, scope, kind, slot_at, options, pod, boot_id, epoch, state, progress, cursor,"
            " cursor_seq, start_cursor, attempts, stuck_takeovers, resumed_from, cancel_requested, cancel_reason,"
            " started_at, ended_at, max_runtime_ms, error, counts, warnings, heartbeat_at, beat, run_id) VALUES"
            " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            std::move(values));
        execute("INSERT INTO task_beats (run_id, beat, beat_at, progress, counts) VALUES (?, ?, ?, ?, ?)",
                {id_value(run.id), run.beat, time_value(run.heartbeat_at.value_or(run.started_at)), run.progress,
                 counts_to_json(run.counts)});
    }
    void update_run(const RunRow& run) override {
        auto values = run_values(run);
        values.push_back(id_value(run.id));
        execute(
            "UPDATE task_runs SET task = ?, scope = ?, kind = ?, slot_at = ?, options = ?, pod = ?, boot_id = ?,"
            " epoch = ?, state = ?, progress = ?, cursor = ?, cursor_seq = ?, start_cursor = ?, attempts = ?,"
            " stuck_takeovers = ?, resumed_from = ?, cancel_requested = ?, cancel_reason = ?, started_at = ?,"
            " ended_at = ?, max_runtime_ms = ?, error = ?, counts = ?, warnings = ? WHERE run_id = ?",
            std::move(values));
    }
    void drop_beat(core::RunId id) override {
        const auto beat = lock_beat(id);
        if (!beat) return;
        execute("UPDATE task_runs SET heartbeat_at = ?, beat = ? WHERE run_id = ?",
                {time_value(beat->at), beat->counter, id_value(id)});
        execute("DELETE FROM task_beats WHERE run_id = ?", {id_value(id)});
    }
    bool move_beat(core::RunId id, std::int64_t counter, const RunProgress& progress) override {
        const auto& pace = progress.pace;
        const auto left = pace.left ? Value(std::int64_t{pace.left->count()}) : Value(Null{});
        return execute(
                   "UPDATE task_beats SET beat = beat + 1, beat_at = {now_ms},"
                   " progress = CASE WHEN progress < ? THEN ? ELSE progress END, counts = ?,"
                   " pace_unit = ?, pace_per_second = ?, left_ms = ? WHERE run_id = ? AND beat = ?",
                   {progress.percent, progress.percent, counts_to_json(progress.counts), pace.unit, pace.per_second,
                    left, id_value(id), counter}) == 1;
    }

    bool slot_taken(const TaskScope& task, core::UtcTime slot) override {
        bool taken = false;
        ask("SELECT 1 FROM task_slots WHERE task = ? AND scope = ? AND slot_at = ?",
            {task.task, task.scope, time_value(slot)}, [&](const Row&) { taken = true; });
        return taken;
    }
    void insert_slot(const TaskScope& task, core::UtcTime slot, const RunRow& run) override {
        execute("INSERT INTO task_slots (task, scope, slot_at, run_id) VALUES (?, ?, ?, ?)",
                {task.task, task.scope, time_value(slot), id_value(run.id)});
    }
    void repoint_slots(core::RunId from, const RunRow& to) override {
        execute("UPDATE task_slots SET run_id = ? WHERE run_id = ?", {id_value(to.id), id_value(from)});
    }
    void forget_runs(const TaskScope& task, std::int64_t up_to, std::int64_t below,
                     core::UtcTime ended_before) override {
        std::optional<std::int64_t> oldest;
        ask("SELECT MIN(epoch), MAX(CASE WHEN epoch < ? AND ended_at < ? THEN epoch END) FROM task_runs"
            " WHERE task = ? AND scope = ?",
            {below, time_value(ended_before), task.task, task.scope}, [&](const Row& row) {
                if (!row.is_null(0)) oldest = row.integer(0);
                if (!row.is_null(1)) up_to = std::max(up_to, row.integer(1));
            });
        if (!oldest || *oldest > up_to) return;
        execute(
            "DELETE FROM task_slots WHERE run_id IN"
            " (SELECT run_id FROM task_runs WHERE task = ? AND scope = ? AND epoch <= ?)",
            {task.task, task.scope, up_to});
        execute("DELETE FROM task_runs WHERE task = ? AND scope = ? AND epoch <= ?", {task.task, task.scope, up_to});
    }

    core::Result<void> pass_fence(const core::Fence& fence) override {
        if (error_) return tl::unexpected(*error_);
        return store::sql::pass_fence(session_, fence);
    }

    void insert_skip(const SkipRow& skip, std::size_t keep) override {
        const auto added = execute(
            "INSERT INTO task_skips (task, slot_at, pod, skipped_at, reason, holder)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            {skip.task, time_value(skip.slot), storable(skip.pod), time_value(skip.at), storable(skip.reason),
             storable(skip.holder)});
        if (added == 0) return;
        execute(
            "DELETE FROM task_skips WHERE sequence <="
            " (SELECT sequence FROM task_skips ORDER BY sequence DESC LIMIT 1 OFFSET ?)",
            {static_cast<std::int64_t>(keep)});
    }

private:
    static Value flag(bool value) { return std::int64_t{value ? 1 : 0}; }

    std::int64_t execute(std::string_view sql, std::vector<Value> values) {
        if (error_) return 0;
        const auto touched = session_.execute(sql, values);
        if (touched) return *touched;
        error_ = touched.error();
        return 0;
    }
    void ask(
        std::string_view sql, const std::vector<Value>& values,
        const std::function<void(const Row&)>& each = [](const Row&) {}) {
        if (error_) return;
        if (const auto done = session_.query(sql, values, each); !done) error_ = done.error();
    }
    template <class T>
    std::vector<T> all(std::string_view sql, const std::vector<Value>& values, core::Result<T> (*read)(const Row&)) {
        std::vector<T> rows;
        std::optional<core::Error> unread;
        ask(sql, values, [&](const Row& row) {
            auto one = read(row);
            if (one)
                rows.push_back(std::move(*one));
            else if (!unread)
                unread = one.error();
        });
        if (unread && !error_) error_ = unread;
        if (error_) rows.clear();
        return rows;
    }
    template <class T>
    std::optional<T> first(std::string_view sql, const std::vector<Value>& values,
                           core::Result<T> (*read)(const Row&)) {
        auto rows = all(sql, values, read);
        return rows.empty() ? std::nullopt : std::optional(std::move(rows.front()));
    }

    Session& session_;
    std::optional<core::Error> error_;
};

}  // namespace

core::Result<void> SqlLedgerTables::transaction(const std::function<core::Result<void>(LedgerTransaction&)>& work) {
    return database_.with(store::sql::Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            SqlLedgerTransaction tx(session);
            return tx.outcome(work(tx));
        });
    });
}

core::Result<void> SqlLedgerTables::look(const std::function<void(LedgerView&)>& work) {
    return database_.with(store::sql::Access::read, [&](Session& session) {
        return session.snapshot([&]() -> core::Result<void> {
            SqlLedgerTransaction tx(session);
            work(tx);
            return tx.outcome({});
        });
    });
}

}  // namespace understudy::tasks::database
