// app/pod_reporter.h: this pod's own heartbeat, and a look at the others: who lives, who has the same name, whose
// settings differ.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cluster/pods.h"
#include "core/log.h"
#include "core/time.h"

namespace understudy::app {

/// Safe from any thread.
class PodReporter {
public:
    struct Settings {
        cluster::PodInfo self;  ///< label, boot, version, facts; the rest is filled in
        core::Millis every{5'000};
        std::function<std::string()> standing;  ///< as it is now
        std::function<std::map<std::string, bool>()>
            roots;  ///< which library roots this pod sees; may block on a slow mount
        /// After each look, on the reporter's thread: this pod as reported, all pods lately heard from (this one too),
        /// and the registry's now.
        std::function<void(const cluster::PodInfo&, const std::vector<cluster::PodInfo>&, core::UtcTime)> on_look =
            [](const auto&, const auto&, auto) {};
        std::function<void()> on_alone = [] {};  ///< the last other pod is gone; on the reporter's thread
        std::function<void()> on_left = [] {};   ///< this pod has said good-bye: tell the others
    };
    PodReporter(Settings settings, cluster::PodRegistry& registry, core::Clock& clock, core::Log& log);
    ~PodReporter();
    PodReporter(const PodReporter&) = delete;
    PodReporter& operator=(const PodReporter&) = delete;

    /// Registers (blocks until the database has answered once; its time is this pod's boot time), then goes on in the
    /// background. Errors: what the registry says.
    [[nodiscard]] core::Result<core::UtcTime> start();
    /// Says good-bye and stops.
    void stop();
    /// Looks now rather than when it is due: a pod said that it came or left. Never blocks.
    void look_now();
    /// Has another pod been heard from lately?
    [[nodiscard]] bool another_lives() const;
    /// Settings that differ between living pods and names that are in use twice, a sentence each: for /health.
    [[nodiscard]] std::vector<std::string> differences() const;

private:
    void run();
    void report();
    void look_at_others(const std::vector<cluster::PodInfo>& pods);

    Settings settings_;
    cluster::PodRegistry& registry_;
    core::Clock& clock_;
    core::Log& log_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool stopping_ = false, look_ = false;
    bool registry_away_ = false;
    bool another_lives_ = false;
    std::set<std::string> differences_;
    std::thread thread_;
};

}  // namespace understudy::app
