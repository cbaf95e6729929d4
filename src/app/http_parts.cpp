#include "app/http_parts.h"

#include <fmt/format.h>

#include <stdexcept>

#include "app/config/schema.h"
#include "app/version.h"
#include "http/auth/admin_key.h"

namespace understudy::app {

std::string admin_key(const Settings& settings, core::Random& random, core::Log& log) {
    http::AdminKeySettings wanted;
    if (!settings.bootstrap_key.empty()) wanted.key = settings.bootstrap_key;
    wanted.data_dir = settings.data_dir;
    const auto key = http::load_admin_key(wanted, random);
    if (!key) throw std::runtime_error("admin key: " + key.error().context);
    if (!key->warning.empty()) log.warning(key->warning);
    if (key->made) {
        // Printed once and not logged: logs travel.
        fmt::print(stderr, "admin key: {}\n  kept in {} (mode 0600), where the command line finds it\n", key->key,
                   key->file.string());
    }
    return key->key;
}

http::SystemParts system_parts(const Settings& settings, const std::vector<EffectiveSetting>& in_force) {
    http::SystemParts parts;
    parts.cache_dir = settings.cache_dir;
    parts.log_dir = settings.log_dir;
    parts.web_dir = settings.web_dir;
    parts.log_keep_days = settings.log_keep_days;
    parts.activity_keep_days = settings.activity_keep_days;
    parts.legacy_authorization = settings.http.legacy_authorization;
    parts.port = settings.http.port;
    for (const auto& setting : in_force) {
        http::SettingInForce shown;
        shown.name = setting.key;
        shown.value = setting.value;
        shown.source = setting.source;
        if (const auto known = find_setting(setting.key)) {
            shown.default_text = known->spec->default_text;
            shown.help = known->spec->meaning;
            shown.secret = known->spec->secret;
        }
        if (shown.secret && !setting.value.empty()) shown.value.reset();
        parts.settings.push_back(std::move(shown));
    }
    return parts;
}

http::ServerInfo server_info(const Settings& settings, core::BootId boot, const tasks::Zone& zone,
                             core::Millis pod_report_every) {
    using namespace std::chrono_literals;
    http::ServerInfo info;
    info.pod = settings.pod;
    info.boot = boot;
    info.server_name = settings.server_name;
    info.version = version_text();
    info.jellyfin_version = settings.http.compatible_version;
    info.published_url = settings.http.published_url;
    info.base_url = settings.http.base_url;
    info.answers_discovery = !settings.http.discovery.empty();
    info.trusted_proxies = settings.http.trusted_proxies;
    info.data_dir = settings.data_dir;
    info.pods_within = settings.tasks.dead_after;
    info.silent_after = 2 * pod_report_every + 1'000ms;  // two reports missed, and one slow look
    info.resign_grace = settings.tasks.shutdown_grace;
    info.zone = zone;
    return info;
}

}  // namespace understudy::app
