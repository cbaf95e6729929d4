#include "http/jellyfin/dto/name_dto.h"

#include <string>

#include "core/case_folder.h"
#include "http/jellyfin/dto/description_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"

namespace understudy::http {
namespace {

using store::NameKind;

core::ItemId artist_id(const store::ListedItem& listed, const std::string& name) {
    const auto item = listed.artist_items.find(name);
    return item != listed.artist_items.end() ? item->second : name_id_of(NameKind::artist, name);
}

void begin_name(JsonWriter& out, std::string_view name, core::ItemId id, const ItemFields& fields,
                std::string_view server_id) {
    out.begin_object().field("Name", name).field("ServerId", server_id).field("Id", id);
    if (fields.wants("etag")) out.field("Etag", id);
    if (fields.wants("candelete")) out.field("CanDelete", false);
    if (fields.wants("candownload")) out.field("CanDownload", false);
    if (fields.wants("sortname")) out.field("SortName", name);
    if (fields.wants("playaccess")) out.field("PlayAccess", "Full");
    if (fields.wants("displaypreferencesid")) out.field("DisplayPreferencesId", id);
}

void end_name(JsonWriter& out, NameKind kind, core::ItemId id, const std::map<model::ItemKind, std::int64_t>& counts,
              const ItemFields& fields, const store::UserItemData* data) {
    out.field("IsFolder", kind == NameKind::artist).field("Type", name_type(kind));
    if (fields.wants("itemcounts")) write_counts(out, counts);
    if (data != nullptr) write_user_data(out.name("UserData"), id, *data);
    write_images(out, {}, fields);
    out.field("LocationType", "FileSystem").field("MediaType", "Unknown").end_object();
}

}  // namespace

std::string_view name_type(NameKind kind) noexcept {
    switch (kind) {
        case NameKind::genre:
        case NameKind::tag:
            return "Genre";
        case NameKind::music_genre:
            return "MusicGenre";
        case NameKind::studio:
            return "Studio";
        case NameKind::artist:
            return "MusicArtist";
        case NameKind::year:
            return "Year";
    }
    return "Genre";
}

core::ItemId name_id_of(NameKind kind, std::string_view name) {
    static const core::CaseFolder folder;  // a locale that nobody changes
    return store::name_id(kind, folder.name_key(name));
}

void write_pair(JsonWriter& out, std::string_view name, core::ItemId id) {
    out.begin_object().field("Name", name).field("Id", id).end_object();
}

void write_name_pairs(JsonWriter& out, const store::ListedItem& listed, const ItemFields& fields) {
    const auto& item = listed.item;
    if (fields.wants("genres")) {
        out.name("GenreItems").begin_array();
        for (const auto& genre : item.genres) write_pair(out, genre, name_id_of(store::genre_kind(item.kind), genre));
        out.end_array();
    }
    if (item.kind != model::ItemKind::track && item.kind != model::ItemKind::album) return;
    out.name("ArtistItems").begin_array();
    for (const auto& artist : item.artists) write_pair(out, artist, artist_id(listed, artist));
    out.end_array().name("AlbumArtists").begin_array();
    if (!item.album_artist.empty()) write_pair(out, item.album_artist, artist_id(listed, item.album_artist));
    out.end_array();
}

void write_counts(JsonWriter& out, const std::map<model::ItemKind, std::int64_t>& counts) {
    using model::ItemKind;
    const auto count = [&](ItemKind kind) {
        const auto at = counts.find(kind);
        return at == counts.end() ? std::int64_t{0} : at->second;
    };
    std::int64_t all = 0;
    for (const auto& [kind, number] : counts) all += number;
    out.field("ChildCount", all).field("TrailerCount", 0).field("MovieCount", count(ItemKind::movie));
    out.field("SeriesCount", count(ItemKind::series)).field("ProgramCount", 0);
    out.field("EpisodeCount", count(ItemKind::episode)).field("SongCount", count(ItemKind::track));
    out.field("AlbumCount", count(ItemKind::album)).field("ArtistCount", count(ItemKind::artist));
    out.field("MusicVideoCount", 0);
}

void write_name(JsonWriter& out, const store::ListedName& name, const ItemFields& fields, std::string_view server_id,
                const store::UserItemData* data) {
    begin_name(out, name.name, name.id, fields, server_id);
    end_name(out, name.kind, name.id, name.counts, fields, data);
}

void write_year(JsonWriter& out, const store::YearCount& year, const ItemFields& fields, std::string_view server_id,
                const store::UserItemData* data) {
    const auto name = std::to_string(year.year);
    const auto id = name_id_of(NameKind::year, name);
    begin_name(out, name, id, fields, server_id);
    out.field("ProductionYear", year.year);
    end_name(out, NameKind::year, id, year.counts, fields, data);
}

}  // namespace understudy::http
