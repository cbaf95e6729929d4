// /System/Configuration and /Repositories: what administrators set for all pods. What is acted on is so at once, on
// every pod; the rest is kept and given back as it was sent; what would promise a protection that is not given is
// refused.
#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <optional>
#include <utility>

#include "http/jellyfin/requests/user_requests.h"
#include "http/jellyfin/system/kept_configuration.h"
#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// What the wizard asks too: kept with its answers (store/server_settings.h).
struct Shared {
    const char* field;
    const char* setting;
};
constexpr Shared shared[] = {{"ServerName", store::setting::server_name},
                             {"UICulture", store::setting::ui_culture},
                             {"MetadataCountryCode", store::setting::metadata_country},
                             {"PreferredMetadataLanguage", store::setting::metadata_language}};

struct Refusal {
    std::string_view section, field;
    std::string accepted;  ///< JSON; anything else is refused
    std::string reason;
};

std::string json_of(const std::vector<std::string>& texts) {
    JsonWriter out;
    return out.value(texts).take();
}

std::vector<Refusal> refusals(const Services& services) {
    const std::string ingress = "the server speaks plain HTTP; let the proxy or ingress in front of it do TLS";
    const std::string network =
        "nothing here keeps anybody out; let the network or the ingress decide who may reach "
        "this server";
    return {
        {"system", "QuickConnectAvailable", "false", "Quick Connect is not served"},
        {"system", "CorsHosts", R"(["*"])", "every origin is welcome here; let the proxy in front restrict them"},
        {"system", "EnableLegacyAuthorization", services.system.legacy_authorization ? "true" : "false",
         "each pod's setting Jellyfin:Http:EnableLegacyAuthorization decides that"},
        {"network", "EnableHttps", "false", ingress},
        {"network", "RequireHttps", "false", ingress},
        {"network", "CertificatePath", "\"\"", ingress},
        {"network", "CertificatePassword", "\"\"", ingress},
        {"network", "EnableRemoteAccess", "true", network},
        {"network", "RemoteIPFilter", "[]", network},
        {"network", "LocalNetworkAddresses", "[]", "each pod's setting Jellyfin:Http:Listen decides that"},
        {"network", "EnableUPnP", "false", "no router is asked to open a port"},
        {"network", "KnownProxies", json_of(services.info.trusted_proxies),
         "each pod's setting Jellyfin:Http:TrustedProxies decides that"},
        {"encoding", "EncoderAppPath", "", "no program is named over the API"},
    };
}

/// Errors: invalid, naming the field, what is accepted and why.
core::Result<void> refuse_promises(const Services& services, const ConfigurationSection& section,
                                   const std::string& said) {
    const auto named = boost::json::parse(said).as_object();
    for (const auto& refusal : refusals(services)) {
        if (refusal.section != section.key) continue;
        const auto* value = named.if_contains(boost::json::string_view(refusal.field.data(), refusal.field.size()));
        if (!value) continue;
        const auto text = boost::json::serialize(*value);
        if (text == refusal.accepted || (refusal.accepted.empty() && text == "\"\"")) continue;
        // What was sent is not repeated: it may be a password.
        return core::fail(core::Errc::invalid, std::string(refusal.field) + ": refused: " + refusal.reason +
                                                   "; leave it " +
                                                   (refusal.accepted.empty() ? "out" : refusal.accepted));
    }
    for (const std::string_view days : {"LogFileRetentionDays", "ActivityLogRetentionDays"}) {
        constexpr std::int64_t longest = 3650;  // as the settings of the same meaning
        const auto count = section.key == "system" ? kept_number(said, days) : std::nullopt;
        if (count && (*count < 1 || *count > longest)) {
            return core::fail(core::Errc::invalid, std::string(days) + ": " + std::to_string(*count) +
                                                       " is not valid; use 1 .. " + std::to_string(longest) +
                                                       " days, or null for what the pods' settings say");
        }
    }
    return {};
}

std::string json_text(std::string_view text) {
    JsonWriter out;
    return out.value(text).take();
}

/// What is so, whatever is kept.
core::Result<FieldValues> in_force(const Services& services) {
    FieldValues values;
    values["QuickConnectAvailable"] = "false";
    values["EnableLegacyAuthorization"] = services.system.legacy_authorization ? "true" : "false";
    std::map<std::string, std::string> answers;
    if (services.users.settings != nullptr) {
        auto all = services.users.settings->all();
        if (!all) return tl::unexpected(all.error());
        answers = std::move(*all);
    }
    for (const auto& [field, setting] : shared) {
        const auto at = answers.find(setting);
        if (at != answers.end() && !at->second.empty()) values[field] = json_text(at->second);
    }
    if (!values.contains("ServerName")) values["ServerName"] = json_text(services.info.server_name);
    const auto done = answers.find(store::setting::wizard_completed);
    values["IsStartupWizardCompleted"] = done != answers.end() && done->second == "true" ? "true" : "false";
    return values;
}

