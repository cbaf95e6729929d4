// Tracks: tags win over names; an album belongs to its album artist, or to «Various Artists» where its tracks differ.
#include <algorithm>
#include <set>

#include "library/naming/movie_name.h"
#include "library/naming/text.h"
#include "library/naming/track_name.h"
#include "library/resolve.h"

namespace understudy::library {
namespace {

constexpr std::string_view various = "Various Artists";

struct Track {
    ScannedFile* file = nullptr;
    std::string title, album, album_artist, album_id;
    std::vector<std::string> artists, genres;
    int track = 0, disc = 0, year = 0;
    std::map<std::string, std::string> ids;
};

std::string first_or(const std::vector<std::string>& values, const std::string& otherwise) {
    return values.empty() ? otherwise : naming::display_text(values.front());
}

std::string folded_key(std::string_view name) {
    auto key = naming::fold(name);
    return key.empty() ? naming::key_text(name) : naming::key_text(key);  // «!!!» is a band
}

Track describe(ScannedFile& file, const std::string& root) {
    const auto names = naming::parse_track_path(naming::parts_below(root, file.file.path));
    static const model::Tags no_tags;
    const auto& tags = file.info ? file.info->tags : no_tags;
    Track track;
    track.file = &file;
    track.title = tags.title.empty() ? names.title : naming::display_text(tags.title);
    track.album = tags.album.empty() ? names.album : naming::display_text(tags.album);
    for (const auto& artist : tags.artists) track.artists.push_back(naming::display_text(artist));
    if (track.artists.empty() && !names.artist.empty()) track.artists.push_back(names.artist);
    track.album_artist = first_or(tags.album_artists, {});
    if (track.album_artist.empty() && tags.compilation) track.album_artist = various;
    // A folder's artist speaks for the album where the tags name nobody.
    if (track.album_artist.empty() && tags.artists.empty()) track.album_artist = names.artist;
    for (const auto& genre : tags.genres) track.genres.push_back(naming::display_text(genre));
    track.track = tags.track > 0 ? tags.track : names.track.value_or(0);
    track.disc = tags.disc > 0 ? tags.disc : names.disc.value_or(0);
    track.year = tags.year > 0 ? tags.year : names.year.value_or(0);
    track.ids = tags.ids;
    if (const auto id = tags.ids.find("MusicBrainzAlbum"); id != tags.ids.end()) track.album_id = id->second;
    return track;
}

// Tracks of one album in one folder without an album artist: theirs where all agree, else «Various Artists».
void agree_on_album_artists(std::vector<Track>& tracks) {
    std::map<std::string, std::set<std::string>> artists;
    for (const auto& track : tracks) {
        if (track.album_artist.empty() && !track.artists.empty()) {
            artists[folded_key(track.album)].insert(folded_key(track.artists.front()));
        }
    }
    for (auto& track : tracks) {
        if (!track.album_artist.empty()) continue;
        const auto found = artists.find(folded_key(track.album));
        if (found == artists.end()) continue;
        if (found->second.size() > 1) {
            track.album_artist = various;
        } else if (!track.artists.empty()) {
            track.album_artist = track.artists.front();
        }
    }
}

// Where the tags name no album artist, the album's NFO does, before the folder's name.
void take_album_artist(const Saying& album, std::vector<Track>& tracks) {
    if (album.items.empty()) return;
    const auto& said = album.items.front();
    auto artist = said.compilation.value_or(false) ? std::string(various)
                                                   : first_or(said.album_artists, first_or(said.artists, {}));
    if (artist.empty()) return;
    for (auto& track : tracks) {
        const auto* tags = track.file->info ? &track.file->info->tags : nullptr;
        if (tags == nullptr || (tags->album_artists.empty() && !tags->compilation)) track.album_artist = artist;
    }
}

// The folder above the album's, where it is called as the artist is; or the album's own that holds all of an artist.
std::string artist_folder(const std::string& artist, const FolderGroup& group) {
    std::string folder = group.folder;
    for (int up = 0; up < 2 && folder.size() > group.root.size(); ++up) {
        if (folded_key(naming::parse_title(naming::name_of(folder)).name) == folded_key(artist) ||
            folded_key(naming::display_text(naming::name_of(folder))) == folded_key(artist))
            return folder;
        folder = std::string(naming::parent_of(folder));
    }
    return {};
}

}  // namespace

core::Result<void> Resolver::resolve_tracks(FolderGroup& group, std::vector<Step>& steps) {
    std::vector<Track> tracks;
    tracks.reserve(group.files.size());
    for (auto& file : group.files) tracks.push_back(describe(file, group.root));
    std::set<std::string> albums;
    for (const auto& track : tracks) albums.insert(folded_key(track.album));
    // A track that comes later to an album of its folder belongs where the others are, whoever sings it; and one track
    // alone does not say whether the folder holds one album.
    const bool asks =
        std::ranges::any_of(tracks, [](const Track& track) { return track.album_artist.empty() || track.file->again; });
    std::vector<model::Item> beside;
    if (asks && !group.beside.empty()) {
        auto loaded = store_.load(group.beside);
        if (!loaded) return tl::unexpected(loaded.error());
        beside = std::move(*loaded);
    }
    for (const auto& other : beside) albums.insert(folded_key(other.album));
    const bool owns_folder = group.folder != group.root && albums.size() == 1;
    if (owns_folder) {
        const auto album = describer_.say(group.folder, {"album.nfo"}, nfo::Subject::album);
        take_album_artist(album, tracks);
        for (auto& track : tracks) {  // who it named last time is the best there is
            const auto before = album.unreadable ? loaded_.find(track.file->item) : loaded_.end();
            if (before != loaded_.end()) track.album_artist = before->second.album_artist;
        }
    }
    for (auto& track : tracks) {
        for (const auto& other : beside) {
            if (!track.album_artist.empty() || folded_key(other.album) != folded_key(track.album)) continue;
            track.album_artist = other.album_artist;
        }
    }
    agree_on_album_artists(tracks);

    for (auto& track : tracks) {
        auto& file = *track.file;
        Step step;
        step.folder = group.folder;
        core::ItemId parent;
        if (!track.album.empty()) {
            core::ItemId artist;
            if (!track.album_artist.empty()) {
                auto made = container({model::ItemKind::artist,
                                       {},
                                       folded_key(track.album_artist),
                                       former(file, model::ItemKind::artist),
                                       artist_folder(track.album_artist, group),
                                       true,
                                       {}},
                                      step, steps, [&](model::Item& item) { item.name = track.album_artist; });
                if (!made) return tl::unexpected(made.error());
                artist = *made;
            }
            auto key = folded_key(track.album);
            if (!track.album_id.empty()) key += "|" + naming::key_text(track.album_id);
            auto made = container({model::ItemKind::album,
                                   artist,
                                   key,
                                   former(file, model::ItemKind::album),
                                   group.folder,
                                   owns_folder,
                                   {}},
                                  step, steps, [&](model::Item& item) {
                                      item.name = track.album;
                                      item.album_artist = track.album_artist;
                                      item.artists.clear();
                                      if (!track.album_artist.empty()) item.artists.push_back(track.album_artist);
                                      item.year = track.year > 0 ? std::optional<int>(track.year) : std::nullopt;
                                      item.genres = track.genres;
                                      if (!track.album_id.empty())
                                          item.provider_ids["MusicBrainzAlbum"] = track.album_id;
                                  });
            if (!made) return tl::unexpected(made.error());
            parent = *made;
        }

        auto key = "d" + std::to_string(track.disc) + "t" + std::to_string(track.track) + ":" + folded_key(track.title);
        if (const auto* known = index_.by_key(model::ItemKind::track, parent, key);
            known != nullptr && (known->claimed || (known->files > 0 && known->id != file.item))) {
            key +=
                "#" + naming::key_text(file.file.path);  // the same song twice (two formats, two folders): two tracks
        }
        core::ItemId same_recording;
        if (const auto id = track.ids.find("MusicBrainzTrack"); id != track.ids.end()) {
            const auto found = vanished_tracks_.find(id->second);
            if (found != vanished_tracks_.end()) same_recording = found->second;
        }
        auto found = leaf(model::ItemKind::track, parent, key, {&file}, false, steps, same_recording);
        if (!found) return tl::unexpected(found.error());
        auto& item = *found;
        const bool is_new = item.created_at == core::UtcTime{};
        item.name = track.title;
        item.album = track.album;
        item.album_artist = track.album_artist;
        item.artists = track.artists;
        item.genres = track.genres;
        item.year = track.year > 0 ? std::optional<int>(track.year) : std::nullopt;
        item.track_number = track.track > 0 ? std::optional<int>(track.track) : std::nullopt;
        item.disc_number = track.disc > 0 ? std::optional<int>(track.disc) : std::nullopt;
        item.provider_ids = track.ids;
        merge_sources(item, {&file}, {std::string{}});
        describe_track(item, is_new, step);
        finish(std::move(item), {&file}, step);
        steps.push_back(std::move(step));
    }
    return {};
}

}  // namespace understudy::library
