// tests/contract/cluster/cluster_fixture.h: the cluster's adapters, each kind behind the same few functions.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "cluster/database/event_log.h"
#include "cluster/database/pod_registry.h"
#include "cluster/local/event_log.h"
#include "cluster/local/pod_registry.h"
#include "support/databases.h"

namespace understudy::testing {

enum class ClusterKind { local, sqlite, postgresql };
inline std::ostream& operator<<(std::ostream& out, ClusterKind kind) {
    constexpr const char* names[] = {"local", "sqlite", "postgresql"};
    return out << names[static_cast<int>(kind)];
}
inline auto all_cluster_kinds() {
    return ::testing::Values(ClusterKind::local, ClusterKind::sqlite, ClusterKind::postgresql);
}
inline std::string cluster_kind_name(const ::testing::TestParamInfo<ClusterKind>& info) {
    std::ostringstream out;
    out << info.param;
    return out.str();
}

class ClusterFixture : public ::testing::TestWithParam<ClusterKind> {
protected:
    void SetUp() override {
        if (local()) return;
        base_ = make_test_database(GetParam() == ClusterKind::sqlite ? DatabaseKind::sqlite : DatabaseKind::postgresql);
        database_ = base_->open();
        const auto migrated = store::sql::migrate(*database_);
        ASSERT_TRUE(migrated) << migrated.error().context;
    }
    [[nodiscard]] static bool local() { return GetParam() == ClusterKind::local; }

    [[nodiscard]] std::unique_ptr<cluster::PodRegistry> make_registry() {
        if (local()) return std::make_unique<cluster::LocalPodRegistry>(clock_);
        return std::make_unique<cluster::DatabasePodRegistry>(*database_);
    }
    [[nodiscard]] std::unique_ptr<cluster::EventLog> make_log(const std::string& pod) {
        if (local()) return std::make_unique<cluster::LocalEventLog>(clock_, pod);
        cluster::DatabaseEventLog::Settings settings;
        settings.pod = pod;
        settings.conninfo = base_->conninfo();
        auto log = std::make_unique<cluster::DatabaseEventLog>(settings, *database_, log_);
        log->start();
        return log;
    }

    core::SystemClock clock_;
    core::NullLog log_;
    std::unique_ptr<TestDatabase> base_;
    std::unique_ptr<store::sql::Database> database_;
};

}  // namespace understudy::testing
