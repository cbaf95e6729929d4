#include "corpus/templates.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace understudy::bench {

namespace {

struct Recipe {
    std::string_view name;
    const char* arguments;
};

#define PICTURE "-f lavfi -i testsrc2=size=640x360:rate=24000/1001:duration=3 "
#define TONE "-f lavfi -i sine=frequency=440:sample_rate=48000:duration=3 "
#define SURROUND "-f lavfi -i 'aevalsrc=0.1*sin(440*t)|0.1*sin(441*t)|0|0|0|0:c=5.1:s=48000:d=3' "
#define X264 "-c:v libx264 -preset veryfast -crf 32 -pix_fmt yuv420p -g 48 "
#define SONG "-f lavfi -i sine=frequency=330:sample_rate=44100:duration=4 -ac 2 "

constexpr Recipe recipes[] = {
    {"film.mkv",
     PICTURE SURROUND TONE "-map 0 -map 1 -map 2 " X264 "-c:a:0 ac3 -c:a:1 aac -metadata:s:a:0 language=eng"},
    {"film.mp4", PICTURE TONE X264 "-c:a aac"},
    {"episode.mkv", PICTURE TONE X264 "-c:a aac -metadata:s:a:0 language=eng"},
    {"episode.mp4", PICTURE TONE X264 "-c:a aac -movflags +faststart"},
    {"episode.avi", PICTURE TONE "-c:v mpeg4 -q:v 20 -c:a libmp3lame"},
    {"episode.ts", PICTURE TONE X264 "-c:a aac -f mpegts"},
    {"track.mp3", SONG "-c:a libmp3lame -b:a 128k"},
    {"track.flac", SONG "-c:a flac"},
    {"track.m4a", SONG "-c:a aac"},
    {"track.ogg", SONG "-c:a libvorbis"},
    {"track.opus", SONG "-c:a libopus"},
};

}  // namespace

std::string template_bytes(const std::filesystem::path& work_folder, std::string_view name) {
    for (const auto& recipe : recipes) {
        if (recipe.name != name) continue;
        std::filesystem::create_directories(work_folder);
        const auto file = work_folder / recipe.name;
        // Matroska's checksums would not fit the overwritten title.
        const std::string command = std::string("ffmpeg -nostdin -v error -y ") + recipe.arguments +
                                    " -threads 1 -flags +bitexact" + (name.ends_with(".mkv") ? " -write_crc32 0" : "") +
                                    " -metadata title=" + std::string(title_mark) +
                                    " -metadata service_name=" + std::string(title_mark) + " '" + file.string() + "'";
        if (std::system(command.c_str()) != 0) throw std::runtime_error("ffmpeg failed: " + command);
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    throw std::runtime_error("no template " + std::string(name));
}

}  // namespace understudy::bench
