#include "app/config/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>

#include "app/config/postgres_connection.h"
#include "app/config/settings_reader.h"
#include "core/text.h"
#include "http/dispatcher.h"
#include "http/proxies.h"
#include "http/server/discovery_responder.h"
#include "http/server/listen_address.h"
#include "redis/connection_string.h"
#include "tasks/catalogue.h"
#include "tasks/run_ledger.h"
#include "tasks/zones/zone.h"

namespace understudy::app {
namespace {

using core::Millis;

void read_listen(SettingsReader& reader, Settings::Http& http) {
    const std::string key = "Jellyfin:Http:Listen";
    const auto value = reader.text(key, "0.0.0.0:8096");
    const auto colon = value.rfind(':');
    std::string address = colon == std::string::npos ? "" : value.substr(0, colon);
    if (address.size() > 2 && address.front() == '[' && address.back() == ']')
        address = address.substr(1, address.size() - 2);
    else if (address.find(':') != std::string::npos)
        address.clear();  // IPv6 without brackets: where would the port begin?
    unsigned port = 65536;
    if (colon != std::string::npos) {
        const auto digits = std::string_view(value).substr(colon + 1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
        if (error != std::errc{} || end != digits.data() + digits.size()) port = 65536;
    }
    if (address.empty() || port > 65535) {
        reader.fault(key, "must be ADDRESS:PORT or [IPv6]:PORT with a port of 0 .. 65535, as in 0.0.0.0:8096");
        return;
    }
    http.address = address == "localhost" ? "127.0.0.1" : address;
    http.port = static_cast<std::uint16_t>(port);
    http.listen = value;
}

/// After read_listen.
void read_discovery(SettingsReader& reader, Settings::Http& http, const MachineFacts& machine) {
    const std::string key = "Jellyfin:Http:Discovery";
    const auto value = reader.text(key, "auto");
    const bool loopback = http.address.starts_with("127.") || http.address == "::1";
    if (value == "auto") {
        // Broadcasts do not reach a pod on Kubernetes, and its address would lead nobody to it.
        if (!loopback && !machine.on_kubernetes)
            http.discovery = fmt::format("0.0.0.0:{}", http::DiscoveryResponder::usual_port);
    } else if (value != "off") {
        if (!http::parse_listen(value)) reader.fault(key, "must be auto, off or ADDRESS:PORT, as in 0.0.0.0:7359");
        http.discovery = value;
    }
}

void read_http(SettingsReader& reader, Settings& settings, const MachineFacts& machine) {
    read_listen(reader, settings.http);
    read_discovery(reader, settings.http, machine);
    auto& http = settings.http;
    const std::string base_key = "Jellyfin:Http:BaseUrl";
    if (auto base = http::normal_base_url(reader.text(base_key, ""))) {
        http.base_url = std::move(*base);
    } else {
        reader.fault(base_key,
                     "must be a path of letters, digits, '-', '_', '.' and '~', as in /jf; or empty for none");
    }
    http.legacy_authorization = reader.boolean("Jellyfin:Http:EnableLegacyAuthorization", true);
    http.compatible_version = reader.text("Jellyfin:Http:CompatibleVersion", "10.11.11");
    http.published_url = reader.text("Jellyfin:Http:PublishedUrl", "");
    if (!http.published_url.empty() && !http.published_url.starts_with("http://") &&
        !http.published_url.starts_with("https://")) {
        reader.fault("Jellyfin:Http:PublishedUrl", "must begin with http:// or https://");
    }
    const std::string proxies_key = "Jellyfin:Http:TrustedProxies";
    std::string shown, source = "default";
    if (const auto* given = reader.list(proxies_key)) {
        for (const auto& proxy : *given) {
            if (proxy.text.empty()) continue;  // a list that was emptied
            source = proxy.source;
            shown += (shown.empty() ? "" : ",") + proxy.text;
            if (http::check_networks({proxy.text}))
                http.trusted_proxies.push_back(proxy.text);
            else
                reader.fault_in_list(proxies_key, proxy,
                                     "must be an address or a network: 10.0.0.1, 10.0.0.0/8, fd00::/8");
        }
    }
    reader.show(proxies_key, shown, source);
    http.handler_threads = reader.integer<std::size_t>("Jellyfin:Http:HandlerThreads", 4);
    http.unknown_per_minute = reader.integer<std::uint32_t>("Jellyfin:Http:UnknownRequestsPerMinute", 0);
}

void read_database(SettingsReader& reader, Settings& settings) {
    auto& database = settings.database;
    const std::string key = "Jellyfin:Database:ConnectionString";
    database.postgresql = reader.choice("Jellyfin:Database:Provider", "SQLite") == "PostgreSQL";
    const auto given = reader.text(key, "");
    database.max_connections = reader.integer<std::size_t>("Jellyfin:Database:MaxConnections", 8);
    if (!database.postgresql) {
        const auto file = sqlite_file(given, settings.data_dir / "understudy.db");
        if (file)
            database.connection = file->string();
        else
            reader.fault(key, file.error().context);
        return;
    }
    if (given.empty()) {
        reader.fault(key,
                     "is needed where Jellyfin:Database:Provider is PostgreSQL, as in "
                     "Host=db;Database=understudy;Username=understudy;Password=…");
        return;
    }
    auto parsed = parse_postgres_connection(given);
    if (!parsed) {
        reader.fault(key, parsed.error().context);
        return;
    }
    database.connection = std::move(parsed->conninfo);
    for (auto& warning : parsed->warnings) settings.warnings.push_back(key + ": " + warning);
}

// Pods have their own data folders as a rule, so on PostgreSQL a folder of blobs must be named.
void read_blobs(SettingsReader& reader, Settings& settings) {
    const std::string folder_key = "Jellyfin:Blobs:Folder";
    const bool named = reader.is_given(folder_key);
    const auto provider =
        reader.choice("Jellyfin:Blobs:Provider", settings.database.postgresql && !named ? "Database" : "Folder");
    std::error_code error;
    auto folder = std::filesystem::absolute(reader.text(folder_key, (settings.data_dir / "blobs").string()), error);
    if (provider == "Folder") {
        settings.blob_folder = std::move(folder);
    } else if (named) {
        settings.warnings.push_back(folder_key + " has no effect: Jellyfin:Blobs:Provider is Database");
    }
}

void read_gated(SettingsReader& reader, Settings& settings) {
    const std::string key = "Jellyfin:ScanLeader:GatedTaskKeys";
    auto& gated = settings.scan_leader.gated;
    std::vector<std::string> known;
    for (const auto& entry : tasks::catalogue()) {
        known.emplace_back(entry.key);
        if (entry.gated_by_default) gated.insert(std::string(entry.key));
    }
    std::string source = "default";
    if (const auto* given = reader.list(key)) {
        gated.clear();
        for (const auto& element : *given) {
            source = element.source;
            if (element.text.empty()) continue;  // a list that was emptied: nothing is gated
            if (const auto* entry = tasks::find_task(element.text)) {
                gated.insert(std::string(entry->key));
                continue;
            }
            const auto near = core::nearest(element.text, known);
            std::string all;
            for (const auto& name : known) all += (all.empty() ? "" : ", ") + name;
            reader.fault_in_list(
                key, element,
                std::string("is no task key") + (near ? ", did you mean " + *near + "?" : ";") + " Allowed are " + all);
        }
    }
    std::string shown;
    for (const auto& name : gated) shown += (shown.empty() ? "" : ",") + name;
    reader.show(key, shown, source);
}

void read_scan_leader(SettingsReader& reader, Settings& settings) {
    const std::string section = "Jellyfin:ScanLeader:";
    auto& leader = settings.scan_leader;
    const std::string redis_key = "Jellyfin:TranscodeStore:RedisConnectionString";
    settings.redis = reader.text(redis_key, "");
    settings.redis_file = reader.file_of(redis_key);
    if (!settings.redis.empty()) {
        const auto parsed = redis::parse_connection_string(settings.redis);
        if (!parsed) {
            auto problem = parsed.error().context;  // begins with the setting's name, as the fault does
            if (problem.starts_with(redis_key + ": ")) problem.erase(0, redis_key.size() + 2);
            reader.fault(redis_key, problem);
        } else {
            settings.warnings.insert(settings.warnings.end(), parsed->warnings.begin(), parsed->warnings.end());
        }
    }
    const bool enabled = reader.boolean(section + "Enabled", false);
    const auto provider = reader.choice(section + "Provider", settings.redis.empty() ? "" : "Redis");
    leader.key = reader.text(section + "LeaseKey", "jellyfin:scan-leader");
    if (leader.key.size() > 512) reader.fault(section + "LeaseKey", "must be 1 .. 512 bytes");

    const auto ttl = reader.seconds(section + "LeaseDurationSeconds", Millis{15'000});
    leader.lease = lease::LeaseSettings::for_ttl(ttl);
    leader.lease.renew_every = reader.seconds(section + "RenewIntervalSeconds", leader.lease.renew_every);
    leader.lease.call_timeout = reader.milliseconds(section + "CallTimeoutMilliseconds", leader.lease.call_timeout);
    leader.lease.safety_margin = reader.milliseconds(section + "SafetyMarginMilliseconds", leader.lease.safety_margin);
    leader.lease.outage_hold_down = reader.seconds(section + "OutageHoldDownSeconds", leader.lease.outage_hold_down);
    if (const auto valid = leader.lease.validate(); !valid) {
        reader.fault(section + "LeaseDurationSeconds", valid.error().context);
    }
    read_gated(reader, settings);

    if (provider == "Database") leader.store = LeaseProvider::database;
    if (provider == "Redis" && !settings.redis.empty()) leader.store = LeaseProvider::redis;
    if (!enabled) {
        leader.gated.clear();
        return;
    }
    if (provider == "Database") {
        leader.provider = LeaseProvider::database;
    } else if (provider == "Redis") {
        leader.provider = LeaseProvider::redis;
        if (settings.redis.empty()) {
            reader.fault(
                section + "Provider",
                "Redis needs Jellyfin:TranscodeStore:RedisConnectionString; or take Database, which needs no Redis");
        }
    } else {
        leader.gated.clear();
        {
            settings.warnings.push_back(
                "Jellyfin:ScanLeader:Enabled is true, but there is neither a Redis connection string nor a Provider: "
                "every pod "
                "acts as a single instance; set Jellyfin:ScanLeader:Provider=Database for an election without Redis");
        }
    }
}

void read_tasks(SettingsReader& reader, Settings& settings) {
    auto& tasks = settings.tasks;
    tasks.heartbeat = reader.seconds("Jellyfin:Tasks:HeartbeatSeconds", tasks.heartbeat);
    tasks.dead_after = reader.seconds("Jellyfin:Tasks:DeadAfterSeconds", tasks.dead_after);
    if (tasks.dead_after < 4 * tasks.heartbeat) {
        reader.fault("Jellyfin:Tasks:DeadAfterSeconds", "must be at least 4 x Jellyfin:Tasks:HeartbeatSeconds (" +
                                                            std::to_string(4 * tasks.heartbeat.count()) +
                                                            " ms), or a healthy run could be taken for dead");
    }
    tasks.shutdown_grace = reader.seconds("Jellyfin:Tasks:ShutdownGraceSeconds", tasks.shutdown_grace);
    for (const auto& entry : tasks::catalogue()) {
        const auto key = "Jellyfin:Tasks:" + std::string(entry.key) + ":Misfire";
        if (reader.is_given(key)) tasks.misfire_skip[std::string(entry.key)] = reader.choice(key, "run_once") == "skip";
    }
}

void read_pod(SettingsReader& reader, Settings& settings, const MachineFacts& machine) {
    std::string fallback = machine.pod_name;
    if (fallback.empty()) fallback = machine.instance_id;
    if (fallback.empty()) fallback = machine.host_name.empty() ? "understudy" : machine.host_name;
    settings.pod = reader.text("Jellyfin:ScanLeader:PodName", fallback);
    if (settings.pod.size() > 253 || settings.pod.find_first_of("\r\n\t") != std::string::npos) {
        reader.fault("Jellyfin:ScanLeader:PodName", "must be 1 .. 253 bytes on one line");
    }
    if (settings.pod == tasks::cluster_scope) {
        reader.fault("Jellyfin:ScanLeader:PodName",
                     "'cluster' is the scope of the tasks that run once for all pods; take another name");
    }
    settings.server_name = reader.text("Jellyfin:ServerName", settings.pod);
}

void read_analyses(SettingsReader& reader, Settings& settings, const MachineFacts& machine) {
    auto& into = settings.analyses;
    into.workers =
        reader.integer<std::size_t>("Jellyfin:Media:AnalysisWorkers", std::clamp<std::size_t>(machine.cores, 1, 64));
    into.true_peak = reader.boolean("Jellyfin:AudioNormalization:TruePeak", into.true_peak);
    into.picture_width = reader.integer<int>("Jellyfin:ChapterImages:Width", into.picture_width);
    into.picture_webp = reader.choice("Jellyfin:ChapterImages:Format", "jpeg") == "webp";
    into.picture_quality = reader.integer<int>("Jellyfin:ChapterImages:Quality", into.picture_quality);
    into.picture_at_keyframe = reader.choice("Jellyfin:ChapterImages:Choice", "exact") == "keyframe";
    into.dummy_chapters = std::chrono::duration_cast<std::chrono::seconds>(
        reader.seconds("Jellyfin:ChapterImages:DummySeconds", Millis{0}));
}

void read_watch(SettingsReader& reader, Settings::Watch& watch) {
    const auto mode = reader.choice("Jellyfin:Library:Watch", "auto");
    watch.mode = mode == "inotify" ? Settings::Watch::Mode::inotify
                 : mode == "poll"  ? Settings::Watch::Mode::poll
                 : mode == "off"   ? Settings::Watch::Mode::off
                                   : Settings::Watch::Mode::automatic;
    watch.poll = reader.seconds("Jellyfin:Library:PollSeconds", watch.poll);
    watch.quiet = reader.seconds("Jellyfin:Library:WatchQuietSeconds", watch.quiet);
    watch.latest = reader.seconds("Jellyfin:Library:WatchLatestSeconds", std::max(watch.latest, watch.quiet));
    if (watch.latest < watch.quiet)
        reader.fault("Jellyfin:Library:WatchLatestSeconds", "must be at least Jellyfin:Library:WatchQuietSeconds (" +
                                                                std::to_string(watch.quiet.count()) +
                                                                " ms), or no folder would ever be quiet in time");
}

void read_bootstrap_key(SettingsReader& reader, Settings& settings) {
    settings.bootstrap_key = reader.text("Jellyfin:Api:BootstrapKey", "");
    const auto& key = settings.bootstrap_key;
    const bool well_formed = std::ranges::all_of(key, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    });
    if (!key.empty() && (key.size() < 16 || key.size() > 256 || !well_formed)) {
        reader.fault("Jellyfin:Api:BootstrapKey",
                     "must be 16 .. 256 letters, digits, - and _ (`openssl rand -hex 16` makes one)");
    }
}

}  // namespace

MachineFacts MachineFacts::read(const std::map<std::string, std::string>& environment) {
    const auto variable = [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? std::string{} : found->second;
    };
    MachineFacts facts;
    facts.is_root = ::geteuid() == 0;
    facts.home = variable("HOME");
    facts.xdg_data_home = variable("XDG_DATA_HOME");
    facts.pod_name = variable("POD_NAME");
    facts.instance_id = variable("JELLYFIN_INSTANCE_ID");
    facts.on_kubernetes = environment.contains("KUBERNETES_SERVICE_HOST");
    if (const auto found = environment.find("TZ"); found != environment.end()) facts.tz = found->second;
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) == 0) facts.host_name = name.data();
    std::error_code error;
    facts.executable_dir = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    facts.cores = std::max(1U, std::thread::hardware_concurrency());
    return facts;
}

core::Result<redis::ConnectionSettings> reread_redis(const std::string& file) {
    const std::string setting = "Jellyfin:TranscodeStore:RedisConnectionString";
    const auto text = read_secret_file(file);
    if (!text) return core::fail(text.error().code, setting + ": the file " + file + " " + text.error().context);
    return redis::parse_connection_string(*text, setting + " (file " + file + ")");
}

std::filesystem::path default_data_dir(const MachineFacts& machine) {
    if (machine.is_root) return "/var/lib/understudy";
    if (!machine.xdg_data_home.empty()) return std::filesystem::path(machine.xdg_data_home) / "understudy";
    return std::filesystem::path(machine.home.empty() ? "." : machine.home) / ".local/share/understudy";
}

CheckedSettings check_settings(GivenSettings given, const MachineFacts& machine) {
    CheckedSettings result;
    result.faults = std::move(given.faults);
    auto& settings = result.settings;
    SettingsReader reader(given, result);

    if (const auto zone = tasks::Zone::configured(machine.tz ? machine.tz->c_str() : nullptr); !zone) {
        result.faults.push_back({"TZ", machine.tz.value_or(""), "environment TZ", zone.error().context});
    }
    std::error_code error;
    settings.data_dir =
        std::filesystem::absolute(reader.text("Jellyfin:DataDir", default_data_dir(machine).string()), error);
    settings.cache_dir =
        std::filesystem::absolute(reader.text("Jellyfin:CacheDir", (settings.data_dir / "cache").string()), error);
    settings.log_dir =
        std::filesystem::absolute(reader.text("Jellyfin:Log:Directory", (settings.data_dir / "log").string()), error);
    if (const auto web = reader.text("Jellyfin:WebDir", ""); !web.empty())
        settings.web_dir = std::filesystem::absolute(web, error);
    read_pod(reader, settings, machine);
    read_http(reader, settings, machine);
    read_database(reader, settings);
    read_scan_leader(reader, settings);
    read_tasks(reader, settings);
    settings.settle = reader.seconds("Jellyfin:Library:SettleSeconds", settings.settle);
    read_watch(reader, settings.watch);
    settings.walk_threads =
        reader.integer<std::size_t>("Jellyfin:Library:WalkThreads", std::clamp<std::size_t>(machine.cores, 2, 8));
    settings.media_workers =
        reader.integer<std::size_t>("Jellyfin:Media:Workers", std::clamp<std::size_t>(machine.cores, 1, 64));
    settings.worker_path =
        reader.text("Jellyfin:Media:WorkerPath", (machine.executable_dir / "understudy-media").string());
    read_analyses(reader, settings, machine);
    read_bootstrap_key(reader, settings);
    const auto level = reader.choice("Jellyfin:Log:Level", "info");
    settings.log_level = level == "debug"     ? core::LogLevel::debug
                         : level == "warning" ? core::LogLevel::warning
                         : level == "error"   ? core::LogLevel::error
                                              : core::LogLevel::info;
    settings.log_format =
        reader.choice("Jellyfin:Log:Format", "text") == "json" ? core::LogFormat::json : core::LogFormat::text;
    settings.log_keep_days = reader.integer("Jellyfin:Log:KeepDays", 3);
    settings.cache_keep_days = reader.integer("Jellyfin:Cache:KeepDays", 30);
    settings.image_cache_megabytes =
        reader.integer<std::int64_t>("Jellyfin:Images:CacheMegabytes", settings.image_cache_megabytes);
    settings.activity_keep_days = reader.integer("Jellyfin:Activity:KeepDays", 30);
    settings.user_data_keep_days = reader.integer("Jellyfin:UserData:KeepDays", 90);
    read_blobs(reader, settings);
    std::ranges::sort(result.effective, {}, &EffectiveSetting::key);
    return result;
}

}  // namespace understudy::app
