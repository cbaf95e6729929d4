// A season of real sound, made here and coded by ffmpeg: what the fingerprints find against what was put in.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>
#include <random>

#include "library/segments/season.h"
#include "media/ffmpeg/fingerprint.h"
#include "support/made_music.h"
#include "unit/media/made.h"

namespace understudy::library::segments {
namespace {

using namespace std::chrono_literals;

constexpr int rate = test::sound_rate;
using test::add_music;
using test::Sound;
using test::write_wav;

struct Episode {
    int intro;  ///< seed of its intro; 0: none
    double start, length;
    const char* coding;
    const char* name;
};

/// Ten episodes: eight with one intro at varying places, in varying codings; one without; one with another.
constexpr Episode episodes[] = {
    {5, 12.0, 31.7, "-c:a aac -b:a 96k", "1.mka"},
    {5, 47.33, 31.7, "-c:a aac -b:a 128k", "2.m4a"},
    {5, 0.0, 31.7, "-c:a libmp3lame -b:a 96k", "3.mp3"},
    {0, 0, 0, "-c:a aac", "4.mka"},
    {5, 63.871, 31.7, "-c:a ac3 -ar 48000", "5.mka"},
    {5, 25.049, 31.7, "-c:a libopus -b:a 64k", "6.mka"},
    {6, 30.0, 40.0, "-c:a aac", "7.mka"},
    {5, 81.2, 31.7, "-c:a aac -b:a 64k", "8.mka"},
    {5, 5.555, 31.7, "-c:a flac", "9.flac"},
    {5, 38.0, 31.7, "-c:a libvorbis -q:a 3", "10.ogg"},
};
constexpr double length_s = 130;

TEST(GeneratedSeason, intros_are_found_within_a_second_and_none_is_false) {
    const test::TempFolder folder;
    std::vector<Fingerprint> prints;
    unsigned number = 100;
    for (const auto& episode : episodes) {
        Sound sound;
        add_music(sound, episode.start, ++number);
        if (episode.intro != 0) add_music(sound, episode.length, static_cast<unsigned>(episode.intro));
        add_music(sound, length_s - static_cast<double>(sound.size()) / rate, number + 1000);
        write_wav(folder.path() / "episode.wav", sound);
        const auto file = media::make(folder, "-i episode.wav " + std::string(episode.coding), episode.name);
        media::OpenFile open(file);
        auto result = media::make_fingerprints(open.bytes(), {.windows = {{0s, 120s}}});
        ASSERT_TRUE(result) << episode.name << ": " << result.error().context;
        auto& window = result->windows.at(0);
        prints.push_back({window.start, window.item, window.span, std::move(window.words)});
    }
    const auto found = common_parts(prints, {});
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto& episode = episodes[i];
        SCOPED_TRACE(episode.name);
        ASSERT_EQ(found[i].has_value(), episode.intro == 5);
        if (!found[i]) continue;
        EXPECT_EQ(found[i]->episodes, 8u);
        const double start = static_cast<double>(found[i]->where.start.count()) / 1e6;
        const double end = static_cast<double>(found[i]->where.end.count()) / 1e6;
        std::printf("%-8s %.2f (%+.2f) to %.2f (%+.2f)\n", episode.name, start, start - episode.start, end,
                    end - episode.start - episode.length);
        EXPECT_NEAR(start, episode.start, 0.6);  // 1 s is wanted
        EXPECT_NEAR(end, episode.start + episode.length, 0.6);
    }
}

}  // namespace
}  // namespace understudy::library::segments
