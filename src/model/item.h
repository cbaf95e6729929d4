// model/item.h: the nouns of a library as plain values. An item is what a person sees; a file is where its bytes are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/time.h"
#include "model/description.h"
#include "model/media.h"

namespace understudy::model {

/// `extra`: a trailer, a deleted scene, theme music: below the item it belongs to, in no list that does not ask for it.
enum class ItemKind { movie, series, season, episode, artist, album, track, box_set, playlist, extra };
[[nodiscard]] std::string_view to_string(ItemKind kind) noexcept;  ///< `movie`, …: as stored
[[nodiscard]] std::optional<ItemKind> parse_item_kind(std::string_view text) noexcept;

/// Which file an item's source is, as the walk saw it (target's size and dates, the link's name).
struct FileState {
    std::string path;  ///< absolute, bytes kept exactly
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;
    std::uint64_t inode = 0;
    std::uint64_t device = 0;
    friend bool operator==(const FileState&, const FileState&) = default;
};

/// Subtitles or sound in a file of its own beside a video. `stream.index` counts within the file.
struct ExternalStream {
    std::string path;  ///< absolute, bytes kept exactly
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;
    MediaStream stream;  ///< by the file's name; nothing is opened for it
};

struct MediaSource {
    FileState file;
    MediaInfo info;
    std::string version_name;              ///< ` - 1080p`: empty for the only one
    std::vector<ExternalStream> external;  ///< in the order of their names
};

struct Item {
    core::ItemId id;  ///< stable for ever: survives rename, move and replacement
    ItemKind kind = ItemKind::movie;
    core::LibraryId library;
    core::ItemId parent;  ///< season's series, episode's season, album's artist, track's album; empty: none
    std::string name;     ///< for people: valid UTF-8
    std::string sort_name;
    std::string original_key;  ///< what the resolver calls it below its parent; unique there (see resolve.h)
    std::optional<int> year;
    std::optional<int> season_number, episode_number, episode_number_end;  ///< episodes; season_number for seasons too
    std::optional<int> track_number, disc_number;
    std::string album, album_artist;  ///< tracks
    std::vector<std::string> artists, genres;
    std::map<std::string, std::string> provider_ids;  ///< `Imdb`, `Tmdb`, `Tvdb`, `MusicBrainzTrack`, …
    core::Millis duration{};
    bool available = true;  ///< false: its root or folder is away (`LocationType: Offline`)
    core::UtcTime created_at{};
    std::string folder;      ///< series, seasons, artists, albums: their own, absolute path bytes; else empty
    std::string extra_type;  ///< extras: `trailer`, `behind_the_scenes`, … (library/naming/extras.h); else empty
    Description about;
    std::vector<ItemImage> images;     ///< at most one of each kind, but backdrops, in their order
    std::vector<MediaSource> sources;  ///< empty for series, seasons, artists, albums
};

}  // namespace understudy::model
