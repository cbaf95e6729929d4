#include "store/sql/sql_sessions.h"

#include <utility>

#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

constexpr std::string_view session_columns =
    "s.session_id, s.user_id, u.name, u.is_admin, u.policy, s.client, s.version, s.device, s.device_id, s.address, "
    "COALESCE(n.name, ''), s.capabilities, s.created_at_ms, s.last_activity_at_ms, {now_ms} - s.last_activity_at_ms "
    "FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN device_names n ON n.device_id = s.device_id";
constexpr std::size_t idle_column = 14;

UserSession read_session(const Row& row) {
    UserSession session;
    std::size_t column = 0;
    session.id = id_from_bytes<SessionId>(row.bytes(column++));
    session.user = id_from_bytes<core::UserId>(row.bytes(column++));
    session.user_name = row.text(column++);
    session.admin = row.integer(column++) != 0;
    session.policy = row.text(column++);
    session.client.name = row.text(column++);
    session.client.version = row.text(column++);
    session.client.device = row.text(column++);
    session.client.device_id = row.text(column++);
    session.client.address = row.text(column++);
    session.device_name = row.text(column++);
    session.capabilities = row.text(column++);
    session.created_at = core::from_unix_ms(row.integer(column++));
    session.last_activity_at = core::from_unix_ms(row.integer(column));
    return session;
}

constexpr std::string_view key_columns =
    "sequence, api_key, app, created_at_ms, last_activity_at_ms, {now_ms} - last_activity_at_ms FROM api_keys";

ApiKey read_key(const Row& row) {
    return {row.integer(0), row.text(1), row.text(2), core::from_unix_ms(row.integer(3)),
            core::from_unix_ms(row.integer(4))};
}

}  // namespace

core::Result<std::int64_t> SqlSessions::execute(const std::string& sql, const std::vector<Value>& values) {
    core::Result<std::int64_t> touched = 0;
    auto done = database_.with(Access::write, [&](Session& session) {
        touched = session.execute(sql, values);
        return uncounted(touched);
    });
    if (!done) return tl::unexpected(done.error());
    return touched;
}

core::Result<SessionId> SqlSessions::log_in(const LogIn& login) {
    SessionId id;
    auto done = database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            // Holds the user: who disables or removes them, or changes the password, comes before or after.
            auto noted = session.execute(
                "UPDATE users SET last_login_at_ms = {now_ms}, last_activity_at_ms = {now_ms} WHERE id = ? AND "
                "is_disabled = 0 AND password_hash = ?",
                {id_value(login.user), login.password_hash});
            if (!noted) return uncounted(noted);
            if (*noted == 0) return core::fail(core::Errc::not_found, "there is no such user any more");
            const auto& client = login.client;
            auto put = session.execute(
                "INSERT INTO sessions (token_hash, session_id, user_id, device_id, client, version, device, address, "
                "capabilities, created_at_ms, last_activity_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '{}', {now_ms}, "
                "{now_ms}) ON CONFLICT (device_id, user_id) DO UPDATE SET token_hash = excluded.token_hash, client = "
                "excluded.client, version = excluded.version, device = excluded.device, address = excluded.address, "
                "created_at_ms = excluded.created_at_ms, last_activity_at_ms = excluded.last_activity_at_ms",
                {Bytes{login.token_hash}, id_value(login.id), id_value(login.user), repaired(client.device_id),
                 repaired(client.name), repaired(client.version), repaired(client.device), repaired(client.address)});
            if (!put) return uncounted(put);
            return session.query("SELECT session_id FROM sessions WHERE token_hash = ?", {Bytes{login.token_hash}},
                                 [&](const Row& row) { id = id_from_bytes<SessionId>(row.bytes(0)); });
        });
    });
    if (!done) return tl::unexpected(done.error());
    return id;
}

core::Result<std::optional<TokenOwner>> SqlSessions::find(const std::string& token_hash) {
    std::optional<TokenOwner> owner;
    auto done = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        owner.reset();
        auto read = session.query(
            "SELECT " + std::string(session_columns) + " WHERE s.token_hash = ? AND u.is_disabled = 0",
            {Bytes{token_hash}}, [&](const Row& row) {
                owner = TokenOwner{read_session(row), std::nullopt, core::Millis{row.integer(idle_column)}};
            });
        if (!read || owner) return read;
        return session.query("SELECT " + std::string(key_columns) + " WHERE key_hash = ?", {Bytes{token_hash}},
                             [&](const Row& row) {
                                 owner = TokenOwner{std::nullopt, read_key(row), core::Millis{row.integer(5)}};
                             });
    });
    if (!done) return tl::unexpected(done.error());
    return owner;
}

