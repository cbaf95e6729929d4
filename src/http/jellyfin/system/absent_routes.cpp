// What this server does not have, but clients ask for all the time: lists, empty; and how one who forgot a password is
// told whom to ask.
#include <utility>

#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

Response empty_list(const Services& /*services*/, const Request& /*request*/) {
    return json_answer("[]");
}

void write_empty_page(JsonWriter& out) {
    out.begin_object().name("Items").begin_array().end_array();
    out.field("TotalRecordCount", 0).field("StartIndex", 0).end_object();
}

Response empty_page(const Services& /*services*/, const Request& request) {
    JsonWriter out(request.spelling);
    write_empty_page(out);
    return json_answer(out.take());
}

Response live_tv_info(const Services& /*services*/, const Request& request) {
    JsonWriter out(request.spelling);
    out.begin_object().name("Services").begin_array().end_array().field("IsEnabled", false);
    out.name("EnabledUsers").begin_array().end_array().end_object();
    return json_answer(out.take());
}

/// A guide of no days: it begins and ends now.
Response live_tv_guide(const Services& services, const Request& request) {
    const auto now = to_jellyfin_time(services.clock.utc_now());
    JsonWriter out(request.spelling);
    out.begin_object().field("StartDate", now).field("EndDate", now).end_object();
    return json_answer(out.take());
}

/// The same for everybody: who has an account is not told.
Response forgot_password(const Services& /*services*/, const Request& request) {
    if (const auto body = JsonBody::parse(request.body); !body) return binding_problem(body.error());
    JsonWriter out(request.spelling);
    out.begin_object().field("Action", "ContactAdmin").end_object();
    return json_answer(out.take());
}

/// No PIN is ever given out, so none is right.
Response redeem_pin(const Services& /*services*/, const Request& request) {
    if (const auto body = JsonBody::parse(request.body); !body) return binding_problem(body.error());
    JsonWriter out(request.spelling);
    out.begin_object().field("Success", false).name("UsersReset").begin_array().end_array().end_object();
    return json_answer(out.take());
}

}  // namespace

void add_absent_routes(Router& router, const Services& services) {
    const auto add = [&](Method method, const char* path, Handler handler, Access access) {
        Route route;
        route.method = method;
        route.path = path;
        route.access = access;
        route.where = Where::inline_;
        route.handler = [&services, handler](const Request& request) { return handler(services, request); };
        router.add(std::move(route));
    };
    add(Method::get, "/Plugins", empty_list, Access::admin);
    add(Method::get, "/web/ConfigurationPages", empty_list, Access::admin);
    add(Method::get, "/Packages", empty_list, Access::admin);
    add(Method::get, "/Channels", empty_page, Access::user);
    add(Method::get, "/Channels/Features", empty_list, Access::user);
    add(Method::get, "/Channels/Items/Latest", empty_page, Access::user);
    add(Method::get, "/SyncPlay/List", empty_list, Access::user);
    add(Method::get, "/LiveTv/Info", live_tv_info, Access::user);
    add(Method::get, "/LiveTv/GuideInfo", live_tv_guide, Access::user);
    for (const char* path : {"/LiveTv/Channels", "/LiveTv/Programs", "/LiveTv/Programs/Recommended",
                             "/LiveTv/Recordings", "/LiveTv/Recordings/Folders", "/LiveTv/Recordings/Series",
                             "/LiveTv/Recordings/Groups", "/LiveTv/Timers", "/LiveTv/SeriesTimers"})
        add(Method::get, path, empty_page, Access::user);
    add(Method::post, "/LiveTv/Programs", empty_page, Access::user);
    add(Method::get, "/LiveTv/TunerHosts/Types", empty_list, Access::user);
    add(Method::post, "/Users/ForgotPassword", forgot_password, Access::open);
    add(Method::post, "/Users/ForgotPassword/Pin", redeem_pin, Access::open);
}

}  // namespace understudy::http
