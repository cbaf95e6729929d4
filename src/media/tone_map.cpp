#include "media/tone_map.h"

#include <algorithm>
#include <cmath>

namespace understudy::media {

namespace {

constexpr std::size_t codes = 4096;  // 12 bits, finer than any video's

/// Diffuse white of HDR, as ITU-R BT.2408-7 (table 1) puts it. Ours is the white of an SDR screen: then faces and walls
/// are as bright as in the SDR version of the film.
constexpr double white_nits = 203;

/// SMPTE ST 2084 / ITU-R BT.2100-2, table 4: the constants of PQ.
constexpr double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128, c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32,
                 c3 = 2392.0 / 4096 * 32;

double pq_nits(double code) {
    const double root = std::pow(code, 1 / m2);
    return 10'000 * std::pow(std::max(root - c1, 0.0) / (c2 - c3 * root), 1 / m1);
}

double pq_code(double nits) {
    const double power = std::pow(std::clamp(nits / 10'000, 0.0, 1.0), m1);
    return std::pow((c1 + c2 * power) / (1 + c3 * power), m2);
}

/// ITU-R BT.2100-2, table 5: inverse of HLG's OETF, 0..1. The system gamma is applied with the luminance, in apply().
double hlg_scene(double code) {
    constexpr double a = 0.17883277, b = 1 - 4 * a;
    const double c = 0.5 - a * std::log(4 * a);
    return code <= 0.5 ? code * code / 3 : (std::exp((code - c) / a) + b) / 12;
}
constexpr double hlg_peak_nits = 1000, hlg_gamma = 1.2;  // the reference screen of BT.2100-2

/// ITU-R BT.1886: what an SDR screen does.
constexpr double screen_gamma = 2.4;

/// ITU-R BT.2087-0, annex 2: linear BT.2020 to linear BT.709 (the inverse of its matrix M2).
constexpr std::array<std::array<float, 3>, 3> to_709 = {
    {{1.660491F, -0.587641F, -0.072850F}, {-0.124550F, 1.132900F, -0.008349F}, {-0.018151F, -0.100579F, 1.118730F}}};

constexpr std::array<float, 3> luminance_2020 = {0.2627F, 0.6780F, 0.0593F};

std::size_t cell(double share) {
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (codes - 1)));
}

}  // namespace

/// The EETF of ITU-R BT.2390-10, 5.4.1, black at 0: in PQ's scale unchanged up to a knee, then a Hermite spline to the
/// screen's white. In and out: light, 1 is white.
double ToneMap::compress(double peak_channel) const {
    const double source = pq_code(brightest_ * white_nits);
    const double most = pq_code(white_nits) / source;
    if (most >= 1) return peak_channel;
    const double knee = 1.5 * most - 0.5;
    const double code = std::min(pq_code(peak_channel * white_nits) / source, 1.0);
    if (code < knee) return peak_channel;
    const double t = (code - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    const double mapped = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * most;
    return pq_nits(mapped * source) / white_nits;
}

ToneMap::ToneMap(const Colour& colour) : colour_(colour), light_(codes), gain_(codes, 1.0F), display_(codes) {
    if (colour_.transfer == Transfer::pq) brightest_ = std::clamp(colour_.peak_nits, white_nits, 10'000.0) / white_nits;
    if (colour_.transfer == Transfer::hlg) brightest_ = hlg_peak_nits / white_nits;
    for (std::size_t i = 0; i < codes; ++i) {
        const double share = static_cast<double>(i) / (codes - 1);
        switch (colour_.transfer) {
            case Transfer::sdr:
                light_[i] = static_cast<float>(std::pow(share, screen_gamma));
                break;
            case Transfer::pq:
                light_[i] = static_cast<float>(pq_nits(share) / white_nits);
                break;
            case Transfer::hlg:
                light_[i] = static_cast<float>(hlg_scene(share));
                break;
        }
        const double light = share * share * brightest_;
        if (light > 0) gain_[i] = static_cast<float>(compress(light) / light);
        display_[i] = static_cast<std::uint8_t>(std::lround(255 * std::pow(share, 2 / screen_gamma)));
    }
}

void ToneMap::apply(std::span<const std::uint16_t> in, std::span<std::uint8_t> out) const {
    const bool hdr = colour_.transfer != Transfer::sdr;
    const auto brightest = static_cast<float>(brightest_);
    for (std::size_t at = 0; at + 3 <= in.size() && at + 3 <= out.size(); at += 3) {
        std::array<float, 3> rgb{};
        for (std::size_t i = 0; i < 3; ++i) rgb[i] = light_[in[at + i] >> 4];
        if (colour_.transfer == Transfer::hlg) {
            // OOTF of BT.2100-2, table 5: Y^(gamma - 1) times each channel.
            float y = 0;
            for (std::size_t i = 0; i < 3; ++i) y += luminance_2020[i] * rgb[i];
            const float scale = brightest * std::pow(y, static_cast<float>(hlg_gamma - 1));
            for (float& channel : rgb) channel *= scale;
        }
        if (hdr) {
            // The brightest channel leads, so that hues stay and no channel clips.
            const float peak = std::max({rgb[0], rgb[1], rgb[2]});
            const float gain = gain_[cell(std::sqrt(peak / brightest))] * (peak > brightest ? brightest / peak : 1.0F);
            for (float& channel : rgb) channel *= gain;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const float light =
                colour_.wide ? to_709[i][0] * rgb[0] + to_709[i][1] * rgb[1] + to_709[i][2] * rgb[2] : rgb[i];
            out[at + i] = display_[cell(std::sqrt(std::max(light, 0.0F)))];
        }
    }
}

}  // namespace understudy::media
