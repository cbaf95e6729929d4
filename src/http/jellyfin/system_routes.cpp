// /System/Info/Public and /System/Ping: what clients ask before they log in.
#include "http/json_writer.h"
#include "http/proxies.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

Response public_info(const Services& services, const Request& request) {
    const auto& info = services.info;
    JsonWriter out(request.spelling);
    out.begin_object();
    out.field("LocalAddress", local_address(request, info.published_url, info.base_url, info.trusted_proxies));
    out.field("ServerName", info.server_name).field("Version", info.jellyfin_version);
    out.field("ProductName", "Jellyfin Server");  // clients refuse anything else
    out.field("OperatingSystem", "Linux").field("Id", info.server_id);
    out.field("StartupWizardCompleted", true);  // the admin key takes the wizard's place
    out.end_object();
    return json_answer(out.take());
}

}  // namespace

void add_system_routes(Router& router, const Services& services) {
    Route info;
    info.path = "/System/Info/Public";
    info.access = Access::open;
    info.where = Where::inline_;
    info.handler = [&services](const Request& request) { return public_info(services, request); };
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
