// /System/Info, /System/Ping and /System/Endpoint: what clients ask about the server and where they are;
// /System/Restart and /System/Shutdown end the pod that is asked.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "http/jellyfin/system/kept_configuration.h"
#include "http/json_writer.h"
#include "http/kept_settings.h"
#include "http/problem.h"
#include "http/proxies.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// What the wizard has set, as it was when the database last answered: clients must find the server while it does not,
/// and they ask often: a database that is known to be away is not waited for.
class WizardAnswers {
public:
    explicit WizardAnswers(const Services& services) : services_(services) {}

    struct Answers {
        std::string server_name;
        bool completed = true;
    };
    Answers get() {
        using Settings = std::map<std::string, std::string>;
        core::Result<Settings> settings = Settings{{store::setting::wizard_completed, "true"}};
        if (services_.users.settings != nullptr) settings = ask();
        return understand(settings);
    }
    /// The same without the database, where it was asked a moment ago.
    std::optional<Answers> get_recent() {
        if (services_.users.settings == nullptr) return get();
        auto settings = services_.users.settings->recent();
        if (!settings) return std::nullopt;
        return understand(std::move(*settings));
    }

private:
    Answers understand(const core::Result<std::map<std::string, std::string>>& settings) {
        const std::lock_guard lock(mutex_);
        if (settings) {
            last_.server_name = name_of_server(*settings, services_.info.server_name);
            const auto done = settings->find(store::setting::wizard_completed);
            last_.completed = done != settings->end() && done->second == "true";
        } else if (last_.server_name.empty()) {
            last_.server_name = services_.info.server_name;
        }
        return last_;
    }
    core::Result<std::map<std::string, std::string>> ask() {
        const auto health = services_.health.report();
        if (!health.database_reachable) return core::fail(core::Errc::unavailable, health.database_detail);
        return services_.users.settings->all();
    }

    const Services& services_;
    std::mutex mutex_;
    Answers last_;
};

/// The part that everybody may see.
void write_public_info(JsonWriter& out, const Services& services, const WizardAnswers::Answers& answers,
                       const Request& request) {
    const auto& info = services.info;
    out.field("LocalAddress", local_address(request, info.published_url, info.base_url, info.trusted_proxies));
    out.field("ServerName", answers.server_name).field("Version", info.jellyfin_version);
    out.field("ProductName", "Jellyfin Server");  // clients refuse anything else
    out.field("OperatingSystem", "Linux").field("Id", info.server_id);
    out.field("StartupWizardCompleted", answers.completed);
}

Response public_info(const Services& services, const WizardAnswers::Answers& answers, const Request& request) {
    JsonWriter out(request.spelling);
    out.begin_object();
    write_public_info(out, services, answers, request);
    out.end_object();
    return json_answer(out.take());
}

/// Where things lie on this machine is told to administrators alone; the reference tells every user.
void write_folders(JsonWriter& out, const Services& services) {
    const auto& system = services.system;
    out.field("ProgramDataPath", services.info.data_dir.string());
    out.text_if_any("WebPath", system.web_dir.string()).text_if_any("CachePath", system.cache_dir.string());
    out.text_if_any("LogPath", system.log_dir.string());
}

void write_cast_receivers(JsonWriter& out, const Services& services) {
    const auto& section = *find_section("system");
    const auto kept = kept_section(services, section);
    // Not worth failing for: a client without it takes its own.
    out.name("CastReceiverApplications");
    write_section_field(out, section, kept.value_or("{}"), "CastReceiverApplications");
}

Response whole_info(const Services& services, WizardAnswers& wizard, const Request& request) {
    using Phase = HealthReport::Phase;
    JsonWriter out(request.spelling);
    out.begin_object();
    write_public_info(out, services, wizard.get(), request);
    out.field("HasPendingRestart", false);
    out.field("IsShuttingDown", services.health.report().phase == Phase::stopping);
    out.field("SupportsLibraryMonitor", true).field("WebSocketPortNumber", services.system.port);
    out.name("CompletedInstallations").begin_array().end_array();
    out.field("CanSelfRestart", static_cast<bool>(services.system.end)).field("CanLaunchWebBrowser", false);
    if (request.caller && request.caller->admin) write_folders(out, services);
    write_cast_receivers(out, services);
    out.field("HasUpdateAvailable", false).end_object();
    return json_answer(out.take());
}

