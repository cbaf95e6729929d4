// library/segments/season.h: finds what the episodes of a season have in common by their fingerprints: an intro,
// credits. Pure; no libav. Used by the `fingerprint` provider.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace understudy::library::segments {

using Micros = std::chrono::microseconds;

struct Span {
    Micros start{0}, end{0};
    friend bool operator==(const Span&, const Span&) = default;
};

/// One window of one episode: word i tells of the sound from start + i * item for `span` (media/fingerprint.h).
struct Fingerprint {
    Micros start{0}, item{0}, span{0};
    std::vector<std::uint32_t> words;
};

/// How much of a word's span lies outside where the sound begins, and inside where it ends, when half of the word's
/// bits are like: Chromaprint's filters all begin at the word's first frame and differ in length, so that a word turns
/// unlike soon at either end. Measured on ten codings of one intro (generated_season_test.cpp): within 0.25 s.
[[nodiscard]] constexpr Micros word_start(Micros span) {
    return span / 5;
}
[[nodiscard]] constexpr Micros word_end(Micros span) {
    return span / 2;
}

/// Where the numbers come from: wanted are intros of 15 to 120 s; Chromaprint's own matcher and intro-skipper
/// count words as equal up to 6 to 10 different bits of 32 (words of different sounds differ in 16, with a deviation
/// of 2.8, but silence and long tones come nearer); both bridge gaps of some 3 s (speech over music).
struct MatchSettings {
    Micros shortest = std::chrono::seconds{15};
    Micros longest = std::chrono::seconds{120};
    int most_bits = 6;           ///< differing in words that count as equal
    double least_equal = 0.65;   ///< share of equal words in a run
    double least_varied = 0.35;  ///< share of words in a run that are not their predecessor's like: no hum, no silence
    /// Episodes that must share a run, where the season has so many. Two may share a song by chance; three do not.
    std::size_t least_episodes = 3;
};

/// Credits run longer, and over varying lengths.
[[nodiscard]] constexpr MatchSettings credits_settings() {
    MatchSettings settings;
    settings.longest = std::chrono::seconds{300};
    return settings;
}

/// The longest run that two windows share, in each one's own time; nullopt: none of at least settings.shortest, or one
/// of more than settings.longest (the same episode twice).
struct SharedRun {
    Span a, b;
    std::size_t equal_words = 0;
};
[[nodiscard]] std::optional<SharedRun> shared_run(const Fingerprint& a, const Fingerprint& b,
                                                  const MatchSettings& settings);

struct CommonPart {
    Span where;                ///< in the episode's own time
    std::size_t episodes = 0;  ///< that have this one, this episode among them
    std::size_t cluster = 0;   ///< the same number: the same sound
};

/// For each episode the part that it shares with others; nullopt: none. Every pair is compared, so that half a season
/// with another intro has its own, and an episode without one stands alone. 30 windows of 10 min take some 0.2 s.
[[nodiscard]] std::vector<std::optional<CommonPart>> common_parts(std::span<const Fingerprint> episodes,
                                                                  const MatchSettings& settings);

/// Moves the edges of `part` to quiet or black places near: an intro begins when silence or black ends and ends when
/// one begins. Of several the nearest; nothing further away than `reach`. An end within `reach` of `runtime` (0:
/// unknown) goes there.
[[nodiscard]] Span refine(const Span& part, std::span<const Span> silences, std::span<const Span> blacks, Micros reach,
                          Micros runtime);
inline constexpr Micros refine_reach = std::chrono::milliseconds{800};

}  // namespace understudy::library::segments
