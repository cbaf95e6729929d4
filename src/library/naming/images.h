// library/naming/images.h: pictures beside media files: poster, fanart, logo, season posters, actors. Pure: a
// directory's names in, their roles out; used by the describing phase of a scan.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/description.h"
#include "model/item.h"

namespace understudy::library::naming {

using model::ImageKind;

[[nodiscard]] bool is_image(std::string_view name) noexcept;  ///< by extension, in any case

/// Whose pictures are looked for in a directory.
struct ImageOwner {
    model::ItemKind kind = model::ItemKind::movie;
    std::string_view stem;    ///< the media file's; empty: a folder's item (series, season, album, artist)
    bool owns_folder = true;  ///< `poster.jpg`, `folder.jpg` are this item's: a film alone in its folder, a series, …
    std::optional<int> season;  ///< with the series' directory: the pictures of this season only (`season01-poster`)
};

struct ImageFile {
    std::string name;  ///< bytes as given
    ImageKind kind = ImageKind::primary;
    friend bool operator==(const ImageFile&, const ImageFile&) = default;
};
/// At most one of each kind, but backdrops: up to 50, in their order. The item's own stem wins over folder-wide names.
[[nodiscard]] std::vector<ImageFile> find_images(const ImageOwner& owner, std::span<const std::string_view> names);

/// Names in a folder `extrafanart` or `backdrops`, in order.
[[nodiscard]] std::vector<ImageFile> find_extra_fanart(std::span<const std::string_view> names);
[[nodiscard]] bool is_extra_fanart_folder(std::string_view name) noexcept;

struct ActorImage {
    std::string name;   ///< bytes as given
    std::string actor;  ///< for people: `First_Last.jpg` is «First Last»
};
/// Names in a folder `.actors`.
[[nodiscard]] std::vector<ActorImage> find_actor_images(std::span<const std::string_view> names);

}  // namespace understudy::library::naming
