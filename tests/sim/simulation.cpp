#include "simulation.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace understudy::sim {

using namespace tasks;

Options Options::of_seed(std::uint64_t seed) {
    World chance(seed * 2 + 1);
    Options options;
    options.pods = 3 + static_cast<int>(chance.below(2)) + (chance.chance(0.2) ? 1 : 0);
    constexpr int ttls[] = {15, 30, 60, 60, 60, 120, 120, 120, 120, 120};
    const std::chrono::seconds ttl{ttls[chance.below(std::size(ttls))]};
    options.lease = lease::LeaseSettings::for_ttl(ttl);
    if (ttl > 30s) {  // looks are rarer then, and six hours hold more of everything else
        options.heartbeat = 25s;
        options.dead_after = chance.chance(0.5) ? 120s : 180s;
    }
    options.mean_between_faults = chance.between(20s, 4min);
    options.redis_gone_for_good = chance.chance(0.1);
    options.unit = chance.between(300ms, 1900ms);
    options.busy_interval = chance.between(20s, 4min);
    return options;
}

std::string Outcome::text() const {
    std::string text = fmt::format(
        "{} slots started, {} takeovers, {} resumed, {} writes, {} ended; faults: {} kills, {} stops, {} cuts, {} "
        "Redis, "
        "{} database; {} events",
        tally.slots_started, tally.takeovers, tally.resumes, tally.writes, tally.ended, kills, stops, cuts,
        redis_faults, database_faults, events);
    for (const auto& one : violations)
        text += fmt::format("\n  I{} at {:.3f} s: {}", one.invariant, std::chrono::duration<double>(one.at).count(),
                            one.what);
    return text;
}

namespace {

LedgerSettings ledger_settings(const Options& options) {
    LedgerSettings settings;
    settings.dead_after = options.dead_after;
    settings.keep_runs = 50;
    return settings;
}

}  // namespace

Simulation::Simulation(std::uint64_t seed, Options options)
    : options_(std::move(options)),
      world_(seed),
      database_(world_, ledger_settings(options_), options_.broken),
      redis_(world_) {
    redis_.rate = 0.995 + 0.01 * world_.uniform();
    redis_.on_release = [this] {
        for (const auto& pod : pods_) {
            auto* heard = pod.get();
            if (world_.now() < heard->redis_link.cut_until || world_.chance(0.02)) continue;
            world_.after(world_.between(100us, 5ms), [this, heard] {
                for (const auto& one : pods_) {
                    if (one.get() == heard && heard->stopped_until <= world_.now()) heard->notice();
                }
            });
        }
    };
    database_.checker().healthy = [this](const RunRow& run) { return healthy(run); };
}

Simulation::~Simulation() = default;

void Simulation::set_triggers() {
    auto& ledger = database_.ledger();
    const auto every = [&](const char* task, Nanos interval, std::optional<core::Millis> limit = std::nullopt) {
        if (std::find(options_.tasks.begin(), options_.tasks.end(), task) == options_.tasks.end()) return;
        const std::vector<Trigger> triggers{
            {IntervalTrigger{std::chrono::duration_cast<core::Millis>(interval)}, limit, {}}};
        (void)ledger.set_triggers(task, triggers);
    };
    for (const auto& key : options_.tasks) {
        if (find_task(key)->scope == Scope::cluster)
            (void)ledger.ensure_task(*find_task(key), std::string(cluster_scope));
    }
    const auto busy = options_.busy_interval;
    every("RefreshLibrary", busy);
    every("RefreshPeople", busy * 3);
    every("RefreshChapterImages", busy * 2, 20s);
    every("OptimizeDatabaseTask", busy * 2);
    every("CleanActivityLog", busy * 2);
    (void)ledger.ensure_task(*find_task("CleanLogFiles"), "pod-0");
    every("CleanLogFiles", busy * 4);
}

SimPod& Simulation::add_pod(const std::string& label) {
    pods_.push_back(std::make_unique<SimPod>(*this, label, 0.995 + 0.01 * world_.uniform()));
    pods_.back()->start();
    return *pods_.back();
}

