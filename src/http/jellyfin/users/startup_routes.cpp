// /Startup: the start wizard: anybody may use it until it is done, once for the whole cluster.
#include <algorithm>
#include <map>
#include <utility>

#include "http/jellyfin/events/activity.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

struct Question {
    const char* field;
    const char* setting;
    std::string_view otherwise;
};
constexpr Question questions[] = {{"UICulture", store::setting::ui_culture, "en-US"},
                                  {"MetadataCountryCode", store::setting::metadata_country, "US"},
                                  {"PreferredMetadataLanguage", store::setting::metadata_language, "en"}};

Response configuration(const Services& services, const Request& request) {
    const auto settings = services.users.settings->all();
    if (!settings) return problem(settings.error());
    const auto setting = [&](const char* name, std::string_view otherwise) {
        const auto at = settings->find(name);
        return at == settings->end() || at->second.empty() ? std::string(otherwise) : at->second;
    };
    JsonWriter out(request.spelling);
    out.begin_object().field("ServerName", setting(store::setting::server_name, services.info.server_name));
    for (const auto& question : questions) out.field(question.field, setting(question.setting, question.otherwise));
    out.end_object();
    return json_answer(out.take());
}

Response set_configuration(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    std::map<std::string, std::string> values;
    const auto take = [&](const char* field, const char* setting) -> core::Result<void> {
        const auto text = body->text(field);
        if (!text) return tl::unexpected(text.error());
        if (trim(text->value_or("")).empty()) return {};
        const auto checked = checked_name(field, **text);
        if (!checked) return tl::unexpected(checked.error());
        values[setting] = *checked;
        return {};
    };
    if (const auto taken = take("ServerName", store::setting::server_name); !taken)
        return binding_problem(taken.error());
    for (const auto& question : questions) {
        if (const auto taken = take(question.field, question.setting); !taken) return binding_problem(taken.error());
    }
    const auto set = services.users.settings->set(values);
    return set ? no_content() : problem(set.error());
}

/// The administrator that was made first; nullopt: none yet.
core::Result<std::optional<store::User>> first_admin(const Services& services) {
    const auto users = services.users.accounts->all();
    if (!users) return tl::unexpected(users.error());
    std::optional<store::User> first;
    for (const auto& user : *users) {
        if (user.admin && (!first || user.created_at < first->created_at)) first = user;
    }
    return first;
}

Response first_user(const Services& services, const Request& request) {
    const auto admin = first_admin(services);
    if (!admin) return problem(admin.error());
    JsonWriter out(request.spelling);
    out.begin_object().field("Name", *admin ? (*admin)->name : std::string("admin")).end_object();
    return json_answer(out.take());
}

/// Makes the administrator; who goes back in the wizard changes the one that is there.
Response set_first_user(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto said = body->text("Name");
    if (!said) return binding_problem(said.error());
    const auto name = checked_user_name("Name", said->value_or(""));
    if (!name) return binding_problem(name.error());
    const auto password = body->text("Password");
    if (!password) return binding_problem(password.error());
    if (trim(password->value_or("")).empty())
        return binding_problem("Password", "Password: missing; an administrator must have a password");
    if ((*password)->size() > longest_password)
        return binding_problem("Password", "Password: at most " + std::to_string(longest_password) + " bytes");
    const auto hash = services.users.passwords->hash(**password);
    if (!hash) return problem(hash.error());
    const auto admin = first_admin(services);
    if (!admin) return problem(admin.error());
    if (*admin) {
        if ((*admin)->name != *name) {
            const auto renamed = services.users.accounts->rename((*admin)->id, *name);
            if (!renamed) return problem(renamed.error());
        }
        const auto set = services.users.accounts->set_password((*admin)->id, *hash, {});
        return set ? no_content() : problem(set.error());
    }
    store::User user;
    user.id = core::UserId::make(services.random);
    user.name = *name;
    user.created_at = services.clock.utc_now();
    user.admin = true;
    user.password_hash = *hash;
    const auto added = services.users.accounts->add(user);
    if (!added) return problem(added.error());
    services.log.info("the start wizard made the administrator", {{"user", user.name}});
    note_activity(services, "UserCreated", "User " + user.name + " was added", "By the start wizard", user.id);
    return no_content();
}

/// Who may reach the server is the network's and the ingress's to say.
Response set_remote_access(const Services& /*services*/, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    for (const auto& [field, harmless] :
         {std::pair{"EnableRemoteAccess", true}, {"EnableAutomaticPortMapping", false}}) {
        const auto flag = body->boolean(field);
        if (!flag) return binding_problem(flag.error());
        if (flag->value_or(harmless) != harmless) {
            return binding_problem(field, std::string(field) + ": " + (harmless ? "false" : "true") +
                                              " is not done here; let the network or the ingress decide who may "
                                              "reach this server");
        }
    }
    return no_content();
}

Response complete(const Services& services, const Request& /*request*/) {
    const auto admin = first_admin(services);
    if (!admin) return problem(admin.error());
    if (!*admin) return text_answer(400, "Nobody could log in: make the administrator first (POST /Startup/User).");
    const auto set = services.users.settings->set({{store::setting::wizard_completed, "true"}});
    if (!set) return problem(set.error());
    services.log.info("the start wizard is done");
    return no_content();
}

}  // namespace

void add_startup_routes(Router& router, const Services& services) {
    const auto add = [&](Method method, const char* path, Handler handler) {
        add_account_route(router, services, method, path, handler, Access::wizard);
    };
    add(Method::get, "/Startup/Configuration", configuration);
    add(Method::post, "/Startup/Configuration", set_configuration);
    add(Method::get, "/Startup/User", first_user);
    add(Method::get, "/Startup/FirstUser", first_user);
    add(Method::post, "/Startup/User", set_first_user);
    add(Method::post, "/Startup/RemoteAccess", set_remote_access);
    add(Method::post, "/Startup/Complete", complete);
}

}  // namespace understudy::http
