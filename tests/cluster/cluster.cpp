#include "cluster/cluster.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace understudy::testing {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr const char* admin_key = "cluster-test-admin-key";

// The database itself watches: every start of a slot and every write of a run is judged in its own transaction,
// whatever the pods say afterwards.
constexpr const char* watchers = R"(
CREATE TABLE broken_promises (at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(), what TEXT NOT NULL);
CREATE FUNCTION watch_runs() RETURNS trigger AS $body$
BEGIN
    IF TG_OP = 'INSERT' AND NEW.resumed_from IS NULL AND NEW.slot_at IS NOT NULL AND EXISTS (
        SELECT 1 FROM task_runs r WHERE r.task = NEW.task AND r.scope = NEW.scope AND r.slot_at = NEW.slot_at
            AND r.run_id <> NEW.run_id AND r.resumed_from IS NULL) THEN
        INSERT INTO broken_promises (what) VALUES ('slot started twice: ' || NEW.task || ' ' || NEW.slot_at);
    END IF;
    IF TG_OP = 'INSERT' AND EXISTS (
        SELECT 1 FROM task_runs r WHERE r.task = NEW.task AND r.scope = NEW.scope AND r.epoch >= NEW.epoch AND r.run_id <> NEW.run_id) THEN
        INSERT INTO broken_promises (what) VALUES ('epoch did not grow: ' || NEW.task || ' ' || NEW.epoch);
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.cursor_seq <> OLD.cursor_seq AND (OLD.state NOT IN ('running', 'cancelling') OR EXISTS (
        SELECT 1 FROM task_runs r WHERE r.task = NEW.task AND r.scope = NEW.scope AND r.epoch > NEW.epoch)) THEN
        INSERT INTO broken_promises (what) VALUES ('write of a run that was taken over: ' || NEW.task || ' epoch ' || NEW.epoch);
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.cursor_seq <> OLD.cursor_seq AND NEW.cursor_seq <> OLD.cursor_seq + 1 THEN
        INSERT INTO broken_promises (what) VALUES ('a write was lost or doubled: ' || NEW.task || ' ' || OLD.cursor_seq || ' -> ' || NEW.cursor_seq);
    END IF;
    RETURN NULL;
END $body$ LANGUAGE plpgsql;
CREATE TRIGGER watch_runs AFTER INSERT OR UPDATE ON task_runs FOR EACH ROW EXECUTE FUNCTION watch_runs();
)";

std::string ticks(double seconds) {
    return std::to_string(static_cast<long long>(seconds * 1e7));
}

std::string member(const json::value& value, std::string_view name) {
    const auto* object = value.if_object();
    const auto* found = object == nullptr ? nullptr : object->if_contains(name);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string{};
}

}  // namespace

Cluster::Cluster(ClusterOptions options)
    : options_(std::move(options)),
      folder_("cluster"),
      media_(folder_.path() / "music"),
      postgres_(PostgresServer::shared()) {
    const auto conninfo = postgres_.make_database();
    const auto at = conninfo.find("dbname=");
    database_ = conninfo.substr(at + 7, conninfo.find(' ', at) - at - 7);
    std::erase(database_, '\'');
    std::map<std::string, std::string> settings{
        {"Jellyfin:Database:Provider", "PostgreSQL"},
        {"Jellyfin:Database:ConnectionString", conninfo},
        {"Jellyfin:ScanLeader:Enabled", "true"},
        {"Jellyfin:ScanLeader:LeaseDurationSeconds", "3"},
        {"Jellyfin:Tasks:HeartbeatSeconds", "0.5"},
        {"Jellyfin:Tasks:DeadAfterSeconds", "2.5"},
        {"Jellyfin:Library:Watch", "off"},  // what a test does to files scans nothing by itself
    };
    if (options_.redis) {
        redis_ = std::make_unique<RedisServer>(options_.redis_options);
        const auto connection = options_.redis_connection.empty() ? redis_->address() : options_.redis_connection;
        const std::string setting = "Jellyfin:TranscodeStore:RedisConnectionString";
        if (options_.redis_secret_file) {
            std::ofstream(redis_secret()) << connection << '\n';
            settings[setting + "File"] = redis_secret().string();
        } else {
            settings[setting] = connection;
        }
    } else {
        settings["Jellyfin:ScanLeader:Provider"] = "Database";
    }
    if (options_.files > 0 || options_.patient) {
        settings["Jellyfin:Media:WorkerPath"] = PATIENT_WORKER;
        settings["Jellyfin:Media:Workers"] = "1";
        settings["Jellyfin:Media:AnalysisWorkers"] = "1";
    }
    for (const auto& [key, value] : options_.settings) settings[key] = value;
    make_media(options_.files);
    for (int number = 1; number <= options_.pods; ++number) {
        const auto named = options_.names.find(number);
        PodProcess::Options pod;
        pod.name = named == options_.names.end() ? "pod-" + std::to_string(number) : named->second;
        pod.folder = folder_.path() / ("pod-" + std::to_string(number));
        pod.key = admin_key;
        pod.settings = settings;
        pod.own_mounts = options_.own_mounts;
        pods_.push_back(std::make_unique<PodProcess>(std::move(pod)));
        pods_.back()->start();
        auto& started = *pods_.back();
        if (!eventually(30s, [&] { return started.request("GET", "/health/ready").status == 200; })) {
            throw std::runtime_error(started.name() + " is not ready; its log:\n" + started.log());
        }
        if (number == 1) {
            watch_database();
            // Only what a test starts may run.
            const auto tasks = started.get("/ScheduledTasks");
            for (const auto& task : tasks.as_array()) set_no_triggers(started, member(task, "Id"));
        }
    }
}

