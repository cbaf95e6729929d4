#include "store/sql/sql_catalog.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>

#include "store/sql/catalog_filters.h"
#include "store/sql/description_rows.h"
#include "store/sql/item_rows.h"
#include "store/sql/item_selection.h"
#include "store/sql/name_rows.h"
#include "store/sql/people_rows.h"
#include "store/sql/sql_covers.h"

namespace understudy::store::sql {
namespace {

// What fills files.failure, scan_problems and library_roots.
constexpr std::string_view failing_task = "RefreshLibrary";

// A collection's members `m`: a caller to whom no library is closed pays for no look at their items.
std::string members_seen(const std::optional<Viewer>& viewer) {
    const std::string own = "m.collection_id = i.id";
    if (!viewer || !viewer->libraries) return " WHERE " + own;
    return " JOIN items o ON o.id = m.item_id WHERE " + own + viewer_conditions(viewer, "o");
}

// The page's ids are found and cut off first; names of ancestors and counts are looked up only for them.
Statement page_query(const ItemQuery& query, const Selection& selection) {
    const auto keys = sort_keys(query);
    std::string select = "SELECT ", inner_order, outer_order;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const auto name = "k" + std::to_string(k) + (keys[k].descending ? " DESC" : "");
        const std::string comma = k == 0 ? "" : ", ";
        select += comma + keys[k].expression + " AS k" + std::to_string(k);
        inner_order += comma + name;
        outer_order += comma + "page." + name;
    }
    const auto id_key = "page.k" + std::to_string(keys.size() - 1);
    auto page = selection.begin(
        "SELECT " + std::string(item_columns()) +
        ", p.id, p.kind, p.name, p.beside, g.id, g.kind, g.name, g.beside, "
        // Looked up only where there may be something. Two counts that an index answers each, where one of children by
        // kind would read all of their rows.
        "CASE WHEN i.kind IN ('movie', 'episode', 'track', 'extra') THEN 0 ELSE "
        "(SELECT count(*) FROM items c WHERE c.parent_id = i.id) - "
        "(SELECT count(*) FROM items x WHERE x.parent_id = i.id AND x.kind = 'extra') END + "
        "CASE WHEN i.kind IN ('box_set', 'playlist') THEN (SELECT count(*) FROM collection_members m" +
        members_seen(query.viewer) +
        ") ELSE 0 END, "
        "CASE WHEN i.kind IN ('track', 'album') THEN (SELECT l.gain_db FROM item_loudness l WHERE l.item_id = i.id) "
        "END, "
        "CASE WHEN i.kind IN ('movie', 'episode', 'album', 'box_set', 'playlist') THEN (SELECT count(*) FROM "
        "item_covers c WHERE c.item_id = "
        "i.id) ELSE 0 END, "
        "CASE WHEN p.kind = 'album' THEN (SELECT count(*) FROM item_covers c WHERE c.item_id = p.id) ELSE 0 END FROM "
        "(" +
        select);
    selection.add_to(page);
    page.add(" ORDER BY " + inner_order + " LIMIT ? OFFSET ?",
             {static_cast<std::int64_t>(query.limit), static_cast<std::int64_t>(query.start_index)});
    return page.add(") page JOIN items i ON i.id = " + id_key +
                    " LEFT JOIN items p ON p.id = i.parent_id LEFT JOIN items g ON g.id = p.parent_id ORDER BY " +
                    outer_order);
}

void name_ancestor(ListedItem& listed, const Row& row, std::size_t column) {
    if (row.is_null(column)) return;
    const auto id = id_from_bytes<core::ItemId>(row.bytes(column));
    const auto kind = model::parse_item_kind(row.text(column + 1));
    auto name = row.text(column + 2);
    if (kind == model::ItemKind::series) {
        listed.series = id;
        listed.series_name = std::move(name);
    } else if (kind == model::ItemKind::season) {
        listed.season = id;
        listed.season_name = std::move(name);
    } else if (kind == model::ItemKind::album) {
        listed.album_id = id;
        listed.album_name = std::move(name);
    } else if (kind == model::ItemKind::artist && listed.item.kind == model::ItemKind::album) {
        listed.artist_items[name] = id;
        if (listed.item.album_artist.empty()) listed.item.album_artist = std::move(name);
    }
}

constexpr std::size_t ancestor_columns = 4;                                             // id, kind, name, beside
constexpr std::size_t own_cover_column = item_column_count + 2 * ancestor_columns + 2;  // then the parent's

// Whose pictures are read too.
void note_pictured(ListedItem& listed, const Row& row, std::size_t column) {
    if (row.is_null(column) || (row.integer(column + 3) & beside::images) == 0) return;
    const auto kind = model::parse_item_kind(row.text(column + 1));
    if (kind) listed.ancestors.push_back({id_from_bytes<core::ItemId>(row.bytes(column)), *kind, {}});
}

ListedItem read_listed(const Row& row) {
    ListedItem listed;
    listed.item = read_item(row);
    listed.saved_at = read_saved(row);
    for (const auto column : {item_column_count, item_column_count + ancestor_columns}) {
        name_ancestor(listed, row, column);
        note_pictured(listed, row, column);
    }
    if (listed.album_name.empty()) listed.album_name = listed.item.album;
    const auto after = item_column_count + 2 * ancestor_columns;
    listed.child_count = row.integer(after);
    if (!row.is_null(after + 1)) listed.gain_db = row.real(after + 1);
    return listed;
}

core::Result<void> load_pictures(Session& session, ItemPage& page, const std::vector<ReadItem>& items) {
    std::vector<core::ItemId> ids;
    for (const auto& read : items) {
        if ((read.beside & beside::images) != 0) ids.push_back(read.item->id);
    }
    for (const auto& listed : page.items) {
        for (const auto& ancestor : listed.ancestors) ids.push_back(ancestor.id);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    auto images = read_images(session, ids);
    if (!images) return tl::unexpected(images.error());
    for (auto& listed : page.items) {
        if (const auto own = images->find(listed.item.id); own != images->end()) listed.item.images = own->second;
        for (auto& ancestor : listed.ancestors) ancestor.images = (*images)[ancestor.id];
    }
    return {};
}

bool has_primary(const std::vector<model::ItemImage>& images) {
    return std::ranges::any_of(images, [](const auto& image) { return image.kind == model::ImageKind::primary; });
}

// Of the page's items and of its tracks' albums, after load_pictures: what lies beside the files comes first.
core::Result<void> load_covers(Session& session, ItemPage& page, const std::vector<core::ItemId>& covered) {
    const auto covers = read_covers(session, covered);
    if (!covers) return tl::unexpected(covers.error());
    for (auto& listed : page.items) {
        const auto own = covers->find(listed.item.id), of_album = covers->find(listed.album_id);
        if (own != covers->end() && !has_primary(listed.item.images)) listed.cover = own->second;
        if (of_album == covers->end()) continue;
        auto& above = listed.ancestors;
        auto album = std::ranges::find(above, listed.album_id, &PicturedAncestor::id);
        if (album == above.end()) album = above.insert(above.begin(), {listed.album_id, model::ItemKind::album, {}});
        if (!has_primary(album->images)) album->cover = of_album->second;
    }
    return {};
}

core::Result<void> count_extras(Session& session, ItemPage& page) {
    std::vector<core::ItemId> ids;
    for (const auto& listed : page.items) ids.push_back(listed.item.id);
    std::map<core::ItemId, std::map<std::string, std::int64_t>> counts;
    auto rows = bulk_ids(session.dialect(), ids);
    auto read = session.query("SELECT parent_id, extra_type, count(*) FROM items WHERE " + rows.in("parent_id") +
                                  " AND kind = 'extra' GROUP BY parent_id, extra_type",
                              rows.take(), [&](const Row& row) {
                                  counts[id_from_bytes<core::ItemId>(row.bytes(0))][row.text(1)] = row.integer(2);
                              });
    if (!read) return read;
    for (auto& listed : page.items) listed.extra_counts = std::move(counts[listed.item.id]);
    return {};
}

// Which of the artists that the page's items name are items themselves, as the viewer sees them.
core::Result<void> find_artists(Session& session, const std::optional<Viewer>& viewer, ItemPage& page,
                                const core::CaseFolder& folder) {
    std::map<core::ItemId, std::string> names;  // by their id by name
    const auto add = [&](const std::string& name) {
        if (!name.empty()) names.emplace(name_id(NameKind::artist, name_key(folder, name)), name);
    };
    for (const auto& listed : page.items) {
        std::ranges::for_each(listed.item.artists, add);
        add(listed.item.album_artist);
    }
    if (names.empty()) return {};
    std::vector<core::ItemId> ids;
    ids.reserve(names.size());
    for (const auto& [id, name] : names) ids.push_back(id);
    const auto items = artists_of(session, viewer, ids);
    if (!items) return tl::unexpected(items.error());
    if (items->empty()) return {};
    for (auto& listed : page.items) {
        const auto note = [&](const std::string& name) {
            const auto at = items->find(name_id(NameKind::artist, name_key(folder, name)));
            if (at != items->end()) listed.artist_items.emplace(name, at->second);
        };
        std::ranges::for_each(listed.item.artists, note);
        if (!listed.item.album_artist.empty()) note(listed.item.album_artist);
    }
    return {};
}

// Where there is more to read of the page's items: items.beside of each, and who shows a picture out of a file.
struct Beside {
    std::vector<std::int64_t> bits;
    std::vector<core::ItemId> covered;
};

// What else the page's items have, as far as asked for.
core::Result<void> complete(Session& session, const ItemQuery& query, ItemPage& page, const Beside& found,
                            const core::CaseFolder& folder) {
    std::vector<ReadItem> items;
    for (std::size_t i = 0; i < page.items.size(); ++i) items.push_back({&page.items[i].item, found.bits[i]});
    if (query.with_sources) {
        std::vector<model::Item*> all;
        all.reserve(items.size());
        for (const auto& read : items) all.push_back(read.item);
        if (auto loaded = load_sources(session, all); !loaded) return loaded;
        if (auto loaded = load_external(session, items); !loaded) return loaded;
    }
    if (auto loaded = load_descriptions(session, items); !loaded) return loaded;
    if (auto loaded = load_pictures(session, page, items); !loaded) return loaded;
    if (auto loaded = load_covers(session, page, found.covered); !loaded) return loaded;
    if (auto found_artists = find_artists(session, query.viewer, page, folder); !found_artists) return found_artists;
    return query.with_extra_counts ? count_extras(session, page) : core::Result<void>{};
}

// The same query, of an item and of those before and behind it in its order alone. Without ids: the item is not there.
core::Result<std::optional<ItemQuery>> neighbours_of(Session& session, const ItemQuery& query,
                                                     const core::CaseFolder& folder) {
    const auto keys = sort_keys(query);
    std::string order;
    for (const auto& key : keys)
        order += (order.empty() ? "" : ", ") + key.expression + (key.descending ? " DESC" : "");
    const auto selection = select_items(query, session.dialect(), folder);
    auto all = selection.begin("SELECT i.id");
    selection.add_to(all).add(" ORDER BY " + order);
    auto near = query;
    near.ids.clear();
    near.filters.adjacent_to.reset();
    bool behind = false;
    core::ItemId last;
    auto read = all.query(session, [&](const Row& row) {
        const auto id = id_from_bytes<core::ItemId>(row.bytes(0));
        if (behind) near.ids.push_back(id);
        behind = id == *query.filters.adjacent_to;
        if (behind) {
            if (!last.empty()) near.ids.push_back(last);
            near.ids.push_back(id);
        }
        last = id;
    });
    if (!read) return tl::unexpected(read.error());
    if (near.ids.empty()) return std::optional<ItemQuery>{};
    return std::optional<ItemQuery>{std::move(near)};
}

bool asks_of_user(const ItemQuery& query) {
    return query.played || query.favourite || query.in_progress;
}

// What people do with items is to be seen in the next answer; what scans do within a second.
core::Result<std::size_t> count_items(Session& session, const ItemQuery& query, const Selection& selection,
                                      KeptTotals& totals) {
    auto count = selection.begin("SELECT count(*)");
    selection.add_to(count);
    const auto now = std::chrono::steady_clock::now();
    if (!asks_of_user(query)) {
        if (const auto kept = totals.find(count, now)) return *kept;
    }
    std::size_t total = 0;
    auto read = count.query(session, [&](const Row& row) { total = static_cast<std::size_t>(row.integer(0)); });
    if (!read) return tl::unexpected(read.error());
    if (!asks_of_user(query)) totals.keep(count, total, now);
    return total;
}

core::Result<void> read_page(Session& session, const ItemQuery& query, const core::CaseFolder& folder,
                             KeptTotals& totals, ItemPage& page) {
    page = {};
    if (query.filters.adjacent_to) {
        const auto neighbours = neighbours_of(session, query, folder);
        if (!neighbours) return tl::unexpected(neighbours.error());
        return *neighbours ? read_page(session, **neighbours, folder, totals, page) : core::Result<void>{};
    }
    const auto selection = select_items(query, session.dialect(), folder);
    if (query.limit > 0) {
        Beside found;
        constexpr std::size_t usual_page = 1'000;
        page.items.reserve(std::min(query.limit, usual_page));
        auto read = page_query(query, selection).query(session, [&](const Row& row) {
            page.items.push_back(read_listed(row));
            found.bits.push_back(read_beside(row));
            const auto& listed = page.items.back();
            if (row.integer(own_cover_column) != 0) found.covered.push_back(listed.item.id);
            if (row.integer(own_cover_column + 1) != 0) found.covered.push_back(listed.item.parent);
        });
        if (!read) return read;
        if (auto completed = complete(session, query, page, found, folder); !completed) return completed;
    }
    if (!query.with_total) return {};
    const bool shows_the_end = query.limit > 0 && page.items.size() < query.limit;
    if (shows_the_end && (!page.items.empty() || query.start_index == 0)) {
        page.total = query.start_index + page.items.size();
        return {};
    }
    const auto total = count_items(session, query, selection, totals);
    if (!total) return tl::unexpected(total.error());
    page.total = *total;
    return {};
}

// Files that a task could not decode, as long as a source has those bytes.
core::Result<std::vector<Problem>> analysis_problems(Database& database, std::optional<core::LibraryId> library) {
    std::vector<Problem> problems;
    auto read = database.with(Access::read, [&](Session& session) {
        problems.clear();
        Statement part;
        part.add(
            "SELECT s.path, i.library_id, a.task, a.failure, a.at_ms FROM analyses a JOIN media_sources s ON "
            "s.content_sample = a.content_sample AND s.mtime_ns = a.mtime_ns JOIN items i ON i.id = s.item_id WHERE "
            "a.failure <> '' AND i.library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)");
        if (library) part.add(" AND i.library_id = ?", {id_value(*library)});
        part.add(" ORDER BY s.path, a.task");
        return part.query(session, [&](const Row& row) {
            problems.push_back({row.bytes(0), id_from_bytes<core::LibraryId>(row.bytes(1)), row.text(2), row.text(3),
                                core::from_unix_ms(row.integer(4))});
        });
    });
    if (!read) return tl::unexpected(read.error());
    return problems;
}

}  // namespace

core::Result<ItemPage> SqlCatalog::list(const ItemQuery& query) {
    ItemPage page;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.snapshot([&] { return read_page(session, query, folder_, totals_, page); });
    });
    if (!read) return tl::unexpected(read.error());
    return page;
}

