#include "store/sql/table_walk.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace understudy::store::sql {
namespace {

// A cursor is the number of the table and the key of the last row that was looked at, in hex, with ':' between.
struct Place {
    std::size_t table = 0;
    std::vector<Value> key;  // empty: from the start of the table
};

std::string to_hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += digits[static_cast<unsigned char>(c) >> 4U];
        text += digits[static_cast<unsigned char>(c) & 15U];
    }
    return text;
}

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<std::string> from_hex(std::string_view text) {
    std::string bytes;
    if (text.size() % 2 != 0) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

std::optional<std::int64_t> to_integer(std::string_view text) {
    std::int64_t number = 0;
    const auto end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || at != end) return std::nullopt;
    return number;
}

std::string part_of(const Row& row, std::size_t column, ColumnType type) {
    if (type == ColumnType::integer) return std::to_string(row.integer(column));
    return type == ColumnType::bytes ? row.bytes(column) : row.text(column);
}

std::optional<Value> value_of(const std::string& part, ColumnType type) {
    if (type == ColumnType::bytes) return Bytes{part};
    if (type == ColumnType::text) return part;
    const auto number = to_integer(part);
    return number ? std::optional<Value>(*number) : std::nullopt;
}

std::optional<Place> parse(const std::vector<WalkedTable>& tables, const std::string& cursor) {
    Place place;
    if (cursor.empty()) return place;
    std::vector<std::string> parts;
    std::string_view rest = cursor;
    for (bool more = true; more;) {
        const auto end = rest.find(':');
        auto part = from_hex(rest.substr(0, end));
        if (!part) return std::nullopt;
        parts.push_back(std::move(*part));
        more = end != std::string_view::npos;
        if (more) rest.remove_prefix(end + 1);
    }
    const auto table = to_integer(parts[0]);
    if (!table || *table < 0 || static_cast<std::size_t>(*table) >= tables.size()) return std::nullopt;
    place.table = static_cast<std::size_t>(*table);
    const auto& key = tables[place.table].key;
    if (parts.size() != 1 && parts.size() != key.size() + 1) return std::nullopt;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        auto value = value_of(parts[i], key[i - 1].type);
        if (!value) return std::nullopt;
        place.key.push_back(std::move(*value));
    }
    return place;
}

core::Result<CleanStep> step_from(Session& session, const std::vector<WalkedTable>& tables, const Place& place) {
    const auto& table = tables[place.table];
    std::string columns, marks;
    for (const auto& column : table.key) {
        if (!columns.empty()) columns += ", ";
        columns += column.name;
        marks += marks.empty() ? "?" : ", ?";
    }
    const std::string after = "(" + columns + ") > (" + marks + ")";
    Statement find_last;
    find_last.add("SELECT " + columns + " FROM " + table.table);
    if (!place.key.empty()) find_last.add(" WHERE " + after, place.key);
    find_last.add(" ORDER BY " + columns + " LIMIT 1 OFFSET ?", {table.rows_a_step - 1});
    CleanStep step;
    std::vector<Value> last;
    auto found = find_last.query(session, [&](const Row& row) {
        step.cursor = to_hex(std::to_string(place.table));
        for (std::size_t i = 0; i < table.key.size(); ++i) {
            const auto part = part_of(row, i, table.key[i].type);
            step.cursor += ":" + to_hex(part);
            last.push_back(value_of(part, table.key[i].type).value_or(Value{Null{}}));
        }
    });
    if (!found) return tl::unexpected(found.error());
    if (!last.empty()) {
        step.looked_at = table.rows_a_step;
    } else if (place.table + 1 < tables.size()) {
        step.cursor = to_hex(std::to_string(place.table + 1));
    }
    Statement gone;
    gone.add("FROM " + table.table + " AS t WHERE " + table.gone);
    if (!place.key.empty()) gone.add(" AND " + after, place.key);
    if (!last.empty()) gone.add(" AND (" + columns + ") <= (" + marks + ")", last);
    if (table.lock_first && session.dialect() == Dialect::postgresql) {
        auto locked = session.query("SELECT 1 " + gone.text + " FOR UPDATE OF t", gone.values, [](const Row&) {});
        if (!locked) return tl::unexpected(locked.error());
    }
    if (table.before) {
        if (auto done = table.before(session, gone); !done) return tl::unexpected(done.error());
    }
    auto removed = session.execute("DELETE " + gone.text, gone.values);
    if (!removed) return tl::unexpected(removed.error());
    step.removed = *removed;
    return step;
}

}  // namespace

core::Result<CleanStep> walk_step(Database& database, const std::vector<WalkedTable>& tables, const std::string& cursor,
                                  const core::Fence& fence) {
    const auto place = parse(tables, cursor);
    if (!place) return core::fail(core::Errc::invalid, "no cursor of this clean-up: " + cursor);
    CleanStep step;
    auto written = write_under(database, fence, [&](Session& session) -> core::Result<void> {
        auto one = step_from(session, tables, *place);
        if (!one) return tl::unexpected(one.error());
        step = std::move(*one);
        return {};
    });
    if (!written) return tl::unexpected(written.error());
    return step;
}

}  // namespace understudy::store::sql