Response endpoint(const Services& services, const Request& request) {
    const auto address = client_address(request, services.info.trusted_proxies);
    const bool local = in_networks(address, {"127.0.0.0/8", "::1"});
    // RFC 1918, RFC 4193, link-local: what one calls the own network.
    const bool near = local || in_networks(address, {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
                                                     "fe80::/10", "169.254.0.0/16"});
    JsonWriter out(request.spelling);
    out.begin_object().field("IsLocal", local).field("IsInNetwork", near).end_object();
    return json_answer(out.take());
}

Response end_pod(const Services& services, const Request& request, Ending ending) {
    if (!services.system.end) return problem({core::Errc::unsupported, "This server cannot end itself."});
    const bool restart = ending == Ending::restart;
    services.log.warning(restart ? "this pod restarts, as asked" : "this pod stops, as asked",
                         {{"pod", services.info.pod}, {"by", request.caller->name}});
    JsonWriter event(Spelling::camel);
    event.begin_object().field("Pod", services.info.pod).field("Restart", restart).end_object();
    const auto told = services.events.publish("server.stopping", event.take());
    if (!told) services.log.debug("an event was not published", {{"cause", told.error().context}});
    services.system.end(ending);
    return no_content().with("X-Understudy-Pod", services.info.pod);
}

Response utc_time(const Services& services, const Request& request) {
    // Received and sent within the same look at the clock: the handler takes no time that a client could measure.
    const auto now = to_jellyfin_time(services.clock.utc_now());
    JsonWriter out(request.spelling);
    out.begin_object().field("RequestReceptionTime", now).field("ResponseTransmissionTime", now).end_object();
    return json_answer(out.take());
}

}  // namespace

void add_system_routes(Router& router, const Services& services) {
    const auto wizard = std::make_shared<WizardAnswers>(services);
    Route info;
    info.path = "/System/Info/Public";
    info.access = Access::open;
    info.handler = [&services, wizard](const Request& request) {
        return public_info(services, wizard->get(), request);
    };
    info.from_memory = [&services, wizard](const Request& request) -> std::optional<Response> {
        const auto answers = wizard->get_recent();
        if (!answers) return std::nullopt;
        return public_info(services, *answers, request);
    };
    router.add(std::move(info));
    Route whole;
    whole.path = "/System/Info";
    whole.access = Access::wizard_or_user;
    whole.handler = [&services, wizard](const Request& request) { return whole_info(services, *wizard, request); };
    router.add(std::move(whole));

    add_route(router, services, Method::get, "/System/Endpoint", endpoint, Access::user);
    for (const auto ending : {Ending::restart, Ending::shutdown}) {
        Route end;
        end.method = Method::post;
        end.path = ending == Ending::restart ? "/System/Restart" : "/System/Shutdown";
        end.handler = [&services, ending](const Request& request) { return end_pod(services, request, ending); };
        router.add(std::move(end));
    }
    add_route(router, services, Method::get, "/GetUtcTime", utc_time, Access::open);
    // Clients of old set the path of an encoder here; there is none to set.
    add_route(router, services, Method::post, "/System/MediaEncoder/Path",
              [](const Services&, const Request&) { return no_content(); });

    for (const auto method : {Method::get, Method::post}) {
        Route ping;
        ping.method = method;
        ping.path = "/System/Ping";
        ping.access = Access::open;
        ping.where = Where::inline_;
        ping.while_starting = true;
        ping.handler = [](const Request&) { return json_answer("\"Jellyfin Server\""); };
        router.add(std::move(ping));
    }
}

}  // namespace understudy::http
