#include "media/loudness.h"

#include <ebur128.h>
#include <fcntl.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <random>
#include <string_view>

#include "media/ffmpeg/loudness.h"
#include "media/unique_fd.h"
#include "unit/media/pool_fixture.h"
#include "unit/media/wave_file.h"

namespace understudy::media {
namespace {

constexpr std::uint32_t mono = 0x4, stereo = 0x3, five = 0x607;  // FL FR FC SL SR

class LoudnessTest : public PoolTest {
protected:
    static core::Result<Loudness> measure(const std::filesystem::path& path, LoudnessParameters parameters = {}) {
        const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        ByteSource bytes;
        bytes.open(file.get(), static_cast<std::int64_t>(std::filesystem::file_size(path)));
        return measure_loudness(bytes, parameters);
    }
    core::Result<Loudness> measure(const Pcm& pcm, std::uint32_t mask, LoudnessParameters parameters = {}) {
        return measure(folder_.write("test.wav", wave_bytes(pcm, mask)), parameters);
    }
    static core::Errc code_of(const core::Result<Loudness>& result) {
        return result ? core::Errc::conflict : result.error().code;
    }
    std::filesystem::path make(const std::string& name, const std::string& arguments) {
        static_cast<void>(test::output_of(
            {"/bin/sh", "-c",
             "cd '" + folder_.path().string() + "' && exec ffmpeg -nostdin -v error " + arguments + " " + name}));
        return folder_.path() / name;
    }
    /// What ffmpeg's filter ebur128 says at the end.
    static double filter_says(const std::filesystem::path& path) {
        const auto text = test::output_of(
            {"/bin/sh", "-c",
             "exec ffmpeg -nostdin -v error -i '" + path.string() +
                 "' -map 0:a:0 -af ebur128=metadata=1,ametadata=mode=print:key=lavfi.r128.I:file=- -f null -"});
        const auto at = text.rfind("lavfi.r128.I=");
        if (at == std::string::npos) throw std::runtime_error("ffmpeg said nothing");
        return std::stod(text.substr(at + 13));
    }
};

// --- against ffmpeg's filter ---

/// Two voices that differ, loud and soft parts, a pause.
#define MUSIC(rate)                                                                                          \
    "-f lavfi -i 'aevalsrc=(0.3*sin(2*PI*440*t)+0.1*random(0)-0.05)*(0.1+abs(sin(t/2)))*lt(mod(t\\,7)\\,6)|" \
    "0.2*sin(2*PI*1500*t)*abs(cos(t/3)):s=" rate ":d=14' "
#define SURROUND(layout, rest)                                                                              \
    "-f lavfi -i "                                                                                          \
    "'aevalsrc=0.2*sin(2*PI*440*t)|0.1*sin(2*PI*450*t)|0.1*random(0)-0.05|0.5*sin(2*PI*60*t)|0.2*sin(2*PI*" \
    "900*t)|0.15*sin(2*PI*1100*t)*abs(sin(t))" rest ":c=" layout ":s=48000:d=10' "

struct Row {
    const char* name;
    const char* arguments;
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << row.name;
}

const Row rows[] = {
    {"music.flac", MUSIC("44100") "-c:a flac"},
    {"deep.flac", MUSIC("96000") "-c:a flac -sample_fmt s32"},
    {"music.mp3", MUSIC("44100") "-c:a libmp3lame -b:a 128k"},
    {"music.m4a", MUSIC("44100") "-c:a aac"},
    {"music.aac", MUSIC("22050") "-c:a aac -f adts"},
    {"music.opus", MUSIC("48000") "-c:a libopus"},
    {"music.ogg", MUSIC("44100") "-c:a libvorbis"},
    {"lossless.m4a", MUSIC("44100") "-c:a alac"},
    {"music.wav", MUSIC("8000")},
    {"byte.wav", MUSIC("11025") "-c:a pcm_u8"},
    {"deep.wav", MUSIC("192000") "-c:a pcm_s24le"},
    {"float.wav", MUSIC("44100") "-c:a pcm_f32le"},
    {"double.wav", MUSIC("44100") "-c:a pcm_f64le"},
    {"music.wv", MUSIC("44100") "-c:a wavpack"},
    {"music.tta", MUSIC("44100") "-c:a tta"},
    {"music.wma", MUSIC("44100") "-c:a wmav2"},
    {"mono.flac", "-f lavfi -i 'aevalsrc=0.3*sin(2*PI*440*t)*abs(sin(t/2)):s=44100:d=10' -c:a flac"},
    {"surround.flac", SURROUND("5.1", "") "-c:a flac"},
    {"surround.ac3", SURROUND("5.1(side)", "") "-c:a ac3 -b:a 448k"},
    {"surround.opus", SURROUND("5.1", "") "-c:a libopus -b:a 320k"},
    {"seven.flac", SURROUND("7.1", "|0.1*sin(2*PI*700*t)|0.2*sin(2*PI*800*t)") "-c:a flac"},
    {"three.flac",
     "-f lavfi -i 'aevalsrc=0.1*sin(2*PI*440*t)|0.1*sin(2*PI*450*t)|0.2*random(0)-0.1:c=3.0:s=48000:d=9'"},
    {"seven_channels.wav", SURROUND("6.1", "|0.1*sin(2*PI*700*t)")},
    {"film.mkv", "-f lavfi -i testsrc2=size=64x64:rate=25:duration=10 " MUSIC("48000") "-c:v libx264 -c:a ac3"},
    {"show.ts", "-f lavfi -i testsrc2=size=64x64:rate=25:duration=10 " MUSIC("48000") "-c:v libx264 -c:a aac"},
};

class LoudnessOf : public LoudnessTest, public ::testing::WithParamInterface<Row> {};

TEST_P(LoudnessOf, is_what_ffmpegs_filter_says) {
    const auto path = make(GetParam().name, GetParam().arguments);
    const double want = filter_says(path);
    ASSERT_LT(want, -5);
    ASSERT_GT(want, -60);
    const auto got = measure(path);
    ASSERT_TRUE(got) << got.error().context;
    ASSERT_TRUE(got->integrated_lufs);
    EXPECT_NEAR(*got->integrated_lufs, want, 0.1);
    const auto from_histogram = integrated_lufs(got->histogram);
    ASSERT_TRUE(from_histogram);
    EXPECT_NEAR(*from_histogram, *got->integrated_lufs, 0.05);
    EXPECT_GT(got->sample_peak, 0.05);
    // In the sandbox nothing is missing.
    WorkerPool pool(settings(false), log_);
    pool.analyse(
        {{.path = path.string(), .job = Job::loudness, .parameters = encode(LoudnessParameters{})}},
        [] { return false; },
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

INSTANTIATE_TEST_SUITE_P(all, LoudnessOf, ::testing::ValuesIn(rows), name_of);

// --- EBU Tech 3341, minimum requirements ---

TEST_F(LoudnessTest, passes_the_minimum_requirements_of_tech_3341) {
    struct Part {
        double dbfs, seconds;
    };
    struct Case {
        int number;
        std::vector<Part> parts;
        double want;
    };
    const Case cases[] = {
        {1, {{-23, 20}}, -23},
        {2, {{-33, 20}}, -33},
        {3, {{-36, 10}, {-23, 60}, {-36, 10}}, -23},
        {4, {{-72, 10}, {-36, 10}, {-23, 60}, {-36, 10}, {-72, 10}}, -23},
        {5, {{-26, 20}, {-20, 20.1}, {-26, 20}}, -23},
    };
    for (const auto& row : cases) {
        Pcm pcm;
        for (const auto& part : row.parts) pcm.add_sine(part.seconds, {part.dbfs, part.dbfs});
        const auto got = measure(pcm, stereo);
        ASSERT_TRUE(got && got->integrated_lufs) << row.number;
        EXPECT_NEAR(*got->integrated_lufs, row.want, 0.1) << "case " << row.number;
        EXPECT_NEAR(*integrated_lufs(got->histogram), row.want, 0.1) << "case " << row.number;
    }
    Pcm surround{.channels = 5};
    surround.add_sine(20, {-28, -28, -24, -30, -30});
    const auto got = measure(surround, five);
    ASSERT_TRUE(got && got->integrated_lufs);
    EXPECT_NEAR(*got->integrated_lufs, -23, 0.1) << "case 6: 5.0";
}

TEST_F(LoudnessTest, at_any_rate_a_sine_is_as_loud) {
    for (const unsigned rate : {8000u, 11025u, 22050u, 44100u, 48000u, 88200u, 96000u, 192000u}) {
        Pcm pcm{.rate_hz = rate};
        pcm.add_sine(5, {-23, -23});
        const auto got = measure(pcm, stereo);
        ASSERT_TRUE(got && got->integrated_lufs) << rate;
        EXPECT_NEAR(*got->integrated_lufs, -23, 0.1) << rate;
    }
}

TEST_F(LoudnessTest, mono_is_one_channel_and_the_lfe_none) {
    Pcm one{.channels = 1};
    one.add_sine(5, {-23});
    const auto got = measure(one, mono);
    ASSERT_TRUE(got && got->integrated_lufs);
    EXPECT_NEAR(*got->integrated_lufs, -23 - 10 * std::log10(2.0), 0.1);
    Pcm with_lfe{.channels = 3};
    with_lfe.add_sine(5, {-23, -23, -3});
    const auto without = measure(with_lfe, 0x3 | 0x8);
    ASSERT_TRUE(without && without->integrated_lufs);
    EXPECT_NEAR(*without->integrated_lufs, -23, 0.1);
}

// --- peaks ---

TEST_F(LoudnessTest, peaks_are_those_of_the_samples_and_if_asked_between_them) {
    Pcm pcm;
    // A quarter of the rate, 45 degrees off: each sample is 3 dB below the wave's top (Tech 3341, case 15 and on).
    for (int i = 0; i < 48000; ++i)
        for (int channel = 0; channel < 2; ++channel)
            pcm.samples.push_back(static_cast<std::int16_t>(std::lround(16384 * std::sin(M_PI / 2 * i + M_PI / 4))));
    const auto plain = measure(pcm, stereo);
    ASSERT_TRUE(plain);
    EXPECT_NEAR(plain->sample_peak, 0.5 * std::sqrt(0.5), 0.001);
    EXPECT_FALSE(plain->true_peak);
    const auto with_true = measure(pcm, stereo, {.true_peak = true});
    ASSERT_TRUE(with_true && with_true->true_peak);
    const double dbtp = 20 * std::log10(*with_true->true_peak);
    EXPECT_GT(dbtp, -6.0 - 0.4);
    EXPECT_LT(dbtp, -6.0 + 0.2);
    EXPECT_EQ(with_true->integrated_lufs, plain->integrated_lufs);
}

TEST_F(LoudnessTest, samples_that_are_no_numbers_spoil_nothing) {
    std::vector<float> samples;
    for (int i = 0; i < 48000 * 5; ++i) samples.push_back(0.1F * std::sin(0.13F * static_cast<float>(i)));
    const auto measured = [&] {
        const std::string data(reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(float));
        return measure(folder_.write("float.wav", wave_bytes(48000, 1, 32, true, mono, data)));
    };
    const auto good = measured();
    samples[1000] = std::numeric_limits<float>::quiet_NaN();
    samples[2000] = std::numeric_limits<float>::infinity();
    const auto spoilt = measured();
    ASSERT_TRUE(good && spoilt && good->integrated_lufs && spoilt->integrated_lufs);
    EXPECT_NEAR(*good->integrated_lufs, *spoilt->integrated_lufs, 0.05);
    EXPECT_LT(spoilt->sample_peak, 0.11);
}

// --- albums ---

/// Phrases of random length and level, with pauses.
Pcm piece(unsigned rate_hz, unsigned seed, double loudest_dbfs) {
    std::mt19937 engine(seed);
    const auto between = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(engine()) / static_cast<double>(std::mt19937::max());
    };
    Pcm pcm{.rate_hz = rate_hz};
    for (int phrase = 0; phrase < 25; ++phrase) {
        const double level = between(loudest_dbfs - 40, loudest_dbfs);
        pcm.add_sine(between(0.2, 1.5), {level, level - between(0, 6)}, between(100, 4000));
        if (phrase % 6 == 5) pcm.add_sine(between(0.2, 2), {-90, -90});
    }
    return pcm;
}

struct Destroy {
    void operator()(ebur128_state* state) const { ebur128_destroy(&state); }
};

TEST_F(LoudnessTest, albums_are_gated_as_one_piece_without_a_second_decode) {
    for (unsigned album = 0; album < 8; ++album) {
        std::vector<LoudnessHistogram> histograms;
        std::vector<std::unique_ptr<ebur128_state, Destroy>> states;
        for (unsigned track = 0; track < 5; ++track) {
            const unsigned rate = std::array{44100u, 48000u, 96000u, 22050u}[(album + track) % 4];
            const auto pcm = piece(rate, 10 * album + track, -3.0 - 9.0 * track);
            const auto got = measure(pcm, stereo);
            ASSERT_TRUE(got && got->integrated_lufs);
            histograms.push_back(got->histogram);
            states.emplace_back(ebur128_init(2, rate, EBUR128_MODE_I));
            ebur128_add_frames_short(states.back().get(), pcm.samples.data(), pcm.frames());
            double alone = 0;
            ebur128_loudness_global(states.back().get(), &alone);
            EXPECT_NEAR(*got->integrated_lufs, alone, 0.001) << "of a track the gate is exact";
        }
        std::vector<ebur128_state*> pointers;
        for (const auto& state : states) pointers.push_back(state.get());
        double want = 0;
        ebur128_loudness_global_multiple(pointers.data(), pointers.size(), &want);
        const auto got = integrated_lufs(histograms);
        ASSERT_TRUE(got);
        EXPECT_NEAR(*got, want, 0.05) << "album " << album;
    }
}

// --- what cannot be measured ---

TEST_F(LoudnessTest, silence_has_no_loudness_and_no_gain) {
    Pcm pcm;
    pcm.samples.resize(48000 * 2 * 3);
    const auto got = measure(pcm, stereo);
    ASSERT_TRUE(got) << got.error().context;
    EXPECT_FALSE(got->integrated_lufs);
    EXPECT_FALSE(gain_db(got->integrated_lufs));
    EXPECT_FALSE(integrated_lufs(got->histogram));
    EXPECT_EQ(got->sample_peak, 0);
    EXPECT_EQ(got->decoded, std::chrono::seconds(3));
    EXPECT_FALSE(integrated_lufs(std::span<const LoudnessHistogram>{}));
}

TEST_F(LoudnessTest, a_file_of_two_samples_is_too_short_to_be_loud) {
    Pcm pcm{.samples = {1000, 1000, -32768, 1000}};
    const auto got = measure(pcm, stereo);
    ASSERT_TRUE(got) << got.error().context;
    EXPECT_FALSE(got->integrated_lufs);
    EXPECT_EQ(got->sample_peak, 1);
    Pcm short_one;
    short_one.add_sine(0.39, {-10, -10});
    EXPECT_FALSE(measure(short_one, stereo)->integrated_lufs);
    short_one.add_sine(0.02, {-10, -10});
    EXPECT_TRUE(measure(short_one, stereo)->integrated_lufs) << "one block of 400 ms";
}

TEST_F(LoudnessTest, of_a_file_cut_off_counts_what_is_there_if_it_is_enough) {
    for (const char* name : {"music.flac", "music.wav", "cut.m4a"}) {
        const bool in_front = std::string_view(name) == "cut.m4a";  // else its index is lost with its end
        const auto whole = make(name, std::string(MUSIC("44100")) + (in_front ? "-c:a aac -movflags +faststart" : ""));
        const auto bytes = test::read_bytes(whole);
        const auto most = measure(folder_.write(std::string("most ") + name, bytes.substr(0, bytes.size() * 8 / 10)));
        ASSERT_TRUE(most) << name << ": " << most.error().context;
        EXPECT_TRUE(most->integrated_lufs);
        EXPECT_LT(most->decoded, std::chrono::seconds(13));
        const auto little = measure(folder_.write(std::string("little ") + name, bytes.substr(0, bytes.size() / 4)));
        if (std::string_view(name) == "music.wav") {
            EXPECT_TRUE(little) << "libavformat goes by the file's length: nothing is missing";
        } else {
            EXPECT_EQ(code_of(little), core::Errc::corrupt) << name;
        }
    }
}

TEST_F(LoudnessTest, what_has_no_audio_says_so) {
    EXPECT_EQ(code_of(measure(folder_.write("text.mp3", std::string(5000, 'a')))), core::Errc::unsupported);
    EXPECT_EQ(code_of(measure(folder_.write("head.flac", "fLaC"))), core::Errc::corrupt);
    const auto silent_film = make("film.mkv", "-f lavfi -i testsrc2=size=64x64:duration=1 -c:v libx264");
    EXPECT_EQ(code_of(measure(silent_film)), core::Errc::unsupported);
}

TEST_F(LoudnessTest, flipped_bytes_cost_no_worker) {
    std::mt19937 engine(6);
    WorkerPool pool(settings(false), log_);
    std::vector<AnalysisRequest> requests;
    for (const auto& name : test::audio_file_names()) {
        const auto good = test::read_bytes(test::media_file(name));
        for (int copy = 0; copy < 6; ++copy) {
            auto bytes = good;
            const std::size_t reach = copy % 2 == 0 ? std::min<std::size_t>(bytes.size(), 2000) : bytes.size();
            for (int flips = 0; flips < 40; ++flips) bytes[engine() % reach] = static_cast<char>(engine());
            requests.push_back(
                {.path = folder_.write(std::to_string(copy) + name, bytes).string(), .job = Job::loudness});
        }
    }
    std::size_t answered = 0;
    pool.analyse(
        requests, [] { return false; },
        [&](std::size_t i, const AnalysisResult& result) {
            ++answered;
            if (result) {
                EXPECT_TRUE(decode_loudness(result->payload)) << requests[i].path;
            }
        });
    EXPECT_EQ(answered, requests.size());
    EXPECT_EQ(pool.counts().killed, 0u);
}

// --- plain values ---

TEST(LoudnessValues, gain_brings_everything_to_minus_18) {
    EXPECT_DOUBLE_EQ(gain_db(-8.5).value(), -9.5);
    EXPECT_DOUBLE_EQ(gain_db(-30).value(), 12);
    EXPECT_FALSE(gain_db(std::nullopt));
    EXPECT_FALSE(gain_db(-std::numeric_limits<double>::infinity()));
}

Loudness full() {
    Loudness loudness{.integrated_lufs = -14.25, .sample_peak = 0.98, .true_peak = 1.02};
    loudness.decoded = std::chrono::microseconds(180'500'000);
    for (int i = 0; i < 1800; ++i) loudness.histogram.add(-30.0 + i % 400 * 0.05);
    loudness.histogram.add(-70.0);
    loudness.histogram.add(99.0);
    return loudness;
}

TEST(LoudnessCodec, gives_back_what_it_was_given_in_few_bytes) {
    const auto bytes = encode(full());
    EXPECT_LT(bytes.size(), 900u);
    const auto again = decode_loudness(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, full());
    EXPECT_EQ(decode_loudness(encode(Loudness{})), Loudness{});
    EXPECT_TRUE(decode_loudness_parameters(encode(LoudnessParameters{.true_peak = true}))->true_peak);
    EXPECT_FALSE(decode_loudness_parameters("")->true_peak);
    EXPECT_FALSE(decode_loudness_parameters("\x01\x07"));
}

TEST(LoudnessCodec, refuses_what_makes_no_sense) {
    const auto good = encode(full());
    auto not_a_number = full();
    not_a_number.integrated_lufs = std::numeric_limits<double>::quiet_NaN();
    auto negative = full();
    negative.sample_peak = -1;
    const std::string cases[] = {
        "",
        good.substr(0, good.size() - 1),
        good + "x",
        "\x02" + good.substr(1),
        encode(not_a_number),
        encode(negative),
    };
    for (const auto& bytes : cases) EXPECT_FALSE(decode_loudness(bytes));
    std::mt19937 engine(1);
    for (int round = 0; round < 20'000; ++round) {
        auto bytes = good;
        for (int flips = 0; flips < 3; ++flips) bytes[engine() % bytes.size()] = static_cast<char>(engine());
        if (const auto got = decode_loudness(bytes)) {
            EXPECT_EQ(encode(*got).empty(), false);
            static_cast<void>(integrated_lufs(got->histogram));
        }
    }
}

}  // namespace
}  // namespace understudy::media