core::Result<void> SqlSessions::touch(SessionId id, const Client& client) {
    return database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            // The user first, as in log_in.
            auto user = session.execute(
                "UPDATE users SET last_activity_at_ms = {now_ms} WHERE id = (SELECT user_id FROM sessions WHERE "
                "session_id = ?)",
                {id_value(id)});
            if (!user) return uncounted(user);
            return uncounted(session.execute(
                "UPDATE sessions SET last_activity_at_ms = {now_ms}, client = ?, version = ?, device = ?, address = ? "
                "WHERE session_id = ?",
                {repaired(client.name), repaired(client.version), repaired(client.device), repaired(client.address),
                 id_value(id)}));
        });
    });
}

core::Result<void> SqlSessions::touch_key(std::int64_t number) {
    return uncounted(execute("UPDATE api_keys SET last_activity_at_ms = {now_ms} WHERE sequence = ?", {number}));
}

core::Result<bool> SqlSessions::set_capabilities(SessionId id, const std::string& json) {
    const auto changed = execute("UPDATE sessions SET capabilities = ? WHERE session_id = ? AND capabilities <> ?",
                                 {json, id_value(id), json});
    if (!changed) return tl::unexpected(changed.error());
    return *changed > 0;
}

core::Result<void> SqlSessions::remove(SessionId id) {
    return uncounted(execute("DELETE FROM sessions WHERE session_id = ?", {id_value(id)}));
}

core::Result<std::vector<UserSession>> SqlSessions::all(const SessionFilter& filter) {
    Statement select;
    select.add("SELECT " + std::string(session_columns) + " WHERE u.is_disabled = 0");
    if (filter.user) select.add(" AND s.user_id = ?", {id_value(*filter.user)});
    if (filter.device_id) select.add(" AND s.device_id = ?", {repaired(*filter.device_id)});
    if (filter.active_within)
        select.add(" AND s.last_activity_at_ms >= {now_ms} - ?", {std::int64_t{filter.active_within->count()}});
    select.add(" ORDER BY s.last_activity_at_ms DESC, s.session_id");
    std::vector<UserSession> sessions;
    auto done = database_.with(Access::read, [&](Session& session) {
        sessions.clear();
        return select.query(session, [&](const Row& row) { sessions.push_back(read_session(row)); });
    });
    if (!done) return tl::unexpected(done.error());
    return sessions;
}

core::Result<std::int64_t> SqlSessions::remove_device(const std::string& device_id) {
    return execute("DELETE FROM sessions WHERE device_id = ?", {repaired(device_id)});
}

core::Result<void> SqlSessions::name_device(const std::string& device_id, const std::string& name) {
    if (name.empty()) return uncounted(execute("DELETE FROM device_names WHERE device_id = ?", {repaired(device_id)}));
    return uncounted(
        execute("INSERT INTO device_names (device_id, name) VALUES (?, ?) ON CONFLICT (device_id) DO UPDATE SET name = "
                "excluded.name",
                {repaired(device_id), repaired(name)}));
}

core::Result<void> SqlSessions::add_key(const std::string& key, const std::string& key_hash, const std::string& app) {
    return uncounted(
        execute("INSERT INTO api_keys (key_hash, api_key, app, created_at_ms, last_activity_at_ms) VALUES (?, ?, ?, "
                "{now_ms}, {now_ms})",
                {Bytes{key_hash}, key, repaired(app)}));
}

core::Result<std::vector<ApiKey>> SqlSessions::keys() {
    std::vector<ApiKey> keys;
    auto done = database_.with(Access::read, [&](Session& session) {
        keys.clear();
        return session.query("SELECT " + std::string(key_columns) + " ORDER BY sequence", {},
                             [&](const Row& row) { keys.push_back(read_key(row)); });
    });
    if (!done) return tl::unexpected(done.error());
    return keys;
}

core::Result<bool> SqlSessions::remove_key(const std::string& key_hash) {
    const auto removed = execute("DELETE FROM api_keys WHERE key_hash = ?", {Bytes{key_hash}});
    if (!removed) return tl::unexpected(removed.error());
    return *removed > 0;
}

}  // namespace understudy::store::sql
