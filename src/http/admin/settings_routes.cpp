// GET /cluster/settings: the settings of the pod that is asked, each with its source. Secrets are never told.
#include "http/json_writer.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

void write_setting(JsonWriter& out, const SettingInForce& setting) {
    out.begin_object().field("Name", setting.name).field_or_null("Value", setting.value);
    out.field("Source", setting.source).field("Default", setting.default_text).field("Help", setting.help);
    out.field("Secret", setting.secret).end_object();
}

Response list_settings(const Services& services, const Request& /*request*/) {
    JsonWriter out(Spelling::camel);
    out.begin_object().field("Pod", services.info.pod).name("Items").begin_array();
    for (const auto& setting : services.system.settings) write_setting(out, setting);
    out.end_array().end_object();
    return json_answer(out.take());
}

}  // namespace

void add_settings_routes(Router& router, const Services& services) {
    Route route;
    route.path = "/cluster/settings";
    route.where = Where::inline_;
    route.handler = [&services](const Request& request) { return list_settings(services, request); };
    router.add(std::move(route));
}

}  // namespace understudy::http
