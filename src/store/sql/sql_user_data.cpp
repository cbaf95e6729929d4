#include "store/sql/sql_user_data.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "store/sql/item_rows.h"
#include "store/sql/statement.h"
#include "store/sql/user_data_subjects.h"

namespace understudy::store::sql {
namespace {

// Rows of user data that one step of a clean-up removes at most. On SQLite every other writer waits for a step. On
// PostgreSQL only a scan ever touches these rows, and each step may read the whole table, so few large steps cost less;
// bench/tasks/cleanup.cpp has the ratio.
constexpr std::int64_t rows_a_step_sqlite = 50'000, rows_a_step_postgresql = 500'000;
// With very many users a step may become larger, so that items nobody of them touched do not cost a step each.
constexpr std::int64_t fewest_items_a_step = 100;

const std::string data_columns =
    "played, play_count, position_ms, favourite, rating, last_played_at_ms, audio_index, subtitle_index";

std::optional<int> optional_int(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return static_cast<int>(row.integer(column));
}

UserItemData read_data(const Row& row, std::size_t column) {
    UserItemData data;
    data.played = row.integer(column) != 0;
    data.play_count = static_cast<int>(row.integer(column + 1));
    data.position = core::Millis{row.integer(column + 2)};
    data.favourite = row.integer(column + 3) != 0;
    if (!row.is_null(column + 4)) data.rating = row.real(column + 4);
    if (!row.is_null(column + 5)) data.last_played_at = core::from_unix_ms(row.integer(column + 5));
    data.audio_index = optional_int(row, column + 6);
    data.subtitle_index = optional_int(row, column + 7);
    return data;
}

// The user's row, held: a user that is being removed gets no new data.
core::Result<bool> hold_user(Session& session, core::UserId user) {
    bool there = false;
    auto read = session.query("SELECT 1 FROM users WHERE id = ? {for_key_share}", {id_value(user)},
                              [&](const Row&) { there = true; });
    if (!read) return tl::unexpected(read.error());
    return there;
}

template <class T>
Value nullable(const std::optional<T>& value) {
    if (!value) return Null{};
    return Value{*value};
}

// `column = …` for all that is said.
Statement assignments(const UserItemChange& change) {
    Statement set;
    const auto assign = [&](const std::string& what, Value value) {
        set.add((set.text.empty() ? "" : ", ") + what, {std::move(value)});
    };
    const auto flag = [](bool value) { return std::int64_t{value ? 1 : 0}; };
    if (change.played) assign("played = ?", flag(*change.played));
    if (change.favourite) assign("favourite = ?", flag(*change.favourite));
    if (change.play_count) {
        assign("play_count = ?", std::int64_t{std::max(*change.play_count + change.more_plays, change.at_least_plays)});
    } else if (change.more_plays != 0 || change.at_least_plays != 0) {
        set.add(std::string(set.text.empty() ? "" : ", ") +
                    "play_count = CASE WHEN play_count < ? THEN ? ELSE play_count + ? END",
                {std::int64_t{change.at_least_plays - change.more_plays}, std::int64_t{change.at_least_plays},
                 std::int64_t{change.more_plays}});
    }
    if (change.position) assign("position_ms = ?", std::int64_t{change.position->count()});
    if (change.rating) assign("rating = CAST(? AS DOUBLE PRECISION)", nullable(*change.rating));
    if (change.last_played_at) {
        const auto& at = *change.last_played_at;
        assign("last_played_at_ms = CAST(? AS BIGINT)", at ? Value{core::to_unix_ms(*at)} : Value{Null{}});
    } else if (change.first_played_at) {
        assign("last_played_at_ms = COALESCE(last_played_at_ms, ?)", core::to_unix_ms(*change.first_played_at));
    }
    const auto index = [&](const std::string& column, const std::optional<std::optional<int>>& chosen) {
        if (!chosen) return;
        assign(column + " = CAST(? AS INTEGER)", *chosen ? Value{std::int64_t{**chosen}} : Value{Null{}});
    };
    index("audio_index", change.audio_index);
    index("subtitle_index", change.subtitle_index);
    return set;
}

core::Result<std::int64_t> change_items(Session& session, core::UserId user, const std::vector<core::ItemId>& items,
                                        const UserItemChange& change) {
    const auto user_there = hold_user(session, user);
    if (!user_there) return tl::unexpected(user_there.error());
    if (!*user_there) return 0;
    const auto there = hold_subjects(session, items);
    if (!there) return tl::unexpected(there.error());
    if (there->empty()) return 0;
    auto fresh = bulk_ids(session.dialect(), *there);
    Statement insert;
    insert.add(
        "INSERT INTO user_data (user_id, item_id, played, play_count, position_ms, favourite) SELECT CAST(? AS "
        "{bytes}), "
        "id, 0, 0, 0, 0 FROM ",
        {id_value(user)});
    insert.add_from("", fresh).add(" WHERE true ON CONFLICT (user_id, item_id) DO NOTHING");
    if (auto added = insert.execute(session); !added) return added;
    auto update = assignments(change);
    if (!update.text.empty()) {
        update.text = "UPDATE user_data SET " + update.text;
        auto ids = bulk_ids(session.dialect(), *there);
        update.add(" WHERE user_id = ?", {id_value(user)}).add_in(" AND ", "item_id", ids);
        if (auto updated = update.execute(session); !updated) return updated;
    }
    return static_cast<std::int64_t>(there->size());
}

core::Result<std::int64_t> put_rows(Session& session, const std::vector<UserItemRow>& rows) {
    std::vector<core::ItemId> items;
    std::set<core::UserId> users;
    std::map<std::pair<core::UserId, core::ItemId>, const UserItemData*> last;
    for (const auto& row : rows) {
        items.push_back(row.item);
        users.insert(row.user);
        last[{row.user, row.item}] = &row.data;
    }
    for (auto at = users.begin(); at != users.end();) {
        const auto there = hold_user(session, *at);
        if (!there) return tl::unexpected(there.error());
        at = *there ? std::next(at) : users.erase(at);
    }
    const auto there = hold_subjects(session, items);
    if (!there) return tl::unexpected(there.error());
    BulkRows bulk(session.dialect(), {{"user_id", ColumnType::bytes},
                                      {"item_id", ColumnType::bytes},
                                      {"played", ColumnType::integer},
                                      {"play_count", ColumnType::integer},
                                      {"position_ms", ColumnType::integer},
                                      {"favourite", ColumnType::integer},
                                      {"rating", ColumnType::real},
                                      {"last_played_at_ms", ColumnType::integer},
                                      {"audio_index", ColumnType::integer},
                                      {"subtitle_index", ColumnType::integer}});
    for (const auto& [key, data] : last) {
        if (!users.contains(key.first) || !there->contains(key.second)) continue;
        bulk.id(key.first).id(key.second).flag(data->played).integer(std::int64_t{data->play_count});
        bulk.integer(std::int64_t{data->position.count()}).flag(data->favourite);
        data->rating ? bulk.real(*data->rating) : bulk.null();
        data->last_played_at ? bulk.integer(core::to_unix_ms(*data->last_played_at)) : bulk.null();
        bulk.integer(data->audio_index).integer(data->subtitle_index);
    }
    if (bulk.empty()) return 0;
    Statement insert;
    insert.add_from("INSERT INTO user_data (user_id, item_id, " + data_columns + ") SELECT user_id, item_id, " +
                        data_columns + " FROM ",
                    bulk);
    insert.add(
        " WHERE true ON CONFLICT (user_id, item_id) DO UPDATE SET played = excluded.played, play_count = "
        "excluded.play_count, position_ms = excluded.position_ms, favourite = excluded.favourite, rating = "
        "excluded.rating, last_played_at_ms = excluded.last_played_at_ms, audio_index = excluded.audio_index, "
        "subtitle_index = excluded.subtitle_index");
    return insert.execute(session);
}

// The last item of a step of a clean-up, in the order of (vanished_at_ms, item_id). As a cursor only its time counts:
// what is before it is gone, and is not passed by again.
struct VanishedPlace {
    std::int64_t vanished_at_ms = 0;
    core::ItemId item;

