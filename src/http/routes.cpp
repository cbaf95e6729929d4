#include "http/routes.h"

#include <utility>

namespace understudy::http {

void add_all_routes(Router& router, const Services& services, const HttpCounters& counters,
                    const std::vector<const MetricSource*>& sources) {
    add_health_routes(router, services, counters, sources);
    add_dashboard_routes(router, services);
    add_leader_routes(router, services);
    add_lead_routes(router, services);
    add_run_routes(router, services);
    add_schedule_routes(router, services);
    add_media_routes(router, services);
    add_system_routes(router, services);
    add_storage_routes(router, services);
    add_log_routes(router, services);
    add_activity_routes(router, services);
    add_configuration_routes(router, services);
    add_settings_routes(router, services);
    add_branding_routes(router, services);
    add_splash_screen_routes(router, services);
    add_localization_routes(router, services);
    add_environment_routes(router, services);
    add_display_preferences_routes(router, services);
    add_absent_routes(router, services);
    add_task_routes(router, services);
    add_library_routes(router, services);
    add_library_edit_routes(router, services);
    add_item_refresh_routes(router, services);
    add_library_options_routes(router, services);
    add_item_routes(router, services);
    add_home_routes(router, services);
    add_show_routes(router, services);
    add_item_relation_routes(router, services);
    add_recommendation_routes(router, services);
    add_mix_routes(router, services);
    add_search_routes(router, services);
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
    add_name_routes(router, services);
    add_image_edit_routes(router, services);
    add_user_image_routes(router, services);
    add_socket_routes(router, services);
    add_remote_routes(router, services);
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
