#include "corpus/corpus.h"

#include <fmt/format.h>
#include <taglib/fileref.h>
#include <taglib/tpropertymap.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "corpus/templates.h"

namespace understudy::bench {

namespace {

namespace fs = std::filesystem;

/// Twenty extensions, so that a place in them is 5 %.
using Mix = std::array<std::string_view, 20>;
constexpr Mix film_mix{".mkv", ".mkv", ".mp4", ".mkv", ".mkv", ".mp4", ".mkv", ".mkv", ".mp4", ".mkv",
                       ".mkv", ".mp4", ".mkv", ".mkv", ".mp4", ".mkv", ".mkv", ".mp4", ".mkv", ".mkv"};
constexpr Mix episode_mix{".mkv", ".mkv", ".mkv", ".mp4", ".mkv", ".mkv", ".mkv", ".mkv", ".avi", ".mkv",
                          ".mkv", ".mkv", ".mp4", ".mkv", ".mkv", ".mkv", ".mkv", ".ts",  ".mkv", ".mkv"};
/// By album: one format throughout.
constexpr Mix music_mix{".mp3", ".flac", ".mp3", ".m4a",  ".mp3", ".ogg", ".flac", ".mp3", ".mp3",  ".m4a",
                        ".mp3", ".flac", ".mp3", ".opus", ".mp3", ".m4a", ".flac", ".mp3", ".flac", ".mp3"};

constexpr std::size_t episodes_a_season = 10, seasons_a_show = 3, tracks_an_album = 12, albums_an_artist = 4;

class Maker {
public:
    explicit Maker(const fs::path& root) : root_(root) {}

    fs::path film(std::size_t n) const {
        const auto name = fmt::format("Film {:05} ({})", n, 1950 + n % 75);
        return root_ / "films" / name / (name + std::string(film_mix[n % film_mix.size()]));
    }
    fs::path episode(std::size_t n) const {
        const std::size_t season = n / episodes_a_season, show = season / seasons_a_show;
        const auto name = fmt::format("Show {:04}", show);
        return root_ / "series" / fmt::format("{} ({})", name, 1970 + show % 55) /
               fmt::format("Season {:02}", season % seasons_a_show + 1) /
               (fmt::format("{} - S{:02}E{:02} - Part {}", name, season % seasons_a_show + 1, n % episodes_a_season + 1,
                            n) +
                std::string(episode_mix[n % episode_mix.size()]));
    }
    fs::path track(std::size_t n) const {
        const std::size_t album = n / tracks_an_album;
        return root_ / "music" / artist(n) / fmt::format("Album {:05}", album) /
               (fmt::format("{:02} - Track {:06}", n % tracks_an_album + 1, n) +
                std::string(music_mix[album % music_mix.size()]));
    }

    void write_video(const fs::path& path, std::string_view kind, std::size_t n) {
        copy(path, std::string(kind) + path.extension().string(),
             fmt::format("{} number {:08}", kind == "film" ? "Film" : "Part", n));
    }
    void write_nfo(const fs::path& film, std::size_t n) {
        auto nfo = film;
        std::ofstream(nfo.replace_extension(".nfo"))
            << "<movie><title>" << fmt::format("Film {:05}", n) << "</title><year>" << 1950 + n % 75
            << "</year><uniqueid type=\"tmdb\">" << n
            << "</uniqueid><plot>It was made for a benchmark.</plot></movie>\n";
    }
    void write_track(const fs::path& path, std::size_t n) {
        copy(path, "track" + path.extension().string(), fmt::format("Track {:06}", n));
        TagLib::FileRef file(path.c_str(), false);
        if (file.isNull()) throw std::runtime_error("TagLib cannot open " + path.string());
        const std::size_t album = n / tracks_an_album;
        TagLib::PropertyMap tags;
        const auto set = [&](const char* key, const std::string& value) {
            tags[key] = TagLib::StringList(TagLib::String(value, TagLib::String::UTF8));
        };
        set("TITLE", fmt::format("Track {:06}", n));
        set("ARTIST", artist(n));
        set("ALBUMARTIST", artist(n));
        set("ALBUM", fmt::format("Album {:05}", album));
        set("TRACKNUMBER", fmt::format("{}/{}", n % tracks_an_album + 1, tracks_an_album));
        set("DATE", std::to_string(1960 + album % 65));
        set("GENRE", album % 3 == 0 ? "Jazz" : album % 3 == 1 ? "Folk" : "Rock");
        set("MUSICBRAINZ_ALBUMID", fmt::format("00000000-0000-4000-8000-{:012}", album));
        file.file()->setProperties(tags);
        if (!file.save()) throw std::runtime_error("TagLib cannot write " + path.string());
    }

private:
    static std::string artist(std::size_t n) {
        return fmt::format("Artist {:04}", n / tracks_an_album / albums_an_artist);
    }

    void copy(const fs::path& path, const std::string& from, std::string title) {
        auto& bytes = templates_[from];
        if (bytes.empty()) bytes = template_bytes(root_ / ".templates", from);
        title.resize(title_mark.size(), '.');
        std::string mine = bytes;
        for (auto at = mine.find(title_mark); at != std::string::npos; at = mine.find(title_mark, at))
            mine.replace(at, title.size(), title);
        fs::create_directories(path.parent_path());
        std::ofstream out(path, std::ios::binary);
        out.write(mine.data(), static_cast<std::streamsize>(mine.size()));
        if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
    }

    fs::path root_;
    std::map<std::string, std::string> templates_;
};

}  // namespace

Corpus make_corpus(const fs::path& root, std::size_t files) {
    const std::size_t films = files / 10, episodes = files * 3 / 10, tracks = files - films - episodes;
    Maker maker(root);
    Corpus corpus{.films = root / "films", .series = root / "series", .music = root / "music"};
    const fs::path marker = root / ("complete-" + std::to_string(files));
    const bool there = fs::exists(marker);
    for (std::size_t n = 0; n < films; ++n) {
        corpus.videos.push_back(maker.film(n));
        if (there) continue;
        maker.write_video(corpus.videos.back(), "film", n);
        maker.write_nfo(corpus.videos.back(), n);
    }
    for (std::size_t n = 0; n < episodes; ++n) {
        corpus.videos.push_back(maker.episode(n));
        if (!there) maker.write_video(corpus.videos.back(), "episode", n);
    }
    for (std::size_t n = 0; n < tracks; ++n) {
        corpus.tracks.push_back(maker.track(n));
        if (!there) maker.write_track(corpus.tracks.back(), n);
    }
    if (!there) std::ofstream(marker) << files << '\n';
    return corpus;
}

fs::path corpus_folder(const fs::path& build_folder, std::size_t files) {
    const char* chosen = std::getenv("UNDERSTUDY_BENCH_CACHE");
    const fs::path cache = chosen != nullptr && *chosen != 0 ? fs::path(chosen) : build_folder / "bench-cache";
    return cache / ("corpus-" + std::to_string(files));
}

}  // namespace understudy::bench