    static std::optional<VanishedPlace> parse(const std::string& cursor) {
        const auto end = cursor.find(':');
        if (end == std::string::npos) return std::nullopt;
        VanishedPlace place;
        const auto [at, error] = std::from_chars(cursor.data(), cursor.data() + end, place.vanished_at_ms);
        const auto item = core::ItemId::parse(cursor.substr(end + 1));
        if (error != std::errc{} || at != cursor.data() + end || !item) return std::nullopt;
        place.item = *item;
        return place;
    }
    [[nodiscard]] std::string str() const { return std::to_string(vanished_at_ms) + ":" + item.str(); }
};

// An item has at most a row a user. To count its rows first would cost as much as to remove them.
core::Result<std::int64_t> items_a_step(Session& session) {
    std::int64_t users = 0;
    auto read = session.query("SELECT count(*) FROM users", {}, [&](const Row& row) { users = row.integer(0); });
    if (!read) return tl::unexpected(read.error());
    const auto rows = session.dialect() == Dialect::sqlite ? rows_a_step_sqlite : rows_a_step_postgresql;
    return std::max(rows / std::max<std::int64_t>(users, 1), fewest_items_a_step);
}

// The longest vanished first. The items stay in the database: PostgreSQL then joins as it would for a single statement.
core::Result<CleanStep> remove_step(Session& session, core::UtcTime before, const std::string& cursor) {
    const auto limit = items_a_step(session);
    if (!limit) return tl::unexpected(limit.error());
    Statement range;
    range.add("vanished_at_ms < ?", {core::to_unix_ms(before)});
    if (const auto place = VanishedPlace::parse(cursor)) range.add(" AND vanished_at_ms >= ?", {place->vanished_at_ms});
    CleanStep step;
    std::optional<VanishedPlace> last;
    auto found = Statement{}
                     .add("SELECT vanished_at_ms, item_id FROM vanished_items WHERE ")
                     .add(range.text, range.values)
                     .add(" ORDER BY vanished_at_ms, item_id LIMIT 1 OFFSET ?", {*limit - 1})
                     .query(session, [&](const Row& row) {
                         last = {row.integer(0), id_from_bytes<core::ItemId>(row.bytes(1))};
                     });
    if (!found) return tl::unexpected(found.error());
    if (last) {
        step.cursor = last->str();
        range.add(" AND (vanished_at_ms, item_id) <= (?, ?)", {last->vanished_at_ms, id_value(last->item)});
    }
    for (const char* table : {"user_data", "vanished_identities"}) {
        // PostgreSQL knows nothing of pairs, and would take the step for all that vanished at one time or for nothing;
        // the limit, which cuts nothing off, is what it goes by.
        auto gone = Statement{}
                        .add("DELETE FROM " + std::string(table) +
                             " WHERE item_id IN (SELECT item_id FROM vanished_items WHERE ")
                        .add(range.text, range.values)
                        .add(" LIMIT ?)", {*limit})
                        .execute(session);
        if (!gone) return tl::unexpected(gone.error());
        if (table == std::string_view("user_data")) step.removed = *gone;
    }
    auto items = Statement{}.add("DELETE FROM vanished_items WHERE ").add(range.text, range.values).execute(session);
    if (!items) return tl::unexpected(items.error());
    step.looked_at = *items;
    return step;
}

}  // namespace

core::Result<std::map<core::ItemId, UserItemData>> SqlUserData::get(core::UserId user,
                                                                    const std::vector<core::ItemId>& items) {
    std::map<core::ItemId, UserItemData> found;
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto ids = bulk_ids(session.dialect(), items);
        Statement select;
        select.add("SELECT item_id, " + data_columns + " FROM user_data WHERE user_id = ?", {id_value(user)});
        return select.add_in(" AND ", "item_id", ids).query(session, [&](const Row& row) {
            found[id_from_bytes<core::ItemId>(row.bytes(0))] = read_data(row, 1);
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<std::int64_t> SqlUserData::change(core::UserId user, const std::vector<core::ItemId>& items,
                                               const UserItemChange& change) {
    std::int64_t count = 0;
    auto written = database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            auto changed = change_items(session, user, items, change);
            if (!changed) return tl::unexpected(changed.error());
            count = *changed;
            return {};
        });
    });
    if (!written) return tl::unexpected(written.error());
    return count;
}