core::Result<std::optional<ListedItem>> SqlCatalog::find(core::ItemId id) {
    ItemQuery query;
    query.ids = {id};
    query.limit = 2;  // more than there can be: the page then shows all, and no total is asked for
    query.with_sources = true;
    query.with_extra_counts = true;
    auto page = list(query);
    if (!page) return tl::unexpected(page.error());
    if (page->items.empty()) return std::optional<ListedItem>{};
    return std::optional<ListedItem>{std::move(page->items.front())};
}

core::Result<std::vector<Problem>> SqlCatalog::problems(std::optional<core::LibraryId> library) {
    std::vector<Problem> problems;
    auto read = database_.with(Access::read, [&](Session& session) {
        Statement part;
        part.add(
            "SELECT path, library_id, failure, failed_since_ms FROM ("
            "SELECT path, library_id, failure, failed_since_ms FROM files WHERE failure <> '' "
            "UNION ALL SELECT p.path, p.library_id, p.reason, p.since_ms FROM scan_problems p WHERE NOT EXISTS "
            "(SELECT 1 FROM files f WHERE f.library_id = p.library_id AND f.path = p.path AND f.failure <> '') "
            "UNION ALL SELECT path, library_id, 'the library folder is offline: ' || reason, since_ms "
            "FROM library_roots WHERE online = 0) problems "
            "WHERE library_id IN (SELECT id FROM libraries WHERE removing = 0)");
        if (library) part.add(" AND library_id = ?", {id_value(*library)});
        part.add(" ORDER BY path, library_id");
        return part.query(session, [&](const Row& row) {
            problems.push_back({row.bytes(0), id_from_bytes<core::LibraryId>(row.bytes(1)), std::string(failing_task),
                                row.text(2), core::from_unix_ms(row.integer(3))});
        });
    });
    if (!read) return tl::unexpected(read.error());
    auto more = analysis_problems(database_, library);
    if (!more) return tl::unexpected(more.error());
    std::move(more->begin(), more->end(), std::back_inserter(problems));
    std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return problems;
}

core::Result<Catalog::LibraryCounts> SqlCatalog::counts(core::LibraryId library) {
    LibraryCounts counts;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.query(
            "SELECT count(*), COALESCE(sum(1 - available), 0) FROM items WHERE library_id = ? "
            "AND kind <> 'extra' AND library_id NOT IN (SELECT id FROM libraries WHERE removing = 1)",
            {id_value(library)}, [&](const Row& row) {
                counts.items = row.integer(0);
                counts.unavailable = row.integer(1);
            });
    });
    if (!read) return tl::unexpected(read.error());
    return counts;
}

}  // namespace understudy::store::sql
