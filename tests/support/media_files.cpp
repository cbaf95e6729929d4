#include "support/media_files.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace understudy::test {

namespace {

struct Recipe {
    const char* name;
    bool video;
    const char* arguments;  ///< of ffmpeg, for a shell; the output's name is added
};

#define PICTURE "-f lavfi -i testsrc2=size=320x180:rate=24000/1001:duration=2 "
#define TONE "-f lavfi -i sine=frequency=440:sample_rate=44100:duration=2 "
#define SURROUND "-f lavfi -i 'aevalsrc=0.1*sin(440*t)|0.1*sin(441*t)|0|0|0|0:c=5.1:s=48000:d=2' "
#define CHAPTERS "-i chapters.txt "
#define WORDS "-i words.srt "
#define X264 "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -x264-params threads=1 "
#define X265 "-c:v libx265 -preset ultrafast -x265-params log-level=error "
#define COVER "-f lavfi -i color=red:size=64x64:duration=0.04 "
#define SONG_TAGS                                                                                                  \
    "-metadata title='Blå himmel' -metadata artist='First Singer' -metadata album='The Album' "                   \
    "-metadata album_artist='The Band' -metadata composer='Clara Writer' -metadata track=3/12 -metadata disc=1/2 " \
    "-metadata date=2004-05-06 "                                                                                   \
    "-metadata genre=Jazz -metadata REPLAYGAIN_TRACK_GAIN='-6.50 dB' "
#define WITH_COVER "-map 0:a -map 1:v -c:v mjpeg -frames:v 1 -disposition:v attached_pic "

constexpr const char* chapters =
    ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=Opening\n"
    "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=The End\n";
constexpr const char* words = "1\n00:00:00,000 --> 00:00:01,000\nHello\n\n";

constexpr Recipe recipes[] = {
    {"film.mkv", true,
     PICTURE TONE SURROUND CHAPTERS WORDS "-map 0 -map 1 -map 2 -map 4 "
                                          "-map_chapters 3 " X264
                                          "-c:a:0 aac -c:a:1 ac3 -c:s srt -metadata title='A Film' -metadata date=1999 "
                                          "-metadata:s:a:0 language=eng -metadata:s:a:0 title=Stereo -metadata:s:a:1 "
                                          "language=fre -metadata:s:s:0 language=ger "
                                          "-disposition:s:0 forced+hearing_impaired"},
    {"film.mp4", true,
     PICTURE TONE CHAPTERS "-map 0 -map 1 -map_chapters 2 " X264
                           "-c:a aac -metadata title='A Film' -metadata:s:a:0 language=eng"},
    {"fast.mp4", true, PICTURE TONE X264 "-c:a aac -movflags +faststart"},
    {"fragmented.mp4", true, PICTURE TONE X264 "-c:a aac -g 24 -movflags +frag_keyframe+empty_moov"},
    {"high10.mkv", true, PICTURE "-c:v libx264 -preset ultrafast -pix_fmt yuv420p10le"},
    {"hevc.mp4", true, PICTURE X265 "-pix_fmt yuv420p"},
    {"hdr10.mkv", true,
     PICTURE X265 "-pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc"},
    {"hlg.mp4", true,
     PICTURE X265 "-pix_fmt yuv420p10le -color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc"},
    {"clip.webm", true, PICTURE TONE "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus"},
    {"old.webm", true, PICTURE TONE "-c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis"},
    {"av1.mkv", true, PICTURE "-t 0.5 -c:v libaom-av1 -cpu-used 8 -usage realtime"},
    {"old.avi", true, PICTURE TONE "-c:v mpeg4 -c:a libmp3lame"},
    {"show.ts", true, PICTURE TONE X264 "-c:a aac -f mpegts -metadata:s:a:0 language=eng"},
    {"camera.m2ts", true, PICTURE SURROUND X264 "-c:a ac3 -f mpegts -mpegts_m2ts_mode 1"},
    {"disc.mpg", true, PICTURE TONE "-r 25 -c:v mpeg2video -c:a mp2 -f vob"},
    {"dts.mkv", true, PICTURE SURROUND X264 "-c:a dca -strict -2"},
    {"clip.flv", true, PICTURE TONE X264 "-c:a aac"},
    {"clip.wmv", true, PICTURE TONE "-c:v wmv2 -c:a wmav2"},
    {"clip.mov", true, PICTURE TONE "-c:v prores -c:a pcm_s16le"},
    {"song.mp3", false, TONE COVER WITH_COVER "-c:a libmp3lame -b:a 128k " SONG_TAGS},
    {"variable.mp3", false, TONE "-c:a libmp3lame -q:a 4 " SONG_TAGS},
    {"song.flac", false, TONE COVER WITH_COVER "-c:a flac " SONG_TAGS},
    {"surround.flac", false, SURROUND "-c:a flac -sample_fmt s32 -bits_per_raw_sample 24 " SONG_TAGS},
    {"song.ogg", false, TONE "-c:a libvorbis " SONG_TAGS},
    {"song.oga", false, TONE "-c:a flac -f ogg " SONG_TAGS},
    {"song.opus", false, TONE "-c:a libopus " SONG_TAGS},
    {"song.m4a", false, TONE COVER WITH_COVER "-c:a aac " SONG_TAGS},
    {"lossless.m4a", false, TONE "-c:a alac " SONG_TAGS},
    {"book.m4b", false, TONE CHAPTERS "-map 0 -map_chapters 1 -c:a aac -f ipod " SONG_TAGS},
    {"song.wav", false, TONE SONG_TAGS},
    {"float.wav", false, TONE "-c:a pcm_f32le"},
    {"song.aiff", false, TONE "-write_id3v2 1 " SONG_TAGS},
    {"song.wma", false, TONE "-c:a wmav2 " SONG_TAGS},
    {"song.wv", false, TONE "-c:a wavpack " SONG_TAGS},
    {"song.tta", false, TONE "-c:a tta"},
    {"song.ac3", false, SURROUND "-c:a ac3"},
    {"song.aac", false, TONE "-c:a aac -f adts"},
    {"song.mka", false, TONE "-c:a flac " SONG_TAGS},
};

/// Of what the file is made of: a recipe that changes makes another file, in build folders that know the old one too.
std::string folder_of(const Recipe& recipe) {
    return std::to_string(std::hash<std::string>{}(std::string(recipe.arguments) + chapters + words));
}

std::vector<std::string> names(bool video) {
    std::vector<std::string> list;
    for (const auto& recipe : recipes)
        if (recipe.video == video) list.emplace_back(recipe.name);
    return list;
}

}  // namespace

