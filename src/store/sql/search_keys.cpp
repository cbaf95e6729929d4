#include "store/sql/search_keys.h"

#include <utility>
#include <vector>

#include "core/search_fold.h"

namespace understudy::store::sql {
namespace {

constexpr std::int64_t rows_a_step = 5'000;

struct KeyedTable {
    std::string table;
    std::vector<std::pair<std::string, std::string>> columns;  // read from, folded into
};

// Only what is not all ASCII can change.
std::string has_letters_to_fold(Dialect dialect, const std::string& column) {
    return dialect == Dialect::sqlite ? column + " GLOB '*[^ -~]*'" : column + " ~ '[^ -~]'";
}

core::Result<void> write_keys(Session& session, const KeyedTable& table, BulkRows& rows) {
    if (rows.empty()) return {};
    std::string set;
    for (const auto& [from, into] : table.columns) {
        set += (set.empty() ? "" : ", ") + into;
        set += " = r." + from;
    }
    return uncounted(Statement{}
                         .add_from("UPDATE " + table.table + " SET " + set + " FROM ", rows)
                         .add(" WHERE " + table.table + ".id = r.id")
                         .execute(session));
}

core::Result<void> fold_table(Session& session, const KeyedTable& table) {
    std::string columns, any;
    std::vector<BulkColumn> written{{"id", ColumnType::bytes}};
    for (const auto& [from, into] : table.columns) {
        columns += ", " + from;
        any += (any.empty() ? "" : " OR ") + has_letters_to_fold(session.dialect(), from);
        written.push_back({from, ColumnType::text});
    }
    const auto select = "SELECT id" + columns + " FROM " + table.table + " WHERE id > ? AND (" + any +
                        ") ORDER BY id LIMIT " + std::to_string(rows_a_step);
    std::string last;  // no id is empty
    for (std::int64_t read = rows_a_step; read == rows_a_step;) {
        read = 0;
        BulkRows rows(session.dialect(), written);
        auto looked = session.query(select, {Bytes{last}}, [&](const Row& row) {
            ++read;
            last = row.bytes(0);
            std::vector<std::string> keys;
            bool changes = false;
            for (std::size_t i = 0; i < table.columns.size(); ++i) {
                const auto key = row.text(i + 1);
                keys.push_back(core::search_fold(key));
                changes = changes || keys.back() != key;
            }
            if (!changes) return;
            rows.bytes(last);
            for (const auto& key : keys) rows.text(key);
        });
        if (!looked) return looked;
        if (auto done = write_keys(session, table, rows); !done) return done;
    }
    return {};
}

}  // namespace

std::string search_key_of(const std::string& table) {
    return "COALESCE(" + table + ".search_key, " + table + ".name_key)";  // as the indexes have it
}

void add_search_key(BulkRows& rows, const std::string& name_key) {
    const auto key = core::search_fold(name_key);
    key == name_key ? rows.null() : rows.text(key);
}

std::string key_holds(Dialect dialect, const std::string& key) {
    return (dialect == Dialect::sqlite ? "instr(" : "strpos(") + key + ", ?) > 0";
}

void add_search(Statement& conditions, Dialect dialect, const std::string& key, std::string_view text) {
    if (text.empty()) return;
    const auto folded = core::search_fold(text);
    if (folded.empty())
        conditions.add(" AND 1 = 0");
    else
        conditions.add(" AND " + key_holds(dialect, key), {folded});
}

core::Result<void> fold_item_keys(Session& session) {
    return fold_table(session, {"items", {{"name_key", "name_key"}, {"sort_key", "sort_key"}}});
}

core::Result<void> fill_search_keys(Session& session) {
    for (const char* table : {"names", "people"}) {
        if (auto done = fold_table(session, {table, {{"name_key", "search_key"}}}); !done) return done;
    }
    return {};
}

}  // namespace understudy::store::sql
