// tests/sim/simulation.h: some pods, a database, a Redis and a run of bad luck, all from one seed. Used by the test and
// by bench/sim.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lease/lease_settings.h"
#include "sim_database.h"
#include "sim_pod.h"
#include "sim_redis.h"
#include "world.h"

namespace understudy::sim {

struct Options {
    Nanos duration = 6h;  ///< of which the last part is free of faults
    Nanos calm = 20min;   ///< that part
    bool faults = true;
    int pods = 3;
    lease::LeaseSettings lease = lease::LeaseSettings::for_ttl(core::Millis{15'000});
    core::Millis heartbeat{10'000}, dead_after{45'000};
    std::vector<std::string> tasks{
        "RefreshLibrary",   "RefreshPeople", "RefreshChapterImages",        "OptimizeDatabaseTask",
        "CleanActivityLog", "CleanLogFiles", "CleanCollectionsAndPlaylists"};
    Nanos mean_between_faults = 3min;
    bool redis_gone_for_good = false;  ///< from some moment on (I5)
    int units_min = 3, units_more = 22;
    Nanos unit = 1s;             ///< of work, on average
    Nanos busy_interval = 4min;  ///< between two runs of the busiest task
    Broken broken = Broken::nothing;

    /// What a seed makes of them: numbers of pods, ttls, rates of faults differ from seed to seed.
    [[nodiscard]] static Options of_seed(std::uint64_t seed);
};

struct Outcome {
    std::vector<Violation> violations;
    Tally tally;
    std::uint64_t events = 0;
    int kills = 0, bad_moments = 0, stops = 0, cuts = 0, redis_faults = 0, database_faults = 0;
    [[nodiscard]] std::string text() const;
};

class Simulation {
public:
    Simulation(std::uint64_t seed, Options options);
    ~Simulation();
    [[nodiscard]] Outcome run();

    // For the pods.
    World& world() noexcept { return world_; }
    SimDatabase& database() noexcept { return database_; }
    SimRedis& redis() noexcept { return redis_; }
    [[nodiscard]] const Options& options() const noexcept { return options_; }
    void publish(const std::string& kind, const std::string& payload);
    void leader_gained();
    void bad_moment(SimPod& pod);  ///< a unit of work begins: is it the one at which something happens?
    void remove_soon(SimPod& pod);
    [[nodiscard]] std::vector<cluster::PodInfo> alive_pods(core::Millis within);

private:
    void set_triggers();
    SimPod& add_pod(const std::string& label);
    void remove(SimPod& pod);
    [[nodiscard]] SimPod& any_pod();
    [[nodiscard]] std::set<std::string> labels() const;
    [[nodiscard]] bool healthy(const tasks::RunRow& run);
    void kill(SimPod& pod);
    void stop(SimPod& pod, Nanos span);
    void plan_fault();
    void fault();
    void pod_fault(SimPod& pod);
    void redis_fault();
    void database_fault();
    void human();
    void heal();

    Options options_;
    World world_;
    SimDatabase database_;
    SimRedis redis_;
    std::vector<std::unique_ptr<SimPod>> pods_;
    Nanos redis_insane_until_{};
    Nanos database_troubled_at_{};
    bool calm_ = false;
    Outcome outcome_;
};

}  // namespace understudy::sim
