// tests/unit/tasks/task_fakes.h: a pod's surroundings for tests of the task engine: a ledger in memory that can lose
// calls, a lease that stands as told, events that arrive at once, tasks that do what the test says.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cluster/events.h"
#include "cluster/pods.h"
#include "core/log.h"
#include "core/random.h"
#include "lease/scan_leader_lease.h"
#include "support/manual_clock.h"
#include "support/memory_ledger_tables.h"
#include "tasks/catalogue.h"
#include "tasks/run_launcher.h"
#include "tasks/task.h"
#include "tasks/transactional_run_ledger.h"

namespace understudy::testing {

using namespace std::chrono_literals;

using TaskRun = tasks::Run;  // inside a TEST_F, Run is a member of GoogleTest's

/// For tests in one thread: who waits on it moves it.
class SteppingClock final : public core::Clock {
public:
    [[nodiscard]] core::Instant now() const noexcept override { return now_; }
    void advance(core::Nanos by) { now_ = core::after(now_, by); }
    bool wait_for(std::unique_lock<std::mutex>&, std::condition_variable&, core::Nanos at_most,
                  const std::function<bool()>& done) override {
        if (!done()) advance(at_most);
        return done();
    }

private:
    core::Instant now_{1h, std::chrono::hours{24 * 365 * 55}};
};

class FakeLease final : public lease::ScanLeaderLease {
public:
    explicit FakeLease(lease::Standing standing = lease::Standing::leader) : standing_(standing) {}
    void become(lease::Standing standing) {
        standing_ = standing;
        if (listener_)
            listener_(lease::may_start_gated(standing) ? lease::LeaseEvent::gained : lease::LeaseEvent::lost);
    }
    [[nodiscard]] lease::Standing standing() const noexcept override { return standing_; }
    [[nodiscard]] lease::LeaseView view() const override {
        lease::LeaseView view;
        view.standing = standing_;
        view.holder = lease::LeaseView::Holder{"the-leader", {}};
        return view;
    }
    [[nodiscard]] core::Result<void> release(core::Millis) override { return {}; }
    [[nodiscard]] core::Result<void> resign(core::Millis) override {
        if (standing_ != lease::Standing::leader) return core::fail(core::Errc::conflict, "no leader");
        standing_ = lease::Standing::follower;
        ++resigned;
        return {};
    }
    void on_event(std::function<void(lease::LeaseEvent)> listener) override { listener_ = std::move(listener); }

