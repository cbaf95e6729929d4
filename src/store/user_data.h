// store/user_data.h: users, and what each of them did with items. Used by http and CleanupUserDataTask. Contract for
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

namespace understudy::store {

struct User {
    core::UserId id;
    std::string name;
    core::UtcTime created_at{};
};

/// All calls block. Errors of all ports here: unavailable, timed_out.
class Users {
public:
    virtual ~Users() = default;
    /// Errors: conflict where the name (any case) is in use.
    [[nodiscard]] virtual core::Result<void> add(const User& user) = 0;
    /// Errors: not_found, conflict.
    [[nodiscard]] virtual core::Result<void> rename(core::UserId id, const std::string& name) = 0;
    /// With all data of theirs; their playlists become nobody's own. Errors: not_found.
    [[nodiscard]] virtual core::Result<void> remove(core::UserId id) = 0;
    [[nodiscard]] virtual core::Result<std::vector<User>> all() = 0;  ///< by name
    [[nodiscard]] virtual core::Result<std::optional<User>> find(core::UserId id) = 0;
    [[nodiscard]] virtual core::Result<std::optional<User>> find_by_name(const std::string& name) = 0;  ///< any case
};

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
    int more_plays = 0;  ///< added to the count
    std::optional<core::Millis> position;
    std::optional<std::optional<double>> rating;
    std::optional<std::optional<core::UtcTime>> last_played_at;
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

/// An item that vanishes keeps its data aside, and the item under which its file comes back (same content, or the same
/// id of a provider; for what has no file the same name at the same place) takes it over, whatever its id and name.
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
    struct Detached {
        std::int64_t items = 0, rows = 0;
    };
    /// What belongs to items that vanished before `before`.
    [[nodiscard]] virtual core::Result<Detached> detached(core::UtcTime before) = 0;
    /// A bounded step of removing it. Start with an empty cursor; `removed` counts rows of data, `looked_at` items.
    /// Errors: also fenced.
    [[nodiscard]] virtual core::Result<CleanStep> remove_detached(core::UtcTime before, const std::string& cursor,
                                                                  const core::Fence& fence) = 0;
};

}  // namespace understudy::store
