#include "http/routes.h"

#include <utility>

namespace understudy::http {

void add_all_routes(Router& router, const Services& services, const HttpCounters& counters,
                    const std::vector<const MetricSource*>& sources) {
    add_health_routes(router, services, counters, sources);
    add_dashboard_routes(router, services);
    add_leader_routes(router, services);
    add_run_routes(router, services);
    add_schedule_routes(router, services);
    add_media_routes(router, services);
    add_system_routes(router, services);
    add_task_routes(router, services);
    add_library_routes(router, services);
    add_library_options_routes(router, services);
    add_item_routes(router, services);
    add_user_routes(router, services);
    add_login_routes(router, services);
    add_session_routes(router, services);
    add_key_routes(router, services);
    add_startup_routes(router, services);
    add_user_data_routes(router, services);
    add_collection_routes(router, services);
    add_playlist_routes(router, services);
    add_image_routes(router, services);
    add_person_routes(router, services);
    add_document_routes(router, services);
}

void add_route(Router& router, const Services& services, Method method, std::string path, Handler handler,
               Access access) {
    Route route;
    route.method = method;
    route.path = std::move(path);
    route.access = access;
    route.handler = [&services, handler](const Request& request) { return handler(services, request); };
    router.add(std::move(route));
}

}  // namespace understudy::http
