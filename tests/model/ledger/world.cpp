#include "model/ledger/world.h"

#include <algorithm>
#include <utility>

namespace understudy::testing::model {
namespace {

using namespace std::chrono_literals;
using tasks::RunKind;
using tasks::RunRow;
using tasks::RunState;
using tasks::TaskScope;

const TaskScope task{"RefreshLibrary", "cluster"};
constexpr core::Millis tick_time = 15s;
constexpr std::int64_t start_ms = 1'800'000'000'000 - 1'800'000'000'000 % 86'400'000;  // a midnight, UTC

core::RunId run_id(std::uint32_t number) {
    core::IdBytes bytes{};
    for (std::size_t i = 0; i < 4; ++i) bytes[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return core::RunId(bytes);
}

std::string cursor_text(std::uint8_t units) {
    return units == 0 ? std::string() : std::string(1, static_cast<char>('0' + units));
}
std::uint8_t cursor_units(const std::string& text) {
    return text.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(text[0] - '0');
}

/// Small numbers into one byte, clamped: what lies beyond makes no difference.
char byte(std::int64_t value, std::int64_t from, std::int64_t to) {
    return static_cast<char>('A' + std::clamp(value, from, to) - from);
}

/// Rows with a rule left out.
class BrokenTransaction final : public MemoryLedgerTransaction {
public:
    BrokenTransaction(MemoryLedgerRows& rows, const std::function<core::UtcTime()>& clock, Without without)
        : MemoryLedgerTransaction(rows, clock), without_(without) {}

    bool slot_taken(const TaskScope& of, core::UtcTime slot) override {
        return without_ != Without::slot_once && MemoryLedgerTransaction::slot_taken(of, slot);
    }
    void update_scope(const tasks::ScopeRecord& scope) override {
        auto changed = scope;
        const auto old = find(rows_.scopes, scope.task);
        if (without_ == Without::slot_once && old) {
            changed.next_slot = old->next_slot;
            changed.next_trigger = old->next_trigger;
            changed.slots_after = old->slots_after;
        }
        MemoryLedgerTransaction::update_scope(changed);
    }
    void repoint_slots(core::RunId from, const RunRow& to) override {
        if (without_ != Without::repoint) MemoryLedgerTransaction::repoint_slots(from, to);
    }
    void insert_run(const RunRow& run) override {
        auto changed = run;
        if (without_ == Without::stuck_count) changed.stuck_takeovers = 0;
        MemoryLedgerTransaction::insert_run(changed);
    }
    std::optional<tasks::BeatRecord> lock_beat(core::RunId id) override {
        auto beat = MemoryLedgerTransaction::lock_beat(id);
        if (without_ == Without::recheck && beat) beat->at -= 1h;
        return beat;
    }
    core::Result<void> pass_fence(const core::Fence& fence) override {
        auto changed = fence;
        const auto run = find(rows_.runs, fence.run);
        if (without_ == Without::write_count && run) changed.cursor_seq = run->cursor_seq;
        if (without_ == Without::state_in_fence && run && run->cursor_seq == fence.cursor_seq) {
            auto next = *run;
            ++next.cursor_seq;
            if (fence.cursor) next.cursor = *fence.cursor;
            put(rows_.runs, fence.run, next);
            return {};
        }
        return MemoryLedgerTransaction::pass_fence(changed);
    }

private:
    Without without_;
};

}  // namespace

class Machine::Tables final : public MemoryLedgerTables {
public:
    Tables(MemoryLedgerRows& rows, std::function<core::UtcTime()> clock, Without without)
        : MemoryLedgerTables(rows, std::move(clock)), without_(without) {}

protected:
    std::unique_ptr<MemoryLedgerTransaction> begin(MemoryLedgerRows& rows,
                                                   const std::function<core::UtcTime()>& clock) override {
        if (without_ == Without::nothing) return MemoryLedgerTables::begin(rows, clock);
        return std::make_unique<BrokenTransaction>(rows, clock, without_);
    }

private:
    Without without_;
};

Machine::Machine(Scope scope, Without without)
    : scope_(scope),
      without_(without),
      tables_(std::make_unique<Tables>(
          rows_, [this] { return core::from_unix_ms(now_ms_); }, without)) {
    tables_->on_call = [this](bool writes) {
        return writes ? std::exchange(fault_, MemoryFault::none) : MemoryFault::none;
    };
    tasks::LedgerSettings settings;
    settings.dead_after = tick_time * dead_ticks;
    ledger_ = std::make_unique<tasks::TransactionalRunLedger>(*tables_, settings, tasks::Zone{});
}

Machine::~Machine() = default;

std::vector<tasks::Trigger> Machine::triggers(bool edited) const {
    if (scope_.interval > 0)
        return {{tasks::IntervalTrigger{tick_time * (scope_.interval - (edited ? 1 : 0))}, std::nullopt, {}}};
    std::vector<tasks::Trigger> list;
    for (int i = 0; i < scope_.slots; ++i)
        list.push_back({tasks::DailyTrigger{1min + tick_time * (i * scope_.slot_gap)}, std::nullopt, {}});
    // The edit gives the runs of the last trigger another limit: a new trigger, the same time.
    if (edited) list.back().max_runtime = 10h;
    return list;
}

World Machine::first() {
    World world;
    world.now_ms = start_ms;
    with(world, MemoryFault::none, [&] { return ledger_->ensure_task(*tasks::find_task(task.task), task.scope); });
    with(world, MemoryFault::none, [&] { return ledger_->set_triggers(task.task, triggers(false)); });
    world.now_ms += 60'000;  // the first slot is due
    for (std::size_t p = 0; p < static_cast<std::size_t>(scope_.pods); ++p) world.pods[p].boot = world.next_boot++;
    if (scope_.clone > 0) {
        auto& place = world.pods[static_cast<std::size_t>(scope_.pods) - 1];
        place = {};
        place.phase = Phase::dead;
    }
    const auto budget = [](int count) { return static_cast<std::uint8_t>(count); };
    world.crash = budget(scope_.crash);
    world.stop = budget(scope_.stop);
    world.manual = budget(scope_.manual);
    world.cancel = budget(scope_.cancel);
    world.lost_reply = budget(scope_.lost_reply);
    world.outage = budget(scope_.outage);
    world.edit = budget(scope_.edit);
    world.clone = budget(scope_.clone);
    return world;
}

core::BootId Machine::boot_id(std::uint8_t boot) const {
    core::IdBytes bytes{};
    bytes[0] = 1;
    bytes[15] = boot;
    return core::BootId(bytes);
}

tasks::PodRef Machine::ref(const World& world, std::size_t p) const {
    return {scope_.same_name ? "pod" : "pod" + std::to_string(p), boot_id(world.pods[p].boot), core::UtcTime{}};
}

const RunRow* Machine::newest(const World& world) const {
    const auto epochs = world.rows.epochs.find(task);
    if (epochs == world.rows.epochs.end() || epochs->second.empty()) return nullptr;
    return &world.rows.runs.at(epochs->second.rbegin()->second);
}

void Machine::rest(Pod& pod) {
    const auto boot = pod.boot;
    const auto watched = pod.watched;
    const auto beat = pod.watched_beat;
    const auto time = pod.watched_for;
    pod = {};
    pod.boot = boot;
    pod.watched = watched;
    pod.watched_beat = beat;
    pod.watched_for = time;
}

void Machine::take_run(World& world, std::size_t p, const RunRow& run) {
    auto& pod = world.pods[p];
    rest(pod);
    pod.phase = Phase::run;
    pod.run = run.id;
    pod.epoch = run.epoch;
    pod.write = run.cursor_seq;
    pod.cursor = cursor_units(run.cursor);
    pod.beat = run.beat;
}

std::string Machine::after_claim(World& world, std::size_t p, core::RunId run,
                                 const core::Result<tasks::Claim>& claim) {
    auto& pod = world.pods[p];
    if (!claim) {
        rest(pod);
        if (without_ == Without::adoption) return "hears nothing and forgets its claim";
        pod.phase = Phase::adopt;
        pod.run = run;
        return "hears nothing";
    }
    if (claim->outcome == tasks::Claim::Outcome::won) {
        take_run(world, p, *claim->run);
        return "wins run " + run.str().substr(28);
    }
    rest(pod);
    return "gets no run: " + std::string(to_string(claim->outcome));
}

std::string Machine::look(World& world, std::size_t p) {
    const auto overview = with(world, MemoryFault::none, [&] { return ledger_->overview("pod"); });
    if (!overview) return {};
    const auto& row = overview->tasks.at(0);
    auto& pod = world.pods[p];
    const auto aim_at = [&](const RunRow& run, bool observed) {
        rest(pod);
        pod.phase = Phase::take;
        pod.seen = run.id;
        pod.seen_epoch = run.epoch;
        pod.seen_beat = run.beat;
        pod.observed = observed;
    };
    if (row.live) {
        if (row.live->boot == boot_id(pod.boot)) return {};
        const bool still = pod.watched == row.live->id && pod.watched_beat == row.live->beat;
        const bool old = overview->now - *row.live->heartbeat_at >= tick_time * dead_ticks;
        const bool dead = without_ == Without::own_watch ? old : still && pod.watched_for >= dead_ticks && old;
        if (!dead) return {};
        aim_at(*row.live, true);
        return "sees a dead run";
    }
    if (row.open) {
        if (without_ == Without::open_work) return {};
        aim_at(*row.open, false);
        return "sees open work";
    }
    if (!row.next_slot || *row.next_slot > overview->now) return {};
    if (scope_.interval > 0 && world.starts >= scope_.slots) return {};
    rest(pod);
    pod.phase = Phase::claim;
    pod.version = row.version;
    pod.next_slot = row.next_slot;
    return "sees a due slot";
}

std::string Machine::work(World& world, std::size_t p, MemoryFault fault) {
    auto& pod = world.pods[p];
    core::Fence fence{pod.run, pod.epoch, pod.write, std::nullopt};
    if (pod.cancel || pod.cursor >= scope_.units) {
        tasks::RunEnd end;
        end.state = pod.cancel ? RunState::cancelled : RunState::completed;
        const auto ended = with(world, fault, [&] { return ledger_->end(fence, end); });
        if (!ended && ended.error().code == core::Errc::unavailable) return "ends its run";  // and asks again
        rest(pod);
        return ended ? "ends its run" : "is fenced at the end";
    }
    fence.cursor = cursor_text(static_cast<std::uint8_t>(pod.cursor + 1));
    const auto stored = world.rows.runs.find(pod.run);
    const auto before = stored == world.rows.runs.end() ? std::optional<RunRow>() : stored->second;
    const auto scope_epoch = world.rows.scopes.at(task).epoch;
    const auto written = with(world, fault, [&] { return ledger_->checkpoint(fence); });
    const auto after = world.rows.runs.find(pod.run);
    if (before && after != world.rows.runs.end() && after->second.cursor_seq != before->cursor_seq) {  // accepted
        if (pod.epoch != scope_epoch) broke("I2: a write below the newest epoch was accepted");
        if (!is_live(before->state)) broke("I2: a write of a run that is not live was accepted");
        if (cursor_units(before->cursor) != pod.cursor) broke("I2: two writers took turns in one run");
    }
    if (!written && written.error().code == core::Errc::unavailable) {
        pod.phase = Phase::confirm;
        return "writes";
    }
    if (!written) {
        rest(pod);
        return "is fenced";
    }
    ++pod.write;
    ++pod.cursor;
    return "writes";
}

std::string Machine::step(World& world, std::size_t p, MemoryFault fault) {
    auto& pod = world.pods[p];
    if (!world.database_up) return {};
    std::string said;
    switch (pod.phase) {
        case Phase::dead:
            return {};
        case Phase::idle:
            said = look(world, p);
            break;
        case Phase::claim: {
            tasks::TaskStateRow expected;
            expected.task = task;
            expected.version = pod.version;
            expected.next_slot = pod.next_slot;
            const auto run = run_id(world.next_run++);
            said = after_claim(world, p, run,
                               with(world, fault, [&] { return ledger_->claim_slot(ref(world, p), expected, run); }));
            break;
        }
        case Phase::take: {
            RunRow seen;
            seen.id = pod.seen;
            seen.task = task;
            seen.epoch = pod.seen_epoch;
            seen.beat = pod.seen_beat;
            if (const auto beat = world.rows.beats.find(pod.seen);
                without_ == Without::recheck && beat != world.rows.beats.end())
                seen.beat = beat->second.counter;
            const auto run = run_id(world.next_run++);
            said = after_claim(world, p, run, with(world, fault, [&] {
                                   return ledger_->take_over(ref(world, p), seen, pod.observed, run);
                               }));
            break;
        }
        case Phase::adopt: {
            const auto row = with(world, MemoryFault::none, [&] { return ledger_->find_run(pod.run); });
            const bool ours = row && *row && is_live((*row)->state);
            if (ours)
                take_run(world, p, **row);
            else
                rest(pod);
            said = ours ? "finds its run" : "finds no run of its own";
            break;
        }
        case Phase::confirm: {
            const auto row = with(world, MemoryFault::none, [&] { return ledger_->find_run(pod.run); });
            pod.phase = Phase::run;
            if (row && *row && (*row)->cursor_seq == pod.write + 1) {
                ++pod.write;
                ++pod.cursor;
            }
            said = "looks its write up";
            break;
        }
        case Phase::run:
            said = work(world, p, fault);
            break;
    }
    forget_the_past(world);
    return said;
}

bool Machine::beat(World& world, std::size_t p) {
    auto& pod = world.pods[p];
    if (!world.database_up || (pod.phase != Phase::run && pod.phase != Phase::confirm)) return false;
    const auto row = world.rows.beats.find(pod.run);
    if (row != world.rows.beats.end() && row->second.counter == pod.beat &&
        core::to_unix_ms(row->second.at) == world.now_ms && pod.cancel == world.rows.runs.at(pod.run).cancel_requested)
        return false;  // nothing would change
    const auto answer = with(world, MemoryFault::none, [&] { return ledger_->beat(pod.run, pod.epoch, pod.beat, {}); });
    if (!answer) return false;
    if (!answer->still_ours) {
        rest(pod);
    } else {
        ++pod.beat;
        pod.cancel = answer->cancel_requested;
    }
    forget_the_past(world);
    return true;
}

bool Machine::can_tick(const World& world) const {
    if (!scope_.strict || !world.database_up) return true;
    for (const auto& pod : world.pods) {
        if (pod.phase != Phase::run && pod.phase != Phase::confirm) continue;
        const auto beat = world.rows.beats.find(pod.run);
        if (beat != world.rows.beats.end() && core::to_unix_ms(beat->second.at) != world.now_ms) return false;
    }
    return true;
}

void Machine::tick(World& world) {
    world.now_ms += tick_time.count();
    if (!world.database_up) return;
    const auto* run = newest(world);
    for (auto& pod : world.pods) {
        if (pod.phase == Phase::dead || run == nullptr) continue;
        const auto beat = world.rows.beats.find(run->id);
        if (beat == world.rows.beats.end()) continue;
        if (pod.watched == run->id && pod.watched_beat == beat->second.counter) {
            pod.watched_for = std::min<std::uint8_t>(dead_ticks, static_cast<std::uint8_t>(pod.watched_for + 1));
        } else {
            pod.watched = run->id;
            pod.watched_beat = beat->second.counter;
            pod.watched_for = 0;
        }
    }
}

void Machine::crash(World& world, std::size_t p) {
    world.pods[p] = {};
    world.pods[p].phase = Phase::dead;
    forget_the_past(world);
}

void Machine::restart(World& world, std::size_t p) {
    world.pods[p] = {};
    world.pods[p].boot = world.next_boot++;
}

void Machine::manual(World& world, std::size_t p, MemoryFault fault) {
    const auto run = run_id(world.next_run++);
    after_claim(world, p, run,
                with(world, fault, [&] { return ledger_->claim_manual(ref(world, p), task, run, "{}", {}); }));
    forget_the_past(world);
}

void Machine::yield(World& world, std::size_t p) {
    auto& pod = world.pods[p];
    if (pod.phase == Phase::run) {
        tasks::RunEnd end;
        end.state = RunState::yielded;
        // What the fence says is all the same: the process ends.
        (void)with(world, MemoryFault::none, [&] {
            return ledger_->end({pod.run, pod.epoch, pod.write, std::nullopt}, end);
        });
    }
    crash(world, p);
}

void Machine::broke(std::string what) {
    if (violation_.empty()) violation_ = std::move(what);
}

std::string Machine::violation() {
    return std::exchange(violation_, {});
}

int Machine::healthy_runs_killed() {
    return std::exchange(killed_, 0);
}

void Machine::check(const Before& before, const World& world) {
    int live = 0;
    for (const auto& [id, run] : world.rows.runs) live += is_live(run.state) ? 1 : 0;
    if (live > 1) broke("I2: two live runs of one task");
    const auto* run = newest(world);
    const bool fresh = run != nullptr && (!before.newest || before.newest->id != run->id);
    const auto& slots = [&]() -> const std::map<core::UtcTime, core::RunId>& {
        static const std::map<core::UtcTime, core::RunId> none;
        const auto found = world.rows.slots.find(task);
        return found == world.rows.slots.end() ? none : found->second;
    }();
    if (fresh) {
        if (run->epoch != before.epoch + 1) broke("epochs: a run that is not one above the newest");
        if (!run->resumed_from && run->slot && before.slots.contains(*run->slot)) broke("I3: a slot was started twice");
        if (before.newest && is_live(before.newest->state)) {
            // A takeover of a live run: was it dead?
            const auto age = core::from_unix_ms(world.now_ms) - before.beat->at;
            if (age < tick_time * dead_ticks) broke("I8: a run was taken over though its beat is fresh");
            for (const auto& pod : world.pods) {
                const bool at_work = pod.phase == Phase::run || pod.phase == Phase::confirm;
                if (!at_work || pod.run != before.newest->id) continue;
                ++killed_;
                if (scope_.strict) broke("I8: a healthy run was declared dead");
                break;  // a clone beside it works on the same run
            }
        }
    }
    if (run != nullptr && run->slot && (is_live(run->state) || is_open(run->state))) {
        const auto slot = slots.find(*run->slot);
        if (slot == slots.end() || slot->second != run->id) broke("I7: the slot does not point at its latest run");
    }
}

bool Machine::at_rest(const World& world) const {
    const auto* run = newest(world);
    if (run != nullptr && (is_live(run->state) || is_open(run->state))) return false;
    const auto& scope = world.rows.scopes.at(task);
    if (scope.pending) return false;
    if (scope_.interval > 0 && world.starts >= scope_.slots) return true;
    return !scope.next_slot || core::to_unix_ms(*scope.next_slot) > world.now_ms;
}

void Machine::forget_the_past(World& world) const {
    // Old runs that no pod remembers change nothing any more: the ledger reads the newest, and runs by id.
    const auto* run = newest(world);
    if (run == nullptr) return;
    world.starts = 0;
    if (scope_.interval > 0) world.starts = static_cast<std::uint8_t>(world.rows.slots[task].size());
    auto& epochs = world.rows.epochs[task];
    for (auto at = epochs.begin(); at != epochs.end();) {
        const auto id = at->second;
        const bool held = std::any_of(world.pods.begin(), world.pods.end(),
                                      [&](const Pod& pod) { return pod.run == id || pod.seen == id; });
        if (id == run->id || held) {
            ++at;
            continue;
        }
        world.rows.runs.erase(id);
        at = epochs.erase(at);
    }
}

std::string Machine::key(const World& world, bool budgets) const {
    std::string key;
    key.reserve(64);
    const auto& scope = world.rows.scopes.at(task);
    const auto* run = newest(world);
    const auto ticks_until = [&](core::UtcTime at) {
        const auto ms = core::to_unix_ms(at) - world.now_ms;
        return ms <= 0 ? 0 : (ms + tick_time.count() - 1) / tick_time.count();
    };
    const auto boots = [&](core::BootId boot) -> char {
        for (std::size_t p = 0; p < world.pods.size(); ++p) {
            if (world.pods[p].phase != Phase::dead && boot_id(world.pods[p].boot) == boot)
                return static_cast<char>('0' + p);  // the first of those that share it
        }
        return '-';
    };
    key += world.database_up ? 'u' : 'd';
    key += world.edited ? 'e' : '.';
    key += byte(world.starts, 0, 20);
    key += scope.next_slot ? byte(ticks_until(*scope.next_slot), 0, 9) : '-';
    if (scope_.interval > 0) {
        key += scope.last_end
                   ? byte((world.now_ms - core::to_unix_ms(*scope.last_end)) / tick_time.count(), 0, scope_.interval)
                   : '-';
    } else {
        const auto slots = world.rows.slots.find(task);
        for (int i = 0; i < scope_.slots; ++i) {
            const auto at = core::from_unix_ms(start_ms + 60'000 + i * scope_.slot_gap * tick_time.count());
            key += slots != world.rows.slots.end() && slots->second.contains(at) ? 't' : byte(ticks_until(at), 0, 9);
            key += scope.slots_after && *scope.slots_after >= at ? '>' : '.';
            // A trigger made after its slot's time does not bring that slot up.
            key += world.rows.tasks.at(task.task).triggers.at(static_cast<std::size_t>(i)).created_at > at ? 'n' : '.';
        }
    }
    std::int64_t beat = 0;
    if (run != nullptr) {
        key += byte(static_cast<int>(run->state), 0, 9);
        key += byte(static_cast<int>(run->kind), 0, 3);
        if (is_live(run->state) || is_open(run->state)) {
            key += byte(cursor_units(run->cursor), 0, 9);
            key += byte(cursor_units(run->start_cursor), 0, 9);
            key += byte(run->stuck_takeovers, 0, 5);
            key += run->cancel_requested ? 'c' : '.';
            key += boots(run->boot);
        }
        if (const auto row = world.rows.beats.find(run->id); row != world.rows.beats.end()) {
            beat = row->second.counter;
            key += byte((world.now_ms - core::to_unix_ms(row->second.at)) / tick_time.count(), 0, dead_ticks);
        }
    }
    for (std::size_t p = 0; p < static_cast<std::size_t>(scope_.pods); ++p) {
        const auto& pod = world.pods[p];
        key += byte(static_cast<int>(pod.phase), 0, 9);
        if (pod.phase == Phase::dead) continue;
        key += boots(boot_id(pod.boot));
        // A boot never buries its own run: what it has watched of that does not matter.
        if (run != nullptr && is_live(run->state) && run->boot != boot_id(pod.boot)) {
            const bool still = pod.watched == run->id && pod.watched_beat == beat;
            key += still ? byte(pod.watched_for, 0, dead_ticks) : '-';
        }
        switch (pod.phase) {
            case Phase::claim:
                key += pod.version == scope.version && pod.next_slot == scope.next_slot ? '=' : '!';
                break;
            case Phase::take:
                if (run == nullptr || run->id != pod.seen || run->epoch != pod.seen_epoch) {
                    key += '!';
                    break;
                }
                key += pod.observed ? 'o' : '.';
                key += pod.seen_beat == beat ? '=' : '!';
                break;
            case Phase::adopt:
                key += run != nullptr && run->id == pod.run ? '=' : '!';
                break;
            case Phase::run:
            case Phase::confirm:
                // A run that is not the newest is fenced whatever it does. Without the state in the fence it is not.
                if (run == nullptr || run->id != pod.run) {
                    key += '!';
                    if (const auto old = world.rows.runs.find(pod.run);
                        without_ == Without::state_in_fence && old != world.rows.runs.end())
                        key += byte(pod.write - old->second.cursor_seq, -4, 4);
                    break;
                }
                key += byte(pod.write - run->cursor_seq, -4, 4);
                key += byte(pod.beat - beat, -4, 4);
                key += byte(pod.cursor, 0, 9);
                key += pod.cancel ? 'c' : '.';
                break;
            case Phase::dead:
            case Phase::idle:
                break;
        }
    }
    if (budgets) {
        for (const auto count : {world.crash, world.stop, world.manual, world.cancel, world.lost_reply, world.outage,
                                 world.edit, world.clone})
            key += byte(count, 0, 20);
    }
    return key;
}

}  // namespace understudy::testing::model
