#include "http/pictures/pixels.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace understudy::http {
namespace {

constexpr std::uint32_t largest_side = 4096;

auto broken(const char* why) {
    return core::fail(core::Errc::corrupt, std::string("a PNG of a picture worker: ") + why);
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

struct Chunks {
    std::string_view header;
    std::string data;
};

core::Result<Chunks> read_chunks(std::string_view png) {
    constexpr std::string_view magic = "\x89PNG\r\n\x1A\n";
    constexpr std::size_t around = 12;  // length, kind and sum
    if (!png.starts_with(magic)) return broken("its first bytes are no PNG's");
    png.remove_prefix(magic.size());
    Chunks chunks;
    while (png.size() >= around) {
        const std::size_t length = big_endian(png, 0);
        const auto kind = png.substr(4, 4);
        if (length > png.size() - around) return broken("a chunk is cut off");
        if (kind == "IHDR") chunks.header = png.substr(8, length);
        if (kind == "IDAT") chunks.data += png.substr(8, length);
        if (kind == "IEND") return chunks;
        png.remove_prefix(length + around);
    }
    return broken("it has no end");
}

/// Exactly as many bytes as there must be.
core::Result<std::vector<std::uint8_t>> inflated(const std::string& data, std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    auto length = static_cast<uLongf>(size);
    const int code = ::uncompress(bytes.data(), &length, reinterpret_cast<const Bytef*>(data.data()),
                                  static_cast<uLong>(data.size()));
    if (code != Z_OK || length != size) return broken("its pixels do not unpack");
    return bytes;
}

int paeth(int left, int above, int corner) {
    const int guess = left + above - corner;
    const int to_left = std::abs(guess - left), to_above = std::abs(guess - above),
              to_corner = std::abs(guess - corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

/// One row in place, after its filter byte (PNG §9.2). `above`: the row before, null for the first.
bool unfilter(int filter, std::uint8_t* row, const std::uint8_t* above, std::size_t size, std::size_t pixel) {
    for (std::size_t i = 0; i < size; ++i) {
        const int left = i >= pixel ? row[i - pixel] : 0;
        const int up = above != nullptr ? above[i] : 0;
        const int corner = above != nullptr && i >= pixel ? above[i - pixel] : 0;
        int add = 0;
        if (filter == 1) add = left;
        if (filter == 2) add = up;
        if (filter == 3) add = (left + up) / 2;
        if (filter == 4) add = paeth(left, up, corner);
        row[i] = static_cast<std::uint8_t>(row[i] + add);
    }
    return filter <= 4;
}

void little_endian(std::string& out, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i, value >>= 8U) out += static_cast<char>(value & 0xFFU);
}

}  // namespace

core::Result<Pixels> read_png(std::string_view png) {
    const auto chunks = read_chunks(png);
    if (!chunks) return tl::unexpected(chunks.error());
    const auto& header = chunks->header;
    constexpr std::size_t header_bytes = 13;
    if (header.size() != header_bytes) return broken("it has no header");
    const auto width = big_endian(header, 0), height = big_endian(header, 4);
    if (width == 0 || height == 0 || width > largest_side || height > largest_side) return broken("its size is none");
    constexpr char rgb = 2, rgba = 6;
    const char depth = header[8], kind = header[9], interlaced = header[12];
    if (depth != 8 || (kind != rgb && kind != rgba) || interlaced != 0) return broken("its pixels are of another kind");

    const std::size_t pixel = kind == rgba ? 4 : 3, row_bytes = width * pixel;
    auto bytes = inflated(chunks->data, (row_bytes + 1) * height);
    if (!bytes) return tl::unexpected(bytes.error());
    Pixels picture{static_cast<int>(width), static_cast<int>(height)};
    picture.rgb.reserve(std::size_t{width} * height * 3);
    const std::uint8_t* above = nullptr;
    for (std::size_t y = 0; y < height; ++y) {
        auto* row = bytes->data() + y * (row_bytes + 1);
        if (!unfilter(row[0], row + 1, above, row_bytes, pixel)) return broken("a row's filter is none");
        above = row + 1;
        for (std::size_t x = 0; x < row_bytes; x += pixel) {
            const unsigned alpha = pixel == 4 ? above[x + 3] : 255U;
            for (std::size_t c = 0; c < 3; ++c)
                picture.rgb.push_back(static_cast<std::uint8_t>((above[x + c] * alpha + 127) / 255));
        }
    }
    return picture;
}

Pixels tiled(const std::vector<Pixels>& pictures, int columns, int rows, int tile_width, int tile_height) {
    Pixels whole{columns * tile_width, rows * tile_height};
    whole.rgb.resize(static_cast<std::size_t>(whole.width) * static_cast<std::size_t>(whole.height) * 3);
    for (int tile = 0; tile < columns * rows; ++tile) {
        const auto& from = pictures[static_cast<std::size_t>(tile) % pictures.size()];
        const int width = std::min(from.width, tile_width), height = std::min(from.height, tile_height);
        const int left = (from.width - width) / 2, top = (from.height - height) / 2;
        const int to_left = tile % columns * tile_width + (tile_width - width) / 2;
        const int to_top = tile / columns * tile_height + (tile_height - height) / 2;
        for (int y = 0; y < height; ++y) {
            const auto at = (static_cast<std::ptrdiff_t>(top + y) * from.width + left) * 3;
            const auto to = (static_cast<std::ptrdiff_t>(to_top + y) * whole.width + to_left) * 3;
            std::copy_n(from.rgb.begin() + at, std::ptrdiff_t{width} * 3, whole.rgb.begin() + to);
        }
    }
    return whole;
}

std::string write_bmp(const Pixels& picture) {
    constexpr std::uint32_t file_header = 14, info_header = 40;
    const auto width = static_cast<std::uint32_t>(picture.width), height = static_cast<std::uint32_t>(picture.height);
    const std::uint32_t row_bytes = (width * 3 + 3) / 4 * 4, size = row_bytes * height;
    std::string out = "BM";
    out.reserve(file_header + info_header + size);
    little_endian(out, file_header + info_header + size, 4);
    little_endian(out, 0, 4);
    little_endian(out, file_header + info_header, 4);
    little_endian(out, info_header, 4);
    little_endian(out, width, 4);
    little_endian(out, height, 4);
    little_endian(out, 1, 2);   // planes
    little_endian(out, 24, 2);  // bits of a pixel
    little_endian(out, 0, 4);   // not packed
    little_endian(out, size, 4);
    for (int i = 0; i < 4; ++i) little_endian(out, 0, 4);
    for (std::uint32_t y = height; y-- > 0;) {  // from the bottom, B G R
        for (std::uint32_t x = 0; x < width; ++x) {
            const auto at = (std::size_t{y} * width + x) * 3;
            for (const std::size_t c : {2U, 1U, 0U}) out += static_cast<char>(picture.rgb[at + c]);
        }
        out.append(row_bytes - width * 3, '\0');
    }
    return out;
}

}  // namespace understudy::http
