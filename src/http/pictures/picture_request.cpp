#include "http/pictures/picture_request.h"

#include <algorithm>
#include <array>
#include <utility>

#include "http/text.h"

namespace understudy::http {
namespace {

using media::ScaledFormat;
using media::ScaleParameters;

/// From this on an original is good enough, and the quality of what is made where none is said.
constexpr int good_quality = 90;
constexpr int size_step = 16, quality_step = 5;

std::string text_of(const Request& request, const char* name) {
    const auto& in_path = request.param(name);
    return std::string(trim(in_path.empty() ? request.query.text(name) : in_path));
}

core::Result<int> size_of(const Request& request, const char* name) {
    const auto text = text_of(request, name);
    if (text.empty()) return 0;
    const auto number = parse_int(text);
    if (!number || *number < 0) {
        return core::fail(core::Errc::invalid,
                          std::string(name) + ": '" + printable(text) + "' is no number of pixels; use 1 to 4096");
    }
    return static_cast<int>(std::min<std::int64_t>(*number, ScaleParameters::largest_side));
}

/// nullopt: not said.
core::Result<std::optional<int>> quality_of(const Request& request) {
    const auto text = text_of(request, "quality");
    if (text.empty()) return std::optional<int>();
    const auto number = parse_int(text);
    if (!number || *number < 1 || *number > 100)
        return core::fail(core::Errc::invalid, "quality: '" + printable(text) + "' is none; use 1 to 100");
    return std::optional(static_cast<int>(*number));
}

/// by_need: none was named that is made here.
core::Result<ScaledFormat> format_of(const Request& request) {
    const auto text = text_of(request, "format");
    constexpr std::array<std::pair<std::string_view, ScaledFormat>, 7> words{{{"Jpg", ScaledFormat::jpeg},
                                                                              {"Jpeg", ScaledFormat::jpeg},
                                                                              {"Png", ScaledFormat::png},
                                                                              {"Webp", ScaledFormat::webp},
                                                                              {"Bmp", ScaledFormat::by_need},
                                                                              {"Gif", ScaledFormat::by_need},
                                                                              {"Svg", ScaledFormat::by_need}}};
    if (text.empty()) return ScaledFormat::by_need;
    for (const auto& [word, format] : words)
        if (iequals(word, text)) return format;
    return core::fail(core::Errc::invalid, "format: '" + printable(text) + "' is none; use Jpg, Png or Webp");
}

/// Said in so many words: `*/*` is said by those who know no WebP too.
bool accepts_webp(const Request& request) {
    for (const auto part : split(request.header("Accept"), ',')) {
        const auto pieces = split(part, ';');
        if (!iequals(trim(pieces.front()), "image/webp")) continue;
        return std::ranges::none_of(pieces, [](std::string_view piece) {
            piece = trim(piece);
            return piece == "q=0" || piece.starts_with("q=0.0");
        });
    }
    return false;
}

int rounded_up(int value, int step, int most) {
    return std::min((value + step - 1) / step * step, most);
}

ScaledFormat format_of(media::ImageKind kind) {
    switch (kind) {
        case media::ImageKind::jpeg:
            return ScaledFormat::jpeg;
        case media::ImageKind::png:
            return ScaledFormat::png;
        case media::ImageKind::webp:
            return ScaledFormat::webp;
        case media::ImageKind::gif:
        case media::ImageKind::bmp:
        case media::ImageKind::tiff:
        case media::ImageKind::avif:
            break;
    }
    return ScaledFormat::by_need;
}

}  // namespace

std::string PictureWish::key() const {
    const auto& p = parameters;
    std::string key;
    const auto add = [&](char letter, int number) {
        if (number != 0) key += letter + std::to_string(number);
    };
    add('w', p.width);
    add('h', p.height);
    add('x', p.max_width);
    add('y', p.max_height);
    add('f', p.fill_width);
    add('g', p.fill_height);
    add('q', p.quality);
    add('t', static_cast<int>(p.format));
    return key;
}

bool PictureWish::is_met_by(const media::ImageHeader& header) const {
    if (header.turned || header.width == 0 || parameters.quality < good_quality) return false;
    const bool is_shown_by_all =
        format_of(header.kind) != ScaledFormat::by_need || header.kind == media::ImageKind::gif;
    const bool is_named = !by_accept && parameters.format != ScaledFormat::by_need;
    if (!is_shown_by_all || (is_named && parameters.format != format_of(header.kind))) return false;
    if (header.width > ScaleParameters::largest_side || header.height > ScaleParameters::largest_side) return false;
    const media::ScaledSize own{static_cast<int>(header.width), static_cast<int>(header.height)};
    return media::scaled_size(own.width, own.height, parameters) == own;
}

core::Result<PictureWish> read_picture_wish(const Request& request) {
    PictureWish wish;
    auto& p = wish.parameters;
    struct Row {
        const char* name;
        int& into;
    };
    for (const auto& row :
         {Row{"width", p.width}, Row{"height", p.height}, Row{"maxWidth", p.max_width}, Row{"maxHeight", p.max_height},
          Row{"fillWidth", p.fill_width}, Row{"fillHeight", p.fill_height}}) {
        const auto size = size_of(request, row.name);
        if (!size) return tl::unexpected(size.error());
        row.into = *size;
        wish.plain = wish.plain && *size == 0;
    }
    const auto quality = quality_of(request);
    if (!quality) return tl::unexpected(quality.error());
    const auto format = format_of(request);
    if (!format) return tl::unexpected(format.error());
    wish.plain = wish.plain && quality->value_or(good_quality) >= good_quality && *format == ScaledFormat::by_need;
    for (int* side : {&p.fill_width, &p.fill_height})
        *side = rounded_up(*side, size_step, ScaleParameters::largest_side);
    p.quality = rounded_up(quality->value_or(good_quality), quality_step, 100);
    p.format = *format;
    wish.by_accept = *format == ScaledFormat::by_need;
    if (wish.by_accept && accepts_webp(request)) p.format = ScaledFormat::webp;
    return wish;
}

}  // namespace understudy::http
