// /Users: who there is, what they may and prefer, their passwords.
#include <utility>

#include "http/jellyfin/dto/user_dto.h"
#include "http/jellyfin/dto/user_settings.h"
#include "http/jellyfin/events/activity.h"
#include "http/jellyfin/events/announcements.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/jellyfin/users/login_check.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

Response write_list(const Services& services, const Request& request, const std::vector<store::User>& users) {
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& user : users) write_user(out, user, services.info.server_id);
    out.end_array();
    return json_answer(out.take());
}

Response write_one(const Services& services, const Request& request, const store::User& user) {
    JsonWriter out(request.spelling);
    write_user(out, user, services.info.server_id);
    return json_answer(out.take());
}

Response list_users(const Services& services, const Request& request) {
    const auto hidden = request.query.boolean("isHidden");
    if (!hidden) return binding_problem(hidden.error());
    const auto disabled = request.query.boolean("isDisabled");
    if (!disabled) return binding_problem(disabled.error());
    auto users = services.users.accounts->all();
    if (!users) return problem(users.error());
    std::erase_if(*users, [&](const store::User& user) {
        return (*disabled && **disabled != user.disabled) || (*hidden && **hidden != policy_flag(user, "IsHidden"));
    });
    return write_list(services, request, *users);
}

/// Those that the login page may show.
Response list_public(const Services& services, const Request& request) {
    auto users = services.users.accounts->all();
    if (!users) return problem(users.error());
    std::erase_if(*users, [](const store::User& user) { return user.disabled || policy_flag(user, "IsHidden"); });
    return write_list(services, request, *users);
}

Response one_user(const Services& services, const Request& request) {
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    return write_one(services, request, *user);
}

Response who_am_i(const Services& services, const Request& request) {
    if (request.caller->user.empty())
        return text_answer(400, "A key is nobody's: only a user who is logged in has an answer here.");
    const auto user = services.users.accounts->find(request.caller->user);
    if (!user) return problem(user.error());
    if (!*user) return problem({core::Errc::not_found, "There is no such user any more."});
    return write_one(services, request, **user);
}

/// A field of the body that holds a password; empty: none.
core::Result<std::string> read_password(const JsonBody& body, const char* field) {
    const auto text = body.text(field);
    if (!text) return tl::unexpected(text.error());
    if (*text && (*text)->size() > longest_password) {
        return core::fail(core::Errc::invalid,
                          std::string(field) + ": at most " + std::to_string(longest_password) + " bytes");
    }
    return text->value_or("");
}

Response add_user(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto name = body->text("Name");
    if (!name) return binding_problem(name.error());
    const auto checked = checked_user_name("Name", name->value_or(""));
    if (!checked) return binding_problem(checked.error());
    const auto password = read_password(*body, "Password");
    if (!password) return binding_problem(password.error());
    if (services.users.passwords == nullptr) return problem({core::Errc::unsupported, "Passwords are not kept here."});
    auto hash = services.users.passwords->hash(*password);
    if (!hash) return problem(hash.error());
    store::User user;
    user.id = core::UserId::make(services.random);
    user.name = *checked;
    user.created_at = services.clock.utc_now();
    user.password_hash = std::move(*hash);
    const auto added = services.users.accounts->add(user);
    if (!added) return problem(added.error());
    services.log.info("a user was added", {{"user", user.name}, {"by", request.caller->name}});
    note_activity(services, "UserCreated", "User " + user.name + " was added", "By " + request.caller->name, user.id);
    return write_one(services, request, user);
}

/// 403 with the reason, as in the reference, where nobody would be left to administer the server.
Response refused(const core::Error& error) {
    if (error.code != core::Errc::conflict) return problem(error);
    return text_answer(403, error.context);
}

Response remove_user(const Services& services, const Request& request) {
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto removed = services.users.accounts->remove(user->id);
    if (!removed) return refused(removed.error());
    tell_user_changed(services, user->id, true);
    services.log.info("a user was removed with all data of theirs",
                      {{"user", user->name}, {"by", request.caller->name}});
    note_activity(services, "UserDeleted", "User " + user->name + " was removed", "By " + request.caller->name);
    return no_content();
}

/// Name and configuration; the rest of UserDto has requests of its own.
Response update_user(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    if (auto refusal = refuse_preferences(request, *user)) return std::move(*refusal);
    const auto said = body->text("Name");
    if (!said) return binding_problem(said.error());
    const auto settings = body->object("Configuration");
    if (!settings) return binding_problem(settings.error());
    std::string json;
    if (*settings) {
        auto read = read_configuration(**settings);
        if (!read) return binding_problem(read.error());
        json = std::move(*read);
    }
    if (*said) {
        const auto name = checked_user_name("Name", **said);
        if (!name) return binding_problem(name.error());
        if (*name != user->name) {
            const auto renamed = services.users.accounts->rename(user->id, *name);
            if (!renamed) return problem(renamed.error());
            services.log.info("a user was renamed",
                              {{"from", user->name}, {"to", *name}, {"by", request.caller->name}});
        }
    }
    if (*settings) {
        const auto kept = services.users.accounts->set_configuration(user->id, json);
        if (!kept) return problem(kept.error());
    }
    tell_user_changed(services, user->id);
    return no_content();
}

