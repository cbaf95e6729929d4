#include "http/jellyfin/pictures/splash_screen.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "http/entity_tags.h"
#include "http/jellyfin/dto/user_settings.h"
#include "http/pictures/scaled_pictures.h"
#include "http/text.h"
#include "media/image_header.h"

namespace understudy::http {
namespace {

constexpr std::size_t most_posters = std::size_t{Collage::columns} * Collage::rows;
/// Of the newest films and series so many are looked at for posters.
constexpr std::size_t most_looked_at = 500;

/// As small as covers a tile.
media::ScaleParameters covering_a_tile(const media::ImageHeader& header) {
    media::ScaleParameters parameters;
    parameters.format = media::ScaledFormat::bmp;
    const bool wide =
        std::int64_t{header.width} * Collage::tile_height > std::int64_t{header.height} * Collage::tile_width;
    (wide ? parameters.height : parameters.width) = wide ? Collage::tile_height : Collage::tile_width;
    return parameters;
}

/// In the cache of pictures.
std::string key_of(const std::string& tag) {
    return "splash-" + tag;
}

}  // namespace

core::Result<std::optional<std::vector<core::LibraryId>>> libraries_open_to_all(const Services& services) {
    std::optional<std::vector<core::LibraryId>> open;
    if (services.users.accounts == nullptr) return open;
    const auto users = services.users.accounts->all();
    if (!users) return tl::unexpected(users.error());
    for (const auto& user : *users) {
        if (user.disabled) continue;
        auto theirs = open_libraries(user.policy);
        if (!theirs) continue;
        if (!open)
            open = std::move(theirs);
        else
            std::erase_if(*open, [&](auto library) { return std::ranges::find(*theirs, library) == theirs->end(); });
    }
    return open;
}

core::Result<std::vector<Collage::Poster>> Collage::posters() {
    const auto open = libraries_open_to_all(services_);
    if (!open) return tl::unexpected(open.error());
    const std::lock_guard lock(looking_);
    const auto now = services_.clock.now();
    if (seen_ && seen_->open == *open && core::elapsed(seen_->at, now) < look_again) return seen_->posters;
    auto found = look_for_posters(*open);
    if (!found) return found;
    seen_ = Seen{now, *open, std::move(*found)};
    return seen_->posters;
}

core::Result<std::vector<Collage::Poster>> Collage::look_for_posters(const Libraries& open) const {
    store::ItemQuery query;
    query.viewer = store::Viewer{{}, open};
    query.recursive = true;
    query.kinds = {model::ItemKind::movie, model::ItemKind::series};
    query.sort_by = {store::ItemSort::date_created, store::ItemSort::name};
    query.descending = true;
    query.limit = most_looked_at;
    query.with_total = false;
    const auto page = services_.catalog.list(query);
    if (!page) return tl::unexpected(page.error());
    std::vector<Poster> found;
    for (const auto& row : page->items) {
        if (found.size() == most_posters) break;
        const auto image = std::ranges::find(row.item.images, model::ImageKind::primary, &model::ItemImage::kind);
        if (image != row.item.images.end())
            found.push_back({row.item.library, image->path, {}, image_tag(*image)});
        else if (row.cover)
            found.push_back({row.item.library, {}, row.cover->blob, row.cover->blob.str()});
    }
    return found;
}

core::Result<std::optional<PictureSource>> Collage::source() {
    auto found = posters();
    if (!found) return tl::unexpected(found.error());
    if (found->empty()) return std::optional<PictureSource>();
    std::string all = "1";  // another layout would be another picture
    for (const auto& poster : *found) all += ' ' + poster.tag + ' ' + poster.path;
    PictureSource source;
    source.tag = core::id_to_hex(id_of_text(all));
    source.read = [this, tag = source.tag, posters = std::move(*found)] { return made(tag, posters); };
    return std::optional(std::move(source));
}

core::Result<std::string> Collage::bytes_of(const Poster& poster) {
    if (!poster.path.empty()) {
        auto picture = files_.read(poster.library, poster.path, "");
        if (!picture) return tl::unexpected(picture.error());
        return std::move(picture->bytes);
    }
    if (services_.media.blobs == nullptr) return core::fail(core::Errc::not_found, "There are no covers.");
    auto bytes = services_.media.blobs->get(poster.cover);
    if (!bytes) return tl::unexpected(bytes.error());
    if (!*bytes) return core::fail(core::Errc::not_found, "There is no such cover any more.");
    return std::move(**bytes);
}

core::Result<Pixels> Collage::tile_of(const Poster& poster) {
    const auto bytes = bytes_of(poster);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto header = media::read_image_header({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
    if (!header || std::int64_t{header->width} * header->height > media::most_image_pixels)
        return core::fail(core::Errc::corrupt, "The poster is no picture, or too large.");
    const auto tile = services_.scaled->scale(*bytes, covering_a_tile(*header));
    if (!tile) return tl::unexpected(tile.error());
    return read_bmp(tile->bytes);
}

core::Result<PictureBytes> Collage::made(const std::string& tag, const std::vector<Poster>& posters) {
    const std::lock_guard lock(making_);
    if (const auto kept = services_.scaled->kept(key_of(tag)))
        return PictureBytes{tag, kept->content_type, kept->bytes};
    const auto now = services_.clock.now();
    if (passing_ && passing_->tag == tag && core::elapsed(passing_->at, now) < look_again) return passing_->picture;
    std::vector<Pixels> tiles;
    std::string shown = tag;
    bool may_pass = false;  // a poster that is no picture is none for good; a share that is silent is back one day
    for (const auto& poster : posters) {
        auto tile = tile_of(poster);
        if (tile) {
            tiles.push_back(std::move(*tile));
            shown += ' ' + poster.tag + ' ' + poster.path;
            continue;
        }
        const auto code = tile.error().code;
        if (code == core::Errc::cancelled) return tl::unexpected(tile.error());
        may_pass = may_pass || (code != core::Errc::corrupt && code != core::Errc::unsupported);
    }
    if (!may_pass) return put_together(tag, tiles);
    passing_ = Passing{now, tag, put_together(core::id_to_hex(id_of_text(shown)), tiles)};
    return passing_->picture;
}

core::Result<PictureBytes> Collage::put_together(const std::string& tag, const std::vector<Pixels>& tiles) {
    if (tiles.empty()) return core::fail(core::Errc::not_found, "No poster can be read.");
    media::ScaleParameters parameters;
    parameters.format = media::ScaledFormat::jpeg;
    const auto key = key_of(tag);
    const auto picture =
        services_.scaled->make(key, key, write_bmp(tiled(tiles, columns, rows, tile_width, tile_height)), parameters);
    if (!picture) return tl::unexpected(picture.error());
    if (*picture == nullptr) return core::fail(core::Errc::not_found, "The collage could not be made.");
    return PictureBytes{tag, (*picture)->content_type, (*picture)->bytes};
}

}  // namespace understudy::http