void Simulation::remove(SimPod& pod) {
    const auto it = std::find_if(pods_.begin(), pods_.end(), [&](const auto& one) { return one.get() == &pod; });
    if (it != pods_.end()) pods_.erase(it);
}

void Simulation::remove_soon(SimPod& pod) {
    auto* gone = &pod;
    const auto label = pod.label();
    const auto boot = pod.boot();
    world_.after(0ns, [this, gone, boot, label] {
        for (const auto& one : pods_) {
            if (one.get() != gone || one->boot() != boot) continue;
            remove(*gone);
            // Its successor, as a deployment makes it.
            if (!labels().contains(label))
                world_.after(calm_ ? 0ns : world_.between(1s, 60s), [this, label] {
                    if (!labels().contains(label)) add_pod(label);
                });
            return;
        }
    });
}

SimPod& Simulation::any_pod() {
    return *pods_[world_.below(pods_.size())];
}

std::set<std::string> Simulation::labels() const {
    std::set<std::string> labels;
    for (const auto& pod : pods_) labels.insert(pod->label());
    return labels;
}

std::vector<cluster::PodInfo> Simulation::alive_pods(core::Millis within) {
    std::vector<cluster::PodInfo> infos;
    for (const auto& pod : pods_) {
        if (world_.now() - pod->ledger().answered_at() > within) continue;
        cluster::PodInfo info;
        info.label = pod->label();
        info.boot = pod->boot();
        infos.push_back(std::move(info));
    }
    return infos;
}

bool Simulation::healthy(const RunRow& run) {
    const auto quiet = options_.dead_after + 12s;
    if (world_.now() - std::max(database_troubled_at_, database_.stuck_until) < quiet && database_troubled_at_ > 0ns)
        return false;
    for (const auto& pod : pods_) {
        if (pod->boot() != run.boot) continue;
        const auto trouble =
            std::max({pod->troubled_at, pod->stopped_until, pod->hang_until, pod->database_link.cut_until});
        return pod->runs_here(run.id) && (trouble == 0ns || world_.now() - trouble >= quiet);
    }
    return false;
}

void Simulation::publish(const std::string& kind, const std::string& payload) {
    if (kind == "run.progress" || kind == "run.started") return;  // for dashboards alone
    for (const auto& pod : pods_) {
        auto* heard = pod.get();
        if (world_.chance(0.1)) continue;  // hints get lost
        world_.after(world_.between(1ms, 50ms), [this, heard, kind, payload] {
            for (const auto& one : pods_) {
                if (one.get() == heard && heard->stopped_until <= world_.now() &&
                    world_.now() >= heard->database_link.cut_until)
                    heard->hear(kind, payload);
            }
        });
    }
}

void Simulation::leader_gained() {
    int trusted = 0;
    for (const auto& pod : pods_) trusted += pod->leads() ? 1 : 0;
    database_.checker().on_leaders(trusted, world_.now() >= redis_insane_until_);
}

// ---- bad luck ----

void Simulation::plan_fault() {
    world_.after(world_.between(1ms, options_.mean_between_faults * 2), [this] {
        if (calm_) return;
        fault();
        plan_fault();
    });
}

void Simulation::fault() {
    if (pods_.empty()) return;  // all dead; they come back by themselves
    switch (world_.below(10)) {
        case 0:
        case 1:
        case 2:
        case 3:
            return pod_fault(any_pod());
        case 4:
        case 5:
            return redis_fault();
        case 6:
            return database_fault();
        default:
            return human();
    }
}

void Simulation::kill(SimPod& pod) {
    ++outcome_.kills;
    const auto label = pod.label();
    remove(pod);
    world_.after(world_.between(500ms, 150s), [this, label] {
        if (!labels().contains(label)) add_pod(label);
    });
}

void Simulation::stop(SimPod& pod, Nanos span) {
    ++outcome_.stops;
    pod.stopped_until = std::max(pod.stopped_until, world_.now() + span);
}

