#include "sim_pod.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "simulation.h"

namespace understudy::sim {
namespace {

using namespace tasks;

int number(std::string_view text) {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace

/// Some units of work, each written under the fence; the cursor says how many are done and how many there are.
class SimPod::Task final : public ScheduledTask {
public:
    Task(SimPod& pod, const CatalogueEntry& entry) : pod_(pod), entry_(entry) {}
    [[nodiscard]] const CatalogueEntry& info() const noexcept override { return entry_; }

    core::Result<void> execute(Run& run) override {
        auto& world = pod_.world_;
        const auto& options = pod_.simulation_.options();
        int done = 0,
            all = options.units_min + static_cast<int>(world.below(static_cast<std::size_t>(options.units_more)));
        if (const auto slash = run.cursor().find('/'); slash != std::string::npos) {
            done = number(run.cursor());
            all = number(std::string_view(run.cursor()).substr(slash + 1));
        }
        while (done < all) {
            if (run.should_stop()) return core::fail(core::Errc::cancelled, "stopped");
            if (options.faults) pod_.simulation_.bad_moment(pod_);
            world.sleep(world.between(options.unit / 2, options.unit * 3 / 2));
            if (world.now() < pod_.hang_until) world.sleep(pod_.hang_until - world.now());
            if (world.chance(0.0005)) throw std::runtime_error("a bug of the task");
            if (world.chance(0.0005)) return core::fail(core::Errc::corrupt, "a file that nobody understands");
            const auto written = run.commit(std::to_string(done + 1) + "/" + std::to_string(all),
                                            [&](const core::Fence& fence) { return pod_.ledger_.write(fence, done); });
            if (!written) return written;
            ++done;
            run.report(100.0 * done / all);
            run.count("units");
        }
        return {};
    }

private:
    SimPod& pod_;
    const CatalogueEntry& entry_;
};

SimPod::SimPod(Simulation& simulation, std::string label, double clock_rate)
    : clock(simulation.world(), clock_rate),
      simulation_(simulation),
      world_(simulation.world()),
      label_(std::move(label)),
      random_(world_.bits()),
      boot_(core::BootId::make(random_)),
      ledger_(simulation.database(), database_link),
      machine_(simulation.options().lease, random_, clock.now()) {
    TaskManagerSettings settings;
    settings.pod = label_;
    settings.boot = boot_;
    for (const auto& entry : catalogue()) {
        if (entry.gated_by_default) settings.gated.emplace(entry.key);
    }
    settings.heartbeat = simulation.options().heartbeat;
    settings.dead_after = simulation.options().dead_after;
    settings.poll_every = simulation.options().lease.ttl / 4;
    scheduler_ = std::make_unique<TaskScheduler>(
        settings, TaskScheduler::Parts{ledger_, *this, clock, random_, log_, *this, runs_, this, this});
    for (const auto& key : simulation.options().tasks) {
        tasks_.push_back(std::make_unique<Task>(*this, *find_task(key)));
        scheduler_->add(*tasks_.back());
    }
}

SimPod::~SimPod() {
    world_.kill(*this);
}

void SimPod::start() {
    scheduling_ = world_.spawn(*this, [this] { schedule(); });
    beating_ = world_.spawn(*this, [this] { beat(); });
    keeping_ = world_.spawn(*this, [this] { keep_lease(); });
}

void SimPod::schedule() {
    for (;;) {
        const auto wait = scheduler_->tick();
        if (scheduler_->woken() && !scheduler_->held()) {
            world_.sleep(std::min<Nanos>(wait, 50ms));
        } else {
            world_.sleep(wait);
        }
    }
}

void SimPod::beat() {
    for (;;) {
        Nanos wait = 1h;
        for (const auto& run : runs_.all()) wait = std::min(wait, std::max<Nanos>(run->beat(), 250ms));
        world_.sleep(wait);
    }
}

void SimPod::wake() {
    scheduler_->wake();
    if (scheduling_) world_.wake(scheduling_);
}

void SimPod::launch(std::shared_ptr<ActiveRun> run) {
    runs_.add(run);
    if (draining_) run->drain();
    world_.spawn(*this, [this, run] {
        (void)run->execute();
        runs_.remove(run->id());
        wake();
    });
    if (beating_) world_.wake(beating_);
}

core::Result<void> SimPod::publish(const std::string& kind, const std::string& payload) {
    simulation_.publish(kind, payload);
    return {};
}

void SimPod::hear(const std::string& kind, const std::string& payload) {
    if (kind == "run.cancel") {
        const auto run = core::RunId::parse(payload);
        if (const auto active = run ? runs_.find(*run) : nullptr) active->request_cancel("asked by a person");
    } else if (kind != "run.progress" && kind != "run.started") {
        wake();
    }
}

core::Result<std::vector<cluster::PodInfo>> SimPod::pods(core::Millis within) {
    world_.sleep(1ms);
    if (world_.now() < database_link.cut_until || simulation_.database().down())
        return core::fail(core::Errc::unavailable, "database: away");
    return simulation_.alive_pods(within);
}

void SimPod::ask(std::function<void(SimPod&)> what) {
    world_.spawn(*this, [this, what = std::move(what)] { what(*this); });
}

void SimPod::manual_run(const std::string& task) {
    auto* worker = scheduler_->worker(task);
    const auto claim = worker->start_manual("{}");
    if (!claim) return wake();
    if (claim->outcome == Claim::Outcome::waiting) {
        if (ledger_.request_later(worker->scope(), "{}", 0ms, 0, {})) scheduler_->prefer_pending(worker->scope());
    }
    wake();
}

bool SimPod::drain(Nanos grace) {
    scheduler_->hold(true);
    draining_ = true;
    const auto end = world_.now() + grace;
    for (;;) {
        for (const auto& run : runs_.all()) run->drain();
        if (runs_.all().empty() || world_.now() >= end) return runs_.all().empty();
        world_.sleep(100ms);
    }
}

void SimPod::terminate(Nanos grace) {
    leaving_ = true;
    world_.spawn(*this, [this, grace] {
        if (!drain(grace)) {
            for (const auto& run : runs_.all()) run->abandon();
        }
        machine_.shut_down(clock.now());
        world_.wake(keeping_);
        for (int i = 0; i < 20 && machine_.releasing(); ++i) world_.sleep(100ms);
        simulation_.remove_soon(*this);
    });
}

void SimPod::resign() {
    if (leaving_ || draining_ || standing() != lease::Standing::leader) return;
    world_.spawn(*this, [this] {
        (void)drain(20s);
        (void)machine_.resign(clock.now());
        world_.wake(keeping_);
        for (int i = 0; i < 20 && machine_.releasing(); ++i) world_.sleep(100ms);
        if (leaving_) return;
        draining_ = false;
        scheduler_->hold(false);
        wake();
    });
}

// ---- the lease ----

lease::Standing SimPod::standing() const noexcept {
    machine_.observe(clock.now());
    return machine_.standing(clock.now());
}

bool SimPod::leads() {
    return machine_.standing(clock.now()) == lease::Standing::leader;
}

lease::LeaseView SimPod::view() const {
    return machine_.view(clock.now());
}

void SimPod::notice() {
    machine_.on_notice(clock.now());
    if (keeping_) world_.wake(keeping_);
}

void SimPod::digest() {
    machine_.observe(clock.now());
    for (const auto& note : machine_.take_notes()) {
        if (note.kind == lease::LeaseNote::Kind::gained) simulation_.leader_gained();
        if (note.kind == lease::LeaseNote::Kind::gained || note.kind == lease::LeaseNote::Kind::lost) wake();
    }
}

void SimPod::keep_lease() {
    for (;;) {
        const auto action = machine_.next(clock.now());
        digest();
        switch (action.kind) {
            case lease::LeaseMachine::Action::Kind::finished:
                return;
            case lease::LeaseMachine::Action::Kind::ask:
                ask_redis();
                break;
            case lease::LeaseMachine::Action::Kind::wait:
                world_.sleep(action.wait);
                break;
        }
    }
}

void SimPod::ask_redis() {
    auto& redis = simulation_.redis();
    const auto timeout = simulation_.options().lease.call_timeout;
    const bool cut = world_.now() < redis_link.cut_until;
    const lease::LeaseNoAnswer refused{lease::NoAnswer::unreachable, false, "connection refused"};
    const lease::LeaseNoAnswer silent{lease::NoAnswer::unreachable, true, "no answer in time"};
    if (connected_to_ != redis.run_id) connected_ = false;  // its old life's connections are gone
    if (!connected_) {
        if (cut || redis.stuck()) {
            world_.sleep(timeout);
            return machine_.on_no_connection(clock.now(), refused);
        }
        world_.sleep(world_.between(100us, 3ms));
        if (redis.down()) return machine_.on_no_connection(clock.now(), refused);
        connected_ = true;
        connected_to_ = redis.run_id;
        machine_.on_connected(clock.now(), redis.age(last_redis));
        last_redis = redis.run_id;
        if (machine_.next(clock.now()).kind != lease::LeaseMachine::Action::Kind::ask) return;
    }
    const auto call = machine_.send(clock.now());
    auto answer = std::make_shared<std::optional<lease::LeaseAnswer>>();
    const auto wake_at = [&world = world_, thread = world_.current(), wait = world_.next_wait()](Nanos when) {
        world.at(when, [&world, thread, wait] { world.wake(thread, wait); });
    };
    const auto given_up_at = world_.now() + timeout;
    const bool reply_lost = world_.chance(redis_link.loss);
    Nanos there = world_.between(50us, 1ms);
    if (world_.uniform() < 0.003) there = world_.between(10ms, timeout * 3 / 2);
    if (cut || redis.stuck() || world_.chance(redis_link.loss)) {
        wake_at(given_up_at);
    } else {
        if (there >= timeout) wake_at(given_up_at);
        world_.after(there, [&redis, &world = world_, answer, wake_at, given_up_at, call, label = label_, reply_lost,
                             life = connected_to_] {
            const bool late = world.now() >= given_up_at;
            const bool reset = redis.down() || redis.run_id != life;  // a new process knows nothing of old connections
            if (reset || redis.stuck()) {
                if (!late) wake_at(reset ? world.now() + 1ms : given_up_at);
                return;
            }
            auto heard = redis.run(call.request, label);
            if (late) return;  // applied all the same
            if (reply_lost) return wake_at(given_up_at);
            *answer = std::move(heard);
            wake_at(world.now() + world.between(50us, 1ms));
        });
    }
    world_.await_wake();
    if (*answer) {
        machine_.on_answer(call, clock.now(), **answer);
    } else {
        connected_ = false;
        machine_.on_no_answer(call, clock.now(), silent);
    }
    digest();
}

}  // namespace understudy::sim
