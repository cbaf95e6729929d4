#include "http/pictures/pixels.h"

#include <algorithm>

namespace understudy::http {
namespace {

constexpr std::uint32_t file_header = 14, info_header = 40, all_headers = file_header + info_header;
constexpr std::uint32_t largest_side = 4096;

auto broken(const char* why) {
    return core::fail(core::Errc::corrupt, std::string("a bitmap of a picture worker: ") + why);
}

void little_endian(std::string& out, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i, value >>= 8U) out += static_cast<char>(value & 0xFFU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint32_t number = 0;
    while (size-- > 0) number = number << 8U | static_cast<unsigned char>(bytes[at + size]);
    return number;
}

/// Rows end at a multiple of four.
constexpr std::uint32_t bmp_row_bytes(std::uint32_t width) {
    return (width * 3 + 3) / 4 * 4;
}

}  // namespace

core::Result<Pixels> read_bmp(std::string_view bmp) {
    if (bmp.size() < all_headers || !bmp.starts_with("BM")) return broken("its first bytes are no bitmap's");
    const auto start = number_at(bmp, 10, 4), width = number_at(bmp, 18, 4), height = number_at(bmp, 22, 4);
    const auto bits = number_at(bmp, 28, 2), packing = number_at(bmp, 30, 4);
    if (width == 0 || height == 0 || width > largest_side || height > largest_side) return broken("its size is none");
    if (bits != 24 || packing != 0) return broken("its pixels are of another kind");
    const auto row_bytes = bmp_row_bytes(width);
    if (start < all_headers || start > bmp.size() || bmp.size() - start < std::size_t{row_bytes} * height)
        return broken("pixels are missing");

    Pixels picture{static_cast<int>(width), static_cast<int>(height)};
    picture.rgb.reserve(std::size_t{width} * height * 3);
    for (std::uint32_t y = height; y-- > 0;) {  // from the bottom, B G R
        const auto row = bmp.substr(start + std::size_t{y} * row_bytes, row_bytes);
        for (std::size_t x = 0; x < std::size_t{width} * 3; x += 3)
            for (const std::size_t c : {2U, 1U, 0U}) picture.rgb.push_back(static_cast<std::uint8_t>(row[x + c]));
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
    const auto width = static_cast<std::uint32_t>(picture.width), height = static_cast<std::uint32_t>(picture.height);
    const std::uint32_t row_bytes = bmp_row_bytes(width), size = row_bytes * height;
    std::string out = "BM";
    out.reserve(all_headers + size);
    little_endian(out, all_headers + size, 4);
    little_endian(out, 0, 4);
    little_endian(out, all_headers, 4);
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
