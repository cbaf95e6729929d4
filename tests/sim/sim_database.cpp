#include "sim_database.h"

#include <utility>

namespace understudy::sim {
namespace {

using namespace tasks;

constexpr Nanos statement_timeout = 10s;

auto no_answer(const char* why) {
    return core::fail(core::Errc::unavailable, std::string("database: ") + why);
}

/// As the real one, but keeps few skips: copies of a thousand rows cost more than the rest of a simulation.
class FewSkips : public testing::MemoryLedgerTransaction {
public:
    using MemoryLedgerTransaction::MemoryLedgerTransaction;
    void insert_skip(const SkipRow& skip, std::size_t) override { MemoryLedgerTransaction::insert_skip(skip, 10); }
};

/// Passes any fence that names a run of the past or present.
class NoFence final : public FewSkips {
public:
    using FewSkips::FewSkips;
    core::Result<void> pass_fence(const core::Fence& fence) override {
        const auto row = run(fence.run);
        if (!row) return core::fail(core::Errc::fenced, "no such run");
        return {};
    }
};

/// Lets a slot be taken twice.
class NoSlots final : public FewSkips {
public:
    using FewSkips::FewSkips;
    bool slot_taken(const TaskScope&, core::UtcTime) override { return false; }
    void insert_slot(const TaskScope& task, core::UtcTime slot, const RunRow& run) override {
        put(rows_.slots[task], slot, run.id);
    }
};

}  // namespace

class SimDatabase::BrokenTables final : public testing::MemoryLedgerTables {
public:
    BrokenTables(testing::MemoryLedgerRows& rows, std::function<core::UtcTime()> clock, Broken broken)
        : MemoryLedgerTables(rows, std::move(clock)), broken_(broken) {}

