// media/loudness.h: how loud a piece of music is (EBU R 128, ITU-R BS.1770-4): what the job `loudness` is asked and
// answers, and what follows from it for a track and for an album. Used by the worker and by the task that keeps it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::media {

struct LoudnessParameters {
    bool true_peak = false;  ///< between the samples too: about doubles the cost
};

/// How many blocks of 400 ms (one every 100 ms) were how loud: enough to gate a whole album later, or again with one
/// more track, without a second decode.
class LoudnessHistogram {
public:
    static constexpr double lowest_lufs = -70;  ///< the absolute gate: what is quieter never counts
    static constexpr double step_lu = 0.05;
    static constexpr std::size_t bins = 1500;  ///< up to +5 LUFS; what is louder counts as that

    void add(double lufs);
    void add(std::size_t bin, std::uint32_t blocks);
    void add(const LoudnessHistogram& other);
    [[nodiscard]] bool empty() const noexcept { return blocks_.empty(); }
    /// Of each bin; none if empty().
    [[nodiscard]] std::span<const std::uint32_t> blocks() const noexcept { return blocks_; }

    friend bool operator==(const LoudnessHistogram&, const LoudnessHistogram&) = default;

private:
    std::vector<std::uint32_t> blocks_;
};

struct Loudness {
    std::optional<double> integrated_lufs;  ///< nullopt: silence, or shorter than 400 ms
    double sample_peak = 0;                 ///< 1 is full scale; more is possible in float and lossy formats
    std::optional<double> true_peak;        ///< if it was asked for
    std::chrono::microseconds decoded{};
    LoudnessHistogram histogram;

    friend bool operator==(const Loudness&, const Loudness&) = default;
};

/// Integrated loudness of all blocks together, within 0.05 LU of gating the blocks themselves. An album is the
/// histograms of its tracks, whatever their sample rates and channels. nullopt: nothing above the absolute gate.
[[nodiscard]] std::optional<double> integrated_lufs(const LoudnessHistogram& histogram);
[[nodiscard]] std::optional<double> integrated_lufs(std::span<const LoudnessHistogram> histograms);
/// The same, exactly, from the mean square of each block after K-weighting.
[[nodiscard]] std::optional<double> gated_lufs(std::span<const double> block_energies);

[[nodiscard]] double energy_of(double lufs);
[[nodiscard]] double lufs_of(double energy);

/// To what all are brought: ReplayGain 2's reference.
inline constexpr double target_lufs = -18;
/// What a player adds. Silence has none.
[[nodiscard]] std::optional<double> gain_db(std::optional<double> integrated_lufs);

[[nodiscard]] std::string encode(const LoudnessParameters& parameters);
/// Empty means the defaults. Errors: invalid.
[[nodiscard]] core::Result<LoudnessParameters> decode_loudness_parameters(std::string_view bytes);
/// A few hundred bytes.
[[nodiscard]] std::string encode(const Loudness& loudness);
/// Errors: corrupt.
[[nodiscard]] core::Result<Loudness> decode_loudness(std::string_view payload);

}  // namespace understudy::media
