#include "media/loudness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "media/packed.h"

namespace understudy::media {

namespace {

constexpr std::uint64_t format = 1;
/// BS.1770-4: the relative gate is 10 LU below the mean of what passes the absolute one.
constexpr double relative_gate = 0.1;

double energy_of_bin(std::size_t bin) {
    return energy_of(LoudnessHistogram::lowest_lufs + (static_cast<double>(bin) + 0.5) * LoudnessHistogram::step_lu);
}

/// Pairs of an energy and how often it occurs, in any order: `each(visit)` calls visit(energy, count) for all.
template <class Each>
std::optional<double> gate(const Each& each) {
    const auto mean_from = [&](double threshold) {
        double sum = 0, count = 0;
        each([&](double energy, double times) {
            if (energy < threshold) return;
            sum += energy * times;
            count += times;
        });
        return count > 0 ? sum / count : 0;
    };
    const double all = mean_from(energy_of(LoudnessHistogram::lowest_lufs));
    if (!(all > 0)) return std::nullopt;
    return lufs_of(mean_from(std::max(all * relative_gate, energy_of(LoudnessHistogram::lowest_lufs))));
}

bool is_peak(double value) {
    return value >= 0 && value <= std::numeric_limits<float>::max();
}

}  // namespace

double energy_of(double lufs) {
    return std::pow(10.0, (lufs + 0.691) / 10);
}

double lufs_of(double energy) {
    return 10 * std::log10(energy) - 0.691;
}

void LoudnessHistogram::add(double lufs) {
    if (!(lufs >= lowest_lufs)) return;  // nor what is no number
    const double place = (lufs - lowest_lufs) / step_lu;
    add(static_cast<std::size_t>(std::min(place, static_cast<double>(bins - 1))), 1);
}

void LoudnessHistogram::add(std::size_t bin, std::uint32_t blocks) {
    if (bin >= bins || blocks == 0) return;
    blocks_.resize(bins);
    const auto room = std::numeric_limits<std::uint32_t>::max() - blocks_[bin];
    blocks_[bin] += std::min(blocks, room);
}

void LoudnessHistogram::add(const LoudnessHistogram& other) {
    for (std::size_t bin = 0; bin < other.blocks_.size(); ++bin) add(bin, other.blocks_[bin]);
}

std::optional<double> integrated_lufs(const LoudnessHistogram& histogram) {
    return gate([&](const auto& visit) {
        const auto blocks = histogram.blocks();
        for (std::size_t bin = 0; bin < blocks.size(); ++bin)
            if (blocks[bin] != 0) visit(energy_of_bin(bin), static_cast<double>(blocks[bin]));
    });
}

std::optional<double> integrated_lufs(std::span<const LoudnessHistogram> histograms) {
    LoudnessHistogram all;
    for (const auto& histogram : histograms) all.add(histogram);
    return integrated_lufs(all);
}

std::optional<double> gated_lufs(std::span<const double> block_energies) {
    return gate([&](const auto& visit) {
        for (const double energy : block_energies) visit(energy, 1);
    });
}

std::optional<double> gain_db(std::optional<double> integrated_lufs) {
    if (!integrated_lufs || !std::isfinite(*integrated_lufs)) return std::nullopt;
    return target_lufs - *integrated_lufs;
}

std::string encode(const LoudnessParameters& parameters) {
    PackWriter out;
    out.number(format);
    out.number(parameters.true_peak ? 1 : 0);
    return out.take();
}

core::Result<LoudnessParameters> decode_loudness_parameters(std::string_view bytes) {
    if (bytes.empty()) return LoudnessParameters{};
    PackReader in(bytes);
    if (in.number() != format) in.fail();
    const auto flags = in.number();
    if (flags > 1 || !in.whole())
        return core::fail(core::Errc::invalid, "parameters of loudness that make no sense; use encode()");
    return LoudnessParameters{.true_peak = flags == 1};
}

std::string encode(const Loudness& loudness) {
    PackWriter out;
    out.number(format);
    out.number((loudness.integrated_lufs ? 1U : 0U) | (loudness.true_peak ? 2U : 0U));
    if (loudness.integrated_lufs) out.real(*loudness.integrated_lufs);
    out.real(loudness.sample_peak);
    if (loudness.true_peak) out.real(*loudness.true_peak);
    out.number(static_cast<std::uint64_t>(loudness.decoded.count()));
    const auto blocks = loudness.histogram.blocks();
    out.number(static_cast<std::uint64_t>(std::ranges::count_if(blocks, [](auto count) { return count != 0; })));
    std::size_t next = 0;
    for (std::size_t bin = 0; bin < blocks.size(); ++bin) {
        if (blocks[bin] == 0) continue;
        out.number(bin - next);
        out.number(blocks[bin]);
        next = bin + 1;
    }
    return out.take();
}

core::Result<Loudness> decode_loudness(std::string_view payload) {
    PackReader in(payload);
    if (in.number() != format) in.fail();
    const auto flags = in.number();
    if (flags > 3) in.fail();
    Loudness loudness;
    if ((flags & 1) != 0) {
        loudness.integrated_lufs = in.real();
        if (!(*loudness.integrated_lufs >= -100 && *loudness.integrated_lufs <= 1000)) in.fail();
    }
    loudness.sample_peak = in.real();
    if ((flags & 2) != 0) loudness.true_peak = in.real();
    if (!is_peak(loudness.sample_peak) || !is_peak(loudness.true_peak.value_or(0))) in.fail();
    const auto decoded = in.number();
    if (decoded > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) in.fail();
    loudness.decoded = std::chrono::microseconds(decoded);
    std::size_t next = 0;
    for (auto left = in.count(2); left > 0 && in.good(); --left) {
        const auto skipped = in.number();
        const auto blocks = in.number();
        if (skipped >= LoudnessHistogram::bins - next || blocks == 0 ||
            blocks > std::numeric_limits<std::uint32_t>::max()) {
            in.fail();
            break;
        }
        next += static_cast<std::size_t>(skipped);
        loudness.histogram.add(next++, static_cast<std::uint32_t>(blocks));
        if (next == LoudnessHistogram::bins && left > 1) in.fail();
    }
    if (!in.whole()) return core::fail(core::Errc::corrupt, "a loudness that makes no sense");
    return loudness;
}

}  // namespace understudy::media
