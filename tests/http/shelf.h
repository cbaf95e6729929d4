// tests/http/shelf.h: a house with libraries and an item of each kind.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "http/house.h"

namespace understudy::testing {

/// A library of each kind with an item of each kind.
struct Shelf : House {
    Shelf() {
        films.id = id_of<core::LibraryId>('a');
        films.name = "Films";
        films.paths = {"/m/films"};
        shows.id = id_of<core::LibraryId>('b');
        shows.name = "Shows";
        shows.kind = model::LibraryKind::tvshows;
        libraries.rows = {films, shows};
        catalog.rows = {film(), listed('2', model::ItemKind::series, "Harbour", shows.id), season(), episode(),
                        track()};
    }
    static store::ListedItem listed(char digit, model::ItemKind kind, const char* name, core::LibraryId library) {
        store::ListedItem row;
        row.item.id = id_of<core::ItemId>(digit);
        row.item.kind = kind;
        row.item.name = row.item.sort_name = name;
        row.item.library = library;
        row.item.created_at = core::from_unix_ms(1'796'032'000'000);
        return row;
    }
    store::ListedItem film() const {
        auto row = listed('1', model::ItemKind::movie, "Tide \"Pool\"", films.id);
        row.item.year = 1999;
        row.item.duration = core::Millis{5'400'000};
        row.item.provider_ids = {{"Imdb", "tt0000001"}};
        row.item.genres = {"Drama, slow"};
        model::MediaSource source;
        source.file.path = "/m/films/Tide/Tide.mkv";
        source.file.size_bytes = 5'000'000'000;
        source.info.container = "matroska,webm";
        source.info.duration = row.item.duration;
        source.info.bitrate_bps = 7'400'000;
        model::MediaStream video, audio, subtitle, cover, font;
        video.codec = "hevc";
        video.width = 3840;
        video.height = 2160;
        video.frame_rate = 23.976023;
        video.hdr = "HDR10";
        video.is_default = true;
        audio.kind = model::StreamKind::audio;
        audio.index = 1;
        audio.codec = "eac3";
        audio.language = "eng";
        audio.channels = 6;
        audio.is_default = true;
        subtitle.kind = model::StreamKind::subtitle;
        subtitle.index = 2;
        subtitle.codec = "subrip";
        subtitle.is_forced = true;
        cover.index = 3;
        cover.codec = "mjpeg";
        cover.is_attached_picture = true;
        font.kind = model::StreamKind::attachment;
        font.index = 4;
        font.title = "font.ttf";
        source.info.streams = {video, audio, subtitle, cover, font};
        source.info.chapters = {{core::Millis{1'500}, "One"}};
        row.item.sources = {source};
        source.file.path = "/m/films/Tide/Tide - 1080p.mkv";
        source.version_name = "1080p";
        row.item.sources.push_back(source);
        return row;
    }
    store::ListedItem season() const {
        auto row = listed('3', model::ItemKind::season, "Season 1", shows.id);
        row.item.parent = id_of<core::ItemId>('2');
        row.item.season_number = 1;
        row.series_name = "Harbour";
        row.series = id_of<core::ItemId>('2');
        row.child_count = 8;
        return row;
    }
    store::ListedItem episode() const {
        auto row = listed('4', model::ItemKind::episode, "Fog", shows.id);
        row.item.parent = id_of<core::ItemId>('3');
        row.item.season_number = 1;
        row.item.episode_number = 2;
        row.item.episode_number_end = 3;
        row.item.available = false;
        row.series_name = "Harbour";
        row.series = id_of<core::ItemId>('2');
        row.season_name = "Season 1";
        row.season = id_of<core::ItemId>('3');
        return row;
    }
    static store::ListedItem track() {
        auto row = listed('5', model::ItemKind::track, "Swell", id_of<core::LibraryId>('c'));
        row.item.track_number = 7;
        row.item.disc_number = 2;
        row.item.album = "Coast";
        row.item.album_artist = "The Piers";
        row.item.artists = {"The Piers", "Guest"};
        row.album_id = id_of<core::ItemId>('6');
        return row;
    }
    /// What a query for /Items finds.
    std::vector<std::string> names(const std::string& query) {
        std::vector<std::string> found;
        const auto page = boost::json::parse(get("/Items?" + query).body);
        for (const auto& item : page.at("Items").as_array()) found.emplace_back(item.at("Name").as_string());
        return found;
    }
    model::Library films, shows;
};

}  // namespace understudy::testing
