#include "core/tracks.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace understudy::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t tracks_an_album = 12, albums_an_artist = 4;

// Marks of a fixed length in the tags, overwritten in each copy: none of the three formats has a checksum over them.
constexpr std::string_view title_mark = "Title-@@@@@@", artist_mark = "Artist-@@@@@", album_mark = "Album-@@@@@@";

struct Format {
    const char* extension;
    const char* arguments;
};
constexpr std::array<Format, 3> formats{
    {{".mp3", "-c:a libmp3lame -b:a 32k"}, {".flac", "-c:a flac"}, {".m4a", "-c:a aac -b:a 24k"}}};

std::string seed_of(const fs::path& root, const Format& format) {
    const auto file = root / (std::string("seed") + format.extension);
    const auto command = fmt::format(
        "ffmpeg -nostdin -v error -y -f lavfi -i sine=frequency=330:sample_rate=16000:duration=0.5 -ac 1 {} -flags "
        "+bitexact "
        "-metadata title={} -metadata artist={} -metadata album_artist={} -metadata album={} '{}'",
        format.arguments, title_mark, artist_mark, artist_mark, album_mark, file.string());
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("ffmpeg failed: " + command);  // NOLINT(cert-env33-c)
    std::ifstream in(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    fs::remove(file);
    for (const auto mark : {title_mark, artist_mark, album_mark}) {
        if (bytes.find(mark) == std::string::npos) throw std::runtime_error("no tag in " + file.string());
    }
    return bytes;
}

void overwrite(std::string& bytes, std::string_view mark, const std::string& text) {
    for (auto at = bytes.find(mark); at != std::string::npos; at = bytes.find(mark, at + mark.size()))
        bytes.replace(at, mark.size(), text);
}

}  // namespace

void make_tracks(const fs::path& root, std::size_t count) {
    const auto marker = root.string() + ".complete";
    if (fs::exists(marker)) return;
    fs::create_directories(root);
    std::array<std::string, formats.size()> seeds;
    for (std::size_t i = 0; i < formats.size(); ++i) seeds[i] = seed_of(root, formats[i]);
    for (std::size_t n = 0; n < count; ++n) {
        const auto album = n / tracks_an_album, artist = album / albums_an_artist;
        const auto artist_name = fmt::format("Artist-{:05}", artist), album_name = fmt::format("Album-{:06}", album);
        const auto folder = root / artist_name / album_name;
        if (n % tracks_an_album == 0) fs::create_directories(folder);
        auto bytes = seeds[album % seeds.size()];
        const auto title = fmt::format("Title-{:06}", n);
        overwrite(bytes, title_mark, title);
        overwrite(bytes, artist_mark, artist_name);
        overwrite(bytes, album_mark, album_name);
        const auto file = folder / fmt::format("{:02} - {}{}", n % tracks_an_album + 1, title,
                                               formats[album % formats.size()].extension);
        std::ofstream out(file, std::ios::binary);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
    }
    std::ofstream(marker) << count << '\n';
}

}  // namespace understudy::bench
