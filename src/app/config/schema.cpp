#include "app/config/schema.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/text.h"
#include "tasks/catalogue.h"

namespace understudy::app {
namespace {

using enum SettingType;

constexpr std::array schema{
    SettingSpec{.key = "Jellyfin:DataDir",
                .type = path,
                .default_text = "(/var/lib/understudy for root, else $XDG_DATA_HOME/understudy)",
                .allowed = "a folder",
                .meaning = "database, keys, logs and cache of this pod; made where it is missing"},
    SettingSpec{.key = "Jellyfin:CacheDir",
                .type = path,
                .default_text = "(<DataDir>/cache)",
                .allowed = "a folder",
                .meaning = "what may be deleted at any time; cleaned by DeleteCacheFiles"},
    SettingSpec{.key = "Jellyfin:WebDir",
                .type = path,
                .default_text = "",
                .allowed = "a folder with a built web client, or empty",
                .meaning = "what `/web/` serves and `/` leads to, as it is; empty: both lead to the dashboard. "
                           "`JELLYFIN_WEB_DIR` says it too"},
    SettingSpec{.key = "Jellyfin:ServerName",
                .type = text,
                .default_text = "(PodName)",
                .allowed = "text",
                .meaning = "what clients show, until the start wizard sets a name for all pods"},

    SettingSpec{.key = "Jellyfin:Http:Listen",
                .type = address,
                .default_text = "0.0.0.0:8096",
                .allowed = "ADDRESS:PORT, [IPv6]:PORT",
                .meaning = "where the server listens; port 0 takes a free one"},
    SettingSpec{.key = "Jellyfin:Http:BaseUrl",
                .type = text,
                .default_text = "",
                .allowed = "/path, or empty",
                .meaning = "prefix under which a proxy offers the server; `--url` of the command line needs it too"},
    SettingSpec{.key = "Jellyfin:Http:TrustedProxies",
                .type = list,
                .default_text = "(none)",
                .allowed = "addresses and networks: 10.0.0.1, 10.0.0.0/8, fd00::/8",
                .meaning = "whose X-Forwarded-For, -Host and -Proto are believed"},
    SettingSpec{.key = "Jellyfin:Http:EnableLegacyAuthorization",
                .type = boolean,
                .default_text = "true",
                .allowed = "true, false",
                .meaning = "accept X-Emby-Token, X-MediaBrowser-Token, X-Emby-Authorization, api_key, scheme Emby and "
                           "the /emby prefix"},
    SettingSpec{.key = "Jellyfin:Http:CompatibleVersion",
                .type = text,
                .default_text = "10.11.11",
                .allowed = "a version of Jellyfin",
                .meaning = "the Version that clients are told"},
    SettingSpec{.key = "Jellyfin:Http:PublishedUrl",
                .type = text,
                .default_text = "",
                .allowed = "http(s)://host[:port][/path], or empty",
                .meaning = "the address that clients are told (LocalAddress)"},
    SettingSpec{.key = "Jellyfin:Http:Discovery",
                .type = text,
                .default_text = "auto",
                .allowed = "auto, off, ADDRESS:PORT",
                .meaning = "where clients that look for servers in their network are answered (UDP); auto: "
                           "0.0.0.0:7359, but not on Kubernetes and not where Listen is a loopback address"},
    SettingSpec{.key = "Jellyfin:Http:HandlerThreads",
                .type = integer,
                .default_text = "4",
                .allowed = "1 .. 64",
                .meaning = "requests worked on at once",
                .minimum = 1,
                .maximum = 64},
    SettingSpec{.key = "Jellyfin:Http:UnknownRequestsPerMinute",
                .type = integer,
                .default_text = "0",
                .allowed = "0 .. 1000000",
                .meaning = "most requests that an address (IPv6: its network of 64 bits) may send to a pod without a "
                           "token that is known, pictures in pages included, which browsers fetch without one; a "
                           "minute's worth may come at once; then 429. 0: no limit",
                .minimum = 0,
                .maximum = 1'000'000},

    SettingSpec{.key = "Jellyfin:Database:Provider",
                .type = choice,
                .default_text = "SQLite",
                .allowed = "SQLite, PostgreSQL",
                .meaning = "SQLite: one process, nothing to set up; PostgreSQL: any number of pods",
                .choices = "SQLite|PostgreSQL"},
    SettingSpec{.key = "Jellyfin:Database:ConnectionString",
                .type = text,
                .default_text = "(SQLite: <DataDir>/understudy.db)",
                .allowed = "Host=…;Port=…;Database=…;Username=…;Password=…;SSL Mode=…, postgresql://…, libpq keywords; "
                           "SQLite: Data Source=FILE",
                .meaning = "how the database is reached",
                .secret = true},
    SettingSpec{.key = "Jellyfin:Database:MaxConnections",
                .type = integer,
                .default_text = "8",
                .allowed = "2 .. 100",
                .meaning = "connections of one pod",
                .minimum = 2,
                .maximum = 100},

    SettingSpec{.key = "Jellyfin:TranscodeStore:RedisConnectionString",
                .type = text,
                .default_text = "",
                .allowed = "host:port,password=…,ssl=true,… or redis(s)://user:password@host:port/db",
                .meaning = "the Redis that pods share",
                .secret = true},

    SettingSpec{.key = "Jellyfin:ScanLeader:Enabled",
                .type = boolean,
                .default_text = "false",
                .allowed = "true, false",
                .meaning = "elect one pod that starts the gated tasks from its timers; off: a single instance"},
    SettingSpec{.key = "Jellyfin:ScanLeader:Provider",
                .type = choice,
                .default_text = "(Redis where its connection string is set, else none)",
                .allowed = "Redis, Database",
                .meaning = "where the lease is kept",
                .choices = "Redis|Database"},
    SettingSpec{.key = "Jellyfin:ScanLeader:LeaseKey",
                .type = text,
                .default_text = "jellyfin:scan-leader",
                .allowed = "text, 1 .. 512 bytes",
                .meaning = "Redis key or row name; pods that share it elect one leader"},
    SettingSpec{.key = "Jellyfin:ScanLeader:LeaseDurationSeconds",
                .type = seconds,
                .default_text = "15",
                .allowed = "3 .. 86400 seconds",
                .meaning = "T: how long a lease lives without renewal",
                .minimum = 3,
                .maximum = 86400},
    SettingSpec{.key = "Jellyfin:ScanLeader:RenewIntervalSeconds",
                .type = seconds,
                .default_text = "(T/3)",
                .allowed = "0.1 .. T seconds",
                .meaning = "how often the leader renews",
                .minimum = 0.1,
                .maximum = 86400},
    SettingSpec{.key = "Jellyfin:ScanLeader:CallTimeoutMilliseconds",
                .type = milliseconds,
                .default_text = "(min(2000, 2T/15))",
                .allowed = "1 .. 60000 milliseconds",
                .meaning = "limit of one connect and of one call",
                .minimum = 1,
                .maximum = 60000},
    SettingSpec{.key = "Jellyfin:ScanLeader:SafetyMarginMilliseconds",
                .type = milliseconds,
                .default_text = "(min(1500, T/10))",
                .allowed = "0 .. T milliseconds",
                .meaning = "trust in a lease ends this long before the lease does",
                .minimum = 0,
                .maximum = 86'400'000},
    SettingSpec{.key = "Jellyfin:ScanLeader:OutageHoldDownSeconds",
                .type = seconds,
                .default_text = "(T)",
                .allowed = "0 .. 86400 seconds",
                .meaning = "no answer for this long: the pod leads itself, so that scans never stall",
                .minimum = 0,
                .maximum = 86400},
    SettingSpec{.key = "Jellyfin:ScanLeader:GatedTaskKeys",
                .type = list,
                .default_text = "(the nine gated tasks)",
                .allowed = "keys of the task catalogue",
                .meaning = "tasks whose timers only the leader obeys; the same on all pods"},
    SettingSpec{.key = "Jellyfin:ScanLeader:PodName",
                .type = text,
                .default_text = "(POD_NAME, JELLYFIN_INSTANCE_ID, host name)",
                .allowed = "text, 1 .. 253 bytes",
                .meaning = "what people call this pod; never its identity"},

    SettingSpec{.key = "Jellyfin:Tasks:HeartbeatSeconds",
                .type = seconds,
                .default_text = "10",
                .allowed = "0.2 .. 3600 seconds",
                .meaning = "how often a run shows that it lives",
                .minimum = 0.2,
                .maximum = 3600},
    SettingSpec{.key = "Jellyfin:Tasks:DeadAfterSeconds",
                .type = seconds,
                .default_text = "45",
                .allowed = "at least 4 x HeartbeatSeconds, at most 86400",
                .meaning = "a run that shows no life for this long is taken over; the same on all pods",
                .minimum = 0.8,
                .maximum = 86400},
    SettingSpec{.key = "Jellyfin:Tasks:ShutdownGraceSeconds",
                .type = seconds,
                .default_text = "25",
                .allowed = "0 .. 3600 seconds",
                .meaning = "how long a stopping pod waits for its runs to reach a checkpoint",
                .minimum = 0,
                .maximum = 3600},
    SettingSpec{.key = "Jellyfin:Tasks:<Key>:Misfire",
                .type = choice,
                .default_text = "run_once",
                .allowed = "run_once, skip",
                .meaning = "a slot that nobody could start in time runs once, late, or not at all",
                .choices = "run_once|skip"},

    SettingSpec{.key = "Jellyfin:Library:SettleSeconds",
                .type = seconds,
                .default_text = "10",
                .allowed = "0 .. 3600 seconds",
                .meaning = "a file that changed while it was read is looked at again this much later",
                .minimum = 0,
                .maximum = 3600},
    SettingSpec{.key = "Jellyfin:Library:Watch",
                .type = choice,
                .default_text = "auto",
                .allowed = "auto, inotify, poll, off",
                .meaning = "how the leading pod learns of changed folders: told by the kernel, on network mounts by "
                           "looking at their times, or not at all; a library opts out by EnableRealtimeMonitor",
                .choices = "auto|inotify|poll|off"},
    SettingSpec{.key = "Jellyfin:Library:PollSeconds",
                .type = seconds,
                .default_text = "300",
                .allowed = "1 .. 86400 seconds",
                .meaning = "how often the folders of network mounts are looked at, one stat each",
                .minimum = 1,
                .maximum = 86400},
    SettingSpec{.key = "Jellyfin:Library:WatchQuietSeconds",
                .type = seconds,
                .default_text = "10",
                .allowed = "0.1 .. 3600 seconds",
                .meaning = "changed folders are scanned together, once nothing has changed for so long",
                .minimum = 0.1,
                .maximum = 3600},
    SettingSpec{.key = "Jellyfin:Library:WatchLatestSeconds",
                .type = seconds,
                .default_text = "(60, or WatchQuietSeconds if that is more)",
                .allowed = "WatchQuietSeconds .. 86400 seconds",
                .meaning = "where something changes all the time: this long after the first change",
                .minimum = 0.1,
                .maximum = 86400},
    SettingSpec{.key = "Jellyfin:Library:WalkThreads",
                .type = integer,
                .default_text = "(cores, 2 .. 8)",
                .allowed = "1 .. 64",
                .meaning = "folders listed at once",
                .minimum = 1,
                .maximum = 64},
    SettingSpec{.key = "Jellyfin:Media:Workers",
                .type = integer,
                .default_text = "(cores)",
                .allowed = "1 .. 64",
                .meaning = "processes that read media files",
                .minimum = 1,
                .maximum = 64},
    SettingSpec{.key = "Jellyfin:Media:WorkerPath",
                .type = path,
                .default_text = "(understudy-media beside the server)",
                .allowed = "an executable",
                .meaning = "the sandboxed program that reads media files"},
    SettingSpec{.key = "Jellyfin:Media:AnalysisWorkers",
                .type = integer,
                .default_text = "(cores)",
                .allowed = "1 .. 64",
                .meaning = "processes that decode at idle priority: loudness, pictures, fingerprints, keyframes",
                .minimum = 1,
                .maximum = 64},
    SettingSpec{.key = "Jellyfin:AudioNormalization:TruePeak",
                .type = boolean,
                .default_text = "false",
                .allowed = "true, false",
                .meaning = "measure peaks between samples too, at twice the cost; measures all music again"},
    SettingSpec{.key = "Jellyfin:ChapterImages:Width",
                .type = integer,
                .default_text = "400",
                .allowed = "64 .. 1920 pixels",
                .meaning = "of chapter pictures; a narrower video is not scaled up; another width makes all anew",
                .minimum = 64,
                .maximum = 1920},
    SettingSpec{.key = "Jellyfin:ChapterImages:Format",
                .type = choice,
                .default_text = "jpeg",
                .allowed = "jpeg, webp",
                .meaning = "of chapter pictures",
                .choices = "jpeg|webp"},
    SettingSpec{.key = "Jellyfin:ChapterImages:Quality",
                .type = integer,
                .default_text = "85",
                .allowed = "1 .. 100",
                .meaning = "of chapter pictures, as JPEG libraries count",
                .minimum = 1,
                .maximum = 100},
    SettingSpec{.key = "Jellyfin:ChapterImages:Choice",
                .type = choice,
                .default_text = "exact",
                .allowed = "exact, keyframe",
                .meaning = "the picture at the chapter's start, or the keyframe before it, ten times quicker",
                .choices = "exact|keyframe"},
    SettingSpec{.key = "Jellyfin:ChapterImages:DummySeconds",
                .type = seconds,
                .default_text = "0",
                .allowed = "0 .. 86400 seconds",
                .meaning = "a video with at most one chapter gets a picture this often; 0: none",
                .minimum = 0,
                .maximum = 86'400},

    SettingSpec{.key = "Jellyfin:Api:BootstrapKey",
                .type = text,
                .default_text = "(made at the first start, <DataDir>/admin.key)",
                .allowed = "16 .. 256 letters, digits, - and _",
                .meaning = "the admin key that all pods accept",
                .secret = true},

    SettingSpec{.key = "Jellyfin:Log:Level",
                .type = choice,
                .default_text = "info",
                .allowed = "debug, info, warning, error",
                .meaning = "the least that is logged",
                .choices = "debug|info|warning|error"},
    SettingSpec{.key = "Jellyfin:Log:Format",
                .type = choice,
                .default_text = "text",
                .allowed = "text, json",
                .meaning = "text for people, one JSON object a line for clusters",
                .choices = "text|json"},
    SettingSpec{.key = "Jellyfin:Log:Directory",
                .type = path,
                .default_text = "(<DataDir>/log)",
                .allowed = "a folder",
                .meaning = "a log file a day, beside stderr"},
    SettingSpec{.key = "Jellyfin:Log:KeepDays",
                .type = days,
                .default_text = "3",
                .allowed = "1 .. 3650 days",
                .meaning = "log files older than this are removed by CleanLogFiles",
                .minimum = 1,
                .maximum = 3650},
    SettingSpec{.key = "Jellyfin:Cache:KeepDays",
                .type = days,
                .default_text = "30",
                .allowed = "1 .. 3650 days",
                .meaning = "cache files older than this are removed by DeleteCacheFiles",
                .minimum = 1,
                .maximum = 3650},
    SettingSpec{.key = "Jellyfin:Images:CacheMegabytes",
                .type = integer,
                .default_text = "1024",
                .allowed = "0 .. 1048576",
                .meaning = "most that <CacheDir>/images keeps of pictures in the sizes that clients asked for; the "
                           "longest unused go first; 0: none is kept",
                .minimum = 0,
                .maximum = 1048576},
    SettingSpec{.key = "Jellyfin:UserData:KeepDays",
                .type = days,
                .default_text = "90",
                .allowed = "1 .. 36500 days",
                .meaning = "what users did with an item is kept so long after the item vanished, and comes back with "
                           "its file; then CleanupUserDataTask removes it",
                .minimum = 1,
                .maximum = 36500},
    SettingSpec{.key = "Jellyfin:Blobs:Provider",
                .type = choice,
                .default_text = "(Folder; Database where PostgreSQL is used and no Folder is named)",
                .allowed = "Folder, Database",
                .meaning = "where produced files (chapter pictures, art) are kept: a folder that all pods share, or "
                           "the database",
                .choices = "Folder|Database"},
    SettingSpec{.key = "Jellyfin:Blobs:Folder",
                .type = path,
                .default_text = "(<DataDir>/blobs)",
                .allowed = "a folder",
                .meaning = "the folder of Jellyfin:Blobs:Provider=Folder, the same for all pods: a pod that sees "
                           "another one there does not start"},
    SettingSpec{.key = "Jellyfin:Activity:KeepDays",
                .type = days,
                .default_text = "30",
                .allowed = "1 .. 3650 days",
                .meaning = "activity log entries older than this are removed by CleanActivityLog",
                .minimum = 1,
                .maximum = 3650},
};

constexpr std::string_view task_placeholder = "<Key>";

// `Jellyfin:Tasks:RefreshLibrary:Misfire` for the pattern `Jellyfin:Tasks:<Key>:Misfire`; empty where it is not one.
std::string match_task_pattern(std::string_view pattern, std::string_view key) {
    const auto at = pattern.find(task_placeholder);
    const auto before = pattern.substr(0, at);
    const auto behind = pattern.substr(at + task_placeholder.size());
    for (const auto& task : tasks::catalogue()) {
        auto name = std::string(before) + std::string(task.key) + std::string(behind);
        if (core::equals_ignoring_case(name, key)) return name;
    }
    return {};
}

}  // namespace

std::span<const SettingSpec> settings_schema() noexcept {
    return schema;
}

std::optional<KnownKey> find_setting(std::string_view key) {
    for (const auto& spec : schema) {
        if (core::equals_ignoring_case(spec.key, key))
            return KnownKey{&spec, std::string(spec.key), std::nullopt, false};
        if (spec.secret) {
            for (const std::string_view suffix : {"File", "_FILE"}) {
                if (core::equals_ignoring_case(std::string(spec.key) + std::string(suffix), key)) {
                    return KnownKey{&spec, std::string(spec.key), std::nullopt, true};
                }
            }
        }
        if (spec.type == list && key.size() > spec.key.size() + 1 && key[spec.key.size()] == ':' &&
            core::equals_ignoring_case(spec.key, key.substr(0, spec.key.size()))) {
            const auto tail = key.substr(spec.key.size() + 1);
            std::size_t index = 0;
            const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), index);
            if (error == std::errc{} && end == tail.data() + tail.size() && index < 1000) {
                return KnownKey{&spec, std::string(spec.key), index, false};
            }
        }
        if (spec.key.find(task_placeholder) != std::string_view::npos) {
            if (auto name = match_task_pattern(spec.key, key); !name.empty()) {
                return KnownKey{&spec, std::move(name), std::nullopt, false};
            }
        }
    }
    return std::nullopt;
}

const std::vector<std::string>& known_keys() {
    static const std::vector<std::string> keys = [] {
        std::vector<std::string> all;
        for (const auto& spec : schema) {
            if (const auto at = spec.key.find(task_placeholder); at != std::string_view::npos) {
                for (const auto& task : tasks::catalogue()) {
                    all.push_back(std::string(spec.key.substr(0, at)) + std::string(task.key) +
                                  std::string(spec.key.substr(at + task_placeholder.size())));
                }
                continue;
            }
            all.emplace_back(spec.key);
            if (spec.secret) all.push_back(std::string(spec.key) + "File");
        }
        return all;
    }();
    return keys;
}

}  // namespace understudy::app