Response write_kept(const Services& services, const Request& request, const ConfigurationSection& section) {
    const auto kept = kept_section(services, section);
    if (!kept) return problem(kept.error());
    FieldValues defaults, forced;
    if (section.key == "system") {
        defaults["LogFileRetentionDays"] = std::to_string(services.system.log_keep_days);
        defaults["ActivityLogRetentionDays"] = std::to_string(services.system.activity_keep_days);
        auto facts = in_force(services);
        if (!facts) return problem(facts.error());
        forced = std::move(*facts);
    }
    if (section.key == "network") {
        defaults["BaseUrl"] = json_text(services.info.base_url);
        forced["AutoDiscovery"] = services.info.answers_discovery ? "true" : "false";
        forced["KnownProxies"] = json_of(services.info.trusted_proxies);
    }
    JsonWriter out(request.spelling);
    write_section(out, section, *kept, defaults, forced);
    return json_answer(out.take());
}

core::Result<std::map<std::string, std::string>> wizard_answers(const JsonBody& body) {
    std::map<std::string, std::string> answers;
    for (const auto& [field, setting] : shared) {
        const auto text = body.text(field);
        if (!text) return tl::unexpected(text.error());
        if (!*text) continue;
        if (trim(**text).empty()) {
            answers[setting] = "";  // the pod's own name, the reference's language
            continue;
        }
        auto checked = checked_name(field, **text);
        if (!checked) return tl::unexpected(checked.error());
        answers[setting] = std::move(*checked);
    }
    return answers;
}

Response keep_said(const Services& services, const Request& request, const ConfigurationSection& section) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto said = read_section(section, *body);
    if (!said) return binding_problem(said.error());
    if (const auto honest = refuse_promises(services, section, *said); !honest) return binding_problem(honest.error());
    std::map<std::string, std::string> answers;
    if (section.key == "system") {
        auto read = wizard_answers(*body);
        if (!read) return binding_problem(read.error());
        answers = std::move(*read);
    }
    if (const auto kept = keep_section(services, section, *said); !kept) return binding_problem(kept.error());
    if (!answers.empty() && services.users.settings != nullptr) {
        if (const auto set = services.users.settings->set(answers); !set) return problem(set.error());
    }
    services.log.info("the configuration was set",
                      {{"section", std::string(section.key)}, {"by", request.caller->name}});
    return no_content();
}

const ConfigurationSection& system_section() {
    return *find_section("system");
}

Response system_configuration(const Services& services, const Request& request) {
    return write_kept(services, request, system_section());
}

Response set_system_configuration(const Services& services, const Request& request) {
    return keep_said(services, request, system_section());
}

core::Result<const ConfigurationSection*> requested_section(const Request& request) {
    const auto& key = request.param("key");
    const auto* section = find_section(key);
    if (section && section->key != "system") return section;
    return core::fail(core::Errc::not_found,
                      "There is no section '" + printable(key) +
                          "'; known are network, encoding, metadata, livetv, branding and xbmcmetadata.");
}

Response named_configuration(const Services& services, const Request& request) {
    const auto section = requested_section(request);
    if (!section) return problem(section.error());
    // They may hold passwords and say how the network looks; the reference shows them to every user.
    const bool guarded = (*section)->key == "network" || (*section)->key == "livetv";
    if (guarded && !request.caller->admin) return text_answer(403, "This needs an administrator.");
    return write_kept(services, request, **section);
}

Response set_named_configuration(const Services& services, const Request& request) {
    const auto section = requested_section(request);
    if (!section) return problem(section.error());
    return keep_said(services, request, **section);
}

Response default_metadata_options(const Services& /*services*/, const Request& request) {
    JsonWriter out(request.spelling);
    write_section(out, metadata_options_section(), "{}");
    return json_answer(out.take());
}

constexpr std::string_view repositories_field = "PluginRepositories";

/// Repositories of plug-ins: kept for those who manage them, and asked for nothing.
Response repositories(const Services& services, const Request& request) {
    const auto kept = kept_section(services, system_section());
    if (!kept) return problem(kept.error());
    JsonWriter out(request.spelling);
    write_section_field(out, system_section(), *kept, repositories_field);
    return json_answer(out.take());
}

Response set_repositories(const Services& services, const Request& request) {
    const auto list = trim(request.body);
    const auto wrapped = "{\"PluginRepositories\":" + (list.empty() ? "[]" : std::string(list)) + "}";
    const auto body = JsonBody::parse(wrapped);
    if (!body) return binding_problem(body.error());
    const auto said = read_section(system_section(), *body);
    if (!said) return binding_problem(said.error());
    const auto kept = kept_section(services, system_section());
    if (!kept) return problem(kept.error());
    auto whole = boost::json::parse(*kept).as_object();
    const auto named = boost::json::parse(*said).as_object();
    const boost::json::string_view field(repositories_field.data(), repositories_field.size());
    const auto* repositories = named.if_contains(field);
    whole[field] = repositories ? *repositories : boost::json::value(boost::json::array());
    const auto set = keep_section(services, system_section(), boost::json::serialize(whole));
    return set ? no_content() : binding_problem(set.error());
}

}  // namespace

void add_configuration_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/System/Configuration", system_configuration, Access::user);
    add_route(router, services, Method::post, "/System/Configuration", set_system_configuration);
    add_route(router, services, Method::get, "/System/Configuration/{key}", named_configuration, Access::user);
    add_route(router, services, Method::post, "/System/Configuration/{key}", set_named_configuration);
    add_route(router, services, Method::get, "/System/Configuration/MetadataOptions/Default", default_metadata_options);
    add_route(router, services, Method::get, "/Repositories", repositories);
    add_route(router, services, Method::post, "/Repositories", set_repositories);
}

}  // namespace understudy::http
