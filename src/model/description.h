// model/description.h: what an item is about and what it looks like, as said by files beside its media. Plain values:
// made by a scan from NFO files and pictures, stored with the item, read by http.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"

namespace understudy::model {

/// As clients ask for them (`/Items/{id}/Images/{type}`).
enum class ImageKind : unsigned char { primary, backdrop, logo, art, banner, thumb, disc };
[[nodiscard]] std::string_view to_string(ImageKind kind) noexcept;  ///< `Primary`, `Backdrop`, …: as clients write it
[[nodiscard]] std::optional<ImageKind> parse_image_kind(std::string_view text) noexcept;  ///< in any case

/// A picture file beside the media, as the walk saw it.
struct ItemImage {
    ImageKind kind = ImageKind::primary;
    std::string path;  ///< absolute, bytes kept exactly
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;
    friend bool operator==(const ItemImage&, const ItemImage&) = default;
};

/// Text is valid UTF-8; what is not said is empty. Dates are midnight UTC.
struct Description {
    std::string original_title, overview, tagline;
    std::string sort_title;                  ///< by what to sort, as written; Item::sort_name is made of it
    std::string official_rating;             ///< `FSK-12`, `PG-13`: as written
    std::string status;                      ///< of a series: `Ended`, `Continuing`
    std::optional<double> community_rating;  ///< 0 to 10
    std::optional<core::UtcTime> premiered, ended;
    std::vector<std::string> studios, tags, countries;
    std::vector<std::string> trailers;  ///< URLs, not checked
    /// Of a special: before which season or episode, or after which season, it is shown among the others.
    std::optional<int> airs_before_season, airs_before_episode, airs_after_season;
    friend bool operator==(const Description&, const Description&) = default;
};

}  // namespace understudy::model