core::Result<std::int64_t> SqlUserData::put(const std::vector<UserItemRow>& rows) {
    std::int64_t count = 0;
    auto written = database_.with(Access::write, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.transaction([&]() -> core::Result<void> {
            auto put = put_rows(session, rows);
            if (!put) return tl::unexpected(put.error());
            count = *put;
            return {};
        });
    });
    if (!written) return tl::unexpected(written.error());
    return count;
}

core::Result<std::vector<core::ItemId>> SqlUserData::find(core::UserId user, const UserItemFilter& filter,
                                                          std::size_t limit) {
    std::vector<core::ItemId> items;
    auto read = database_.with(Access::read, [&](Session& session) {
        items.clear();
        Statement select;
        select.add(
            "SELECT u.item_id FROM user_data u JOIN items i ON i.id = u.item_id WHERE u.user_id = ? AND i.library_id "
            "NOT "
            "IN (SELECT id FROM libraries WHERE removing = 1)",
            {id_value(user)});
        const auto flag = [](bool value) { return std::int64_t{value ? 1 : 0}; };
        if (filter.played) select.add(" AND u.played = ?", {flag(*filter.played)});
        if (filter.favourite) select.add(" AND u.favourite = ?", {flag(*filter.favourite)});
        if (filter.in_progress) select.add(" AND u.position_ms > 0");
        select.add(" ORDER BY COALESCE(u.last_played_at_ms, 0) DESC, u.item_id LIMIT ?",
                   {static_cast<std::int64_t>(limit)});
        return select.query(session,
                            [&](const Row& row) { items.push_back(id_from_bytes<core::ItemId>(row.bytes(0))); });
    });
    if (!read) return tl::unexpected(read.error());
    return items;
}

core::Result<std::int64_t> SqlUserData::detached(core::UtcTime before) {
    std::int64_t items = 0;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.query("SELECT count(*) FROM vanished_items WHERE vanished_at_ms < ?", {core::to_unix_ms(before)},
                             [&](const Row& row) { items = row.integer(0); });
    });
    if (!read) return tl::unexpected(read.error());
    return items;
}

core::Result<CleanStep> SqlUserData::remove_detached(core::UtcTime before, const std::string& cursor,
                                                     const core::Fence& fence) {
    CleanStep step;
    auto written = write_under(
        database_, fence,
        [&](Session& session) -> core::Result<void> {
            auto one = remove_step(session, before, cursor);
            if (!one) return tl::unexpected(one.error());
            step = std::move(*one);
            return {};
        },
        Lookups::as_planned);
    if (!written) return tl::unexpected(written.error());
    return step;
}

}  // namespace understudy::store::sql