std::filesystem::path media_file(std::string_view name) {
    for (const auto& recipe : recipes) {
        if (name != recipe.name) continue;
        const auto folder = std::filesystem::path(UNDERSTUDY_TEST_MEDIA) / folder_of(recipe);
        const auto file = folder / recipe.name;
        if (std::filesystem::exists(file)) return file;
        std::filesystem::create_directories(folder);
        // In a folder of its own until it is whole: other programs make the same one perhaps.
        const TempFolder half;
        half.write("chapters.txt", chapters);
        half.write("words.srt", words);
        const std::string command = "cd '" + half.path().string() + "' && exec ffmpeg -nostdin -v error " +
                                    recipe.arguments + " -flags +bitexact -threads 1 " + recipe.name;
        static_cast<void>(output_of({"/bin/sh", "-c", command}));
        const auto whole = folder / ("." + std::to_string(getpid()) + "." + recipe.name);
        std::filesystem::copy_file(half.path() / recipe.name, whole, std::filesystem::copy_options::overwrite_existing);
        std::filesystem::rename(whole, file);
        return file;
    }
    throw std::runtime_error("no recipe for " + std::string(name));
}

std::vector<std::string> video_file_names() {
    return names(true);
}
std::vector<std::string> audio_file_names() {
    return names(false);
}

std::string output_of(const std::vector<std::string>& command) {
    std::array<int, 2> pipe_ends{};
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t pid = 0;
    const int code = posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);
    std::string output;
    std::array<char, 4096> part{};
    ssize_t got = 0;
    while (code == 0 && (got = read(pipe_ends[0], part.data(), part.size())) > 0)
        output.append(part.data(), static_cast<std::size_t>(got));
    close(pipe_ends[0]);
    if (code != 0) throw std::system_error(code, std::generic_category(), command.front());
    int status = 0;
    waitpid(pid, &status, 0);
    if (status != 0) throw std::runtime_error(command.back() + ": failed, wait status " + std::to_string(status));
    return output;
}

std::string read_bytes(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace understudy::test
