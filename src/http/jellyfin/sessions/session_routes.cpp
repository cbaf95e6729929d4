// Who is logged in where: /Sessions and /Devices.
#include <algorithm>
#include <utility>

#include "http/jellyfin/dto/session_dto.h"
#include "http/jellyfin/events/activity.h"
#include "http/jellyfin/events/announcements.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/jellyfin/sessions/session_presence.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// Whose controllable sessions are wanted. nullopt: nobody's that the caller may act for.
core::Result<std::optional<store::User>> named_controller(const Services& services, const Request& request) {
    const auto text = request.query.text("controllableByUserId");
    const auto id = core::UserId::parse(trim(text));
    if (!id) return tl::unexpected(wrong_id("controllableByUserId", text));
    if (!may_act_for(request, *id) || services.users.accounts == nullptr) return std::optional<store::User>();
    return services.users.accounts->find(*id);
}

Response list_sessions(const Services& services, const Request& request) {
    const auto within = request.query.count("activeWithinSeconds");
    if (!within) return binding_problem(within.error());
    store::SessionFilter filter;
    constexpr std::size_t longest = 100'000'000;  // three years
    if (within->value_or(0) > 0) filter.active_within = std::chrono::seconds{std::min(**within, longest)};
    if (const auto device = request.query.text("deviceId"); !device.empty()) filter.device_id = device;
    core::Result<std::optional<store::User>> controller = std::optional<store::User>();
    if (!trim(request.query.text("controllableByUserId")).empty()) {
        controller = named_controller(services, request);
        if (!controller) return binding_problem(controller.error());
        if (!*controller) return json_answer("[]");
    }
    // Another's are theirs, but for whoever may control them.
    if (!request.caller->admin && !(*controller && may_control(**controller, {}))) filter.user = request.caller->user;
    const auto sessions = services.users.sessions->all(filter);
    if (!sessions) return problem(sessions.error());
    const auto present = sessions_with_socket(services);
    if (!present) return problem(present.error());
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& session : *sessions) {
        const bool has_socket = present->contains(session.id);
        if (*controller && !(takes_commands(session, has_socket) && may_control(**controller, session.user))) continue;
        write_session(out, session, has_socket, services.info.server_id, services.clock.utc_now());
    }
    out.end_array();
    return json_answer(out.take());
}

Response keep_capabilities(const Services& services, const Request& request, const Capabilities& capabilities) {
    if (request.caller->session.empty()) return no_content();  // a key has no session that could show them
    JsonWriter json;
    write_capabilities(json, capabilities);
    const auto kept = services.users.sessions->set_capabilities(request.caller->session, json.take());
    if (!kept) return problem(kept.error());
    if (*kept) tell_sessions_changed(services);  // clients say them again and again
    return no_content();
}

Response set_capabilities(const Services& services, const Request& request) {
    Capabilities said;
    said.media_types = request.query.list("playableMediaTypes");
    said.commands = request.query.list("supportedCommands");
    const auto control = request.query.boolean("supportsMediaControl");
    if (!control) return binding_problem(control.error());
    said.media_control = control->value_or(false);
    const auto identifier = request.query.boolean("supportsPersistentIdentifier");
    if (!identifier) return binding_problem(identifier.error());
    said.persistent_identifier = identifier->value_or(true);
    return keep_capabilities(services, request, known_capabilities(std::move(said)));
}

Response set_all_capabilities(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto said = read_capabilities(*body);
    if (!said) return binding_problem(said.error());
    return keep_capabilities(services, request, *said);
}

/// Of each device the session that was used last.
core::Result<std::vector<store::UserSession>> devices(const Services& services, const store::SessionFilter& filter) {
    auto sessions = services.users.sessions->all(filter);
    if (!sessions) return sessions;
    std::vector<store::UserSession> last;
    for (auto& session : *sessions) {
        const bool known = std::ranges::any_of(
            last, [&](const store::UserSession& each) { return each.client.device_id == session.client.device_id; });
        if (!known) last.push_back(std::move(session));
    }
    return last;
}

