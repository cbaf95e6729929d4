#include "cluster/local/pod_registry.h"

#include <algorithm>

namespace understudy::cluster {
namespace {

constexpr core::Millis kept_for = std::chrono::days{1};

}  // namespace

core::Result<core::UtcTime> LocalPodRegistry::heartbeat(const PodInfo& self) {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.utc_now();
    std::erase_if(pods_, [&](const auto& entry) { return entry.second.heartbeat_at < now - kept_for; });
    const auto found = pods_.find(self.boot);
    const auto started_at = found == pods_.end() ? now : found->second.started_at;
    auto& row = pods_[self.boot];
    row = self;
    row.started_at = started_at;
    row.heartbeat_at = now;
    return now;
}

core::Result<std::vector<PodInfo>> LocalPodRegistry::pods(core::Millis within) {
    const std::lock_guard lock(mutex_);
    const auto since = clock_.utc_now() - within;
    std::vector<PodInfo> found;
    for (const auto& [boot, pod] : pods_) {
        if (pod.heartbeat_at >= since) found.push_back(pod);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const PodInfo& a, const PodInfo& b) { return a.heartbeat_at > b.heartbeat_at; });
    return found;
}

core::Result<void> LocalPodRegistry::leave(core::BootId boot) {
    const std::lock_guard lock(mutex_);
    pods_.erase(boot);
    return {};
}

}  // namespace understudy::cluster
