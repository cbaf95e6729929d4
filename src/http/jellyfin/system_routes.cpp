// /System/Info/Public and /System/Ping: what clients ask before they log in.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "http/json_writer.h"
#include "http/proxies.h"
#include "http/routes.h"

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
            const auto setting = [&](const char* name, const std::string& otherwise) {
                const auto at = settings->find(name);
                return at == settings->end() ? otherwise : at->second;
            };
            last_.server_name = setting(store::setting::server_name, services_.info.server_name);
            last_.completed = setting(store::setting::wizard_completed, "") == "true";
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

Response public_info(const Services& services, const WizardAnswers::Answers& answers, const Request& request) {
    const auto& info = services.info;
    JsonWriter out(request.spelling);
    out.begin_object();
    out.field("LocalAddress", local_address(request, info.published_url, info.base_url, info.trusted_proxies));
    out.field("ServerName", answers.server_name).field("Version", info.jellyfin_version);
    out.field("ProductName", "Jellyfin Server");  // clients refuse anything else
    out.field("OperatingSystem", "Linux").field("Id", info.server_id);
    out.field("StartupWizardCompleted", answers.completed);
    out.end_object();
    return json_answer(out.take());
}

}  // namespace

void add_system_routes(Router& router, const Services& services) {
    Route info;
    info.path = "/System/Info/Public";
    info.access = Access::open;
    const auto wizard = std::make_shared<WizardAnswers>(services);
    info.handler = [&services, wizard](const Request& request) {
        return public_info(services, wizard->get(), request);
    };
    info.from_memory = [&services, wizard](const Request& request) -> std::optional<Response> {
        const auto answers = wizard->get_recent();
        if (!answers) return std::nullopt;
        return public_info(services, *answers, request);
    };
    router.add(std::move(info));

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
