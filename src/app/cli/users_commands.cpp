// understudy users …: list, add, remove.
#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <ostream>

#include "app/cli/command.h"
#include "core/text.h"

namespace understudy::app {
namespace {

namespace json = boost::json;

int list_users(Command& command) {
    const auto users = command.get("/Users");
    if (command.options().json) {
        command.print_json(users);
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    if (const auto* list = users.if_array()) {
        for (const auto& user : *list) rows.push_back({text_of(user, "Name"), text_of(user, "Id")});
    }
    if (rows.empty())
        command.out() << "no users yet; `understudy users add NAME` makes one\n";
    else
        command.print_table({"NAME", "ID"}, rows);
    return 0;
}

int add_user(Command& command, const std::string& name) {
    const auto user = command.call("POST", "/Users/New", json::serialize(json::object{{"Name", name}})).json();
    if (command.options().json)
        command.print_json(user);
    else
        command.out() << "user " << printable(text_of(user, "Name")) << " added as " << text_of(user, "Id") << '\n';
    return 0;
}

int remove_user(Command& command, const std::string& name_or_id) {
    const auto users = command.get("/Users");
    std::vector<std::string> all;
    if (const auto* list = users.if_array()) {
        for (const auto& user : *list) {
            const auto name = text_of(user, "Name"), id = text_of(user, "Id");
            all.push_back(printable(name));
            if (name != name_or_id && id != core::to_lower_ascii(name_or_id) &&
                !core::equals_ignoring_case(name, name_or_id))
                continue;
            command.call("DELETE", "/Users/" + id);
            if (command.options().json)
                command.print_json(json::object{{"name", name}, {"id", id}, {"removed", true}});
            else
                command.out() << "user " << printable(name)
                              << " removed, with all they played and liked; their playlists are nobody's own now\n";
            return 0;
        }
    }
    throw CommandFailure{Exit::not_found,
                         "there is no user " + printable(name_or_id) +
                             (all.empty() ? "; there is none at all" : core::choices(name_or_id, all))};
}

}  // namespace

void add_users_commands(CLI::App& root, Action& chosen) {
    auto* users = root.add_subcommand("users", "who watches and listens: marks, favourites and positions are theirs");
    users->require_subcommand(1);
    users->footer(
        "Examples:\n  understudy users add Ann\n  understudy users remove Ann\n"
        "Users cannot log in yet, so they have no password: the admin key acts for them.");
    auto name = std::make_shared<std::string>();
    users->add_subcommand("list", "all users, with their ids")->callback([&chosen] { chosen = list_users; });
    auto* add = users->add_subcommand("add", "a new user");
    add->add_option("NAME", *name, "what they are called; nobody else may be, in any case")->required();
    add->callback([&chosen, name] { chosen = [name](Command& c) { return add_user(c, *name); }; });
    auto* remove = users->add_subcommand("remove", "forget a user, and what they played and liked");
    remove->add_option("NAME", *name, "or the id, as `users list` shows")->required();
    remove->callback([&chosen, name] { chosen = [name](Command& c) { return remove_user(c, *name); }; });
}

}  // namespace understudy::app
