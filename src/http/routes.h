// http/routes.h: all that is served, a function for each group. Used by app, golden tests and fuzz targets.
#pragma once

#include <string>
#include <vector>

#include "http/admin/metrics.h"
#include "http/counters.h"
#include "http/router.h"
#include "http/services.h"

namespace understudy::http {

/// Everything below. `services`, `counters` and `sources` outlive the router.
void add_all_routes(Router& router, const Services& services, const HttpCounters& counters,
                    const std::vector<const MetricSource*>& sources);

using Handler = Response (*)(const Services&, const Request&);
/// A route whose handler needs the services too; `services` outlives the router.
void add_route(Router& router, const Services& services, Method method, std::string path, Handler handler,
               Access access = Access::admin);

void add_health_routes(Router& router, const Services& services, const HttpCounters& counters,
                       const std::vector<const MetricSource*>& sources);  ///< /health*, /metrics
void add_dashboard_routes(Router& router, const Services& services);      ///< /, /web, /dashboard
void add_leader_routes(Router& router, const Services& services);         ///< /cluster/leader, /cluster/pods
void add_lead_routes(Router& router, const Services& services);           ///< /cluster/leads
void add_run_routes(Router& router, const Services& services);            ///< /cluster/runs, /skips, /tasks, /timers
void add_schedule_routes(Router& router, const Services& services);       ///< /cluster/schedule
void add_media_routes(Router& router, const Services& services);     ///< /cluster/problems, /items, /Library/Missing
void add_system_routes(Router& router, const Services& services);    ///< /System/Info, /Ping, /Endpoint, /Restart, …
void add_storage_routes(Router& router, const Services& services);   ///< /System/Info/Storage
void add_log_routes(Router& router, const Services& services);       ///< /System/Logs, /ClientLog
void add_activity_routes(Router& router, const Services& services);  ///< /System/ActivityLog
void add_configuration_routes(Router& router, const Services& services);  ///< /System/Configuration, /Repositories
void add_settings_routes(Router& router, const Services& services);       ///< /cluster/settings
void add_branding_routes(Router& router, const Services& services);       ///< /Branding
void add_splash_screen_routes(Router& router, const Services& services);  ///< /Branding/Splashscreen
void add_localization_routes(Router& router, const Services& services);   ///< /Localization
void add_environment_routes(Router& router, const Services& services);    ///< /Environment
void add_display_preferences_routes(Router& router, const Services& services);  ///< /DisplayPreferences
void add_absent_routes(Router& router, const Services& services);   ///< /Plugins, /LiveTv, /Channels, …: lists, empty
void add_task_routes(Router& router, const Services& services);     ///< /ScheduledTasks/…
void add_library_routes(Router& router, const Services& services);  ///< /Library/…
void add_library_edit_routes(Router& router, const Services& services);     ///< /Library/VirtualFolders/Name, /Paths
void add_item_refresh_routes(Router& router, const Services& services);     ///< /Items/{id}/Refresh, /Items/Counts
void add_library_options_routes(Router& router, const Services& services);  ///< /Library/VirtualFolders/LibraryOptions
void add_item_routes(Router& router, const Services& services);             ///< /Items/…
void add_home_routes(Router& router, const Services& services);             ///< /UserViews, /Items/Root, /Items/Latest
void add_item_relation_routes(Router& router, const Services& services);    ///< /Items/{id}/Ancestors, ThemeMedia, …
void add_recommendation_routes(Router& router, const Services& services);   ///< …/Similar, /Items/Suggestions
void add_mix_routes(Router& router, const Services& services);              ///< …/InstantMix
void add_search_routes(Router& router, const Services& services);           ///< /Search/Hints
void add_show_routes(Router& router, const Services& services);             ///< /Shows/…
void add_user_routes(Router& router, const Services& services);             ///< /Users
void add_login_routes(Router& router, const Services& services);       ///< /Users/AuthenticateByName, /Sessions/Logout
void add_session_routes(Router& router, const Services& services);     ///< /Sessions, /Devices
void add_key_routes(Router& router, const Services& services);         ///< /Auth
void add_startup_routes(Router& router, const Services& services);     ///< /Startup: the wizard
void add_user_data_routes(Router& router, const Services& services);   ///< /UserItems, /UserPlayedItems, …
void add_collection_routes(Router& router, const Services& services);  ///< /Collections, and edits of /Items/{id}
void add_playlist_routes(Router& router, const Services& services);    ///< /Playlists
void add_image_routes(Router& router, const Services& services);       ///< /Items/{id}/Images/…
void add_name_routes(Router& router, const Services& services);        ///< /Genres, /Studios, /Artists, /Years, filters
void add_socket_routes(Router& router, const Services& services);      ///< /socket
void add_remote_routes(Router& router, const Services& services);      ///< commands to sessions
void add_person_routes(Router& router, const Services& services);      ///< /Persons/…
void add_image_edit_routes(Router& router, const Services& services);  ///< POST, DELETE /Items/{id}/Images/…
void add_user_image_routes(Router& router, const Services& services);  ///< /UserImage, /Users/{id}/Images/…
void add_document_routes(Router& router, const Services& services);    ///< /api-docs: openapi/

}  // namespace understudy::http