core::Result<store::UserSession> requested_device(const Services& services, const Request& request) {
    store::SessionFilter filter;
    filter.device_id = request.query.text("id");
    if (filter.device_id->empty())
        return core::fail(core::Errc::invalid, "id: missing; name a device by its id (GET /Devices lists them)");
    auto found = devices(services, filter);
    if (!found) return tl::unexpected(found.error());
    if (found->empty()) {
        return core::fail(core::Errc::not_found,
                          "Nobody is logged in on a device '" + printable(*filter.device_id) + "'.");
    }
    return std::move(found->front());
}

Response list_devices(const Services& services, const Request& request) {
    store::SessionFilter filter;
    if (const auto text = request.query.text("userId"); !trim(text).empty()) {
        const auto user = named_user(services, request);
        if (!user) return binding_problem(user.error());
        filter.user = (*user)->id;
    }
    const auto found = devices(services, filter);
    if (!found) return problem(found.error());
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    for (const auto& device : *found) write_device(out, device);
    out.end_array().field("TotalRecordCount", found->size()).field("StartIndex", 0).end_object();
    return json_answer(out.take());
}

Response one_device(const Services& services, const Request& request) {
    const auto device = requested_device(services, request);
    if (!device) return binding_problem(device.error());
    JsonWriter out(request.spelling);
    write_device(out, *device);
    return json_answer(out.take());
}

Response device_options(const Services& services, const Request& request) {
    const auto device = requested_device(services, request);
    if (!device) return binding_problem(device.error());
    JsonWriter out(request.spelling);
    out.begin_object().field("Id", 0).field("DeviceId", device->client.device_id);
    out.text_if_any("CustomName", device->device_name).end_object();
    return json_answer(out.take());
}

Response set_device_options(const Services& services, const Request& request) {
    const auto device = requested_device(services, request);
    if (!device) return binding_problem(device.error());
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto said = body->text("CustomName");
    if (!said) return binding_problem(said.error());
    std::string name;
    if (!trim(said->value_or("")).empty()) {
        const auto checked = checked_name("CustomName", **said);
        if (!checked) return binding_problem(checked.error());
        name = *checked;
    }
    const auto named = services.users.sessions->name_device(device->client.device_id, name);
    return named ? no_content() : problem(named.error());
}

Response remove_device(const Services& services, const Request& request) {
    const auto device = requested_device(services, request);
    if (!device) return binding_problem(device.error());
    const auto removed = services.users.sessions->remove_device(device->client.device_id);
    if (!removed) return problem(removed.error());
    tell_tokens_changed(services, {}, device->client.device_id);
    services.log.info(
        "a device was logged out",
        {{"device", device->client.device}, {"sessions", std::to_string(*removed)}, {"by", request.caller->name}});
    note_activity(services, "SessionEnded", "Device " + device->client.device + " was logged out",
                  "By " + request.caller->name, request.caller->user);
    return no_content();
}

}  // namespace

void add_session_routes(Router& router, const Services& services) {
    add_account_route(router, services, Method::get, "/Sessions", list_sessions, Access::user);
    add_account_route(router, services, Method::post, "/Sessions/Capabilities", set_capabilities, Access::user);
    add_account_route(router, services, Method::post, "/Sessions/Capabilities/Full", set_all_capabilities,
                      Access::user);
    add_account_route(router, services, Method::get, "/Devices", list_devices);
    add_account_route(router, services, Method::del, "/Devices", remove_device);
    add_account_route(router, services, Method::get, "/Devices/Info", one_device);
    add_account_route(router, services, Method::get, "/Devices/Options", device_options);
    add_account_route(router, services, Method::post, "/Devices/Options", set_device_options);
}

}  // namespace understudy::http
