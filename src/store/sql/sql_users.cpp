#include "store/sql/sql_users.h"

#include <algorithm>
#include <utility>

#include "store/sql/blob_value.h"
#include "store/sql/item_rows.h"
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

std::int64_t flag(bool value) {
    return value ? 1 : 0;
}

std::optional<core::UtcTime> time_or_none(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return core::from_unix_ms(row.integer(column));
}

/// Holds all who may administer until the end of the transaction, always in the same order: two pods that each take
/// the rights of another administrator follow each other, and the second one sees what the first one did.
core::Result<void> keep_an_admin_beside(Session& session, core::UserId id) {
    std::vector<core::UserId> admins;
    auto read = session.query("SELECT id FROM users WHERE is_admin = 1 AND is_disabled = 0 ORDER BY id {for_update}",
                              {}, [&](const Row& row) { admins.push_back(id_from_bytes<core::UserId>(row.bytes(0))); });
    if (!read) return read;
    if (admins.size() != 1 || admins.front() != id) return {};
    return core::fail(core::Errc::conflict,
                      "this is the only user who may administer the server; make another one an administrator first");
}

core::Result<void> log_out(Session& session, core::UserId id, SessionId kept = {}) {
    if (kept.empty()) return uncounted(session.execute("DELETE FROM sessions WHERE user_id = ?", {id_value(id)}));
    return uncounted(
        session.execute("DELETE FROM sessions WHERE user_id = ? AND session_id <> ?", {id_value(id), id_value(kept)}));
}

}  // namespace

core::Result<void> SqlUsers::write(const std::function<core::Result<void>(Session&)>& work) {
    return database_.with(Access::write,
                          [&](Session& session) { return session.transaction([&] { return work(session); }); });
}

core::Result<void> SqlUsers::add(const User& user) {
    return database_.with(Access::write, [&](Session& session) {
        return named(session.execute("INSERT INTO users (id, name, name_key, created_at_ms, is_admin, is_disabled, "
                                     "password_hash, policy, configuration) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                     {id_value(user.id), repaired(user.name), folder_.fold(user.name),
                                      core::to_unix_ms(user.created_at), flag(user.admin), flag(user.disabled),
                                      user.password_hash, user.policy, user.configuration}),
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
            if (auto kept = keep_an_admin_beside(session, id); !kept) return kept;
            // The user first: whoever writes data of theirs holds this row, and finds none afterwards.
            auto gone = session.execute("DELETE FROM users WHERE id = ?", {id_value(id)});
            if (auto there = found(gone, id); !there) return there;
            if (auto out = log_out(session, id); !out) return out;
            auto data = session.execute("DELETE FROM user_data WHERE user_id = ?", {id_value(id)});
            if (!data) return uncounted(data);
            auto shown = session.execute("DELETE FROM display_preferences WHERE user_id = ?", {id_value(id)});
            if (!shown) return uncounted(shown);
            return uncounted(
                session.execute("UPDATE collections SET owner_id = NULL WHERE owner_id = ?", {id_value(id)}));
        });
    });
}

core::Result<void> SqlUsers::set_policy(core::UserId id, const UserPolicy& policy) {
    return write([&](Session& session) -> core::Result<void> {
        if (!policy.admin || policy.disabled) {
            if (auto kept = keep_an_admin_beside(session, id); !kept) return kept;
        }
        auto set = session.execute("UPDATE users SET is_admin = ?, is_disabled = ?, policy = ? WHERE id = ?",
                                   {flag(policy.admin), flag(policy.disabled), policy.json, id_value(id)});
        if (auto there = found(set, id); !there || !policy.disabled) return there;
        return log_out(session, id);
    });
}

core::Result<void> SqlUsers::set_configuration(core::UserId id, const std::string& json) {
    return database_.with(Access::write, [&](Session& session) {
        return found(session.execute("UPDATE users SET configuration = ? WHERE id = ?", {json, id_value(id)}), id);
    });
}

core::Result<void> SqlUsers::set_password(core::UserId id, const std::string& hash, SessionId kept) {
    return write([&](Session& session) -> core::Result<void> {
        auto set = session.execute("UPDATE users SET password_hash = ? WHERE id = ?", {hash, id_value(id)});
        if (auto there = found(set, id); !there) return there;
        return log_out(session, id, kept);
    });
}

core::Result<void> SqlUsers::set_image(core::UserId id, const BlobHash& image) {
    return database_.with(Access::write, [&](Session& session) {
        return found(session.execute("UPDATE users SET image = CAST(? AS {bytes}) WHERE id = ?",
                                     {blob_value(image), id_value(id)}),
                     id);
    });
}

core::Result<std::vector<User>> SqlUsers::read(const std::string& where, const std::vector<Value>& values) {
    std::vector<User> users;
    auto got = database_.with(Access::read, [&](Session& session) {
        users.clear();
        return session.query(
            "SELECT id, name, created_at_ms, is_admin, is_disabled, password_hash, policy, "
            "configuration, last_login_at_ms, last_activity_at_ms, image FROM users" +
                where + " ORDER BY name_key",
            values, [&](const Row& row) {
                User user;
                std::size_t column = 0;
                user.id = id_from_bytes<core::UserId>(row.bytes(column++));
                user.name = row.text(column++);
                user.created_at = core::from_unix_ms(row.integer(column++));
                user.admin = row.integer(column++) != 0;
                user.disabled = row.integer(column++) != 0;
                user.password_hash = row.text(column++);
                user.policy = row.text(column++);
                user.configuration = row.text(column++);
                user.last_login_at = time_or_none(row, column++);
                user.last_activity_at = time_or_none(row, column++);
                if (!row.is_null(column)) user.image = hash_from_bytes(row.bytes(column));
                users.push_back(std::move(user));
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
