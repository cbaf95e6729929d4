#include "store/sql/sql_configurations.h"

#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

core::Result<std::optional<std::string>> find_text(Database& database, const char* sql,
                                                   const std::vector<Value>& values) {
    std::optional<std::string> text;
    const auto done = database.with(Access::read, [&](Session& session) {
        text.reset();
        return session.query(sql, values, [&](const Row& row) { text = row.text(0); });
    });
    if (!done) return tl::unexpected(done.error());
    return text;
}

}  // namespace

core::Result<std::optional<std::string>> SqlConfigurations::find(const std::string& name) {
    return find_text(database_, "SELECT value FROM configurations WHERE name = ?", {repaired(name)});
}

core::Result<void> SqlConfigurations::put(const std::string& name, const std::string& json) {
    if (json.size() > longest_configuration) {
        return core::fail(core::Errc::invalid, "section " + name + ": " + std::to_string(json.size()) +
                                                   " bytes are too many; at most " +
                                                   std::to_string(longest_configuration) + " are kept");
    }
    return database_.with(Access::write, [&](Session& session) {
        return uncounted(
            session.execute("INSERT INTO configurations (name, value, changed_at_ms) VALUES (?, ?, {now_ms}) ON "
                            "CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at_ms = "
                            "excluded.changed_at_ms",
                            {repaired(name), repaired(json)}));
    });
}

core::Result<std::optional<std::string>> SqlDisplayPreferences::find(const DisplayKey& key) {
    return find_text(database_, "SELECT value FROM display_preferences WHERE user_id = ? AND client = ? AND name = ?",
                     {id_value(key.user), repaired(key.client), repaired(key.name)});
}

core::Result<void> SqlDisplayPreferences::put(const DisplayKey& key, const std::string& json) {
    if (json.size() > longest_display_preferences) {
        return core::fail(core::Errc::invalid, "display preferences: " + std::to_string(json.size()) +
                                                   " bytes are too many; at most " +
                                                   std::to_string(longest_display_preferences) + " are kept");
    }
    return database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            // Holds the user: who removes them comes before, and is seen, or after, and takes this row along.
            bool there = false;
            auto user = session.query("SELECT id FROM users WHERE id = ? {for_key_share}", {id_value(key.user)},
                                      [&](const Row&) { there = true; });
            if (!user) return user;
            if (!there) return core::fail(core::Errc::not_found, "there is no user " + key.user.str());
            auto put = session.execute(
                "INSERT INTO display_preferences (user_id, client, name, value, changed_at_ms) VALUES (?, ?, ?, ?, "
                "{now_ms}) ON CONFLICT (user_id, client, name) DO UPDATE SET value = excluded.value, changed_at_ms = "
                "excluded.changed_at_ms",
                {id_value(key.user), repaired(key.client), repaired(key.name), repaired(json)});
            if (!put) return uncounted(put);
            std::int64_t count = 0;
            auto counted = session.query("SELECT COUNT(*) FROM display_preferences WHERE user_id = ?",
                                         {id_value(key.user)}, [&](const Row& row) { count = row.integer(0); });
            const auto most = static_cast<std::int64_t>(most_display_preferences);
            if (!counted || count <= most) return counted;
            std::vector<std::pair<std::string, std::string>> oldest;
            auto read = session.query(
                "SELECT client, name FROM display_preferences WHERE user_id = ? AND NOT (client = ? AND name = ?) "
                "ORDER BY changed_at_ms, client, name LIMIT ?",
                {id_value(key.user), repaired(key.client), repaired(key.name), count - most},
                [&](const Row& row) { oldest.emplace_back(row.text(0), row.text(1)); });
            if (!read) return read;
            for (const auto& [client, name] : oldest) {
                auto gone =
                    session.execute("DELETE FROM display_preferences WHERE user_id = ? AND client = ? AND name = ?",
                                    {id_value(key.user), client, name});
                if (!gone) return uncounted(gone);
            }
            return {};
        });
    });
}

}  // namespace understudy::store::sql