    core::Result<void> transaction(const std::function<core::Result<void>(LedgerTransaction&)>& work) override {
        ++changes;
        return MemoryLedgerTables::transaction(work);
    }
    std::uint64_t changes = 0;

protected:
    std::unique_ptr<testing::MemoryLedgerTransaction> begin(testing::MemoryLedgerRows& rows,
                                                            const std::function<core::UtcTime()>& clock) override {
        switch (broken_) {
            case Broken::fence:
                return std::make_unique<NoFence>(rows, clock);
            case Broken::slots:
                return std::make_unique<NoSlots>(rows, clock);
            case Broken::nothing:
                break;
        }
        return std::make_unique<FewSkips>(rows, clock);
    }

private:
    Broken broken_;
};

SimDatabase::SimDatabase(World& world, LedgerSettings settings, Broken what)
    : broken(what),
      world_(world),
      tables_(std::make_unique<BrokenTables>(
          rows_, [this] { return now(); }, what)),
      ledger_(std::make_unique<TransactionalRunLedger>(*tables_, std::move(settings), Zone())),
      checker_(world, rows_) {}

SimDatabase::~SimDatabase() = default;

core::Result<RunLedger::Overview> SimDatabase::overview(const std::string& pod_label) {
    auto& [at, known] = overviews_[pod_label];
    if (at == tables_->changes && known) {
        known->now = now();
    } else {
        auto fresh = ledger_->overview(pod_label);
        if (!fresh) return fresh;
        at = tables_->changes;
        known = std::move(*fresh);
    }
    return *known;
}

template <class T>
core::Result<T> SimLedger::call(std::function<core::Result<T>(SimDatabase&)> work) {
    auto& world = database_.world();
    const auto sent_at = world.now();
    const bool cut = world.now() < link_.cut_until;
    if (!cut && database_.down()) {
        world.sleep(world.between(1ms, 30ms));
        return no_answer("connection refused");
    }
    struct Reply {
        std::optional<core::Result<T>> result;
        std::shared_ptr<Thread> thread;
        std::uint64_t wait = 0;
        bool lost = false;
    };
    auto reply = std::make_shared<Reply>();
    reply->thread = world.current();
    reply->wait = world.next_wait();
    reply->lost = world.chance(link_.loss);
    const auto given_up_at = sent_at + (world.chance(0.5) ? statement_timeout : statement_timeout / 2);
    Nanos there = world.between(100us, 1500us);
    if (const double luck = world.uniform(); luck < 0.003) there = world.between(50ms, 2s);
    const auto wake_at = [&world, reply](Nanos when) {
        world.at(when, [&world, reply] { world.wake(reply->thread, reply->wait); });
    };
    if (cut || world.chance(link_.loss)) {
        wake_at(given_up_at);
    } else {
        // What the server does does not hang on the caller being alive: a killed pod's last packet still arrives.
        auto apply = std::make_shared<std::function<void()>>();
        *apply = [&database = database_, &world, reply, wake_at, given_up_at, work = std::move(work),
                  weak = std::weak_ptr(apply)] {
            if (database.down()) {
                reply->result = no_answer("connection reset");
                return wake_at(world.now() + 1ms);
            }
            if (world.now() < database.stuck_until) {
                const auto again = database.stuck_until + world.between(0ms, 200ms);
                if (again < given_up_at || world.chance(0.5)) {  // or the server forgets what it had not begun
                    if (const auto self = weak.lock()) world.at(again, [self] { (*self)(); });
                }
                if (again >= given_up_at) wake_at(given_up_at);
                return;
            }
            auto result = work(database);
            if (world.now() >= given_up_at) return;  // applied, though its caller has long given up
            if (reply->lost) return wake_at(given_up_at);
            reply->result = std::move(result);
            wake_at(world.now() + world.between(100us, 1500us));
        };
        world.after(there, [apply] { (*apply)(); });
    }
    world.await_wake();
    if (!reply->result) return core::fail(core::Errc::timed_out, "database: no answer in time");
    if (*reply->result) answered_at_ = world.now();
    return std::move(*reply->result);
}

core::Result<Claim> SimLedger::claim(std::function<core::Result<Claim>(RunLedger&)> ask) {
    return call<Claim>([ask = std::move(ask)](SimDatabase& database) {
        database.checker().before_claim();
        auto claim = ask(database.ledger());
        if (claim) database.checker().on_claim(*claim);
        return claim;
    });
}

core::Result<core::UtcTime> SimLedger::now() {
    return call<core::UtcTime>([](SimDatabase& database) { return database.ledger().now(); });
}
core::Result<void> SimLedger::ensure_task(const CatalogueEntry& entry, const std::string& scope) {
    return call<void>([&entry, scope](SimDatabase& database) { return database.ledger().ensure_task(entry, scope); });
}
core::Result<RunLedger::Overview> SimLedger::overview(const std::string& pod_label) {
    return call<Overview>([pod_label](SimDatabase& database) { return database.overview(pod_label); });
}
core::Result<std::vector<RunRow>> SimLedger::live_runs() {
    return call<std::vector<RunRow>>([](SimDatabase& database) { return database.ledger().live_runs(); });
}
core::Result<Claim> SimLedger::claim_slot(const PodRef& pod, const TaskStateRow& expected, core::RunId run) {
    if (database_.broken == Broken::slots) {
        // As if the claim compared nothing: it takes the slot that the pod saw.
        return call<Claim>([pod, expected, run](SimDatabase& database) {
            auto& scope = database.rows().scopes.at(expected.task);
            scope.version = expected.version;
            scope.next_slot = expected.next_slot;
            database.checker().before_claim();
            auto claim = database.ledger().claim_slot(pod, expected, run);
            if (claim) database.checker().on_claim(*claim);
            return claim;
        });
    }
    return claim([pod, expected, run](RunLedger& ledger) { return ledger.claim_slot(pod, expected, run); });
}
core::Result<Claim> SimLedger::claim_startup(const PodRef& pod, const TaskScope& task, core::RunId run, bool gated) {
    return claim([pod, task, run, gated](RunLedger& ledger) { return ledger.claim_startup(pod, task, run, gated); });
}
core::Result<Claim> SimLedger::claim_manual(const PodRef& pod, const TaskScope& task, core::RunId run,
                                            const std::string& options, const tasks::JoinOptions& join) {
    return claim([pod, task, run, options, join](RunLedger& ledger) {
        return ledger.claim_manual(pod, task, run, options, join);
    });
}
core::Result<Claim> SimLedger::claim_pending(const PodRef& pod, const TaskScope& task, core::RunId run) {
    return claim([pod, task, run](RunLedger& ledger) { return ledger.claim_pending(pod, task, run); });
}
core::Result<void> SimLedger::request_later(const TaskScope& task, const std::string& options, core::Millis delay,
                                            int attempt, const tasks::JoinOptions& join) {
    return call<void>([task, options, delay, attempt, join](SimDatabase& database) {
        return database.ledger().request_later(task, options, delay, attempt, join);
    });
}
core::Result<Claim> SimLedger::take_over(const PodRef& pod, const RunRow& seen, bool observed_dead, core::RunId run) {
    return claim(
        [pod, seen, observed_dead, run](RunLedger& ledger) { return ledger.take_over(pod, seen, observed_dead, run); });
}
core::Result<void> SimLedger::fail_gone_pod(const RunRow& seen) {
    return call<void>([seen](SimDatabase& database) {
        database.checker().before_claim();
        auto done = database.ledger().fail_gone_pod(seen);
        database.checker().after_change();
        return done;
    });
}
core::Result<BeatAnswer> SimLedger::beat(core::RunId run, std::int64_t epoch, std::int64_t counter,
                                         const RunProgress& progress) {
    return call<BeatAnswer>([run, epoch, counter, progress](SimDatabase& database) {
        return database.ledger().beat(run, epoch, counter, progress);
    });
}
core::Result<void> SimLedger::checkpoint(const core::Fence& fence) {
    return call<void>([fence](SimDatabase& database) { return database.ledger().checkpoint(fence); });
}
core::Result<void> SimLedger::write(const core::Fence& fence, int unit) {
    return call<void>([fence, unit](SimDatabase& database) {
        auto passed = database.ledger().checkpoint(fence);
        if (passed) database.checker().on_write(fence, unit);
        return passed;
    });
}
core::Result<void> SimLedger::end(const core::Fence& fence, const RunEnd& end) {
    return call<void>([fence, end](SimDatabase& database) {
        auto ended = database.ledger().end(fence, end);
        if (ended) database.checker().on_end(fence);
        return ended;
    });
}
core::Result<bool> SimLedger::cancel(const TaskScope& task, const std::string& reason) {
    return call<bool>([task, reason](SimDatabase& database) { return database.ledger().cancel(task, reason); });
}
core::Result<void> SimLedger::set_triggers(const std::string& task, const std::vector<Trigger>& triggers) {
    return call<void>(
        [task, triggers](SimDatabase& database) { return database.ledger().set_triggers(task, triggers); });
}
core::Result<void> SimLedger::set_enabled(const std::string& task, bool enabled) {
    return call<void>([task, enabled](SimDatabase& database) { return database.ledger().set_enabled(task, enabled); });
}
core::Result<void> SimLedger::set_timers_paused(bool paused) {
    return call<void>([paused](SimDatabase& database) { return database.ledger().set_timers_paused(paused); });
}
core::Result<std::optional<RunRow>> SimLedger::find_run(core::RunId run) {
    return call<std::optional<RunRow>>([run](SimDatabase& database) { return database.ledger().find_run(run); });
}
core::Result<RunLedger::RunPage> SimLedger::runs(const RunFilter& filter) {
    return call<RunPage>([filter](SimDatabase& database) { return database.ledger().runs(filter); });
}
core::Result<void> SimLedger::note_skip(const SkipRow& skip) {
    return call<void>([skip](SimDatabase& database) { return database.ledger().note_skip(skip); });
}
core::Result<std::vector<SkipRow>> SimLedger::skips(std::size_t limit) {
    return call<std::vector<SkipRow>>([limit](SimDatabase& database) { return database.ledger().skips(limit); });
}

}  // namespace understudy::sim
