#include "http/jellyfin/system/discovery_answer.h"

#include "http/json_writer.h"
#include "http/kept_settings.h"
#include "http/proxies.h"

namespace understudy::http {

std::string discovery_answer(const Services& services, const std::string& host, std::uint16_t port) {
    const auto& info = services.info;
    const auto health = services.health.report();
    if (health.phase != HealthReport::Phase::ready) return {};
    auto name = info.server_name;
    if (services.users.settings != nullptr && health.database_reachable) {
        if (const auto settings = services.users.settings->all()) name = name_of_server(*settings, info.server_name);
    }
    const bool v6 = host.find(':') != std::string::npos;
    Request asked;  // as one who came there
    asked.headers.push_back({"Host", (v6 ? '[' + host + ']' : host) + ':' + std::to_string(port)});
    JsonWriter out;
    out.begin_object().field("Address", local_address(asked, info.published_url, info.base_url, {}));
    out.field("Id", info.server_id).field("Name", name).name("EndpointAddress").null();
    out.end_object();
    return out.take();
}

}  // namespace understudy::http
