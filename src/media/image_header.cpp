#include "media/image_header.h"

#include <algorithm>
#include <string_view>

namespace understudy::media {

namespace {

using Bytes = std::span<const std::uint8_t>;

bool has(Bytes bytes, std::size_t at, std::string_view magic) {
    return bytes.size() >= at + magic.size() &&
           std::equal(magic.begin(), magic.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

/// 0 where the bytes end before; callers look at sizes that cannot be 0.
std::uint32_t big(Bytes bytes, std::size_t at, std::size_t length) {
    if (at > bytes.size() || bytes.size() - at < length) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < length; ++i) value = (value << 8) | bytes[at + i];
    return value;
}
std::uint32_t little(Bytes bytes, std::size_t at, std::size_t length) {
    if (at > bytes.size() || bytes.size() - at < length) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = length; i > 0; --i) value = (value << 8) | bytes[at + i - 1];
    return value;
}

struct Tiff {
    Bytes bytes;
    bool is_big = false;

    [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t length) const {
        return is_big ? big(bytes, at, length) : little(bytes, at, length);
    }
    /// The value of one tag of the first directory (TIFF 6.0, section 2); 0: not there.
    [[nodiscard]] std::uint32_t tag(std::uint32_t wanted) const {
        const std::size_t directory = number(4, 4);
        const std::uint32_t entries = number(directory, 2);
        for (std::size_t i = 0; i < entries; ++i) {
            const std::size_t entry = directory + 2 + 12 * i;
            if (entry + 12 > bytes.size()) break;
            if (number(entry, 2) != wanted) continue;
            return number(entry + 8, number(entry + 2, 2) == 3 ? 2 : 4);  // type 3: 16 bits, left-justified
        }
        return 0;
    }
};

std::optional<Tiff> tiff_of(Bytes bytes) {
    if (has(bytes, 0, std::string_view("II*\0", 4))) return Tiff{bytes, false};
    if (has(bytes, 0, std::string_view("MM\0*", 4))) return Tiff{bytes, true};
    return std::nullopt;
}

/// Walks the segments to the frame header (ITU-T T.81, B.2.2). Exif stands before it.
std::optional<ImageHeader> jpeg(Bytes bytes) {
    ImageHeader header{.kind = ImageKind::jpeg};
    std::size_t at = 2;
    while (at + 4 <= bytes.size()) {
        if (bytes[at] != 0xFF) return std::nullopt;
        const std::uint8_t marker = bytes[at + 1];
        if (marker == 0xFF) {  // fill byte
            ++at;
            continue;
        }
        if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {  // without a length
            at += 2;
            continue;
        }
        const std::size_t length = big(bytes, at + 2, 2);
        if (length < 2 || marker == 0xD9 || marker == 0xDA) return std::nullopt;
        const bool is_frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (is_frame) {
            header.height = big(bytes, at + 5, 2);
            header.width = big(bytes, at + 7, 2);
            if (header.width == 0 || header.height == 0) return std::nullopt;
            return header;
        }
        if (marker == 0xE1 && has(bytes, at + 4, std::string_view("Exif\0\0", 6)) && at + 2 + length <= bytes.size() &&
            length >= 8)
            if (const auto exif = tiff_of(bytes.subspan(at + 10, length - 8))) header.turned = exif->tag(0x0112) > 1;
        at += 2 + length;
    }
    return std::nullopt;
}

/// RFC 9649, sections 2.5 to 2.7.
std::optional<ImageHeader> webp(Bytes bytes) {
    ImageHeader header{.kind = ImageKind::webp};
    if (has(bytes, 12, "VP8X")) {
        header.width = little(bytes, 24, 3) + 1;
        header.height = little(bytes, 27, 3) + 1;
        header.animated = (little(bytes, 20, 1) & 2) != 0;
        return bytes.size() >= 30 ? std::optional(header) : std::nullopt;
    }
    if (has(bytes, 12, "VP8L") && little(bytes, 20, 1) == 0x2F && bytes.size() >= 25) {
        const std::uint32_t bits = little(bytes, 21, 4);
        header.width = (bits & 0x3FFF) + 1;
        header.height = ((bits >> 14) & 0x3FFF) + 1;
        return header;
    }
    if (has(bytes, 12, "VP8 ") && has(bytes, 23, "\x9D\x01\x2A")) {
        header.width = little(bytes, 26, 2) & 0x3FFF;
        header.height = little(bytes, 28, 2) & 0x3FFF;
        if (header.width != 0 && header.height != 0) return header;
    }
    return std::nullopt;
}

std::optional<ImageHeader> sized(ImageKind kind, std::uint32_t width, std::uint32_t height) {
    if (width == 0 || height == 0) return std::nullopt;
    return ImageHeader{.kind = kind, .width = width, .height = height};
}

std::uint32_t magnitude(std::uint32_t number) {  // a BMP's height is negative where its rows go downwards
    return (number & 0x80000000u) != 0 ? ~number + 1 : number;
}

}  // namespace

std::optional<ImageHeader> read_image_header(std::span<const std::uint8_t> bytes) {
    if (has(bytes, 0, "\xFF\xD8\xFF")) return jpeg(bytes);
    if (has(bytes, 0, "\x89PNG\r\n\x1A\n") && has(bytes, 12, "IHDR"))
        return sized(ImageKind::png, big(bytes, 16, 4), big(bytes, 20, 4));
    if (has(bytes, 0, "RIFF") && has(bytes, 8, "WEBP")) return webp(bytes);
    if (has(bytes, 0, "GIF87a") || has(bytes, 0, "GIF89a"))
        return sized(ImageKind::gif, little(bytes, 6, 2), little(bytes, 8, 2));
    if (has(bytes, 0, "BM") && little(bytes, 14, 4) >= 40)
        return sized(ImageKind::bmp, little(bytes, 18, 4), magnitude(little(bytes, 22, 4)));
    if (has(bytes, 4, "ftypavif") || has(bytes, 4, "ftypavis")) return ImageHeader{.kind = ImageKind::avif};
    if (const auto tiff = tiff_of(bytes)) return sized(ImageKind::tiff, tiff->tag(256), tiff->tag(257));
    return std::nullopt;
}

}  // namespace understudy::media
