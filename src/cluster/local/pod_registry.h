// cluster/local/pod_registry.h: the pods of a server that is alone: itself. Made by app for SQLite.
#pragma once

#include <map>
#include <mutex>

#include "cluster/pods.h"

namespace understudy::cluster {

class LocalPodRegistry final : public PodRegistry {
public:
    /// `clock` must outlive the registry; it takes the place of the database's.
    explicit LocalPodRegistry(const core::Clock& clock) : clock_(clock) {}
    [[nodiscard]] core::Result<core::UtcTime> heartbeat(const PodInfo& self) override;
    [[nodiscard]] core::Result<std::vector<PodInfo>> pods(core::Millis within) override;
    [[nodiscard]] core::Result<void> leave(core::BootId boot) override;

private:
    const core::Clock& clock_;
    std::mutex mutex_;
    std::map<core::BootId, PodInfo> pods_;
};

}  // namespace understudy::cluster