void Simulation::pod_fault(SimPod& pod) {
    const auto label = pod.label();
    switch (world_.below(8)) {
        case 0:
        case 1:  // kill -9
            return kill(pod);
        case 2:
            if (!pod.leaving()) pod.terminate(25s);
            return;
        case 3:  // SIGSTOP, then SIGCONT
            return stop(pod, world_.between(1s, world_.chance(0.5) ? 10s : 200s));
        case 4: {  // its network, or half of it
            ++outcome_.cuts;
            const auto until = world_.now() + world_.between(1s, 150s);
            const auto which = world_.below(3);
            if (which != 0) pod.database_link.cut_until = until;
            if (which != 1) pod.redis_link.cut_until = until;
            return;
        }
        case 5:  // its clock is set, or its machine slept
            pod.clock.step += world_.between(-300s, 300s);
            return;
        case 6: {  // a second process of the same name
            if (pods_.size() > static_cast<std::size_t>(options_.pods) + 1) return;
            auto& twin = add_pod(label);
            auto* gone = &twin;
            const auto boot = twin.boot();
            world_.after(world_.between(10s, 400s), [this, gone, boot] {
                for (const auto& one : pods_) {
                    if (one.get() == gone && one->boot() == boot) return remove(*gone);
                }
            });
            return;
        }
        default: {  // a bad line for a while
            pod.database_link.loss = pod.redis_link.loss = 0.1;
            pod.troubled_at = std::max(pod.troubled_at, world_.now() + 60s);
            auto* hurt = &pod;
            const auto boot = pod.boot();
            world_.after(60s, [this, hurt, boot] {
                for (const auto& one : pods_) {
                    if (one.get() == hurt && one->boot() == boot)
                        hurt->database_link.loss = hurt->redis_link.loss = Link{}.loss;
                }
            });
        }
    }
}

void Simulation::bad_moment(SimPod& pod) {
    if (calm_ || !world_.chance(0.003)) return;
    ++outcome_.bad_moments;
    auto* hit = &pod;
    const auto boot = pod.boot();
    // Somewhere within the unit: before, in or after its write.
    world_.after(world_.between(0ns, options_.unit * 3 / 2), [this, hit, boot] {
        const auto it = std::find_if(pods_.begin(), pods_.end(),
                                     [&](const auto& one) { return one.get() == hit && one->boot() == boot; });
        if (it == pods_.end() || calm_) return;
        const auto long_enough = options_.dead_after + options_.lease.ttl;  // for somebody else to take over
        switch (world_.below(6)) {
            case 0:
            case 1:
                return kill(*hit);
            case 2:
                return stop(*hit, world_.between(1s, long_enough * 2));
            case 3:
                ++outcome_.cuts;
                hit->database_link.cut_until = world_.now() + world_.between(1s, long_enough * 2);
                return;
            case 4:
                // The unit hangs and the beat with it: the run is lost with good reason.
                hit->hang_until = std::max(hit->hang_until, world_.now() + world_.between(1s, long_enough * 2));
                return;
            default:
                if (!hit->leaving()) hit->terminate(25s);
        }
    });
}

void Simulation::redis_fault() {
    ++outcome_.redis_faults;
    const auto insane = [&] { redis_insane_until_ = world_.now() + options_.lease.ttl * 2; };
    switch (world_.below(7)) {
        case 0:
        case 1: {
            const bool empty = world_.chance(0.5);
            redis_.down_until = std::max(redis_.down_until, world_.now() + world_.between(100ms, 120s));
            world_.at(redis_.down_until, [this, empty] {
                if (!calm_ && !redis_.down()) redis_.restart(empty);
            });
            return;
        }
        case 2:
            redis_.stuck_until = world_.now() + world_.between(500ms, 60s);
            return;
        case 3:
            insane();
            return redis_.flush();
        case 4:
            insane();
            redis_.step += world_.between(-60s, 60s);
            return;
        case 5:
            insane();
            return redis_.persist();
        default:
            if (options_.redis_gone_for_good && world_.now() > options_.duration / 2) redis_.down_until = Nanos::max();
    }
}

