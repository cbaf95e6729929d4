// store/sql/sql_latest.cpp: SqlDiscovery on what is new.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "store/sql/catalog_filters.h"
#include "store/sql/item_rows.h"
#include "store/sql/sql_discovery.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

// The newest come in steps from the end of an index, until there are enough groups.
constexpr std::size_t first_step = 200, largest_step = 5'000;

struct NewRow {
    core::ItemId id, group;  ///< group: the series of an episode, the album of a track; else none
    bool of_album = false;
    std::int64_t created_ms = 0;
    bool unwanted = false;  ///< played, or not
};

// Behind this one in the order of newest first.
struct Place {
    std::int64_t created_ms = 0;
    core::ItemId id;
};

// The next `step` of a library and kind.
Statement newest_of(const NewIn& place, model::ItemKind kind, const std::optional<core::ItemId>& parent,
                    const std::optional<Place>& after, std::size_t step) {
    Statement select;
    select.add("SELECT x.id, x.created_at_ms, " +
                   std::to_string(!place.played   ? 2
                                  : *place.played ? 1
                                                  : 0) +
                   " AS wanted FROM items x WHERE x.library_id = ? AND x.kind = '" +
                   std::string(model::to_string(kind)) + "'",
               {id_value(place.library)});
    if (parent) {
        select.add(" AND (x.parent_id = ? OR x.parent_id IN (SELECT y.id FROM items y WHERE y.parent_id = ?))",
                   {id_value(*parent), id_value(*parent)});
    }
    if (after) {
        select.add(" AND (x.created_at_ms, x.id) < (?, CAST(? AS {bytes}))", {after->created_ms, id_value(after->id)});
    }
    return select.add(" ORDER BY x.created_at_ms DESC, x.id DESC LIMIT ?", {static_cast<std::int64_t>(step)});
}

Statement newest(const LatestQuery& query, const std::optional<Place>& after, std::size_t step) {
    Statement all;
    for (const auto& place : query.places) {
        for (const auto kind : place.kinds) {
            auto one = newest_of(place, kind, query.parent, after, step);
            all.add((all.text.empty() ? "SELECT * FROM (" : " UNION ALL SELECT * FROM (") + one.text + ") one",
                    std::move(one.values));
        }
    }
    Statement select;
    select.add(
        "SELECT i.id, i.kind, n.created_at_ms, p.id, p.kind, p.parent_id, n.wanted, COALESCE(u.played, 0) FROM (SELECT "
        "* FROM (");
    select.add(all.text, std::move(all.values));
    select.add(") merged ORDER BY created_at_ms DESC, id DESC LIMIT ?", {static_cast<std::int64_t>(step)});
    return select.add(
        ") n JOIN items i ON i.id = n.id LEFT JOIN items p ON p.id = i.parent_id LEFT JOIN user_data u ON u.user_id = "
        "CAST(? AS {bytes}) AND u.item_id = i.id ORDER BY n.created_at_ms DESC, n.id DESC",
        {id_value(query.user)});
}

NewRow read_new(const Row& row) {
    NewRow read;
    read.id = id_from_bytes<core::ItemId>(row.bytes(0));
    read.created_ms = row.integer(2);
    if (!row.is_null(3)) {
        const auto kind = row.text(1), parent_kind = row.text(4);
        if (kind == "episode") read.group = id_from_bytes<core::ItemId>(row.bytes(parent_kind == "series" ? 3 : 5));
        read.of_album = kind == "track" && parent_kind == "album";
        if (read.of_album) read.group = id_from_bytes<core::ItemId>(row.bytes(3));
    }
    const auto wanted = row.integer(6);
    read.unwanted = wanted != 2 && wanted != row.integer(7);
    return read;
}

// Newest items by what they are shown as, in the order in which these were seen first.
class Groups {
public:
    explicit Groups(const LatestQuery& query) : query_(query) {}
    [[nodiscard]] bool full() const { return groups_.size() >= query_.limit; }
    void add(const NewRow& row) {
        if (row.unwanted) return;
        const bool grouped = query_.grouped && !row.group.empty();
        const auto key = grouped ? row.group : row.id;
        const auto [at, is_new] = at_.emplace(key, groups_.size());
        if (is_new) groups_.push_back({row.id, grouped ? row.group : core::ItemId{}, row.of_album, 0});
        ++groups_[at->second].items;
    }
    [[nodiscard]] std::vector<LatestItem> take() const {
        std::vector<LatestItem> found;
        for (const auto& group : groups_) {
            const bool stands_for = !group.group.empty() && (group.items > 1 || group.of_album);
            found.push_back(stands_for ? LatestItem{group.group, group.items} : LatestItem{group.first, 0});
        }
        return found;
    }

private:
    struct Group {
        core::ItemId first, group;
        bool of_album = false;
        std::int64_t items = 0;
    };
    const LatestQuery& query_;
    std::vector<Group> groups_;
    std::unordered_map<core::ItemId, std::size_t> at_;
};

}  // namespace

core::Result<std::vector<LatestItem>> SqlDiscovery::latest(const LatestQuery& query) {
    std::vector<LatestItem> found;
    if (query.places.empty() || query.limit == 0) return found;
    const auto walk = [&](Session& session) -> core::Result<void> {
        Groups groups(query);
        std::optional<Place> after;
        std::size_t looked_at = 0;
        for (auto step = first_step; looked_at < latest_looked_at; step = std::min(2 * step, largest_step)) {
            std::size_t rows = 0;
            auto read = newest(query, after, step).query(session, [&](const Row& row) {
                const auto one = read_new(row);
                ++rows;
                after = Place{one.created_ms, one.id};
                if (!groups.full()) groups.add(one);
            });
            if (!read) return read;
            looked_at += rows;
            if (groups.full() || rows < step) break;
        }
        found = groups.take();
        return {};
    };
    auto read =
        database_.with(Access::read, [&](Session& session) { return session.snapshot([&] { return walk(session); }); });
    if (!read) return tl::unexpected(read.error());
    return found;
}

}  // namespace understudy::store::sql
