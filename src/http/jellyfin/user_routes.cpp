// /Users: who there is. Logins, passwords and policies do not exist yet: the administrator's key is asked for.
#include "http/jellyfin/user_dto.h"
#include "http/jellyfin/user_requests.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

Response list_users(const Services& services, const Request& request) {
    const auto hidden = request.query.boolean("isHidden");
    if (!hidden) return binding_problem(hidden.error());
    const auto disabled = request.query.boolean("isDisabled");
    if (!disabled) return binding_problem(disabled.error());
    const auto users = services.users.accounts->all();
    if (!users) return problem(users.error());
    JsonWriter out(request.spelling);
    out.begin_array();
    if (hidden->value_or(true) && !disabled->value_or(false)) {  // as everybody's policy is
        for (const auto& user : *users) write_user(out, user, services.info.server_id);
    }
    out.end_array();
    return json_answer(out.take());
}

Response one_user(const Services& services, const Request& request) {
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    JsonWriter out(request.spelling);
    write_user(out, *user, services.info.server_id);
    return json_answer(out.take());
}

Response add_user(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto name = body->text("Name");
    if (!name) return binding_problem(name.error());
    const auto checked = checked_name("Name", name->value_or(""));
    if (!checked) return binding_problem(checked.error());
    const auto password = body->text("Password");
    if (!password) return binding_problem(password.error());
    if (*password && !(*password)->empty()) {
        return binding_problem("Password", "Password: users cannot log in yet, and no password is kept; leave it out");
    }
    store::User user;
    user.id = core::UserId::make(services.random);
    user.name = *checked;
    user.created_at = services.clock.utc_now();
    const auto added = services.users.accounts->add(user);
    if (!added) return problem(added.error());
    services.log.info("a user was added", {{"user", user.name}});
    JsonWriter out(request.spelling);
    write_user(out, user, services.info.server_id);
    return json_answer(out.take());
}

Response remove_user(const Services& services, const Request& request) {
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto removed = services.users.accounts->remove(user->id);
    if (!removed) return problem(removed.error());
    services.log.info("a user was removed with all data of theirs", {{"user", user->name}});
    return no_content();
}

}  // namespace

void add_user_routes(Router& router, const Services& services) {
    add_user_route(router, services, Method::get, "/Users", list_users);
    add_user_route(router, services, Method::post, "/Users/New", add_user);
    add_user_route(router, services, Method::get, "/Users/{userId}", one_user);
    add_user_route(router, services, Method::del, "/Users/{userId}", remove_user);
}

}  // namespace understudy::http
