// store/user_data.h: what users did with items. Used by http and CleanupUserDataTask. Contract for
// all adapters: tests/contract/user_data/user_data_contract.h
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"
#include "store/clean_step.h"
#include "store/users.h"
#include "store/viewer.h"

namespace understudy::store {

struct UserItemData {
    bool played = false;
    int play_count = 0;
    core::Millis position{};  ///< where to go on; 0: from the start
    bool favourite = false;
    std::optional<double> rating;  ///< 0 .. 10
    std::optional<core::UtcTime> last_played_at;
    std::optional<int> audio_index, subtitle_index;  ///< streams chosen; subtitle -1: off
    friend bool operator==(const UserItemData&, const UserItemData&) = default;
};

/// What is said changes, the rest stays. The outer nullopt: not said.
struct UserItemChange {
    std::optional<bool> played, favourite;
    std::optional<int> play_count;
    int more_plays = 0;      ///< added to the count
    int at_least_plays = 0;  ///< the count afterwards is no less
    std::optional<core::Millis> position;
    std::optional<std::optional<double>> rating;
    std::optional<std::optional<core::UtcTime>> last_played_at;
    std::optional<core::UtcTime> first_played_at;  ///< taken as last_played_at where there is none; that one not said
    std::optional<std::optional<int>> audio_index, subtitle_index;
};

struct UserItemFilter {
    std::optional<bool> played, favourite;
    bool in_progress = false;  ///< position > 0
};

struct UserItemRow {
    core::UserId user;
    core::ItemId item;
    UserItemData data;
};

/// What can be played (films, episodes, tracks) below a folder: a series, season, artist, album, box set or playlist. A
/// collection in another one is not looked into, and what is in a library that is closed to the viewer (nullopt: who
/// may see everything) is left out.
struct Below {
    std::int64_t playable = 0;  ///< each once
    std::int64_t unplayed = 0;
    friend bool operator==(const Below&, const Below&) = default;
};

/// All calls block. Errors of all: unavailable, timed_out.
/// An item that vanishes keeps its data aside, and the item under which its file comes back (same content, or the same
/// id of a provider; for what has no file the same name at the same place) takes it over, whatever its id and name.
/// What get, change and put call an item may also be a name (store/names.h; also a year) or a person, by their id. The
/// data of a name stays, whether anything has the name or not; that of a person goes aside with them.
class UserData {
public:
    virtual ~UserData() = default;
    /// Items without data are left out.
    [[nodiscard]] virtual core::Result<std::map<core::ItemId, UserItemData>> get(
        core::UserId user, const std::vector<core::ItemId>& items) = 0;
    /// The same change for all of `items` (at most 1,000), in one transaction. Returns how many there were; 0: neither
    /// the user nor an item is there.
    [[nodiscard]] virtual core::Result<std::int64_t> change(core::UserId user, const std::vector<core::ItemId>& items,
                                                            const UserItemChange& change) = 0;
    /// Replaces, at most 1,000; users and items that are gone are left out. Returns how many were written. For imports.
    [[nodiscard]] virtual core::Result<std::int64_t> put(const std::vector<UserItemRow>& rows) = 0;
    /// Items that are there and fit, last played first.
    [[nodiscard]] virtual core::Result<std::vector<core::ItemId>> find(core::UserId user, const UserItemFilter& filter,
                                                                       std::size_t limit) = 0;
    /// Of each of `folders` how much of what is below `user` has played; folders with nothing below are left out.
    [[nodiscard]] virtual core::Result<std::map<core::ItemId, Below>> below(core::UserId user,
                                                                            const std::vector<core::ItemId>& folders,
                                                                            const std::optional<Viewer>& viewer) = 0;
    /// What can be played below `folder`, in the order of seasons, discs and numbers, of a collection in its own order
    /// (and as often as that has it). The first `most`; nullopt: all. Empty where there is nothing, or `folder` is
    /// none.
    [[nodiscard]] virtual core::Result<std::vector<core::ItemId>> playable_below(core::ItemId folder,
                                                                                 const std::optional<Viewer>& viewer,
                                                                                 std::optional<std::size_t> most) = 0;
    /// How many items that somebody's data or a collection names vanished before `before`.
    [[nodiscard]] virtual core::Result<std::int64_t> detached(core::UtcTime before) = 0;
    /// A bounded step of removing it. Start with an empty cursor; `removed` counts rows of data, `looked_at` items.
    /// Errors: also fenced.
    [[nodiscard]] virtual core::Result<CleanStep> remove_detached(core::UtcTime before, const std::string& cursor,
                                                                  const core::Fence& fence) = 0;
};

}  // namespace understudy::store