    int resigned = 0;

private:
    std::atomic<lease::Standing> standing_;
    std::function<void(lease::LeaseEvent)> listener_;
};

class FakeEvents final : public cluster::EventLog {
public:
    core::Result<void> publish(const std::string& kind, const std::string& payload) override {
        std::vector<std::function<void(const cluster::Event&)>> listeners;
        cluster::Event event;
        {
            const std::lock_guard lock(mutex_);
            event.sequence = static_cast<std::int64_t>(events_.size()) + 1;
            event.kind = kind;
            event.payload = payload;
            events_.push_back(event);
            for (const auto& [token, listener] : listeners_) listeners.push_back(listener);
        }
        for (const auto& listener : listeners) listener(event);
        return {};
    }
    int listen(std::function<void(const cluster::Event&)> listener) override {
        const std::lock_guard lock(mutex_);
        listeners_[++last_] = std::move(listener);
        return last_;
    }
    void drop(int token) override {
        const std::lock_guard lock(mutex_);
        listeners_.erase(token);
    }
    [[nodiscard]] std::vector<std::string> kinds() const {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> kinds;
        for (const auto& event : events_) kinds.push_back(event.kind);
        return kinds;
    }

private:
    mutable std::mutex mutex_;
    std::map<int, std::function<void(const cluster::Event&)>> listeners_;
    std::vector<cluster::Event> events_;
    int last_ = 0;
};

class FakePods final : public cluster::PodRegistry {
public:
    core::Result<core::UtcTime> heartbeat(const cluster::PodInfo&) override { return core::UtcTime{}; }
    core::Result<std::vector<cluster::PodInfo>> pods(core::Millis) override { return alive; }
    core::Result<void> leave(core::BootId) override { return {}; }
    std::vector<cluster::PodInfo> alive;
};

class LinesLog final : public core::Log {
public:
    void write(core::LogLevel level, std::string_view message,
               std::span<const core::LogField> fields) noexcept override {
        const std::lock_guard lock(mutex_);
        std::string line(message);
        for (const auto& field : fields) line += " " + std::string(field.name) + "=" + field.value;
        lines_.emplace_back(level, line);
    }
    [[nodiscard]] std::size_t count(core::LogLevel at_least) const {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(
            std::count_if(lines_.begin(), lines_.end(), [&](const auto& line) { return line.first >= at_least; }));
    }
    [[nodiscard]] std::size_t lines_with(std::string_view part) const {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(std::count_if(lines_.begin(), lines_.end(), [&](const auto& line) {
            return line.second.find(part) != std::string::npos;
        }));
    }
    [[nodiscard]] bool has(std::string_view part) const {
        const std::lock_guard lock(mutex_);
        return std::any_of(lines_.begin(), lines_.end(),
                           [&](const auto& line) { return line.second.find(part) != std::string::npos; });
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::pair<core::LogLevel, std::string>> lines_;
};

class FakeTask final : public tasks::ScheduledTask {
public:
    using Body = std::function<core::Result<void>(tasks::Run&)>;
    explicit FakeTask(
        std::string_view key, Body body = [](tasks::Run&) { return core::Result<void>{}; })
        : entry_(*tasks::find_task(key)), body_(std::move(body)) {}
    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override { return entry_; }
    core::Result<void> execute(tasks::Run& run) override { return body_(run); }
    std::string join_requests(const std::string& kept, const std::string& wanted) const override {
        return join ? join(kept, wanted) : ScheduledTask::join_requests(kept, wanted);
    }
    tasks::JoinOptions join;  ///< empty: the latest win

private:
    const tasks::CatalogueEntry& entry_;
    Body body_;
};

/// Keeps what is launched; the test executes it when it likes.
class HeldLauncher final : public tasks::RunLauncher {
public:
    void launch(std::shared_ptr<tasks::ActiveRun> run) override {
        runs.add(run);
        launched.push_back(std::move(run));
    }
    /// Executes and forgets the oldest that has not been executed.
    tasks::RunFate finish() {
        const auto run = launched.at(executed++);
        const auto fate = run->execute();
        runs.remove(run->id());
        return fate;
    }
    /// A crash: nobody executes it any more.
    void drop_all() {
        for (const auto& run : runs.all()) runs.remove(run->id());
        executed = launched.size();
    }

    tasks::ActiveRuns runs;
    std::vector<std::shared_ptr<tasks::ActiveRun>> launched;
    std::size_t executed = 0;
};

/// The shared database: rows, and a clock of its own that goes on with the ManualClock.
struct FakeDatabase {
    explicit FakeDatabase(const core::Clock& clock) : clock_(clock) {}
    [[nodiscard]] core::UtcTime now() const {
        return core::UtcTime{std::chrono::floor<core::Millis>(clock_.now().boot) + offset};
    }

    MemoryLedgerRows rows;
    core::Millis offset = std::chrono::hours{24 * 365 * 56};
    std::uint64_t pods = 0;  ///< so far: each has chance of its own

private:
    const core::Clock& clock_;
};

/// One pod's way to it.
struct FakeLedger {
    explicit FakeLedger(FakeDatabase& database, tasks::LedgerSettings settings = {})
        : tables(database.rows, [&database] { return database.now(); }),
          ledger(tables, std::move(settings), tasks::Zone()) {}
    /// The next `count` calls end so.
    void fault(MemoryFault what, int count = 1, bool writes_only = false) {
        tables.on_call = [what, left = count, writes_only](bool writes) mutable {
            if (left == 0 || (writes_only && !writes)) return MemoryFault::none;
            --left;
            return what;
        };
    }

    MemoryLedgerTables tables;
    tasks::TransactionalRunLedger ledger;
};

}  // namespace understudy::testing
