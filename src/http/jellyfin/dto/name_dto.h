// http/jellyfin/dto/name_dto.h: genres, studios, artists and years, which items share by name, as BaseItemDto and
// NameGuidPair. Used by the item DTO and the handlers of names and filters.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "http/jellyfin/dto/item_dto.h"
#include "http/json_writer.h"
#include "store/names.h"
#include "store/user_data.h"

namespace understudy::http {

/// The id under which clients find what is called `name`, in any case: store/names.h.
[[nodiscard]] core::ItemId name_id_of(store::NameKind kind, std::string_view name);

/// `Genre`, `MusicArtist`, …: Jellyfin's BaseItemKind.
[[nodiscard]] std::string_view name_type(store::NameKind kind) noexcept;

/// NameGuidPair.
void write_pair(JsonWriter& out, std::string_view name, core::ItemId id);
/// GenreItems, ArtistItems and AlbumArtists of an item.
void write_name_pairs(JsonWriter& out, const store::ListedItem& listed, const ItemFields& fields);
/// MovieCount, SongCount, … and ChildCount.
void write_counts(JsonWriter& out, const std::map<model::ItemKind, std::int64_t>& counts);
/// A genre, a studio, or an artist that is no item. `data`: of the user who is named; null: nobody is.
void write_name(JsonWriter& out, const store::ListedName& name, const ItemFields& fields, std::string_view server_id,
                const store::UserItemData* data);
void write_year(JsonWriter& out, const store::YearCount& year, const ItemFields& fields, std::string_view server_id,
                const store::UserItemData* data);

}  // namespace understudy::http