Response set_configuration(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    if (auto refusal = refuse_preferences(request, *user)) return std::move(*refusal);
    const auto json = read_configuration(*body);
    if (!json) return binding_problem(json.error());
    const auto kept = services.users.accounts->set_configuration(user->id, *json);
    if (!kept) return problem(kept.error());
    tell_user_changed(services, user->id);
    return no_content();
}

Response set_policy(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto policy = read_policy(*body);
    if (!policy) return binding_problem(policy.error());
    if (policy->admin && !user->admin && user->password_hash.empty()) {
        return binding_problem("IsAdministrator",
                               "IsAdministrator: an administrator needs a password; set one first (POST "
                               "/Users/Password or `understudy users password NAME`)");
    }
    const auto set = services.users.accounts->set_policy(user->id, *policy);
    if (!set) return refused(set.error());
    if (policy->admin && services.users.settings != nullptr) {
        // Somebody may administer now: left open, the wizard would let anybody take their place.
        const auto closed = services.users.settings->set({{store::setting::wizard_completed, "true"}});
        if (!closed) return problem(closed.error());
    }
    tell_user_changed(services, user->id);
    services.log.info("the rights of a user were set", {{"user", user->name},
                                                        {"admin", policy->admin ? "yes" : "no"},
                                                        {"disabled", policy->disabled ? "yes" : "no"},
                                                        {"by", request.caller->name}});
    note_activity(services, "UserPolicyUpdated", "The rights of " + user->name + " were set",
                  "By " + request.caller->name, user->id);
    return no_content();
}

/// A user's own password needs the old one, whoever they are: a token alone must not be enough to keep them out.
Response set_password(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    if (auto refusal = refuse_preferences(request, *user)) return std::move(*refusal);
    const auto reset = body->boolean("ResetPassword");
    if (!reset) return binding_problem(reset.error());
    const auto current = read_password(*body, "CurrentPw");
    if (!current) return binding_problem(current.error());
    const auto wanted = reset->value_or(false) ? std::string() : read_password(*body, "NewPw");
    if (!wanted) return binding_problem(wanted.error());
    if (wanted->empty() && user->admin)
        return binding_problem("NewPw", "NewPw: missing; an administrator must have a password");
    if (request.caller->user == user->id) {
        if (auto refusal = refuse_password(services, request, *user, user->name, *current, 403))
            return std::move(*refusal);
    }
    const auto hash = services.users.passwords->hash(*wanted);
    if (!hash) return problem(hash.error());
    const auto kept = request.caller->user == user->id ? request.caller->session : store::SessionId{};
    const auto set = services.users.accounts->set_password(user->id, *hash, kept);
    if (!set) return problem(set.error());
    tell_user_changed(services, user->id);
    services.log.info("a password was set; other logins of the user ended",
                      {{"user", user->name}, {"by", request.caller->name}});
    note_activity(services, "UserPasswordChanged", "The password of " + user->name + " was changed",
                  "By " + request.caller->name, user->id);
    return no_content();
}

}  // namespace

void add_user_routes(Router& router, const Services& services) {
    const auto add = [&](Method method, const char* path, Handler handler, Access access = Access::admin,
                         bool others = false) {
        add_user_route(router, services, method, path, handler, access, others);
    };
    // As in the reference everybody may see who there is.
    add(Method::get, "/Users", list_users, Access::user);
    add(Method::get, "/Users/{userId}", one_user, Access::user, true);
    add(Method::get, "/Users/Public", list_public, Access::open);
    add(Method::get, "/Users/Me", who_am_i, Access::user);
    add(Method::post, "/Users/New", add_user);
    add(Method::del, "/Users/{userId}", remove_user);
    add(Method::post, "/Users", update_user, Access::user);
    add(Method::post, "/Users/Configuration", set_configuration, Access::user);
    add(Method::post, "/Users/{userId}/Policy", set_policy);
    add_account_route(router, services, Method::post, "/Users/Password", set_password, Access::user);
    // As clients asked before 10.9.
    add(Method::post, "/Users/{userId}", update_user, Access::user);
    add(Method::post, "/Users/{userId}/Configuration", set_configuration, Access::user);
    add_account_route(router, services, Method::post, "/Users/{userId}/Password", set_password, Access::user);
}

}  // namespace understudy::http
