// store/names.h: what items share by name: genres, studios, artists, tags, years. Read by http; written with the items.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "store/catalog.h"

namespace understudy::store {

/// As stored: the numbers stay. Genres of music are apart from others, as clients ask for them apart.
enum class NameKind : unsigned char { genre = 0, music_genre = 1, studio = 2, artist = 3, tag = 4, year = 5 };
[[nodiscard]] constexpr std::string_view to_string(NameKind kind) noexcept {
    switch (kind) {
        case NameKind::genre:
            return "genre";
        case NameKind::music_genre:
            return "music_genre";
        case NameKind::studio:
            return "studio";
        case NameKind::artist:
            return "artist";
        case NameKind::tag:
            return "tag";
        case NameKind::year:
            return "year";
    }
    return "genre";
}
/// Of the names that an artist, an album or a track has.
[[nodiscard]] constexpr NameKind genre_kind(model::ItemKind kind) noexcept {
    const bool music =
        kind == model::ItemKind::artist || kind == model::ItemKind::album || kind == model::ItemKind::track;
    return music ? NameKind::music_genre : NameKind::genre;
}

/// The same on every pod and after every scan: FNV-1a of `KIND:KEY` twice, from two starting points. `key`: the name
/// without case (core/case_folder.h), blanks single.
[[nodiscard]] constexpr core::ItemId name_id(NameKind kind, std::string_view key) noexcept {
    core::IdBytes bytes{};
    for (std::size_t half = 0; half < 2; ++half) {
        std::uint64_t hash = 14695981039346656037ULL + half;
        const auto add = [&](std::string_view text) {
            for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        };
        add(to_string(kind));
        add(":");
        add(key);
        for (std::size_t i = 0; i < 8; ++i) bytes[half * 8 + i] = static_cast<std::uint8_t>(hash >> (8 * i));
    }
    return core::ItemId(bytes);
}

/// The year, 1 to 9999, that has this id by name; nullopt: none.
[[nodiscard]] inline std::optional<int> year_of(core::ItemId id) {
    static const auto years = [] {
        constexpr int last = 9'999;
        std::unordered_map<core::ItemId, int> made;
        for (int year = 1; year <= last; ++year) made.emplace(name_id(NameKind::year, std::to_string(year)), year);
        return made;
    }();
    const auto at = years.find(id);
    return at == years.end() ? std::nullopt : std::optional(at->second);
}

struct ListedName {
    core::ItemId id;  ///< by name
    NameKind kind = NameKind::genre;
    std::string name;
    core::ItemId item;  ///< an artist that is an item too; else none
    std::map<model::ItemKind, std::int64_t> counts;
};

struct NameQuery {
    std::vector<NameKind> kinds;    ///< empty: all but years
    std::vector<core::ItemId> ids;  ///< by name; empty: all
    bool album_artists = false;     ///< of artists those of albums only
    /// Names that none of these items has are left out. Its order, page and names asked for do not count; nor does
    /// `favourite`, which is of the names themselves.
    ItemQuery items;
    std::string search, prefix, from, before;  ///< of the name, in any case
    std::optional<bool> favourite;             ///< of items.user; of an artist that is an item the item
    bool descending = false, random = false;
    std::size_t start_index = 0;
    std::size_t limit = 100;  ///< 0: only the total
    bool with_total = true;
    bool with_counts = false;  ///< how many items of each kind have it; one more query
};

struct NamePage {
    std::vector<ListedName> names;  ///< by name
    std::size_t total = 0;
};

/// What a client may filter a list by.
struct Facets {
    std::vector<ListedName> genres, tags;
    std::vector<std::string> official_ratings;
    std::vector<int> years;  ///< ascending
};

struct YearCount {
    int year = 0;
    std::map<model::ItemKind, std::int64_t> counts;
};

/// All calls block. Errors: unavailable, timed_out.
class Names {
public:
    virtual ~Names() = default;
    [[nodiscard]] virtual core::Result<NamePage> list(const NameQuery& query) = 0;
    /// Ascending; of the items that the query means.
    [[nodiscard]] virtual core::Result<std::vector<YearCount>> years(const ItemQuery& items) = 0;
    [[nodiscard]] virtual core::Result<Facets> facets(const ItemQuery& items) = 0;
    /// All that descriptions say, as written, each once.
    [[nodiscard]] virtual core::Result<std::vector<std::string>> official_ratings() = 0;
};

}  // namespace understudy::store