Cluster::~Cluster() {
    if (::testing::Test::HasFailure()) std::fputs(all_logs().c_str(), stderr);
}

long Cluster::lines_with(const PodProcess& pod, const std::string& words) {
    const auto log = pod.log();
    long lines = 0;
    for (auto at = log.find(words); at != std::string::npos; at = log.find(words, at + 1)) ++lines;
    return lines;
}

void Cluster::watch_database() {
    sql(watchers);
}

void Cluster::make_media(int files) {
    std::filesystem::create_directories(media_ / "Quartet");  // an empty root counts as a disc that is away
    if (files == 0) return;
    // One real track, copied: each copy is a file of its own with its own inode.
    const auto seed = folder_.path() / "seed.mp3";
    const auto made = std::system(("ffmpeg -nostdin -loglevel error -y -f lavfi -i sine=frequency=440:duration=1 -b:a "
                                   "32k -metadata artist=Quartet "
                                   "-metadata album=Takes " +
                                   seed.string())
                                      .c_str());
    if (made != 0) throw std::runtime_error("ffmpeg made no track");
    for (int n = 0; n < files; ++n) {
        const auto album = media_ / "Quartet" / ("Takes " + std::to_string(n / 25));
        if (n % 25 == 0) std::filesystem::create_directories(album);
        std::filesystem::copy_file(seed, album / (std::to_string(n % 25 + 1) + " Take.mp3"));
    }
}

std::string Cluster::key() {
    return admin_key;
}

std::vector<PodProcess*> Cluster::living() {
    std::vector<PodProcess*> found;
    for (const auto& pod : pods_) {
        if (pod->running()) found.push_back(pod.get());
    }
    return found;
}

std::string Cluster::standing(PodProcess& pod) {
    return member(pod.get("/cluster/leader"), "standing");
}

PodProcess* Cluster::leader() {
    PodProcess* found = nullptr;
    for (auto* pod : living()) {
        if (standing(*pod) != "leader") continue;
        if (found != nullptr) return nullptr;
        found = pod;
    }
    return found;
}

PodProcess* Cluster::await_leader(core::Millis at_most) {
    PodProcess* found = nullptr;
    (void)eventually(at_most, [&] { return (found = leader()) != nullptr; });
    return found;
}

bool Cluster::await_standing(PodProcess& pod, const std::string& standing, core::Millis at_most) {
    return eventually(at_most, [&] { return this->standing(pod) == standing; });
}

void Cluster::set_interval(PodProcess& pod, const std::string& task, double seconds) {
    const auto reply = pod.request("POST", "/ScheduledTasks/" + task + "/Triggers",
                                   R"([{"Type":"IntervalTrigger","IntervalTicks":)" + ticks(seconds) + "}]");
    if (!reply.ok()) throw std::runtime_error("triggers of " + task + ": " + reply.reason());
}

void Cluster::set_no_triggers(PodProcess& pod, const std::string& task) {
    const auto reply = pod.request("POST", "/ScheduledTasks/" + task + "/Triggers", "[]");
    if (!reply.ok()) throw std::runtime_error("triggers of " + task + ": " + reply.reason());
}

void Cluster::add_library(PodProcess& pod) {
    add_library(pod, "Music", "music", media_);
}

void Cluster::add_library(PodProcess& pod, const std::string& name, const std::string& kind,
                          const std::filesystem::path& folder, const std::string& options) {
    const auto reply =
        pod.request("POST",
                    "/Library/VirtualFolders?name=" + app::percent_encode(name) + "&collectionType=" + kind +
                        "&refreshLibrary=false&paths=" + app::percent_encode(folder.string()),
                    R"({"LibraryOptions":)" + options + "}");
    if (!reply.ok()) throw std::runtime_error("library " + name + ": " + reply.reason());
}

std::string Cluster::run(PodProcess& pod, const std::string& task) {
    const auto info = pod.get("/ScheduledTasks/" + task);
    const auto reply = pod.request("POST", "/ScheduledTasks/Running/" + member(info, "Id"));
    if (!reply.ok()) throw std::runtime_error("run of " + task + ": " + reply.reason());
    const auto run = reply.headers.find("x-understudy-run");
    return run == reply.headers.end() ? std::string{} : run->second;
}

std::string Cluster::newest_state(const std::string& task) {
    return sql("SELECT COALESCE((SELECT state FROM task_runs WHERE task = '" + task +
               "' ORDER BY epoch DESC LIMIT 1), '')");
}

bool Cluster::await_end(const std::string& task, const std::string& state, core::Millis at_most) {
    return eventually(at_most, [&] { return newest_state(task) == state; });
}

bool Cluster::await_progress(const std::string& task, double percent, core::Millis at_most) {
    return eventually(at_most, [&] {
        return std::stod(sql("SELECT COALESCE((SELECT max(greatest(r.progress, b.progress)) FROM task_runs r JOIN "
                             "task_beats b USING (run_id) "
                             "WHERE r.task = '" +
                             task + "'), 0)")) >= percent;
    });
}

void Cluster::expect_promises_kept() {
    EXPECT_EQ(sql("SELECT COALESCE(string_agg(what, '; '), '') FROM broken_promises"), "");
    EXPECT_EQ(count("SELECT count(*) FROM (SELECT 1 FROM task_runs WHERE slot_at IS NOT NULL AND resumed_from IS NULL "
                    "GROUP BY task, scope, slot_at HAVING count(*) > 1) AS doubled"),
              0);
}

std::string Cluster::all_logs() const {
    std::string text;
    for (const auto& pod : pods_) text += "---- " + pod->name() + "\n" + pod->log();
    return text;
}

}  // namespace understudy::testing
