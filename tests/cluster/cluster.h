// tests/cluster/cluster.h: three real pods over a real PostgreSQL and a real Redis, with eyes in the database that see
// every broken promise. Used by the real-process suites.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cluster/eventually.h"
#include "cluster/pod_process.h"
#include "support/postgres_server.h"
#include "support/redis_server.h"

namespace understudy::testing {

struct ClusterOptions {
    int pods = 3;
    bool redis = true;  ///< false: the lease is a database row
    RedisOptions redis_options;
    std::string redis_connection;                 ///< empty: the plain port
    bool redis_secret_file = false;               ///< the pods read the connection string from redis_secret()
    std::map<std::string, std::string> settings;  ///< over the defaults: T = 3 s, heartbeat 0.5 s, dead after 2.5 s
    std::map<int, std::string> names;             ///< of pods, by number; default `pod-1`, …
    bool own_mounts = false;                      ///< PodProcess::hide() works
    int files = 0;                                ///< tracks of a music library that is made
    bool patient = false;  ///< workers take their time (patient_worker.cpp); with `files` they always do
};

class Cluster {
public:
    explicit Cluster(ClusterOptions options = {});
    ~Cluster();

    PodProcess& pod(int number) { return *pods_.at(static_cast<std::size_t>(number - 1)); }
    [[nodiscard]] static std::string key();  ///< of the administrator
    [[nodiscard]] std::vector<PodProcess*> living();
    RedisServer& redis() { return *redis_; }
    PostgresServer& postgres() { return postgres_; }
    [[nodiscard]] std::filesystem::path redis_secret() const { return folder_.path() / "redis.secret"; }
    [[nodiscard]] const std::filesystem::path& media() const noexcept { return media_; }
    std::string sql(const std::string& text) { return postgres_.sql(text, database_); }
    [[nodiscard]] long count(const std::string& sql_text) { return std::stol(sql(sql_text)); }

    /// The pod whose own view says `leader`; null where there is none or more than one.
    PodProcess* leader();
    PodProcess* await_leader(core::Millis at_most = core::Millis{15'000});
    [[nodiscard]] bool await_standing(PodProcess& pod, const std::string& standing,
                                      core::Millis at_most = core::Millis{15'000});
    [[nodiscard]] std::string standing(PodProcess& pod);

    /// Interval trigger for a task, through the API of `pod`.
    void set_interval(PodProcess& pod, const std::string& task, double seconds);
    void set_no_triggers(PodProcess& pod, const std::string& task);
    /// A music library over media(), made through the API of `pod`, not scanned.
    void add_library(PodProcess& pod);
    void add_library(PodProcess& pod, const std::string& name, const std::string& kind,
                     const std::filesystem::path& folder, const std::string& options = "{}");
    /// Starts a run of a task by hand; its run id.
    std::string run(PodProcess& pod, const std::string& task);
    /// State of the newest run of a task.
    [[nodiscard]] std::string newest_state(const std::string& task);
    [[nodiscard]] bool await_end(const std::string& task, const std::string& state, core::Millis at_most);
    [[nodiscard]] bool await_progress(const std::string& task, double percent, core::Millis at_most);
    [[nodiscard]] long items() { return count("SELECT count(*) FROM items WHERE kind = 'track'"); }

    /// Fails the test where a promise was broken: a slot started twice, a write below the newest epoch, two live runs.
    void expect_promises_kept();
    [[nodiscard]] std::string all_logs() const;
    /// Lines of a pod's log with these words.
    [[nodiscard]] static long lines_with(const PodProcess& pod, const std::string& words);

private:
    void watch_database();
    void make_media(int files);

    ClusterOptions options_;
    TempFolder folder_;
    std::filesystem::path media_;
    PostgresServer& postgres_;
    std::string database_;
    std::unique_ptr<RedisServer> redis_;
    std::vector<std::unique_ptr<PodProcess>> pods_;
};

}  // namespace understudy::testing
