// app/config/settings.h: the effective settings of a server, typed and checked. Built once in main, handed out in
// pieces.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/config/sources.h"
#include "core/log.h"
#include "core/spdlog_log.h"
#include "lease/lease_settings.h"
#include "redis/connection_string.h"

namespace understudy::app {

enum class LeaseProvider { none, redis, database };

struct Settings {
    std::filesystem::path data_dir, cache_dir, log_dir;
    std::filesystem::path web_dir;  ///< empty: none
    std::string pod;                ///< label
    std::string server_name;

    struct Http {
        std::string listen = "0.0.0.0:8096";  ///< as given
        std::string address = "0.0.0.0";
        std::uint16_t port = 8096;
        std::string discovery;  ///< ADDRESS:PORT for datagrams of clients that look for servers; empty: none
        std::string base_url, published_url, compatible_version = "10.11.11";
        bool legacy_authorization = true;
        std::vector<std::string> trusted_proxies;  ///< addresses and networks, checked
        std::size_t handler_threads = 4;
        std::uint32_t unknown_per_minute = 0;  ///< requests of an address without a known token; 0: no limit
    } http;

    struct Database {
        bool postgresql = false;
        std::string connection;  ///< libpq conninfo, or the SQLite file
        std::size_t max_connections = 8;
    } database;

    std::string redis;       ///< connection string as given; empty: none
    std::string redis_file;  ///< the secret's file that it was read from, and is again after a change; empty: none

    struct ScanLeader {
        LeaseProvider provider = LeaseProvider::none;
        LeaseProvider store = LeaseProvider::none;  ///< as provider, also where the election is off: for `exec`
        std::string key = "jellyfin:scan-leader";
        lease::LeaseSettings lease;
        std::set<std::string> gated;
    } scan_leader;

    struct Tasks {
        core::Millis heartbeat{10'000}, dead_after{45'000}, shutdown_grace{25'000};
        std::map<std::string, bool> misfire_skip;
    } tasks;

    struct Watch {
        enum class Mode { automatic, inotify, poll, off } mode = Mode::automatic;
        core::Millis poll{300'000}, quiet{10'000}, latest{60'000};
    } watch;

    core::Millis settle{10'000};
    std::size_t walk_threads = 2, media_workers = 2;
    std::filesystem::path worker_path;

    struct Analyses {
        std::size_t workers = 2;
        bool true_peak = false;
        int picture_width = 400, picture_quality = 85;
        bool picture_webp = false, picture_at_keyframe = false;
        std::chrono::seconds dummy_chapters{0};
    } analyses;
    std::string bootstrap_key;

    core::LogLevel log_level = core::LogLevel::info;
    core::LogFormat log_format = core::LogFormat::text;
    int log_keep_days = 3, cache_keep_days = 30, activity_keep_days = 30, user_data_keep_days = 90;
    std::int64_t image_cache_megabytes = 1024;  ///< 0: none is kept
    std::filesystem::path blob_folder;          ///< empty: blobs are kept in the database

    std::vector<std::string> warnings;  ///< accepted, but worth a line at start
};

/// One line of `config show`.
struct EffectiveSetting {
    std::string key, value, source;  ///< secrets masked; source `default` where nothing was given
};

struct CheckedSettings {
    Settings settings;  ///< usable only where `faults` is empty
    std::vector<EffectiveSetting> effective;
    std::vector<ConfigFault> faults;         ///< all at once
    std::vector<std::string> ignored_names;  ///< environment names that only look like ours
};

/// Facts of the machine that defaults hang on.
struct MachineFacts {
    bool is_root = false, on_kubernetes = false;
    std::string home, xdg_data_home, host_name, pod_name, instance_id;
    std::optional<std::string> tz;  ///< the variable TZ
    std::filesystem::path executable_dir;
    std::size_t cores = 2;
    [[nodiscard]] static MachineFacts read(const std::map<std::string, std::string>& environment);
};

/// The Redis connection string as its file holds it now. Errors: names the setting and the file; what is wrong there.
[[nodiscard]] core::Result<redis::ConnectionSettings> reread_redis(const std::string& file);
[[nodiscard]] std::filesystem::path default_data_dir(const MachineFacts& machine);
[[nodiscard]] CheckedSettings check_settings(GivenSettings given, const MachineFacts& machine);

}  // namespace understudy::app
