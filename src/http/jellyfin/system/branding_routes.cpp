// /Branding: how administrators dress the clients up; everybody sees it, before they log in too.
#include <boost/json.hpp>

#include "http/jellyfin/system/kept_configuration.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

const ConfigurationSection& branding_section() {
    return *find_section("branding");
}

Response branding(const Services& services, const Request& request) {
    const auto kept = kept_section(services, branding_section());
    if (!kept) return problem(kept.error());
    JsonWriter out(request.spelling);
    write_section(out, branding_section(), *kept);
    return json_answer(out.take());
}

Response css(const Services& services, const Request& /*request*/) {
    const auto kept = kept_section(services, branding_section());
    if (!kept) return problem(kept.error());
    const auto text = field_of(branding_section(), *kept, "CustomCss");
    if (text.empty()) return no_content();
    const auto value = boost::json::parse(text);
    Response response;
    response.content_type = "text/css; charset=utf-8";
    response.body = std::string(value.as_string().data(), value.as_string().size());
    if (response.body.empty()) return no_content();
    return response;
}

}  // namespace

void add_branding_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/Branding/Configuration", branding, Access::open);
    add_route(router, services, Method::get, "/Branding/Css", css, Access::open);
    add_route(router, services, Method::get, "/Branding/Css.css", css, Access::open);
}

}  // namespace understudy::http
