// http/jellyfin/items/user_views.h: the top level as clients see it: views of libraries, of collections and of
// playlists below one root, and how a user wants them. Used by the handlers of views and items.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/jellyfin/dto/item_dto.h"
#include "http/services.h"
#include "store/users.h"
#include "store/viewer.h"

namespace understudy::http {

/// What `parentId` may name beside libraries and items: all box sets, all playlists, and what is above the views.
inline constexpr core::LibraryId box_sets_view{
    core::IdBytes{0xc0, 0x11, 0xec, 0x71, 0x04, 0x5a, 0x4d, 0x1b, 0x9a, 0x11, 0, 0, 0, 0, 0, 2}};
inline constexpr core::LibraryId playlists_view{
    core::IdBytes{0xc0, 0x11, 0xec, 0x71, 0x04, 0x5a, 0x4d, 0x1b, 0x9a, 0x11, 0, 0, 0, 0, 0, 3}};
inline constexpr core::ItemId root_folder{
    core::IdBytes{0xc0, 0x11, 0xec, 0x71, 0x04, 0x5a, 0x4d, 0x1b, 0x9a, 0x11, 0, 0, 0, 0, 0, 4}};

/// Of UserConfiguration, with the reference's defaults.
struct HomeSettings {
    std::vector<core::LibraryId> order, hidden, not_in_latest;  ///< OrderedViews, MyMediaExcludes, LatestItemsExcludes
    bool hide_played = true;                                    ///< HidePlayedInLatest
};
/// What does not parse is as if it were not said.
[[nodiscard]] HomeSettings home_settings(const std::optional<store::User>& user);

/// The view of a library, or of the collections or playlists.
struct View {
    core::LibraryId id;
    std::optional<model::Library> library;
};

/// In the order that `settings` asks for, those that it does not name last, by name. Collections and playlists have a
/// view where `viewer` may see one. Blocks. Errors: as Catalog.
[[nodiscard]] core::Result<std::vector<View>> views_of(const Services& services, std::vector<model::Library> libraries,
                                                       const HomeSettings& settings,
                                                       const std::optional<store::Viewer>& viewer, bool with_hidden);

void write_view(JsonWriter& out, const View& view, const ItemFields& fields, std::string_view server_id);
void write_root(JsonWriter& out, std::string_view server_id);
/// Writes the view of collections or playlists, or the root, where `id` is theirs.
[[nodiscard]] bool write_top_level(JsonWriter& out, core::ItemId id, const ItemFields& fields,
                                   std::string_view server_id);

}  // namespace understudy::http
