#include "http/pictures/picture_answer.h"

#include <cstdint>
#include <utility>

#include "http/entity_tags.h"
#include "http/pictures/scaled_pictures.h"
#include "media/image_header.h"

namespace understudy::http {
namespace {

std::optional<media::ImageHeader> header_of(const std::string& bytes) {
    return media::read_image_header({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

core::Result<Response> as_kept(const Request& request, const PictureSource& source) {
    if (names_tag(request.header("If-None-Match"), source.tag))
        return with_freshness({.status = 304}, request, source.tag, {}, source.freshness);
    auto picture = source.read();
    if (!picture) return tl::unexpected(std::move(picture.error()));
    Response response;
    response.content_type = std::move(picture->content_type);
    response.body = std::move(picture->bytes);
    return with_freshness(std::move(response), request, picture->tag, {}, source.freshness);
}

core::Error too_large(const media::ImageHeader& header) {
    return {core::Errc::corrupt, "The picture has " + std::to_string(header.width) + "x" +
                                     std::to_string(header.height) + " pixels, more than are decoded here."};
}

}  // namespace

Response with_freshness(Response response, const Request& request, const std::string& tag, const std::string& variant,
                        Freshness freshness) {
    response.with("ETag", '"' + (variant.empty() ? tag : tag + '-' + variant) + '"');
    if (freshness == Freshness::content) return response.with("Cache-Control", "public, max-age=31536000");
    const auto& in_path = request.param("tag");
    const bool named = (in_path.empty() ? request.query.text("tag") : in_path) == tag;
    return response.with("Cache-Control", named ? "public, max-age=31536000, immutable" : "public, max-age=60");
}

core::Result<Response> answer_with_picture(const Services& services, const Request& request, const PictureWish& wish,
                                           const PictureSource& source) {
    if (wish.plain || services.scaled == nullptr) return as_kept(request, source);
    auto& scaled = *services.scaled;
    const auto variant = wish.key();
    const auto finished = [&](Response response, const std::string& tag) {
        if (wish.by_accept) response.with("Vary", "Accept");
        return with_freshness(std::move(response), request, tag, variant, source.freshness);
    };
    if (names_tag(request.header("If-None-Match"), source.tag + '-' + variant))
        return finished({.status = 304}, source.tag);
    Response response;
    if (const auto kept = scaled.kept(source.tag + '-' + variant)) {
        response.content_type = kept->content_type;
        response.body = kept->bytes;
        return finished(std::move(response), source.tag);
    }
    auto original = source.read();
    if (!original) return tl::unexpected(std::move(original.error()));
    const auto& tag = original->tag;
    const auto header = header_of(original->bytes);
    if (header && std::int64_t{header->width} * header->height > media::most_image_pixels)
        return tl::unexpected(too_large(*header));
    if (!header || !wish.is_met_by(*header)) {
        const auto made = scaled.make(tag + '-' + variant, tag, original->bytes, wish.parameters);
        if (!made) return tl::unexpected(made.error());
        if (*made != nullptr) {
            response.content_type = (*made)->content_type;
            response.body = (*made)->bytes;
            return finished(std::move(response), tag);
        }
    }
    response.content_type = std::move(original->content_type);
    response.body = std::move(original->bytes);
    return finished(std::move(response), tag);
}

core::Result<Response> answer_with_blob(const Services& services, const Request& request, const PictureWish& wish,
                                        const store::BlobHash& blob, Freshness freshness,
                                        const std::string& known_type) {
    const auto none = [&] { return core::fail(core::Errc::not_found, "There is no such picture any more."); };
    if (services.media.blobs == nullptr) return none();
    PictureSource source;
    source.tag = blob.str();
    source.freshness = freshness;
    source.read = [&]() -> core::Result<PictureBytes> {
        auto bytes = services.media.blobs->get(blob);
        if (!bytes) return tl::unexpected(std::move(bytes.error()));
        if (!*bytes) return none();
        const auto header = header_of(**bytes);
        if (!header && known_type.empty()) return none();
        auto type = header ? std::string(media::mime_type(header->kind)) : known_type;
        return PictureBytes{blob.str(), std::move(type), std::move(**bytes)};
    };
    return answer_with_picture(services, request, wish, source);
}

}  // namespace understudy::http
