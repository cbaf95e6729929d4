// Seasons of made-up words: what belongs together is known exactly. Real sound: generated_season_test.cpp.
#include "library/segments/season.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>

namespace understudy::library::segments {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::uint32_t>;

constexpr Micros item{123'810}, span{2'600'000};
/// What the edges of real sound would be further apart.
const double extra_us = static_cast<double>((word_end(span) - word_start(span)).count());

std::size_t words_in(Micros time) {
    return static_cast<std::size_t>(time / item);
}

Words noise(std::mt19937& engine, std::size_t count) {
    Words words(count);
    for (auto& word : words) word = static_cast<std::uint32_t>(engine());
    return words;
}

/// Two encodings of one sound: some words equal, others a few bits off.
void add_copy(Words& to, const Words& from, std::mt19937& engine) {
    for (auto word : from) {
        for (auto flips = engine() % 4; flips > 0; --flips) word ^= 1u << (engine() % 32);
        to.push_back(word);
    }
}

struct Made {
    std::vector<Fingerprint> episodes;
    std::vector<Micros> starts;  ///< of the common part; below 0: none
};

/// Episodes of 10 min; `part_of` says which common part each has (below 0: none), each somewhere else.
Made season(const std::vector<Words>& parts, const std::vector<int>& part_of, unsigned seed = 1) {
    std::mt19937 engine(seed);
    Made made;
    for (const int which : part_of) {
        Fingerprint print{.item = item, .span = span};
        const std::size_t before = 20 + engine() % 3000;
        print.words = noise(engine, before);
        if (which >= 0) add_copy(print.words, parts[static_cast<std::size_t>(which)], engine);
        made.starts.push_back(which < 0 ? Micros{-1} : item * static_cast<std::int64_t>(before));
        const auto rest = noise(engine, 4846 - std::min<std::size_t>(print.words.size(), 4846));
        print.words.insert(print.words.end(), rest.begin(), rest.end());
        made.episodes.push_back(std::move(print));
    }
    return made;
}

Words part(unsigned seed, Micros length) {
    std::mt19937 engine(seed);
    return noise(engine, words_in(length));
}

TEST(Season, a_common_part_is_found_wherever_it_stands) {
    const auto made = season({part(7, 60s)}, {0, 0, 0, 0, 0, 0, 0, 0});
    const auto found = common_parts(made.episodes, {});
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_TRUE(found[i]) << i;
        EXPECT_EQ(found[i]->episodes, 8u);
        // These words turn unlike at once, real ones by and by.
        EXPECT_NEAR(static_cast<double>((found[i]->where.start - made.starts[i] - word_start(span)).count()), 0, 3e5)
            << i;
        EXPECT_NEAR(static_cast<double>((found[i]->where.end - found[i]->where.start).count()), 60e6 + extra_us, 6e5)
            << i;
    }
}

TEST(Season, episodes_without_it_and_with_another_are_told_apart) {
    const auto made = season({part(7, 45s), part(8, 80s)}, {0, 0, -1, 1, 0, 1, 0, 1, -1, 0});
    const auto found = common_parts(made.episodes, {});
    const std::vector<int> which{0, 0, -1, 1, 0, 1, 0, 1, -1, 0};
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].has_value(), which[i] >= 0) << i;
        if (!found[i]) continue;
        EXPECT_EQ(found[i]->episodes, which[i] == 0 ? 5u : 3u);
        EXPECT_EQ(found[i]->cluster == found[0]->cluster, which[i] == 0);
        EXPECT_NEAR(static_cast<double>((found[i]->where.end - found[i]->where.start).count()),
                    (which[i] == 0 ? 45e6 : 80e6) + extra_us, 6e5);
    }
}

TEST(Season, what_two_of_many_share_is_no_intro) {
    const auto found = common_parts(season({part(7, 45s)}, {0, -1, -1, 0, -1, -1}).episodes, {});
    for (const auto& part_found : found) EXPECT_FALSE(part_found);
    const auto both = common_parts(season({part(7, 45s)}, {0, 0}).episodes, {});
    EXPECT_TRUE(both[0] && both[1]) << "but a season of two episodes has no more";
}

