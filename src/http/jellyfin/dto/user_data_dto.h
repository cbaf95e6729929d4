// http/jellyfin/dto/user_data_dto.h: what a user did with items, as UserItemDataDto. Used by the item DTO and the
// handlers of items and user data.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "http/json_writer.h"
#include "http/services.h"
#include "model/item.h"
#include "store/user_data.h"

namespace understudy::http {

struct UserView {
    store::UserItemData data;
    std::optional<store::Below> below;  ///< of folders with something below
};

[[nodiscard]] constexpr bool is_collection(model::ItemKind kind) noexcept {
    return kind == model::ItemKind::box_set || kind == model::ItemKind::playlist;
}
/// Films, episodes and tracks are played themselves, extras too; the rest by what is below.
[[nodiscard]] bool has_below(model::ItemKind kind) noexcept;

/// Reference: a rating from here on is a like.
inline constexpr double least_like = 6.5;

void write_user_data(JsonWriter& out, const model::Item& item, const UserView& view);
/// Of a name or a person.
void write_user_data(JsonWriter& out, core::ItemId id, const store::UserItemData& data);

/// What `user` did with names and people: a value for each of `ids`. One query; none where there are no ids. Blocks.
/// Errors: unavailable, timed_out, unsupported.
[[nodiscard]] core::Result<std::map<core::ItemId, store::UserItemData>> named_data(
    const Services& services, core::UserId user, const std::vector<core::ItemId>& ids);

/// Of each of `items`, below folders what `viewer` may see: one query, and one more where there are folders. Blocks.
/// Errors: unavailable, timed_out, unsupported.
[[nodiscard]] core::Result<std::map<core::ItemId, UserView>> user_views(const Services& services, core::UserId user,
                                                                        const std::vector<const model::Item*>& items,
                                                                        const std::optional<store::Viewer>& viewer);

}  // namespace understudy::http
