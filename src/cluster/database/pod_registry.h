// cluster/database/pod_registry.h: the pods as rows of the shared database (0003_cluster.sql). Made by app.
#pragma once

#include <atomic>

#include "cluster/pods.h"
#include "store/sql/session.h"

namespace understudy::cluster {

class DatabasePodRegistry final : public PodRegistry {
public:
    /// `database` must be migrated and outlive the registry.
    explicit DatabasePodRegistry(store::sql::Database& database) : database_(database) {}
    [[nodiscard]] core::Result<core::UtcTime> heartbeat(const PodInfo& self) override;
    [[nodiscard]] core::Result<std::vector<PodInfo>> pods(core::Millis within) override;
    [[nodiscard]] core::Result<void> leave(core::BootId boot) override;

private:
    store::sql::Database& database_;
    std::atomic<unsigned> beats_{0};
};

}  // namespace understudy::cluster
