// store/discovery.h: what a person may want to see or hear next: what is new, what is like something else, a mix, and
// what a search begins to find. Used by http. Contract for all adapters: tests/contract/home/discovery_contract.h
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "model/item.h"
#include "store/names.h"
#include "store/viewer.h"

namespace understudy::store {

/// Where to look for what is new: kinds of a library.
struct NewIn {
    core::LibraryId library;
    std::vector<model::ItemKind> kinds;
    std::optional<bool> played;  ///< by the query's user
};

struct LatestQuery {
    std::vector<NewIn> places;           ///< libraries closed to the caller are left out by who asks
    std::optional<core::ItemId> parent;  ///< at most two levels below it alone
    core::UserId user;
    bool grouped = true;  ///< several episodes of a series show the series, tracks their album
    std::size_t limit = 20;
};

struct LatestItem {
    core::ItemId shown;      ///< an item, or the series or album it stands for
    std::int64_t items = 0;  ///< how many new ones it stands for; 0: itself
    friend bool operator==(const LatestItem&, const LatestItem&) = default;
};
/// So many of the newest items are looked at and no more, however many of them are played or of one series.
inline constexpr std::size_t latest_looked_at = 20'000;

/// What is alike, of the same kind: films, series, albums, artists. Each shared genre or tag scores 10, studio 3,
/// director 5, writer 2, other person 3; less than five years apart 4, less than ten 2. Years alone make nothing alike.
struct SimilarQuery {
    core::ItemId to;
    std::optional<Viewer> viewer;
    std::vector<core::ItemId> not_by;  ///< artists whose albums, and who themselves, are left out
    std::size_t limit = 50;
};

/// Tracks that have one of `genres` (as spelled), in an order that `seed` makes: the same each time.
struct MixQuery {
    std::vector<std::string> genres;
    std::optional<Viewer> viewer;
    std::uint8_t seed = 0;
    std::size_t limit = 200;
};

struct HintQuery {
    std::string term;
    std::optional<Viewer> viewer;
    std::vector<model::ItemKind> kinds;  ///< empty: no items
    std::optional<core::LibraryId> library;
    std::optional<core::ItemId> parent;  ///< all below
    bool people = true;                  ///< not where a library or parent is named; names neither
    std::vector<NameKind> names;         ///< empty: none. Artists that the viewer sees as items are those alone
    std::size_t start_index = 0, limit = 100;
};
struct Hint {
    core::ItemId item;      ///< or
    core::PersonId person;  ///< a person, or
    core::ItemId name;      ///< what items share by name; the others are empty
    friend bool operator==(const Hint&, const Hint&) = default;
};
struct Hints {
    std::vector<Hint> found;
    std::size_t total = 0;
};

/// All calls block. Errors of all: unavailable, timed_out.
class Discovery {
public:
    virtual ~Discovery() = default;
    /// The newest first.
    [[nodiscard]] virtual core::Result<std::vector<LatestItem>> latest(const LatestQuery& query) = 0;
    /// What has the most in common first. Empty for other kinds, and for an item that is not there. Two queries.
    [[nodiscard]] virtual core::Result<std::vector<core::ItemId>> similar(const SimilarQuery& query) = 0;
    [[nodiscard]] virtual core::Result<std::vector<core::ItemId>> mix(const MixQuery& query) = 0;
    /// Names that hold the term, without case and accents (core/search_fold.h): those that begin with it, then those of
    /// which a word does, then the rest, each by name. Two queries.
    [[nodiscard]] virtual core::Result<Hints> hints(const HintQuery& query) = 0;
};

}  // namespace understudy::store
