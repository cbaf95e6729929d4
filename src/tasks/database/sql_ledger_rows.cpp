#include "tasks/database/sql_ledger_rows.h"

#include <boost/json.hpp>

namespace understudy::tasks::database {
namespace {

namespace json = boost::json;

std::optional<core::UtcTime> read_time(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return core::from_unix_ms(row.integer(column));
}

auto corrupt(const std::string& where, const std::string& what) {
    return core::fail(core::Errc::corrupt, where + ": cannot read " + what);
}

/// The length of the UTF-8 sequence at the start of `text`, 0 where there is none.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (length == 0 || lead > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0U) != 0x80) return 0;
    const unsigned second = byte(1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;  // overlong, surrogates
    if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;  // overlong, beyond U+10FFFF
    return length;
}

json::value parsed(const std::string& text, bool& good) {
    json::error_code error;
    auto value = json::parse(text, error);
    good = !error;
    return value;
}

}  // namespace

const std::string_view select_runs =
    "SELECT r.run_id, r.task, r.scope, r.kind, r.slot_at, r.options, r.pod, r.boot_id, r.epoch, r.state,"
    " COALESCE(b.progress, r.progress), r.cursor, r.cursor_seq, r.start_cursor, r.attempts, r.stuck_takeovers,"
    " r.resumed_from, r.cancel_requested, r.cancel_reason, r.started_at, r.ended_at,"
    " COALESCE(b.beat_at, r.heartbeat_at), COALESCE(b.beat, r.beat), r.max_runtime_ms, r.error,"
    " COALESCE(b.counts, r.counts), r.warnings, COALESCE(b.pace_unit, ''), COALESCE(b.pace_per_second, 0), b.left_ms"
    " FROM task_runs r LEFT JOIN task_beats b ON b.run_id = r.run_id ";
const std::string_view select_scopes =
    "SELECT s.task, s.scope, s.version, s.epoch, s.next_slot, s.next_trigger, s.slots_after, s.pending_options,"
    " s.pending_not_before, s.pending_attempt, s.last_end, s.last_start FROM task_state s ";
const std::string_view select_tasks = "SELECT task, task_group, enabled, triggers FROM task_definitions ";

core::Result<RunRow> read_run(const Row& row) {
    RunRow run;
    const auto where = "task_runs " + row.text(0);
    const auto id = core::RunId::parse(row.text(0));
    const auto kind = parse_run_kind(row.text(3));
    const auto boot = core::BootId::parse(row.text(7));
    const auto state = parse_run_state(row.text(9));
    if (!id) return corrupt(where, "run_id");
    if (!kind) return corrupt(where, "kind '" + row.text(3) + "'");
    if (!boot) return corrupt(where, "boot_id");
    if (!state) return corrupt(where, "state '" + row.text(9) + "'");
    run.id = *id;
    run.task = {row.text(1), row.text(2)};
    run.kind = *kind;
    run.slot = read_time(row, 4);
    run.options = row.text(5);
    run.pod = row.text(6);
    run.boot = *boot;
    run.epoch = row.integer(8);
    run.state = *state;
    run.progress = row.real(10);
    run.cursor = row.text(11);
    run.cursor_seq = row.integer(12);
    run.start_cursor = row.text(13);
    run.attempts = static_cast<int>(row.integer(14));
    run.stuck_takeovers = static_cast<int>(row.integer(15));
    if (!row.is_null(16)) {
        run.resumed_from = core::RunId::parse(row.text(16));
        if (!run.resumed_from) return corrupt(where, "resumed_from");
    }
    run.cancel_requested = row.integer(17) != 0;
    run.cancel_reason = row.text(18);
    run.started_at = core::from_unix_ms(row.integer(19));
    run.ended_at = read_time(row, 20);
    run.heartbeat_at = read_time(row, 21);
    run.beat = row.integer(22);
    if (!row.is_null(23)) run.max_runtime = core::Millis{row.integer(23)};
    run.error = row.text(24);
    bool good = false;
    const auto counts = parsed(row.text(25), good);
    if (!good || !counts.is_object()) return corrupt(where, "counts");
    for (const auto& [name, value] : counts.get_object()) {
        if (!value.is_int64()) return corrupt(where, "counts");
        run.counts[std::string(name)] = value.get_int64();
    }
    const auto warnings = parsed(row.text(26), good);
    if (!good || !warnings.is_array()) return corrupt(where, "warnings");
    for (const auto& one : warnings.get_array()) {
        if (!one.is_string()) return corrupt(where, "warnings");
        run.warnings.emplace_back(one.get_string());
    }
    run.pace.unit = row.text(27);
    run.pace.per_second = row.real(28);
    if (!row.is_null(29)) run.pace.left = core::Millis{row.integer(29)};
    return run;
}

core::Result<ScopeRecord> read_scope(const Row& row) {
    ScopeRecord scope;
    scope.task = {row.text(0), row.text(1)};
    scope.version = row.integer(2);
    scope.epoch = row.integer(3);
    scope.next_slot = read_time(row, 4);
    if (!row.is_null(5)) scope.next_trigger = static_cast<std::size_t>(row.integer(5));
    scope.slots_after = read_time(row, 6);
    if (!row.is_null(7))
        scope.pending =
            PendingRequest{row.text(7), core::from_unix_ms(row.integer(8)), static_cast<int>(row.integer(9))};
    scope.last_end = read_time(row, 10);
    scope.last_start = read_time(row, 11);
    return scope;
}

core::Result<TaskRecord> read_task(const Row& row) {
    TaskRecord task;
    task.task = row.text(0);
    const auto group = row.text(1);
    for (const auto one : {Group::none, Group::library, Group::optimize})
        if (group_name(one) == group) task.group = one;
    if (group_name(task.group) != group) return corrupt("task_definitions " + task.task, "task_group '" + group + "'");
    task.enabled = row.integer(2) != 0;
    auto triggers = triggers_from_stored_json(row.text(3));
    if (!triggers) return corrupt("task_definitions " + task.task, "triggers: " + triggers.error().context);
    task.triggers = std::move(*triggers);
    return task;
}

SkipRow read_skip(const Row& row) {
    return {row.text(0), core::from_unix_ms(row.integer(1)),
            row.text(2), core::from_unix_ms(row.integer(3)),
            row.text(4), row.text(5)};
}

Value time_value(core::UtcTime at) {
    return core::to_unix_ms(at);
}

Value time_value(const std::optional<core::UtcTime>& at) {
    return at ? Value(core::to_unix_ms(*at)) : Value(store::sql::Null{});
}

Value id_value(const core::RunId& id) {
    return id.str();
}

std::string storable(std::string_view text) {
    std::string good;
    good.reserve(text.size());
    while (!text.empty()) {
        const auto length = text.front() == '\0' ? 0 : utf8_length(text);
        good += length > 0 ? text.substr(0, length) : std::string_view("\xEF\xBF\xBD");
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return good;
}

std::string counts_to_json(const Counts& counts) {
    json::object object;
    for (const auto& [name, value] : counts) object[storable(name)] = value;
    return json::serialize(object);
}

std::string group_name(Group group) {
    switch (group) {
        case Group::none:
            return "none";
        case Group::library:
            return "library";
        case Group::optimize:
            return "optimize";
    }
    return "none";
}

std::vector<Value> run_values(const RunRow& run) {
    json::array warnings;
    for (const auto& one : run.warnings) warnings.emplace_back(storable(one));
    return {run.task.task,
            run.task.scope,
            std::string(to_string(run.kind)),
            time_value(run.slot),
            storable(run.options),
            storable(run.pod),
            run.boot.str(),
            run.epoch,
            std::string(to_string(run.state)),
            run.progress,
            run.cursor,
            run.cursor_seq,
            run.start_cursor,
            static_cast<std::int64_t>(run.attempts),
            static_cast<std::int64_t>(run.stuck_takeovers),
            run.resumed_from ? Value(run.resumed_from->str()) : Value(store::sql::Null{}),
            static_cast<std::int64_t>(run.cancel_requested ? 1 : 0),
            storable(run.cancel_reason),
            time_value(run.started_at),
            time_value(run.ended_at),
            run.max_runtime ? Value(std::int64_t{run.max_runtime->count()}) : Value(store::sql::Null{}),
            storable(run.error),
            counts_to_json(run.counts),
            json::serialize(warnings)};
}

std::vector<Value> scope_values(const ScopeRecord& scope) {
    const auto& pending = scope.pending;
    return {scope.version,
            scope.epoch,
            time_value(scope.next_slot),
            scope.next_trigger ? Value(static_cast<std::int64_t>(*scope.next_trigger)) : Value(store::sql::Null{}),
            time_value(scope.slots_after),
            pending ? Value(storable(pending->options)) : Value(store::sql::Null{}),
            pending ? time_value(pending->not_before) : Value(store::sql::Null{}),
            pending ? Value(static_cast<std::int64_t>(pending->attempt)) : Value(store::sql::Null{}),
            time_value(scope.last_end),
            time_value(scope.last_start)};
}

}  // namespace understudy::tasks::database
