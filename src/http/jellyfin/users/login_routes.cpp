// Logging in and out: /Users/AuthenticateByName, /Sessions/Logout, and that Quick Connect is not there.
#include <utility>

#include "http/auth/secrets.h"
#include "http/jellyfin/dto/session_dto.h"
#include "http/jellyfin/dto/user_dto.h"
#include "http/jellyfin/events/activity.h"
#include "http/jellyfin/events/announcements.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/jellyfin/users/login_check.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/proxies.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::size_t longest_device_id = 512;  // jellyfin-web's holds the whole User-Agent

/// The four that a session needs.
core::Result<store::Client> said_client(const Services& services, const Request& request) {
    const auto& said = request.credentials.client;
    const std::pair<const char*, const std::string*> needed[] = {
        {"Client", &said.client}, {"Device", &said.device}, {"DeviceId", &said.device_id}, {"Version", &said.version}};
    for (const auto& [name, value] : needed) {
        if (!trim(*value).empty()) continue;
        return core::fail(core::Errc::invalid, std::string(name) +
                                                   ": missing; send it in the header `Authorization: MediaBrowser "
                                                   "Client=\"…\", Device=\"…\", DeviceId=\"…\", Version=\"…\"`");
    }
    if (said.device_id.size() > longest_device_id) {
        return core::fail(core::Errc::invalid, "DeviceId: " + std::to_string(said.device_id.size()) +
                                                   " bytes are too many; use at most " +
                                                   std::to_string(longest_device_id));
    }
    return store::Client{printable(said.client), printable(said.version), printable(said.device), said.device_id,
                         client_address(request, services.info.trusted_proxies)};
}

Response log_in(const Services& services, const Request& request, const std::optional<store::User>& found,
                std::string_view typed, const std::string& password) {
    const auto client = said_client(services, request);
    if (!client) return binding_problem(client.error());
    if (password.size() > longest_password)
        return binding_problem("Pw", "Pw: at most " + std::to_string(longest_password) + " bytes");
    if (auto refusal = refuse_password(services, request, found, typed, password, 401)) return std::move(*refusal);
    if (found->disabled) return text_answer(403, "This user is disabled; ask an administrator.");
    const auto token = new_secret(services.random);
    store::Sessions::LogIn login;
    login.id = store::SessionId::make(services.random);
    login.user = found->id;
    login.password_hash = found->password_hash;
    login.token_hash = hash_secret(token);
    login.client = *client;
    const auto id = services.users.sessions->log_in(login);
    if (!id && id.error().code == core::Errc::not_found) return text_answer(401, "Invalid user name or password.");
    if (!id) return problem(id.error());
    tell_tokens_changed(services, found->id);  // the token before it, if there was one on this device, is void
    services.log.info("a user logged in",
                      {{"user", found->name}, {"client", client->name}, {"address", client->address}});
    note_activity(services, "AuthenticationSucceeded", found->name + " logged in with " + client->name,
                  "IP address: " + client->address, found->id);
    const auto user = services.users.accounts->find(found->id);
    if (!user) return problem(user.error());
    store::SessionFilter filter;
    filter.user = found->id;
    filter.device_id = client->device_id;
    const auto sessions = services.users.sessions->all(filter);
    if (!sessions) return problem(sessions.error());
    JsonWriter out(request.spelling);
    out.begin_object().name("User");
    write_user(out, user->value_or(*found), services.info.server_id);
    if (!sessions->empty()) {
        out.name("SessionInfo");
        write_session(out, sessions->front(), false, services.info.server_id, services.clock.utc_now());
    }
    out.field("AccessToken", token).field("ServerId", services.info.server_id).end_object();
    return json_answer(out.take());
}

Response authenticate_by_name(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto name = body->text("Username");
    if (!name) return binding_problem(name.error());
    const auto password = body->text("Pw");
    if (!password) return binding_problem(password.error());
    const std::string typed(trim(name->value_or("")));
    if (typed.empty()) return binding_problem("Username", "Username: missing");
    const auto user = services.users.accounts->find_by_name(typed);
    if (!user) return problem(user.error());
    return log_in(services, request, *user, typed, password->value_or(""));
}

/// As clients logged in before 10.9: who is in the path, the password in the query or the body.
Response authenticate_by_id(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto password = body->text("Pw");
    if (!password) return binding_problem(password.error());
    const auto id = path_id<core::UserId>(request, "userId");
    const auto user = services.users.accounts->find(id);
    if (!user) return problem(user.error());
    return log_in(services, request, *user, id.str(), password->value_or(request.query.text("pw")));
}

Response log_out(const Services& services, const Request& request) {
    if (request.caller->session.empty()) {
        return text_answer(400, "A key is logged in nowhere; DELETE /Auth/Keys/{key} revokes one.");
    }
    const auto removed = services.users.sessions->remove(request.caller->session);
    if (!removed) return problem(removed.error());
    tell_tokens_changed(services, request.caller->user);
    services.log.info("a user logged out", {{"user", request.caller->name}, {"client", request.caller->client}});
    note_activity(services, "SessionEnded", request.caller->name + " logged out of " + request.caller->client, {},
                  request.caller->user);
    return no_content();
}

}  // namespace

void add_login_routes(Router& router, const Services& services) {
    add_account_route(router, services, Method::post, "/Users/AuthenticateByName", authenticate_by_name, Access::open);
    add_account_route(router, services, Method::post, "/Users/{userId}/Authenticate", authenticate_by_id, Access::open);
    add_account_route(router, services, Method::post, "/Sessions/Logout", log_out, Access::user);
    Route quick;
    quick.path = "/QuickConnect/Enabled";
    quick.access = Access::open;
    quick.where = Where::inline_;
    quick.handler = [](const Request&) { return json_answer("false"); };
    router.add(std::move(quick));
}

}  // namespace understudy::http
