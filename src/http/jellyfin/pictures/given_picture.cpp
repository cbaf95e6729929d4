#include "http/jellyfin/pictures/given_picture.h"

#include <cstdint>
#include <utility>

#include "http/pictures/scaled_pictures.h"
#include "http/text.h"
#include "media/image_header.h"

namespace understudy::http {
namespace {

bool is_picture(std::string_view bytes) {
    return media::read_image_header({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}).has_value();
}

int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
    constexpr std::string_view mark = ";base64,";
    if (text.starts_with("data:")) {
        const auto at = text.substr(0, 100).find(mark);
        if (at == std::string_view::npos) return std::nullopt;
        text.remove_prefix(at + mark.size());
    }
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    int held = 0, padding = 0;
    for (const char c : text) {
        if (c == ' ' || c == '\r' || c == '\n' || c == '\t') continue;
        if (c == '=') {
            ++padding;
            continue;
        }
        const int value = value_of(c);
        if (value < 0 || padding > 0) return std::nullopt;
        bits = bits << 6U | static_cast<std::uint32_t>(value);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes += static_cast<char>(bits >> static_cast<unsigned>(held) & 0xFFU);
    }
    // What is left of the last group is nothing, or the zeros that fill it up.
    const bool whole = held < 6 && (bits & ((1U << static_cast<unsigned>(held)) - 1)) == 0;
    return whole && padding <= 2 ? std::optional(std::move(bytes)) : std::nullopt;
}

core::Result<media::CoverResult> given_picture(const Services& services, const Request& request, int most_side) {
    if (services.scaled == nullptr) return core::fail(core::Errc::unsupported, "No pictures are taken in here.");
    std::optional<std::string> decoded;
    if (!is_picture(request.body)) decoded = decode_base64(request.body);
    if (!is_picture(request.body) && (!decoded || !is_picture(*decoded))) {
        return core::fail(core::Errc::invalid,
                          "body: it is no picture; send a JPEG, PNG, WebP, GIF, BMP, TIFF or AVIF, as bytes or base64");
    }
    media::ScaleParameters parameters;
    parameters.max_width = parameters.max_height = most_side;
    auto made = services.scaled->scale(decoded ? *decoded : request.body, parameters);
    const auto code = made ? core::Errc::cancelled : made.error().code;
    if (code == core::Errc::corrupt || code == core::Errc::unsupported)
        return core::fail(core::Errc::invalid, "body: the picture cannot be used: " + printable(made.error().context));
    return made;
}

}  // namespace understudy::http
