#include "app/pod_reporter.h"

#include <pthread.h>

#include <algorithm>
#include <array>

namespace understudy::app {
namespace {

// A pod that was silent for three reports is not counted among the living.
constexpr int silent_reports = 3;

std::string fact_words(const std::string& name) {
    if (name == "zone") return "the time zone (TZ)";
    if (name == "tzdata") return "the version of tzdata";
    if (name == "dead_after_ms") return "Jellyfin:Tasks:DeadAfterSeconds (in ms)";
    if (name == "gated_tasks") return "Jellyfin:ScanLeader:GatedTaskKeys";
    return name;
}

}  // namespace

PodReporter::PodReporter(Settings settings, cluster::PodRegistry& registry, core::Clock& clock, core::Log& log)
    : settings_(std::move(settings)), registry_(registry), clock_(clock), log_(log) {}

PodReporter::~PodReporter() {
    stop();
}

core::Result<core::UtcTime> PodReporter::start() {
    settings_.self.standing = settings_.standing();
    auto registered = registry_.heartbeat(settings_.self);
    if (!registered) return registered;
    settings_.self.started_at = *registered;
    thread_ = std::thread([this] { run(); });
    ::pthread_setname_np(thread_.native_handle(), "pods");
    return registered;
}

void PodReporter::stop() {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        stopping_ = true;
    }
    wake_.notify_all();
    if (!thread_.joinable()) return;
    thread_.join();
    if (const auto left = registry_.leave(settings_.self.boot); !left) {
        log_.debug("the pod's row stays until it is old", {{"error", left.error().context}});
        return;
    }
    settings_.on_left();
}

void PodReporter::look_now() {
    {
        const std::lock_guard lock(mutex_);
        look_ = true;
    }
    wake_.notify_all();
}

bool PodReporter::another_lives() const {
    const std::lock_guard lock(mutex_);
    return another_lives_;
}

std::vector<std::string> PodReporter::differences() const {
    const std::lock_guard lock(mutex_);
    return {differences_.begin(), differences_.end()};
}

void PodReporter::run() {
    while (true) {
        report();
        std::unique_lock lock(mutex_);
        (void)clock_.wait_for(lock, wake_, settings_.every, [this] { return stopping_ || look_; });
        if (stopping_) return;
        look_ = false;
    }
}

void PodReporter::report() {
    settings_.self.standing = settings_.standing();
    if (settings_.roots) settings_.self.roots = settings_.roots();
    auto beat = registry_.heartbeat(settings_.self);
    auto pods = beat ? registry_.pods(silent_reports * settings_.every)
                     : core::Result<std::vector<cluster::PodInfo>>(tl::unexpect, beat.error());
    if (!pods) {
        // A database that is away is told of by app/database_watch.h, once for all who meet it.
        const bool away = pods.error().code == core::Errc::unavailable || pods.error().code == core::Errc::timed_out;
        if (!std::exchange(registry_away_, true)) {
            const std::array fields{core::LogField{"error", pods.error().context}};
            log_.write(away ? core::LogLevel::debug : core::LogLevel::warning, "the pod registry does not answer",
                       fields);
        }
        return;
    }
    if (std::exchange(registry_away_, false)) log_.debug("the pod registry answers again");
    look_at_others(*pods);
    settings_.on_look(settings_.self, *pods, *beat);
}

void PodReporter::look_at_others(const std::vector<cluster::PodInfo>& pods) {
    const auto& self = settings_.self;
    std::set<std::string> found;
    bool another = false;
    for (const auto& pod : pods) {
        if (pod.boot == self.boot) continue;
        another = true;
        if (pod.label == self.label) {
            found.insert("two living pods are called '" + self.label +
                         "'; give each its own Jellyfin:ScanLeader:PodName or POD_NAME");
        }
        for (const auto& [name, value] : self.facts) {
            const auto theirs = pod.facts.find(name);
            if (theirs != pod.facts.end() && theirs->second != value) {
                found.insert("pods differ in " + fact_words(name) + ": '" + value + "' on " + self.label + ", '" +
                             theirs->second + "' on " + pod.label);
            }
        }
    }
    std::set<std::string> known;
    bool alone_now = false;
    {
        const std::lock_guard lock(mutex_);
        alone_now = another_lives_ && !another;
        another_lives_ = another;
        known = std::exchange(differences_, found);
    }
    if (alone_now) settings_.on_alone();
    for (const auto& difference : found) {
        if (!known.contains(difference)) log_.error(difference);
    }
    for (const auto& difference : known) {
        if (!found.contains(difference)) log_.info("no longer: " + difference);
    }
}

}  // namespace understudy::app
