// understudy users …: list, add, password, remove.
#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/password_input.h"
#include "core/text.h"

namespace understudy::app {
namespace {

namespace json = boost::json;

struct NewUser {
    std::string name, password_file;
    bool admin = false;
};

std::string rights_of(const json::value& user) {
    const auto* members = user.if_object();
    const auto* policy = members == nullptr ? nullptr : members->if_contains("Policy");
    if (policy == nullptr) return {};
    if (text_of(*policy, "IsDisabled") == "true") return "disabled";
    return text_of(*policy, "IsAdministrator") == "true" ? "admin" : "";
}

int list_users(Command& command) {
    const auto users = command.get("/Users");
    if (command.options().json) {
        command.print_json(users);
        return 0;
    }
    const auto now = core::SystemClock().utc_now();
    std::vector<std::vector<std::string>> rows;
    if (const auto* list = users.if_array()) {
        for (const auto& user : *list) {
            const auto seen = text_of(user, "LastActivityDate");
            rows.push_back({text_of(user, "Name"), rights_of(user),
                            text_of(user, "HasPassword") == "true" ? "set" : "none",
                            seen.empty() ? "never" : relative_time(seen, now), text_of(user, "Id")});
        }
    }
    if (rows.empty())
        command.out() << "no users yet; `understudy users add NAME` makes one\n";
    else
        command.print_table({"NAME", "RIGHTS", "PASSWORD", "LAST SEEN", "ID"}, rows);
    return 0;
}

json::value make_administrator(Command& command, const json::value& user) {
    const auto path = "/Users/" + text_of(user, "Id");
    const auto* members = user.if_object();
    auto policy =
        members != nullptr && members->contains("Policy") ? members->at("Policy") : json::value(json::object{});
    if (auto* fields = policy.if_object()) (*fields)["IsAdministrator"] = true;
    command.call("POST", path + "/Policy", json::serialize(policy));
    return command.get(path);
}

int add_user(Command& command, const NewUser& wanted) {
    const auto password = read_password(wanted.password_file, wanted.name, command.err()).value_or("");
    if (wanted.admin && password.empty()) {
        throw CommandFailure{
            Exit::usage,
            "an administrator needs a password: type one at the terminal, or give --password-file FILE "
            "(- reads standard input)"};
    }
    json::object body{{"Name", wanted.name}};
    if (!password.empty()) body["Password"] = password;
    auto user = command.call("POST", "/Users/New", json::serialize(body)).json();
    if (wanted.admin) user = make_administrator(command, user);
    if (command.options().json) {
        command.print_json(user);
        return 0;
    }
    command.out() << (wanted.admin ? "administrator " : "user ") << printable(text_of(user, "Name")) << " added as "
                  << text_of(user, "Id") << (password.empty() ? ", without a password: anybody may log in as them" : "")
                  << '\n';
    return 0;
}

/// By name in any case, or by id.
json::value find_user(Command& command, const std::string& name_or_id) {
    const auto users = command.get("/Users");
    std::vector<std::string> all;
    if (const auto* list = users.if_array()) {
        for (const auto& user : *list) {
            const auto name = text_of(user, "Name");
            all.push_back(printable(name));
            if (name == name_or_id || text_of(user, "Id") == core::to_lower_ascii(name_or_id) ||
                core::equals_ignoring_case(name, name_or_id))
                return user;
        }
    }
    throw CommandFailure{Exit::not_found,
                         "there is no user " + printable(name_or_id) +
                             (all.empty() ? "; there is none at all" : core::choices(name_or_id, all))};
}

int set_password(Command& command, const NewUser& wanted) {
    const auto user = find_user(command, wanted.name);
    const auto password = read_password(wanted.password_file, text_of(user, "Name"), command.err());
    if (!password) {
        throw CommandFailure{Exit::usage,
                             "there is no terminal to type a password at; give --password-file FILE (- reads standard "
                             "input)"};
    }
    command.call("POST", "/Users/Password?userId=" + text_of(user, "Id"),
                 json::serialize(json::object{{"NewPw", *password}}));
    if (command.options().json)
        command.print_json(json::object{{"name", text_of(user, "Name")}, {"id", text_of(user, "Id")}});
    else
        command.out() << "password of " << printable(text_of(user, "Name")) << (password->empty() ? " removed" : " set")
                      << "; they are logged out everywhere\n";
    return 0;
}

bool is_administrator(Command& command) {
    try {
        command.call("GET", "/Auth/Keys");
        return true;
    } catch (const CommandFailure&) {
        return false;
    }
}

int remove_user(Command& command, const std::string& name_or_id) {
    const auto user = find_user(command, name_or_id);
    const auto name = text_of(user, "Name"), id = text_of(user, "Id");
    try {
        command.call("DELETE", "/Users/" + id);
    } catch (CommandFailure& failure) {
        // Of an administrator nothing is refused but to leave the server without one.
        if (failure.code == Exit::unauthorized && is_administrator(command)) failure.code = Exit::refused;
        throw;
    }
    if (command.options().json)
        command.print_json(json::object{{"name", name}, {"id", id}, {"removed", true}});
    else
        command.out() << "user " << printable(name)
                      << " removed, with all they played and liked; their playlists are nobody's own now\n";
    return 0;
}

}  // namespace

void add_users_commands(CLI::App& root, Action& chosen) {
    auto* users = root.add_subcommand("users", "who watches and listens: marks, favourites and positions are theirs");
    users->require_subcommand(1);
    users->footer(
        "Examples:\n  understudy users add Ann\n  understudy users add Root --admin\n  understudy users password Ann\n"
        "Passwords are typed at the terminal, unseen, or come from a file; never as words of the command.");
    auto wanted = std::make_shared<NewUser>();
    const auto with_file = [&](CLI::App* command) {
        command->add_option("--password-file", wanted->password_file,
                            "its first line is the password; - reads standard input");
    };
    users->add_subcommand("list", "all users: rights, password, when they were last seen, ids")->callback([&chosen] {
        chosen = list_users;
    });
    auto* add = users->add_subcommand("add", "a new user");
    add->add_option("NAME", wanted->name, "what they are called; nobody else may be, in any case")->required();
    add->add_flag("--admin", wanted->admin, "may administer the server; closes the start wizard");
    with_file(add);
    add->callback([&chosen, wanted] { chosen = [wanted](Command& c) { return add_user(c, *wanted); }; });
    auto* password = users->add_subcommand("password", "sets a user's password, and logs them out everywhere");
    password->add_option("NAME", wanted->name, "or the id, as `users list` shows")->required();
    with_file(password);
    password->callback([&chosen, wanted] { chosen = [wanted](Command& c) { return set_password(c, *wanted); }; });
    auto* remove = users->add_subcommand("remove", "forget a user, and what they played and liked");
    remove->add_option("NAME", wanted->name, "or the id, as `users list` shows")->required();
    remove->callback([&chosen, wanted] { chosen = [wanted](Command& c) { return remove_user(c, wanted->name); }; });
}

}  // namespace understudy::app
