#include "media/keyframes.h"

#include <fcntl.h>

#include <cmath>
#include <cstdlib>
#include <ostream>
#include <random>
#include <sstream>

#include "media/ffmpeg/keyframes.h"
#include "media/unique_fd.h"
#include "unit/media/pool_fixture.h"

namespace understudy::media {
namespace {

using std::chrono::microseconds;

#define PICTURE "-f lavfi -i testsrc2=size=160x90:rate=25:duration=12 "
#define TONE "-f lavfi -i sine=frequency=440:duration=12 "
#define X264 "-c:v libx264 -preset veryfast -bf 3 -g 50 -x264-params threads=1"
#define X265 "-c:v libx265 -preset ultrafast -x265-params log-level=error:bframes=3:keyint=50:pools=1:frame-threads=1"
#define VP9 "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 50 "
#define AV1 "-t 3 -c:v libaom-av1 -cpu-used 8 -usage realtime -g 20 "
#define MPEG4 "-c:v mpeg4 -g 50 "
#define MPEG2 "-c:v mpeg2video -g 15 -bf 2 -b:v 1M "

/// What ffprobe is asked. `frames`: the keyframes that it decodes (-skip_frame nokey). `packets`: the times of packets
/// with the key flag, where decoding alone the keyframes is not what ffprobe can do: its AV1 decoder ignores
/// -skip_frame; of an open GOP it loses or repeats frames, as those between are missing. `decoding`: the same by
/// decoding time, where a container keeps no other.
enum class Truth { frames, packets, decoding };

struct Row {
    const char* name;
    const char* arguments;
    Truth truth = Truth::frames;
    const char* second = nullptr;  ///< a second pass over the file, made by the first as `first.mkv` or so
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << row.name;
}

const Row rows[] = {
    {"h264.mkv", PICTURE TONE X264 " -c:a aac"},
    {"h264.mp4", PICTURE TONE X264 " -c:a aac"},
    {"h264.ts", PICTURE TONE X264 " -c:a aac"},
    {"h264.avi", PICTURE TONE "-c:v libx264 -preset veryfast -bf 0 -g 50 -c:a libmp3lame", Truth::decoding},
    {"open_gop.mkv", PICTURE TONE X264 ":open-gop=1 -c:a aac", Truth::packets},
    {"open_gop.mp4", PICTURE TONE X264 ":open-gop=1 -c:a aac", Truth::packets},
    {"open_gop.ts", PICTURE TONE X264 ":open-gop=1 -c:a aac", Truth::packets},
    {"hevc.mkv", PICTURE TONE X265 ":open-gop=0 -c:a aac"},
    {"hevc.mp4", PICTURE TONE X265 ":open-gop=0 -c:a aac"},
    {"hevc.ts", PICTURE TONE X265 ":open-gop=0 -c:a aac"},
    {"open_hevc.mkv", PICTURE TONE X265 ":open-gop=1 -c:a aac"},
    {"open_hevc.mp4", PICTURE TONE X265 ":open-gop=1 -c:a aac"},
    {"open_hevc.ts", PICTURE TONE X265 ":open-gop=1 -c:a aac"},
    {"vp9.webm", PICTURE TONE VP9 "-c:a libopus"},
    {"vp9.mkv", PICTURE TONE VP9 "-c:a libopus"},
    {"vp9.mp4", PICTURE TONE VP9 "-c:a aac"},
    {"av1.webm", PICTURE TONE AV1 "-c:a libopus", Truth::packets},
    {"av1.mkv", PICTURE TONE AV1 "-c:a libopus", Truth::packets},
    {"av1.mp4", PICTURE TONE AV1 "-c:a aac", Truth::packets},
    {"mpeg4.mkv", PICTURE TONE MPEG4 "-bf 2 -c:a libmp3lame"},
    {"mpeg4.mp4", PICTURE TONE MPEG4 "-bf 2 -c:a aac"},
    {"mpeg4.ts", PICTURE TONE MPEG4 "-bf 2 -c:a aac"},
    {"mpeg4.avi", PICTURE TONE MPEG4 "-c:a libmp3lame"},
    {"mpeg4_b.avi", PICTURE TONE MPEG4 "-bf 2 -c:a libmp3lame", Truth::decoding},
    {"mpeg2.mkv", PICTURE TONE MPEG2 "-c:a mp2"},
    {"mpeg2.mp4", PICTURE TONE MPEG2 "-c:a mp2"},
    {"mpeg2.ts", PICTURE TONE MPEG2 "-c:a mp2"},
    {"mpeg2.mpg", PICTURE TONE MPEG2 "-c:a mp2 -f vob"},
    {"mpeg2.avi", PICTURE TONE "-c:v mpeg2video -g 15 -c:a mp2", Truth::decoding},
    {"h264.flv", PICTURE TONE X264 " -c:a aac"},
    {"wmv2.wmv", PICTURE TONE "-c:v wmv2 -g 50 -c:a wmav2"},
    {"fragmented.mp4", PICTURE TONE X264 " -c:a aac -movflags +frag_keyframe+empty_moov"},
    {"hybrid.mp4", PICTURE TONE X264 " -c:a aac -movflags +frag_keyframe"},
    {"long_fragments.mp4", PICTURE TONE X264 " -c:a aac -movflags +empty_moov -frag_duration 5000000"},
    {"fast_start.mp4", PICTURE TONE X264 " -c:a aac -movflags +faststart"},
    {"all_intra.mov", PICTURE TONE "-t 2 -c:v prores -c:a pcm_s16le"},
    {"late.mkv", PICTURE TONE X264 " -c:a aac -output_ts_offset 5"},
    {"late.mp4", PICTURE TONE X264 " -c:a aac -output_ts_offset 5"},
    {"edit_list.mp4", PICTURE TONE X264 " -c:a aac first.mp4", Truth::frames, "-ss 3.3 -i first.mp4 -c copy"},
    {"no_cues.mkv", PICTURE TONE X264 " -c:a aac -live 1"},
    {"cues_in_front.mkv", PICTURE TONE X264 " -c:a aac -reserve_index_space 20k"},
    {"video_second.mkv", TONE PICTURE X264 " -c:a aac"},
    {"cover_first.mp4", PICTURE TONE
     "-f lavfi -i color=red:size=64x64:duration=0.04 -map 2 -map 0 -map 1 -c:v:0 png -disposition:v:0 attached_pic "
     "-c:v:1 libx264 -preset veryfast -bf 3 -g 50 -c:a aac"},
    {"many.mp4", "-f lavfi -i testsrc2=size=32x32:rate=25:duration=150 -c:v libx264 -preset ultrafast -bf 2 -g 1"},
    {"many_b.mp4",
     "-f lavfi -i testsrc2=size=32x32:rate=60:duration=150 -c:v libx264 -preset ultrafast -bf 2 -b_strategy 0 -g 4 "
     "-keyint_min 1 -x264-params scenecut=0:open-gop=0"},
};

class KeyframesTest : public PoolTest {
protected:
    static core::Result<Keyframes> read(const std::filesystem::path& path) {
        const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        ByteSource bytes;
        bytes.open(file.get(), static_cast<std::int64_t>(std::filesystem::file_size(path)));
        return read_keyframes(bytes);
    }
    std::filesystem::path make(const Row& row) {
        const auto ffmpeg = [&](const std::string& arguments) {
            static_cast<void>(test::output_of(
                {"/bin/sh", "-c",
                 "cd '" + folder_.path().string() + "' && exec ffmpeg -nostdin -v error " + arguments}));
        };
        const std::string name = row.name;
        if (row.second != nullptr) ffmpeg(row.arguments);
        ffmpeg(std::string(row.second != nullptr ? row.second : row.arguments) + " " + name);
        return folder_.path() / name;
    }
    static std::vector<microseconds> truth(const std::filesystem::path& path, Truth what = Truth::packets) {
        const std::string entries = what == Truth::frames ? "-skip_frame nokey -show_entries frame=key_frame,pts_time"
                                    : what == Truth::packets ? "-show_entries packet=pts_time,flags"
                                                             : "-show_entries packet=dts_time,flags";
        const auto text = test::output_of(
            {"/bin/sh", "-c",
             "exec ffprobe -v quiet -select_streams V:0 " + entries + " -of csv=p=0 '" + path.string() + "'"});
        std::vector<microseconds> times;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            const auto comma = line.find(',');
            if (comma == std::string::npos) continue;
            const auto head = line.substr(0, comma), tail = line.substr(comma + 1);
            const bool key = what == Truth::frames ? head == "1" : tail.starts_with("K") && !tail.starts_with("KD");
            if (key) times.emplace_back(std::llround(std::stod(what == Truth::frames ? tail : head) * 1e6));
        }
        std::ranges::sort(times);
        return times;
    }
};

class KeyframesOf : public KeyframesTest, public ::testing::WithParamInterface<Row> {};

TEST_P(KeyframesOf, are_those_that_ffprobe_finds) {
    const auto path = make(GetParam());
    const auto want = truth(path, GetParam().truth);
    ASSERT_GE(want.size(), 2u);
    const auto got = read(path);
    ASSERT_TRUE(got) << got.error().context;
    EXPECT_EQ(got->times, want);
    EXPECT_GE(got->duration.count(), 1'900'000);
    // In the sandbox nothing is missing.
    WorkerPool pool(settings(false), log_);
    pool.analyse(
        {{.path = path.string(), .job = Job::keyframes}}, [] { return false; },
        [&](std::size_t, const AnalysisResult& answer) {
            ASSERT_TRUE(answer) << answer.error().context;
            EXPECT_EQ(answer->payload, encode(*got));
        });
    EXPECT_EQ(pool.counts().crashed, 0u);
}

std::string name_of(const ::testing::TestParamInfo<Row>& row) {
    std::string name = row.param.name;
    std::ranges::replace(name, '.', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(all, KeyframesOf, ::testing::ValuesIn(rows), name_of);

/// Length of an EBML number at `at`, and its value without the marker.
std::pair<std::size_t, std::uint64_t> ebml_number(std::string_view bytes, std::size_t at, bool keep_marker) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    std::size_t length = 1;
    while (length < 8 && (first & (0x80 >> (length - 1))) == 0) ++length;
    std::uint64_t value = keep_marker ? first : first & (0xFFU >> length);
    for (std::size_t i = 1; i < length; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return {length, value};
}

/// Turns each CuePoint that `drop` names into a Void element of the same length.
std::string without_cues(std::string bytes, const std::function<bool(std::size_t)>& drop) {
    const auto cues = bytes.rfind("\x1C\x53\xBB\x6B");
    if (cues == std::string::npos) throw std::runtime_error("no Cues");
    const auto [size_bytes, size] = ebml_number(bytes, cues + 4, false);
    std::size_t at = cues + 4 + size_bytes, number = 0;
    for (const auto end = at + size; at < end;) {
        const auto id = static_cast<unsigned char>(bytes[at]);
        const auto [length, content] = ebml_number(bytes, at + 1, false);
        if (id == 0xBB && drop(number++)) bytes[at] = '\xEC';
        at += 1 + length + content;
    }
    return bytes;
}

TEST_F(KeyframesTest, cues_that_list_only_some_keyframes_are_not_believed) {
    const auto path = make({"film.mkv", PICTURE TONE "-c:v libx264 -preset veryfast -bf 3 -g 10 -c:a aac"});
    const auto bytes = test::read_bytes(path);
    const auto want = truth(path);
    ASSERT_GE(want.size(), 30u);
    struct Dropped {
        const char* what;
        std::function<bool(std::size_t)> drop;
    };
    const Dropped cases[] = {
        {"every second one", [](std::size_t i) { return i % 2 == 1; }},
        {"all but every fifth", [](std::size_t i) { return i % 5 != 0; }},
        {"the first", [](std::size_t i) { return i == 0; }},
        {"the last", [&](std::size_t i) { return i + 1 == want.size(); }},
        {"one in the middle", [](std::size_t i) { return i == 17; }},
        {"the second half", [](std::size_t i) { return i > 15; }},
        {"all but one", [](std::size_t i) { return i != 3; }},
        {"all", [](std::size_t) { return true; }},
        {"none", [](std::size_t) { return false; }},
    };
    for (const auto& row : cases) {
        const auto got = read(folder_.write("some.mkv", without_cues(bytes, row.drop)));
        ASSERT_TRUE(got) << row.what << got.error().context;
        EXPECT_EQ(got->times, want) << row.what;
    }
}

TEST_F(KeyframesTest, a_seek_head_that_points_to_itself_ends) {
    const auto path = make({"film.mkv", PICTURE TONE X264 " -c:a aac"});
    auto bytes = test::read_bytes(path);
    const auto want = truth(path);
    const auto head = bytes.find("\x11\x4D\x9B\x74");
    ASSERT_NE(head, std::string::npos);
    // Each of its entries now names a SeekHead at its own place: position 0 of the segment.
    for (std::size_t at = head; (at = bytes.find("\x53\xAB\x84", at)) != std::string::npos && at < head + 200;
         at += 3) {
        bytes.replace(at + 3, 4, "\x11\x4D\x9B\x74", 4);
        const auto position = bytes.find("\x53\xAC", at);
        ASSERT_NE(position, std::string::npos);
        const auto [length, content] = ebml_number(bytes, position + 2, false);
        for (std::size_t i = 0; i < content; ++i) bytes[position + 2 + length + i] = '\0';
    }
    const auto got = read(folder_.write("loop.mkv", bytes));
    ASSERT_TRUE(got) << got.error().context;
    EXPECT_EQ(got->times, want) << "found without the Cues that it led to";
}

TEST_F(KeyframesTest, an_avi_without_index_is_read_through) {
    const auto path = make({"film.avi", PICTURE TONE MPEG4 "-c:a libmp3lame"});
    auto bytes = test::read_bytes(path);
    const auto want = read(path);
    ASSERT_TRUE(want);
    const auto index = bytes.rfind("idx1");
    ASSERT_NE(index, std::string::npos);
    const auto got = read(folder_.write("cut.avi", bytes.substr(0, index)));
    ASSERT_TRUE(got) << got.error().context;
    EXPECT_EQ(got->times, want->times);
}

TEST_F(KeyframesTest, of_an_mp4_are_found_without_reading_a_sample) {
    const auto path = make({"fast.mp4", PICTURE TONE X264 " -c:a aac -movflags +faststart"});
    auto bytes = test::read_bytes(path);
    const auto want = truth(path, Truth::frames);
    const auto samples = bytes.find("mdat");
    ASSERT_NE(samples, std::string::npos);
    for (std::size_t i = samples + 4; i < bytes.size(); ++i) bytes[i] = '\xA5';
    const auto got = read(folder_.write("hollow.mp4", bytes));
    ASSERT_TRUE(got) << got.error().context;
    EXPECT_EQ(got->times, want);
}

TEST_F(KeyframesTest, what_is_no_video_has_none_and_says_why) {
    const auto code = [&](const std::filesystem::path& path) {
        const auto got = read(path);
        return got ? core::Errc::conflict : got.error().code;
    };
    const auto film = test::read_bytes(test::media_file("film.mkv"));
    EXPECT_EQ(code(test::media_file("song.flac")), core::Errc::unsupported) << "a cover is no video";
    EXPECT_EQ(code(test::media_file("song.mp3")), core::Errc::unsupported);
    EXPECT_EQ(code(folder_.write("text.mkv", std::string(5000, 'a'))), core::Errc::unsupported);
    EXPECT_EQ(code(folder_.write("head.mkv", film.substr(0, 40))), core::Errc::corrupt);
    const auto mp4 = test::read_bytes(test::media_file("film.mp4"));
    EXPECT_EQ(code(folder_.write("cut.mp4", mp4.substr(0, mp4.size() / 2))), core::Errc::corrupt);
}

TEST_F(KeyframesTest, flipped_bytes_cost_no_worker) {
    std::mt19937 engine(5);
    WorkerPool pool(settings(false), log_);
    std::vector<AnalysisRequest> requests;
    for (const auto& name : test::video_file_names()) {
        const auto good = test::read_bytes(test::media_file(name));
        for (int copy = 0; copy < 6; ++copy) {
            auto bytes = good;
            const std::size_t reach = copy % 2 == 0 ? std::min<std::size_t>(bytes.size(), 2000) : bytes.size();
            for (int flips = 0; flips < 40; ++flips) bytes[engine() % reach] = static_cast<char>(engine());
            requests.push_back(
                {.path = folder_.write(std::to_string(copy) + name, bytes).string(), .job = Job::keyframes});
        }
    }
    std::size_t answered = 0;
    pool.analyse(
        requests, [] { return false; },
        [&](std::size_t i, const AnalysisResult& result) {
            ++answered;
            if (result) {
                EXPECT_TRUE(decode_keyframes(result->payload)) << requests[i].path;
            }
        });
    EXPECT_EQ(answered, requests.size());
    EXPECT_EQ(pool.counts().killed, 0u);
}

TEST(KeyframesCodec, gives_back_what_it_was_given_in_few_bytes) {
    Keyframes keyframes{.duration = microseconds(3'600'000'000)};
    for (int i = 0; i < 1800; ++i) keyframes.times.emplace_back(-80'000 + std::int64_t{i} * 2'002'000 + i % 3);
    const auto bytes = encode(keyframes);
    EXPECT_LT(bytes.size(), 2000u);
    const auto again = decode_keyframes(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, keyframes);
}

TEST(KeyframesCodec, refuses_what_makes_no_sense) {
    const auto good = encode({.duration = microseconds(10), .times = {microseconds(1), microseconds(5)}});
    ASSERT_TRUE(decode_keyframes(good));
    const std::string cases[] = {
        "",
        good.substr(0, good.size() - 1),
        good + "x",
        "\x02" + good.substr(1),                                                  // another format
        encode({.times = {microseconds(5), microseconds(5)}}),                    // not ascending
        encode({.times = {microseconds(5), microseconds(4)}}),                    // backwards
        std::string("\x01\x00\xFF\xFF\xFF\xFF\x0F\x00", 8),                       // more than there can be
        std::string("\x01\x00\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 13),  // beyond all time
    };
    for (const auto& bytes : cases) EXPECT_FALSE(decode_keyframes(bytes));
}

}  // namespace
}  // namespace understudy::media