void Simulation::database_fault() {
    ++outcome_.database_faults;
    auto until = world_.now();
    switch (world_.below(4)) {
        case 0:
            until = database_.down_until = world_.now() + world_.between(100ms, 10s);
            break;
        case 1:
            until = database_.down_until = world_.now() + world_.between(10s, 150s);
            break;
        case 2:
            until = database_.stuck_until = world_.now() + world_.between(1s, 60s);
            break;
        default:
            database_.step += world_.between(-3600s, 3600s) / (world_.chance(0.5) ? 1 : 100);
    }
    database_troubled_at_ = std::max(database_troubled_at_, until);
}

void Simulation::human() {
    auto& pod = any_pod();
    const auto task = options_.tasks[world_.below(options_.tasks.size())];
    switch (world_.below(8)) {
        case 0:
        case 1:
        case 2:
            return pod.ask([task](SimPod& self) { self.manual_run(task); });
        case 3:
            return pod.ask([task](SimPod& self) {
                const auto scope = self.scheduler().worker(task)->scope();
                if (self.ledger().request_later(scope, "{\"n\":1}", 0ms, 0, {})) self.scheduler().wake();
            });
        case 4:
            return pod.ask([task](SimPod& self) {
                (void)self.ledger().cancel(self.scheduler().worker(task)->scope(), "asked by a person");
            });
        case 5: {
            const auto interval = std::chrono::duration_cast<core::Millis>(world_.between(30s, 15min));
            const bool daily = world_.chance(0.3);
            return pod.ask([task, interval, daily](SimPod& self) {
                std::vector<Trigger> triggers{{IntervalTrigger{interval}, std::nullopt, {}}};
                if (daily) triggers.push_back({DailyTrigger{interval * 40}, std::nullopt, {}});
                if (task == "CleanCollectionsAndPlaylists") triggers.push_back({StartupTrigger{}, std::nullopt, {}});
                (void)self.ledger().set_triggers(task, triggers);
            });
        }
        case 6:
            return pod.ask([task](SimPod& self) {
                if (!self.ledger().set_enabled(task, false)) return;
                self.world().sleep(100s);
                while (!self.ledger().set_enabled(task, true)) self.world().sleep(1s);
            });
        default:
            return pod.resign();
    }
}

void Simulation::heal() {
    calm_ = true;
    database_.down_until = database_.stuck_until = world_.now();
    database_troubled_at_ = world_.now();
    if (options_.redis_gone_for_good) {
        redis_.down_until = Nanos::max();
    } else if (redis_.down()) {
        redis_.down_until = world_.now();
        redis_.restart(false);
    }
    redis_.stuck_until = world_.now();
    for (const auto& pod : pods_) {
        pod->stopped_until = pod->database_link.cut_until = pod->redis_link.cut_until = world_.now();
        pod->database_link.loss = pod->redis_link.loss = 0;
    }
    for (int i = 0; i < options_.pods; ++i) {
        const auto label = "pod-" + std::to_string(i);
        if (!labels().contains(label)) add_pod(label).database_link.loss = 0;
    }
    for (const auto& key : options_.tasks) (void)database_.ledger().set_enabled(key, true);
}

Outcome Simulation::run() {
    set_triggers();
    for (int i = 0; i < options_.pods; ++i) add_pod("pod-" + std::to_string(i));
    if (options_.faults) plan_fault();
    world_.run_until(options_.duration - options_.calm);
    heal();
    // I4: max(T, DeadAfter) + T/4 + one call. A pod that is leaving comes back first.
    const auto healed = database_.now();
    const auto bound =
        std::max<Nanos>(options_.lease.ttl, options_.dead_after) + options_.lease.ttl / 4 + options_.lease.call_timeout;
    world_.run_until(world_.now() + bound + 25s);
    std::set<TaskScope> waiting;
    for (const auto& label : labels()) {
        const auto overview = database_.ledger().overview(label);
        for (const auto& row : overview->tasks) {
            if (!row.waiting_for.empty()) waiting.insert(row.task);
        }
    }
    database_.checker().due_work_has_started(healed + 25s, labels(), waiting);
    world_.run_until(options_.duration);
    database_.checker().no_work_is_lost(labels());
    outcome_.violations = database_.checker().violations();
    outcome_.tally = database_.checker().tally();
    outcome_.events = world_.events();
    pods_.clear();
    return outcome_;
}

}  // namespace understudy::sim
