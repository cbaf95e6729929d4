// Keys of programs, and how users may log in: /Auth.
#include <utility>

#include "http/auth/secrets.h"
#include "http/jellyfin/events/activity.h"
#include "http/jellyfin/events/announcements.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

Response list_keys(const Services& services, const Request& request) {
    const auto keys = services.users.sessions->keys();
    if (!keys) return problem(keys.error());
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    for (const auto& key : *keys) {
        out.begin_object().field("Id", key.number).field("AccessToken", key.key);
        out.field("DeviceId", "").field("AppName", key.app).field("AppVersion", "").field("DeviceName", "");
        out.field("UserId", core::UserId{}).field("IsActive", true);  // nobody's, in the reference's words
        out.field("DateCreated", to_jellyfin_time(key.created_at));
        out.field("DateLastActivity", to_jellyfin_time(key.last_activity_at)).end_object();
    }
    out.end_array().field("TotalRecordCount", keys->size()).field("StartIndex", 0).end_object();
    return json_answer(out.take());
}

Response add_key(const Services& services, const Request& request) {
    const auto app = checked_name("app", request.query.text("app"));
    if (!app) return binding_problem(app.error());
    const auto key = new_secret(services.random);
    const auto added = services.users.sessions->add_key(key, hash_secret(key), *app);
    if (!added) return problem(added.error());
    services.log.info("an API key was made", {{"app", *app}, {"by", request.caller->name}});
    note_activity(services, "ApiKeyCreated", "An API key for " + *app + " was made", "By " + request.caller->name,
                  request.caller->user);
    return no_content();
}

Response remove_key(const Services& services, const Request& request) {
    const auto removed = services.users.sessions->remove_key(hash_secret(request.param("key")));
    if (!removed) return problem(removed.error());
    if (!*removed) return problem({core::Errc::not_found, "There is no such key; GET /Auth/Keys lists them."});
    tell_keys_changed(services);
    services.log.info("an API key was revoked", {{"by", request.caller->name}});
    note_activity(services, "ApiKeyRevoked", "An API key was revoked", "By " + request.caller->name,
                  request.caller->user);
    return no_content();
}

Response one_provider(const Request& request, std::string_view name, std::string_view id) {
    JsonWriter out(request.spelling);
    out.begin_array().begin_object().field("Name", name).field("Id", id).end_object().end_array();
    return json_answer(out.take());
}

Response providers(const Services& /*services*/, const Request& request) {
    return one_provider(request, "Default", "Jellyfin.Server.Implementations.Users.DefaultAuthenticationProvider");
}

Response reset_providers(const Services& /*services*/, const Request& request) {
    return one_provider(request, "Default Password Reset",
                        "Jellyfin.Server.Implementations.Users.DefaultPasswordResetProvider");
}

}  // namespace

void add_key_routes(Router& router, const Services& services) {
    add_account_route(router, services, Method::get, "/Auth/Keys", list_keys);
    add_account_route(router, services, Method::post, "/Auth/Keys", add_key);
    add_account_route(router, services, Method::del, "/Auth/Keys/{key}", remove_key);
    add_account_route(router, services, Method::get, "/Auth/Providers", providers);
    add_account_route(router, services, Method::get, "/Auth/PasswordResetProviders", reset_providers);
}

}  // namespace understudy::http
