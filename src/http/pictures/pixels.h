// http/pictures/pixels.h: pictures as plain pixels, put together from what picture workers made. Used by the splash
// screen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::http {

/// Rows from the top without gaps, R G B of 8 bits.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb = {};
};

/// Of a bitmap as picture workers write it (ScaledFormat::bmp): 24 bits, not packed, at most 4096 pixels a side.
/// Foreign bytes: everything is checked. Errors: corrupt.
[[nodiscard]] core::Result<Pixels> read_bmp(std::string_view bmp);

/// `pictures` (at least one), each cut around its middle, in `columns` x `rows` tiles from the top left on; where they
/// do not suffice they come again.
[[nodiscard]] Pixels tiled(const std::vector<Pixels>& pictures, int columns, int rows, int tile_width, int tile_height);

/// A file that every decoder takes, and that takes no time to write.
[[nodiscard]] std::string write_bmp(const Pixels& picture);

}  // namespace understudy::http
