#include "media/scaled.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "media/packed.h"

namespace understudy::media {

namespace {

/// Halves go to the even number, as the reference rounds.
int times(int side, double ratio) {
    constexpr double most = 1 << 30;
    return static_cast<int>(std::nearbyint(std::clamp(side * ratio, 0.0, most)));
}

double ratio_of(int numerator, int denominator) {
    return static_cast<double>(numerator) / std::max(denominator, 1);
}

ScaledSize covering(ScaledSize size, int fill_width, int fill_height) {
    if (fill_width <= 0 && fill_height <= 0) return size;
    const double ratio =
        std::min(ratio_of(size.width, std::max(fill_width, 1)), ratio_of(size.height, std::max(fill_height, 1)));
    if (ratio < 1) return size;
    return {static_cast<int>(std::ceil(size.width / ratio)), static_cast<int>(std::ceil(size.height / ratio))};
}

std::array<int*, 6> sides_of(ScaleParameters& p) {
    return {&p.width, &p.height, &p.max_width, &p.max_height, &p.fill_width, &p.fill_height};
}

}  // namespace

ScaledSize scaled_size(int width, int height, const ScaleParameters& p) {
    ScaledSize size{width, height};
    if (p.width > 0 && p.height > 0)
        size = {p.width, p.height};
    else if (p.height > 0)
        size = {times(width, ratio_of(p.height, height)), p.height};
    else if (p.width > 0)
        size = {p.width, times(height, ratio_of(p.width, width))};
    if (p.max_height > 0 && p.max_height < size.height)
        size = {times(size.width, ratio_of(p.max_height, size.height)), p.max_height};
    if (p.max_width > 0 && p.max_width < size.width)
        size = {p.max_width, times(size.height, ratio_of(p.max_width, size.width))};
    size = covering(size, p.fill_width, p.fill_height);
    // A strip of a pixel's height would have the others grow beyond all measure.
    if (const int longest = std::max(size.width, size.height); longest > ScaleParameters::largest_side) {
        const double ratio = ratio_of(ScaleParameters::largest_side, longest);
        size = {times(size.width, ratio), times(size.height, ratio)};
    }
    return {std::max(size.width, 1), std::max(size.height, 1)};
}

std::string encode(const ScaleParameters& parameters) {
    PackWriter out;
    auto copy = parameters;
    for (const int* side : sides_of(copy)) out.number(static_cast<std::uint64_t>(*side));
    out.number(static_cast<std::uint64_t>(parameters.quality));
    out.number(static_cast<std::uint64_t>(parameters.format));
    return out.take();
}

core::Result<ScaleParameters> decode_scale_parameters(std::string_view bytes) {
    PackReader in(bytes);
    ScaleParameters parameters;
    for (int* side : sides_of(parameters)) *side = static_cast<int>(in.number(ScaleParameters::largest_side));
    parameters.quality = static_cast<int>(in.number(100));
    parameters.format = static_cast<ScaledFormat>(in.number(static_cast<std::uint64_t>(ScaledFormat::bmp)));
    if (!in.whole() || parameters.quality < 1)
        return core::fail(core::Errc::corrupt, "parameters of a scaled picture that do not decode");
    return parameters;
}

}  // namespace understudy::media