TEST(Season, nothing_in_common_gives_nothing) {
    for (unsigned seed = 1; seed < 6; ++seed)
        for (const auto& found : common_parts(season({}, std::vector<int>(10, -1), seed).episodes, {}))
            EXPECT_FALSE(found);
    EXPECT_TRUE(common_parts({}, {}).empty());
    EXPECT_FALSE(common_parts(std::vector<Fingerprint>(3), {})[0]);
}

TEST(Season, too_short_too_long_and_the_same_file_twice_are_no_intro) {
    for (const Micros length : {Micros{8s}, Micros{200s}})
        for (const auto& found : common_parts(season({part(7, length)}, {0, 0, 0, 0}).episodes, {}))
            EXPECT_FALSE(found) << length.count();
    auto twins = season({}, {-1});
    twins.episodes.push_back(twins.episodes[0]);
    EXPECT_FALSE(common_parts(twins.episodes, {})[0]);
}

TEST(Season, silence_and_hum_are_no_intro) {
    std::mt19937 engine(2);
    std::vector<Fingerprint> episodes;
    for (int i = 0; i < 5; ++i) {
        Fingerprint print{.item = item, .span = span, .words = noise(engine, 500)};
        print.words.insert(print.words.end(), 300, 0x2A3B4C5D);
        for (int k = 0; k < 300; ++k)
            print.words.push_back(k % 60 < 50 ? 0x12345678u : 0x12345679u);  // a hum that changes now and then
        const auto rest = noise(engine, 500);
        print.words.insert(print.words.end(), rest.begin(), rest.end());
        episodes.push_back(std::move(print));
    }
    for (const auto& found : common_parts(episodes, {})) EXPECT_FALSE(found);
}

TEST(Season, speech_over_a_part_does_not_break_it) {
    auto made = season({part(7, 60s)}, {0, 0, 0, 0});
    std::mt19937 engine(4);
    for (auto& episode : made.episodes) {
        const auto at = words_in(made.starts[static_cast<std::size_t>(&episode - made.episodes.data())]) + 150;
        for (std::size_t i = at; i < at + 16; ++i)
            episode.words[i] = static_cast<std::uint32_t>(engine());  // 2 s of another sound
    }
    for (const auto& found : common_parts(made.episodes, {})) {
        ASSERT_TRUE(found);
        EXPECT_NEAR(static_cast<double>((found->where.end - found->where.start).count()), 60e6 + extra_us, 6e5);
    }
}

TEST(Season, thirty_episodes_take_well_under_a_second) {
    const auto made = season({part(7, 60s)}, std::vector<int>(30, 0));
    const std::clock_t before = std::clock();
    const auto found = common_parts(made.episodes, {});
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    EXPECT_EQ(std::ranges::count_if(found, [](const auto& f) { return f.has_value(); }), 30);
    RecordProperty("cpu_ms", static_cast<int>(seconds * 1000));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__OPTIMIZE__)
    EXPECT_LT(seconds, 0.7);
#endif
}

TEST(Refine, edges_go_to_the_silence_or_black_that_is_near) {
    const std::vector<Span> silences{{9'400ms, 10'300ms}, {69'600ms, 70'500ms}},
        blacks{{9'900ms, 10'100ms}, {80s, 81s}};
    EXPECT_EQ(refine({10s, 70s}, silences, {}, refine_reach, 0s), (Span{10'300ms, 69'600ms}));
    EXPECT_EQ(refine({10s, 70s}, silences, blacks, refine_reach, 0s), (Span{10'100ms, 69'600ms})) << "the nearest";
    EXPECT_EQ(refine({20s, 60s}, silences, blacks, refine_reach, 0s), (Span{20s, 60s})) << "none near";
    EXPECT_EQ(refine({20s, 99'500ms}, {}, {}, refine_reach, 100s), (Span{20s, 100s})) << "credits end with the film";
    const std::vector<Span> one{{10s, 40s}};
    EXPECT_EQ(refine({39'500ms, 40'100ms}, one, {}, refine_reach, 0s), (Span{40s, 40'100ms}));
}

}  // namespace
}  // namespace understudy::library::segments
