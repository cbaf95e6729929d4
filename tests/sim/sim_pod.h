// tests/sim/sim_pod.h: one process of the server as far as it is simulated: the real election, scheduler, workers
// and runs, each "thread" on a fiber. Only what carries messages is fake.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lease/lease_machine.h"
#include "sim_database.h"
#include "sim_redis.h"
#include "tasks/task_scheduler.h"

namespace understudy::sim {

class Simulation;

class SimPod final : public Process,
                     private lease::ScanLeaderLease,
                     private tasks::RunLauncher,
                     private cluster::EventLog,
                     private cluster::PodRegistry {
public:
    SimPod(Simulation& simulation, std::string label, double clock_rate);
    ~SimPod() override;

    void start();
    // From outside its threads.
    void terminate(Nanos grace);  ///< SIGTERM; removes itself in the end
    void resign();
    void ask(std::function<void(SimPod&)> what);  ///< a request to this pod, on a thread of its own
    void manual_run(const std::string& task);
    void hear(const std::string& kind, const std::string& payload);
    void notice();  ///< some pod let go of the lease

    [[nodiscard]] bool leads();
    [[nodiscard]] bool runs_here(core::RunId run) const { return runs_.find(run) != nullptr; }
    [[nodiscard]] bool busy() const { return !runs_.all().empty(); }
    [[nodiscard]] const std::string& label() const noexcept { return label_; }
    [[nodiscard]] core::BootId boot() const noexcept { return boot_; }
    [[nodiscard]] bool leaving() const noexcept { return leaving_; }
    SimLedger& ledger() noexcept { return ledger_; }
    tasks::TaskScheduler& scheduler() noexcept { return *scheduler_; }
    World& world() noexcept { return world_; }

    Link database_link, redis_link;
    SimClock clock;
    Nanos troubled_at{};  ///< when it was last stopped, cut off or at a unit that hung
    Nanos hang_until{};   ///< units of work hang until then, and ask nothing
    std::optional<int> last_redis;

private:
    class Task;

    // What the parts under test see.
    lease::Standing standing() const noexcept override;
    lease::LeaseView view() const override;
    core::Result<void> release(core::Millis) override { return {}; }
    core::Result<void> resign(core::Millis) override { return {}; }
    void on_event(std::function<void(lease::LeaseEvent)>) override {}
    void launch(std::shared_ptr<tasks::ActiveRun> run) override;
    core::Result<void> publish(const std::string& kind, const std::string& payload) override;
    int listen(std::function<void(const cluster::Event&)>) override { return 0; }
    void drop(int) override {}
    core::Result<core::UtcTime> heartbeat(const cluster::PodInfo&) override { return core::UtcTime{}; }
    core::Result<std::vector<cluster::PodInfo>> pods(core::Millis within) override;
    core::Result<void> leave(core::BootId) override { return {}; }

    void schedule();
    void beat();
    void keep_lease();
    void ask_redis();
    void digest();
    void wake();
    [[nodiscard]] bool drain(Nanos grace);

    Simulation& simulation_;
    World& world_;
    std::string label_;
    core::SeededRandom random_;
    core::BootId boot_;
    core::NullLog log_;
    SimLedger ledger_;
    mutable lease::LeaseMachine machine_;
    bool connected_ = false;
    int connected_to_ = 0;  ///< which life of the Redis
    tasks::ActiveRuns runs_;
    std::vector<std::unique_ptr<Task>> tasks_;
    std::unique_ptr<tasks::TaskScheduler> scheduler_;
    std::shared_ptr<Thread> scheduling_, beating_, keeping_;
    bool draining_ = false, leaving_ = false;
};

}  // namespace understudy::sim
