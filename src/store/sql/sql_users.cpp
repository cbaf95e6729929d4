// store/sql/sql_users.cpp: SqlUsers.
#include <utility>

#include "store/sql/item_rows.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

core::Result<void> named(const core::Result<std::int64_t>& written, const std::string& name) {
    if (!written && written.error().code == core::Errc::conflict) {
        return core::fail(core::Errc::conflict,
                          "user name " + name + " is in use already (case does not count); choose another");
    }
    return uncounted(written);
}

core::Result<void> found(const core::Result<std::int64_t>& touched, core::UserId id) {
    if (touched && *touched == 0) return core::fail(core::Errc::not_found, "there is no user " + id.str());
    return uncounted(touched);
}

}  // namespace

core::Result<void> SqlUsers::add(const User& user) {
    return database_.with(Access::write, [&](Session& session) {
        return named(session.execute("INSERT INTO users (id, name, name_key, created_at_ms) VALUES (?, ?, ?, ?)",
                                     {id_value(user.id), repaired(user.name), folder_.fold(user.name),
                                      core::to_unix_ms(user.created_at)}),
                     user.name);
    });
}

core::Result<void> SqlUsers::rename(core::UserId id, const std::string& name) {
    return database_.with(Access::write, [&](Session& session) -> core::Result<void> {
        auto renamed = session.execute("UPDATE users SET name = ?, name_key = ? WHERE id = ?",
                                       {repaired(name), folder_.fold(name), id_value(id)});
        if (!renamed) return named(renamed, name);
        return found(renamed, id);
    });
}

core::Result<void> SqlUsers::remove(core::UserId id) {
    return database_.with(Access::write, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.transaction([&]() -> core::Result<void> {
            // The user first: whoever writes data of theirs holds this row, and finds none afterwards.
            auto gone = session.execute("DELETE FROM users WHERE id = ?", {id_value(id)});
            if (auto there = found(gone, id); !there) return there;
            auto data = session.execute("DELETE FROM user_data WHERE user_id = ?", {id_value(id)});
            if (!data) return uncounted(data);
            return uncounted(
                session.execute("UPDATE collections SET owner_id = NULL WHERE owner_id = ?", {id_value(id)}));
        });
    });
}

core::Result<std::vector<User>> SqlUsers::read(const std::string& where, const std::vector<Value>& values) {
    std::vector<User> users;
    auto got = database_.with(Access::read, [&](Session& session) {
        users.clear();
        return session.query(
            "SELECT id, name, created_at_ms FROM users" + where + " ORDER BY name_key", values, [&](const Row& row) {
                users.push_back(
                    {id_from_bytes<core::UserId>(row.bytes(0)), row.text(1), core::from_unix_ms(row.integer(2))});
            });
    });
    if (!got) return tl::unexpected(got.error());
    return users;
}

core::Result<std::vector<User>> SqlUsers::all() {
    return read("", {});
}

core::Result<std::optional<User>> SqlUsers::find(core::UserId id) {
    auto users = read(" WHERE id = ?", {id_value(id)});
    if (!users) return tl::unexpected(users.error());
    return users->empty() ? std::optional<User>{} : std::optional<User>(std::move(users->front()));
}

core::Result<std::optional<User>> SqlUsers::find_by_name(const std::string& name) {
    auto users = read(" WHERE name_key = ?", {folder_.fold(name)});
    if (!users) return tl::unexpected(users.error());
    return users->empty() ? std::optional<User>{} : std::optional<User>(std::move(users->front()));
}

}  // namespace understudy::store::sql
