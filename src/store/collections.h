// store/collections.h: collections (box sets) and playlists: ordered members that outlive a move of their items. Used
// by http, scans (playlist files, sets of NFO files) and CleanCollectionsAndPlaylists. Contract for all adapters:
// tests/contract/collections/collections_contract.h
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "model/item.h"
#include "store/clean_step.h"
#include "store/covers.h"
#include "store/viewer.h"

namespace understudy::store {

/// Collections and playlists are items too (kind box_set or playlist: they have names, user data and pictures, and are
/// found as any item), of a library that nobody sees and no scan walks.
inline constexpr core::LibraryId collections_library{
    core::IdBytes{0xc0, 0x11, 0xec, 0x71, 0x04, 0x5a, 0x4d, 0x1b, 0x9a, 0x11, 0, 0, 0, 0, 0, 1}};

struct Collection {
    core::ItemId id;
    model::ItemKind kind = model::ItemKind::playlist;  ///< or box_set
    std::string name, sort_name;                       ///< sort_name empty: as the name
    core::UserId owner;                                ///< none: nobody's own
    bool is_public = true;
    std::string origin;  ///< path of the file it was made from, or `set:NAME`; empty: made by a person
    core::LibraryId origin_library;
    core::UtcTime created_at{};
    std::int64_t members = 0;  ///< as read
};

struct Member {
    core::EntryId entry;
    core::ItemId item;
    core::LibraryId library;  ///< the item's
    bool there = true;        ///< false: the item is gone, its library perhaps offline
};

/// What a scan found: a playlist file, or films that name one set.
struct FoundCollection {
    core::ItemId new_id;  ///< its id where it is new
    model::ItemKind kind = model::ItemKind::playlist;
    std::string name;
    std::string origin;
    std::vector<core::ItemId> items;
};

/// A box set holds an item once, a playlist as often as wanted. One may hold others, but at no depth itself: create,
/// add and replace are then invalid and name both, also where two pods put two collections into each other at once.
/// Edits of one collection wait for each other; all of an edit or nothing. All calls block. Errors of all: unavailable,
/// timed_out; not_found for a collection that is not there.
class Collections {
public:
    virtual ~Collections() = default;
    /// With its first members; items that are gone are left out. Errors: conflict where the id is taken.
    [[nodiscard]] virtual core::Result<void> create(const Collection& collection,
                                                    const std::vector<core::ItemId>& items) = 0;
    /// Name, sort name, owner and is_public.
    [[nodiscard]] virtual core::Result<void> update(const Collection& collection) = 0;
    [[nodiscard]] virtual core::Result<void> remove(core::ItemId id) = 0;
    [[nodiscard]] virtual core::Result<std::optional<Collection>> find(core::ItemId id) = 0;
    [[nodiscard]] virtual core::Result<std::vector<Collection>> all(
        std::optional<model::ItemKind> kind) = 0;  ///< by name
    /// In order. limit 0: all. With a viewer, without what they may not see; where libraries are closed to them, also
    /// without what is gone.
    [[nodiscard]] virtual core::Result<std::vector<Member>> members(core::ItemId id, std::size_t start_index,
                                                                    std::size_t limit,
                                                                    const std::optional<Viewer>& viewer) = 0;
    [[nodiscard]] core::Result<std::vector<Member>> members(core::ItemId id, std::size_t start_index,
                                                            std::size_t limit) {
        return members(id, start_index, limit, std::nullopt);
    }
    /// At `index` (beyond the end or nullopt: at the end); at most 10,000 a call. Items that are gone are left out.
    /// Returns how many were added.
    [[nodiscard]] virtual core::Result<std::int64_t> add(core::ItemId id, const std::vector<core::ItemId>& items,
                                                         std::optional<std::size_t> index) = 0;
    /// Its members are then these, at most 10,000; items that are gone are left out.
    [[nodiscard]] virtual core::Result<void> replace(core::ItemId id, const std::vector<core::ItemId>& items) = 0;
    /// Returns how many there were.
    [[nodiscard]] virtual core::Result<std::int64_t> remove_entries(core::ItemId id,
                                                                    const std::vector<core::EntryId>& entries) = 0;
    [[nodiscard]] virtual core::Result<std::int64_t> remove_items(core::ItemId id,
                                                                  const std::vector<core::ItemId>& items) = 0;
    /// To where it is then the `index`th (from 0; beyond the end: the last). Errors: also not_found for the entry.
    [[nodiscard]] virtual core::Result<void> move(core::ItemId id, core::EntryId entry, std::size_t index) = 0;

    /// Makes the collections of `library` that are known by their origin like these: new ones are made, members
    /// replaced where they differ. At most 100 a call. Returns how many changed. Errors: also fenced.
    [[nodiscard]] virtual core::Result<std::int64_t> put_found(core::LibraryId library,
                                                               const std::vector<FoundCollection>& found,
                                                               const core::Fence& fence) = 0;
    /// What `library` has by origin: with it a scan sees which file is gone.
    [[nodiscard]] virtual core::Result<std::map<std::string, core::ItemId>> origins(core::LibraryId library) = 0;
    /// The file (or set) is gone: at most 100 a call. Returns how many there were. Errors: also fenced.
    [[nodiscard]] virtual core::Result<std::int64_t> remove_found(core::LibraryId library,
                                                                  const std::vector<std::string>& origins,
                                                                  const core::Fence& fence) = 0;

    /// A bounded step of dropping members whose item is gone and whose library is gone too or wholly online as last
    /// scanned. Members of the libraries in `away` stay, whatever the last scan saw: the caller sees them offline now.
    /// A collection that becomes empty stays. Start with an empty cursor. Errors: also fenced.
    [[nodiscard]] virtual core::Result<CleanStep> drop_gone_members(const std::string& cursor,
                                                                    const std::vector<core::LibraryId>& away,
                                                                    const core::Fence& fence) = 0;

    /// The picture that somebody gave it (its Primary); nullopt: none any more. Put its blob first, again if it is old.
    [[nodiscard]] virtual core::Result<void> set_picture(core::ItemId id, const std::optional<Cover>& picture) = 0;
};

}  // namespace understudy::store
