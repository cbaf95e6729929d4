#include "http/jellyfin/dto/item_dto.h"

#include <algorithm>
#include <array>
#include <string>

#include "http/jellyfin/dto/description_dto.h"
#include "http/jellyfin/dto/media_dto.h"
#include "http/jellyfin/dto/name_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/text.h"

namespace understudy::http {
namespace {

template <class Tag>
void id_if_any(JsonWriter& out, std::string_view name, const core::Id<Tag>& id) {
    if (!id.empty()) out.field(name, id);
}

void write_numbers(JsonWriter& out, const model::Item& item) {
    switch (item.kind) {
        case model::ItemKind::episode:
            out.field("IndexNumber", item.episode_number).field("IndexNumberEnd", item.episode_number_end);
            out.field("ParentIndexNumber", item.season_number);
            break;
        case model::ItemKind::season:
            out.field("IndexNumber", item.season_number);
            break;
        case model::ItemKind::track:
            out.field("IndexNumber", item.track_number).field("ParentIndexNumber", item.disc_number);
            break;
        case model::ItemKind::movie:
        case model::ItemKind::series:
        case model::ItemKind::artist:
        case model::ItemKind::album:
        case model::ItemKind::box_set:
        case model::ItemKind::playlist:
        case model::ItemKind::extra:
            break;
    }
}

// Width by height of what is shown as Primary: of a picture in a file as it is, of one beside it as its kind is drawn.
std::optional<double> primary_ratio(const store::ListedItem& listed) {
    const auto& item = listed.item;
    constexpr double poster = 2.0 / 3.0, screen = 16.0 / 9.0, square = 1.0;
    if (std::ranges::find(item.images, model::ImageKind::primary, &model::ItemImage::kind) == item.images.end()) {
        if (!listed.cover || listed.cover->width <= 0 || listed.cover->height <= 0) return std::nullopt;
        return static_cast<double>(listed.cover->width) / listed.cover->height;
    }
    switch (item.kind) {
        case model::ItemKind::movie:
        case model::ItemKind::series:
        case model::ItemKind::season:
        case model::ItemKind::box_set:
            return poster;
        case model::ItemKind::episode:
        case model::ItemKind::extra:
            return screen;
        case model::ItemKind::artist:
        case model::ItemKind::album:
        case model::ItemKind::track:
        case model::ItemKind::playlist:
            return square;
    }
    return std::nullopt;
}

struct Site {
    std::string_view provider, name, address;  ///< `{}`: the id
};
constexpr std::array sites{Site{"Imdb", "IMDb", "https://www.imdb.com/title/{}"},
                           Site{"Tmdb", "TheMovieDb", "https://www.themoviedb.org/{kind}/{}"},
                           Site{"Tvdb", "TheTVDB", "https://thetvdb.com/?tab=series&id={}"},
                           Site{"MusicBrainzAlbum", "MusicBrainz", "https://musicbrainz.org/release/{}"},
                           Site{"MusicBrainzArtist", "MusicBrainz", "https://musicbrainz.org/artist/{}"},
                           Site{"MusicBrainzTrack", "MusicBrainz", "https://musicbrainz.org/track/{}"}};

// Where people read more of it: of what is known by an id there.
void write_external_urls(JsonWriter& out, const model::Item& item) {
    out.name("ExternalUrls").begin_array();
    for (const auto& site : sites) {
        const auto id = item.provider_ids.find(std::string(site.provider));
        const bool plain = id != item.provider_ids.end() && std::ranges::all_of(id->second, [](char c) {
                               return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-';
                           });
        if (!plain) continue;
        std::string address(site.address);
        if (const auto at = address.find("{kind}"); at != std::string::npos) {
            if (item.kind != model::ItemKind::movie && item.kind != model::ItemKind::series) continue;
            address.replace(at, 6, item.kind == model::ItemKind::movie ? "movie" : "tv");
        }
        address.replace(address.find("{}"), 2, id->second);
        out.begin_object().field("Name", site.name).field("Url", address).end_object();
    }
    out.end_array();
}

// A trailer, a video or a sound, by what kind of extra it is.
std::string_view type_of(const model::Item& item) {
    if (item.kind != model::ItemKind::extra) return item_type(item.kind);
    if (is_trailer(item.extra_type)) return "Trailer";
    return item.extra_type == "theme_song" ? "Audio" : "Video";
}

void write_sources(JsonWriter& out, const model::Item& item, const ItemFields& fields) {
    if (item.sources.empty() || !fields.needs_sources()) return;
    const auto& first = item.sources.front();
    out.field("MediaSourceCount", item.sources.size());
    if (fields.wants("mediasources")) {
        out.name("MediaSources").begin_array();
        for (std::size_t i = 0; i < item.sources.size(); ++i) write_source(out, item, i);
        out.end_array();
    }
    if (fields.wants("mediastreams")) {
        out.name("MediaStreams");
        write_streams(out, first);
    }
    if (fields.wants("chapters")) {
        out.name("Chapters");
        write_chapters(out, first);
    }
    for (const auto& stream : first.info.streams) {
        if (stream.kind != model::StreamKind::video || stream.is_attached_picture || stream.width <= 0) continue;
        constexpr int hd_width = 1200;  // as the reference judges
        out.field("Width", stream.width).field("Height", stream.height).field("IsHD", stream.width >= hd_width);
        break;
    }
    const auto subtitle = [](const auto& stream) { return stream.kind == model::StreamKind::subtitle; };
    const bool subtitles = std::ranges::any_of(first.info.streams, subtitle) ||
                           std::ranges::any_of(first.external, subtitle, &model::ExternalStream::stream);
    if (media_type(item) == "Video") out.field("HasSubtitles", subtitles).field("VideoType", "VideoFile");
}

}  // namespace

std::string_view item_type(model::ItemKind kind) noexcept {
    switch (kind) {
        case model::ItemKind::movie:
            return "Movie";
        case model::ItemKind::series:
            return "Series";
        case model::ItemKind::season:
            return "Season";
        case model::ItemKind::episode:
            return "Episode";
        case model::ItemKind::artist:
            return "MusicArtist";
        case model::ItemKind::album:
            return "MusicAlbum";
        case model::ItemKind::track:
            return "Audio";
        case model::ItemKind::box_set:
            return "BoxSet";
        case model::ItemKind::playlist:
            return "Playlist";
        case model::ItemKind::extra:
            return "Video";
    }
    return "Movie";
}

std::string_view media_type(const model::Item& item) noexcept {
    switch (item.kind) {
        case model::ItemKind::movie:
        case model::ItemKind::episode:
            return "Video";
        case model::ItemKind::extra:
            return item.extra_type == "theme_song" ? "Audio" : "Video";
        case model::ItemKind::track:
            return "Audio";
        case model::ItemKind::series:
        case model::ItemKind::season:
        case model::ItemKind::artist:
        case model::ItemKind::album:
        case model::ItemKind::box_set:
        case model::ItemKind::playlist:
            return "Unknown";
    }
    return "Unknown";
}

void write_item(JsonWriter& out, const store::ListedItem& listed, const ItemFields& fields, std::string_view server_id,
                const ItemContext& context) {
    const auto& item = listed.item;
    out.begin_object();
    out.field("Name", item.name).field("ServerId", server_id).field("Id", item.id);
    if (fields.wants("etag")) out.field("Etag", item.id.str() + std::to_string(core::to_unix_ms(listed.saved_at)));
    if (fields.wants("datecreated")) out.field("DateCreated", to_jellyfin_time(item.created_at));
    if (fields.wants("candelete")) out.field("CanDelete", context.can_delete);
    if (fields.wants("candownload")) out.field("CanDownload", false);
    if (!item.sources.empty()) out.text_if_any("Container", container_name(item.sources.front()));
    if (fields.wants("sortname")) out.field("SortName", item.sort_name);
    if (fields.wants("path"))
        out.text_if_any("Path", item.sources.empty() ? item.folder : item.sources.front().file.path);
    write_description(out, item, fields);
    if (context.credits && fields.wants("people")) write_people(out, *context.credits);
    if (fields.wants("genres")) out.field("Genres", item.genres);
    write_name_pairs(out, listed, fields);
    if (fields.wants("externalurls")) write_external_urls(out, item);
    if (fields.wants("playaccess")) out.field("PlayAccess", "Full");
    if (fields.wants("displaypreferencesid")) out.field("DisplayPreferencesId", item.id);
    if (fields.wants("enablemediasourcedisplay") && !has_below(item.kind)) out.field("EnableMediaSourceDisplay", true);
    if (fields.wants("primaryimageaspectratio")) out.field("PrimaryImageAspectRatio", primary_ratio(listed));
    if (item.duration.count() > 0) out.field("RunTimeTicks", to_ticks(item.duration));
    out.field("ProductionYear", item.year);
    write_numbers(out, item);
    if (fields.wants("providerids")) {
        out.name("ProviderIds").begin_object();
        for (const auto& [name, value] : item.provider_ids) out.key(name).value(value);
        out.end_object();
    }
    out.field("IsFolder", has_below(item.kind));
    if (fields.wants("parentid")) {
        if (!item.parent.empty())
            out.field("ParentId", item.parent);
        else
            id_if_any(out, "ParentId", item.library);
    }
    out.field("Type", type_of(item));
    if (item.kind == model::ItemKind::extra) out.field("ExtraType", extra_type_name(item.extra_type));
    write_extra_counts(out, listed, fields);
    if (context.child_count)
        out.field("ChildCount", *context.child_count);
    else if (has_below(item.kind) && fields.wants("childcount") && !context.counts)
        out.field("ChildCount", listed.child_count);
    if (has_below(item.kind) && fields.wants("recursiveitemcount") && context.user && context.user->below)
        out.field("RecursiveItemCount", context.user->below->playable);
    if (context.counts) write_counts(out, *context.counts);
    out.text_if_any("SeriesName", listed.series_name);
    id_if_any(out, "SeriesId", listed.series);
    id_if_any(out, "SeasonId", listed.season);
    out.text_if_any("SeasonName", listed.season_name);
    if (item.kind == model::ItemKind::track || item.kind == model::ItemKind::album) {
        out.field("Artists", item.artists);
        out.text_if_any("AlbumArtist", item.album_artist);
    }
    if (item.kind == model::ItemKind::track) {
        out.text_if_any("Album", item.album.empty() ? listed.album_name : item.album);
        id_if_any(out, "AlbumId", listed.album_id);
    }
    if (listed.gain_db) out.field("NormalizationGain", *listed.gain_db);
    if (context.user) write_user_data(out.name("UserData"), item, *context.user);
    if (!context.entry.empty()) out.field("PlaylistItemId", context.entry);
    write_sources(out, item, fields);
    write_images(out, listed, fields);
    out.field("LocationType", item.available ? "FileSystem" : "Offline").field("MediaType", media_type(item));
    out.end_object();
}

void write_library(JsonWriter& out, const model::Library& library, const ItemFields& fields,
                   std::string_view server_id) {
    out.begin_object();
    out.field("Name", library.name).field("ServerId", server_id).field("Id", library.id);
    if (fields.wants("datecreated")) out.field("DateCreated", to_jellyfin_time(library.created_at));
    if (fields.wants("sortname")) out.field("SortName", to_lower(library.name));
    if (fields.wants("path") && !library.paths.empty()) out.field("Path", library.paths.front());
    out.field("IsFolder", true)
        .field("Type", "CollectionFolder")
        .field("CollectionType", model::to_string(library.kind));
    write_images(out, {}, fields);
    out.field("LocationType", "FileSystem").field("MediaType", "Unknown").end_object();
}

}  // namespace understudy::http
