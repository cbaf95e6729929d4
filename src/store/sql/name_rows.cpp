#include "store/sql/name_rows.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "store/sql/bulk_rows.h"
#include "store/sql/catalog_filters.h"
#include "store/sql/description_rows.h"
#include "store/sql/item_rows.h"
#include "store/sql/people_rows.h"
#include "store/sql/row_sets.h"
#include "store/sql/search_keys.h"
#include "store/sql/statement.h"
#include "store/sql/tags_json.h"

namespace understudy::store::sql {
namespace {

constexpr std::int64_t items_a_step = 1'000;

struct NameRow {
    NameKind kind = NameKind::genre;
    std::string name, key;
};

struct NewRows {
    std::map<core::ItemId, NameRow> names;  // by id: every writer takes their locks in one order
    std::set<std::tuple<core::ItemId, std::int64_t, core::ItemId>> links;
};

// Keys of names that a batch names again and again.
class KeyMaker {
public:
    explicit KeyMaker(const core::CaseFolder& folder) : folder_(folder) {}
    const std::string& key(const std::string& name) {
        const auto [at, fresh] = keys_.try_emplace(name);
        if (fresh) at->second = name_key(folder_, repaired(name));
        return at->second;
    }

private:
    const core::CaseFolder& folder_;
    std::unordered_map<std::string, std::string> keys_;
};

void add_name(NewRows& rows, KeyMaker& keys, const model::Item& item, std::int64_t role, NameKind kind,
              const std::string& name) {
    const auto& key = keys.key(name);
    if (key.empty()) return;
    const auto id = name_id(kind, key);
    rows.names.try_emplace(id, NameRow{kind, name, key});
    rows.links.emplace(item.id, role, id);
}

void add_names(NewRows& rows, KeyMaker& keys, const model::Item& item) {
    for (const auto& genre : item.genres) add_name(rows, keys, item, role::genre, genre_kind(item.kind), genre);
    for (const auto& studio : item.about.studios) add_name(rows, keys, item, role::studio, NameKind::studio, studio);
    for (const auto& tag : item.about.tags) add_name(rows, keys, item, role::tag, NameKind::tag, tag);
    for (const auto& artist : item.artists) add_name(rows, keys, item, role::artist, NameKind::artist, artist);
    if (!item.album_artist.empty()) add_name(rows, keys, item, role::album_artist, NameKind::artist, item.album_artist);
    if (item.kind == model::ItemKind::artist) add_name(rows, keys, item, role::itself, NameKind::artist, item.name);
}

// With the columns that 0020 made, or all that there are now.
enum class NameColumns { first, all };

core::Result<void> insert_rows_of(Session& session, const NewRows& made, NameColumns columns_there) {
    if (made.links.empty()) return {};
    using Type = ColumnType;
    const bool all = columns_there == NameColumns::all;
    std::vector<BulkColumn> name_columns{
        {"id", Type::bytes}, {"kind", Type::integer}, {"name", Type::text}, {"name_key", Type::text}};
    if (all) name_columns.push_back({"search_key", Type::text});
    BulkRows names(session.dialect(), name_columns);
    for (const auto& [id, row] : made.names) {
        names.id(id).integer(std::int64_t{static_cast<int>(row.kind)}).text(row.name).text(row.key);
        if (all) add_search_key(names, row.key);
    }
    const auto list = names_of(name_columns);
    Statement insert;
    insert.add_from("INSERT INTO names (" + list + ") SELECT " + list + " FROM ", names)
        .add(" WHERE true ON CONFLICT (id) DO NOTHING");
    if (auto done = insert.execute(session); !done) return uncounted(done);
    const std::vector<BulkColumn> columns{{"item_id", Type::bytes}, {"role", Type::integer}, {"name_id", Type::bytes}};
    BulkRows links(session.dialect(), columns);
    for (const auto& [item, role, name] : made.links) links.id(item).integer(role).id(name);
    return insert_rows(session, "item_names", columns, links);
}

// Only columns that are there since 0013: the migration asks before later ones are made.
core::Result<std::vector<model::Item>> stored_items(Session& session, const std::string& after) {
    std::vector<model::Item> items;
    auto read = session.query(
        "SELECT i.id, i.kind, i.name, i.artists, i.genres, i.album_artist, COALESCE(d.studios, '[]'), "
        "COALESCE(d.tags, '[]') FROM items i LEFT JOIN item_descriptions d ON d.item_id = i.id WHERE i.id > ? ORDER BY "
        "i.id LIMIT ?",
        {Bytes{after}, items_a_step}, [&](const Row& row) {
            model::Item item;
            item.id = id_from_bytes<core::ItemId>(row.bytes(0));
            item.kind = model::parse_item_kind(row.text(1)).value_or(model::ItemKind::movie);
            item.name = row.text(2);
            item.artists = list_from_json(row.text(3));
            item.genres = list_from_json(row.text(4));
            item.album_artist = row.text(5);
            item.about.studios = list_from_json(row.text(6));
            item.about.tags = list_from_json(row.text(7));
            items.push_back(std::move(item));
        });
    if (!read) return tl::unexpected(read.error());
    return items;
}

core::Result<void> insert_names(Session& session, const std::vector<const model::Item*>& items,
                                const core::CaseFolder& folder, NameColumns columns) {
    NewRows rows;
    KeyMaker keys(folder);
    for (const auto* item : items) add_names(rows, keys, *item);
    return insert_rows_of(session, rows, columns);
}

}  // namespace

bool has_names(const model::Item& item) noexcept {
    return item.kind == model::ItemKind::artist || !item.genres.empty() || !item.artists.empty() ||
           !item.album_artist.empty() || !item.about.studios.empty() || !item.about.tags.empty();
}

core::Result<void> insert_names(Session& session, const std::vector<const model::Item*>& items,
                                const core::CaseFolder& folder) {
    return insert_names(session, items, folder, NameColumns::all);
}

core::Result<void> fill_names(Session& session) {
    const core::CaseFolder folder;
    std::string last;  // no id is empty
    for (;;) {
        const auto items = stored_items(session, last);
        if (!items) return tl::unexpected(items.error());
        if (items->empty()) return {};
        std::vector<const model::Item*> named;
        std::vector<core::ItemId> ids;
        for (const auto& item : *items) {
            if (!has_names(item)) continue;
            named.push_back(&item);
            ids.push_back(item.id);
        }
        if (auto done = insert_names(session, named, folder, NameColumns::first); !done) return done;
        auto rows = bulk_ids(session.dialect(), ids);
        const auto bit = std::to_string(beside::names);
        auto marked =
            Statement{}.add_in("UPDATE items SET beside = beside | " + bit + " WHERE ", "id", rows).execute(session);
        if (!marked) return uncounted(marked);
        if (static_cast<std::int64_t>(items->size()) < items_a_step) return {};
        const auto& bytes = items->back().id.bytes();
        last.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
}

core::Result<std::map<core::ItemId, core::ItemId>> artists_of(Session& session, const std::optional<Viewer>& viewer,
                                                              const std::vector<core::ItemId>& names) {
    std::map<core::ItemId, core::ItemId> items;
    if (names.empty()) return items;
    auto rows = bulk_ids(session.dialect(), names);
    Statement select;
    select.add_in("SELECT l.name_id, l.item_id FROM item_names l JOIN items i ON i.id = l.item_id WHERE ", "l.name_id",
                  rows);
    select.add(" AND l.role = 5 AND i.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)" +
               library_conditions(viewer, "i") + " ORDER BY l.name_id, l.item_id");
    auto read = select.query(session, [&](const Row& row) {
        items.emplace(id_from_bytes<core::ItemId>(row.bytes(0)), id_from_bytes<core::ItemId>(row.bytes(1)));
    });
    if (!read) return tl::unexpected(read.error());
    return items;
}

}  // namespace understudy::store::sql
