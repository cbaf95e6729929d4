// store/catalog.h: what people and clients read. One query a page, never one an item. Used by http.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "model/item.h"
#include "store/covers.h"
#include "store/item_filters.h"
#include "store/viewer.h"

namespace understudy::store {

/// `date_played`, `play_count`, `favourite` and `played` are of the query's user. `index_number`: of the parent, then
/// its own.
enum class ItemSort {
    name,
    date_created,
    production_year,
    index_number,
    album,
    runtime,
    random,
    date_played,
    play_count,
    premiere_date,  ///< else the year
    community_rating,
    official_rating,
    artist,
    album_artist,
    studio,
    series_name,  ///< its series', as that is sorted
    own_index,
    parent_index,
    folder,
    favourite,
    played,
    date_content_added  ///< of folders when the newest below came
};

struct ItemQuery {
    std::optional<Viewer> viewer;            ///< nullopt: everything may be seen
    std::optional<core::LibraryId> library;  ///< everything in it (recursive) or its top level
    std::optional<core::ItemId> parent;      ///< children, or with `recursive` all below
    bool recursive = false;
    std::vector<model::ItemKind> kinds;  ///< empty: all but extras, which come where they are named, here or in `ids`
    std::vector<core::ItemId> ids;       ///< empty: all
    std::string search;                  ///< part of the name, without case and accents (core/search_fold.h)
    ItemFilters filters;
    /// Of members of box sets these are listed in their place, each once; `filters` are then asked of what is listed,
    /// all else of the members.
    bool collapse_box_sets = false;
    core::UserId user;  ///< whose data the next ones and two sorts look at
    /// A folder is played where all that the viewer may see and play below it is, and there is something.
    std::optional<bool> played;
    std::optional<bool> favourite;
    bool in_progress = false;  ///< position > 0
    std::vector<ItemSort> sort_by{ItemSort::name};
    bool descending = false;
    std::vector<bool> directions;  ///< descending, for each of `sort_by`; where they end, `descending` goes on
    std::size_t start_index = 0;
    std::size_t limit = 100;         ///< 0: only the total
    bool with_total = true;          ///< false: ItemPage::total is 0, and no query is asked for it
    bool with_sources = false;       ///< media sources and streams, external ones too: four more queries for the page
    bool with_extra_counts = false;  ///< one more
};

/// A parent or grandparent that has pictures.
struct PicturedAncestor {
    core::ItemId id;
    model::ItemKind kind = model::ItemKind::series;
    std::vector<model::ItemImage> images;
    std::optional<Cover> cover{};  ///< the picture in its files, where no Primary lies beside them
};

/// An item with what it is about and looks like, and with what its ancestors are called and look like, for lists.
/// Descriptions, pictures beside files and pictures inside them are a query each for the page, where one of its items
/// has any.
struct ListedItem {
    model::Item item;
    std::string series_name, season_name, album_name;
    core::ItemId series, season, album_id;
    std::optional<Cover> cover{};             ///< the picture in its files, where no Primary lies beside them
    std::vector<PicturedAncestor> ancestors;  ///< the nearest first; those without pictures are left out
    std::int64_t child_count = 0;             ///< without extras, and what is in libraries closed to the viewer
    std::map<std::string, std::int64_t> extra_counts;  ///< by extra_type; without those of none
    std::optional<double> gain_db;                     ///< what a player adds to a track or an album
    core::UtcTime saved_at{};                          ///< when a scan last wrote it
    std::map<std::string, core::ItemId> artist_items;  ///< of the artists that it names those that are items
};

struct ItemPage {
    std::vector<ListedItem> items;
    std::size_t total = 0;
};

/// A file that failed, an entry or a folder that scans cannot use, or a library's folder that is offline.
struct Problem {
    std::string path;  ///< path bytes
    core::LibraryId library;
    std::string task;
    std::string reason;
    core::UtcTime since{};
};

/// All calls block. Errors: unavailable, timed_out.
class Catalog {
public:
    virtual ~Catalog() = default;
    [[nodiscard]] virtual core::Result<ItemPage> list(const ItemQuery& query) = 0;
    /// With all there is, extras too. nullopt: unknown.
    [[nodiscard]] virtual core::Result<std::optional<ListedItem>> find(core::ItemId id) = 0;
    [[nodiscard]] virtual core::Result<std::vector<Problem>> problems(std::optional<core::LibraryId> library) = 0;
    struct LibraryCounts {
        std::int64_t items = 0, unavailable = 0;  ///< without extras
    };
    [[nodiscard]] virtual core::Result<LibraryCounts> counts(core::LibraryId library) = 0;
};

}  // namespace understudy::store
