#include "media/ffmpeg/scaled.h"

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <cstdint>
#include <utility>

#include "media/ffmpeg/picture_maker.h"
#include "media/ffmpeg/still_image.h"

namespace understudy::media {

namespace {

/// A larger picture is scaled with its colours as they are: with another copy a worker's memory would not do.
constexpr std::int64_t most_premultiplied_pixels = 16'000'000;

bool may_show_through(const AVFrame& frame) {
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    return frame.format == AV_PIX_FMT_PAL8 || (format != nullptr && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0);
}

/// Colours by how much of them is seen: else what is hidden, mostly black, would bleed into edges as they are scaled.
void premultiply(Raster& picture) {
    const auto rgba = picture.pixels();
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        const unsigned alpha = rgba[i + 3];
        if (alpha == 255) continue;
        for (std::size_t c = i; c < i + 3; ++c) rgba[c] = static_cast<std::uint8_t>((rgba[c] * alpha + 127) / 255);
    }
}

void unpremultiply(Raster& picture) {
    const auto rgba = picture.pixels();
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        const unsigned alpha = rgba[i + 3];
        if (alpha == 255 || alpha == 0) continue;
        for (std::size_t c = i; c < i + 3; ++c)
            rgba[c] = static_cast<std::uint8_t>(std::min(255U, (rgba[c] * 255U + alpha / 2) / alpha));
    }
}

/// With its alpha channel premultiplied, where it has one that says something.
core::Result<Raster> scaled(PictureMaker& maker, const AVFrame& frame, Size upright, Size to) {
    if (!may_show_through(frame)) return maker.scale_to(frame, to, false);
    if (std::int64_t{upright.width} * upright.height > most_premultiplied_pixels) {
        auto raster = maker.scale_to(frame, to, true);
        if (raster && raster->alpha()) {
            if (opaque(*raster)) return without_alpha(*raster);
            premultiply(*raster);
        }
        return raster;
    }
    auto whole = maker.scale_to(frame, upright, true);
    if (!whole) return whole;
    const bool see_through = whole->alpha() && !opaque(*whole);
    if (see_through) premultiply(*whole);
    if (!see_through && whole->alpha()) whole = without_alpha(*whole);
    if (to.width == upright.width && to.height == upright.height) return whole;
    auto view = new_frame();
    if (!view) return tl::unexpected(view.error());
    AVFrame& pixels = **view;
    pixels.format = see_through ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
    pixels.width = whole->width();
    pixels.height = whole->height();
    pixels.data[0] = whole->pixels().data();
    pixels.linesize[0] = whole->width() * whole->channels();
    return maker.scale_to(pixels, to, see_through);
}

/// How often a JPEG's decoder may halve its sides for a picture that is still half as large again as what is wanted:
/// what is left is for the scaler, which is better at it.
int halvings_for(const ImageHeader& header, const ScaledSize& to) {
    if (header.kind != ImageKind::jpeg || header.turned) return 0;
    int halvings = 0;
    const auto is_enough = [&](std::uint32_t side, int wanted) {
        return 2 * static_cast<std::int64_t>(side >> (halvings + 1)) >= 3 * std::int64_t{wanted};
    };
    while (halvings < 3 && is_enough(header.width, to.width) && is_enough(header.height, to.height)) ++halvings;
    return halvings;
}

struct Decoded {
    FramePtr frame;
    ScaledSize original;  ///< upright
};

core::Result<Decoded> decoded(ByteSource& bytes, const ScaleParameters& parameters) {
    const auto image = read_still(bytes);
    if (!image) return tl::unexpected(image.error());
    if (!*image) return core::fail(core::Errc::unsupported, "no image of a kind that is decoded");
    const auto& header = (*image)->header;
    Decoded result;
    if (header.kind == ImageKind::avif) {
        auto frame = decode_avif(bytes);
        if (!frame) return tl::unexpected(frame.error());
        result.frame = std::move(*frame);
    } else {
        const ScaledSize stored{static_cast<int>(header.width), static_cast<int>(header.height)};
        const int halvings = halvings_for(header, scaled_size(stored.width, stored.height, parameters));
        auto frame = decode_still((*image)->bytes, header, halvings);
        if (!frame) return tl::unexpected(frame.error());
        result.frame = std::move(*frame);
        if (halvings > 0) {
            result.original = stored;
            return result;
        }
    }
    result.original = {result.frame->width, result.frame->height};
    if (turn_of(nullptr, *result.frame).swap) std::swap(result.original.width, result.original.height);
    return result;
}

Coding coding_of(ScaledFormat format, bool see_through) {
    switch (format) {
        case ScaledFormat::by_need:
            return see_through ? Coding::png : Coding::jpeg;
        case ScaledFormat::jpeg:
            return Coding::jpeg;
        case ScaledFormat::png:
            return Coding::png;
        case ScaledFormat::webp:
            return Coding::webp;
        case ScaledFormat::bmp:
            return Coding::bmp;
    }
    return Coding::jpeg;
}

ImageKind kind_of(Coding coding) {
    switch (coding) {
        case Coding::jpeg:
            return ImageKind::jpeg;
        case Coding::png:
            return ImageKind::png;
        case Coding::webp:
            return ImageKind::webp;
        case Coding::bmp:
            return ImageKind::bmp;
    }
    return ImageKind::jpeg;
}

}  // namespace

core::Result<CoverResult> make_scaled(ByteSource& bytes, const ScaleParameters& parameters) {
    auto image = decoded(bytes, parameters);
    if (!image) return tl::unexpected(image.error());
    const AVFrame& frame = *image->frame;
    const auto size = scaled_size(image->original.width, image->original.height, parameters);
    Size upright{frame.width, frame.height};
    if (turn_of(nullptr, frame).swap) std::swap(upright.width, upright.height);
    PictureMaker maker;
    auto raster = scaled(maker, frame, upright, {size.width, size.height});
    if (!raster) return tl::unexpected(raster.error());
    image->frame.reset();  // an encoder needs memory too
    const Coding coding = coding_of(parameters.format, raster->alpha());
    // On black, as the reference does: that is what premultiplied colours are.
    if (raster->alpha() && (coding == Coding::jpeg || coding == Coding::bmp)) raster = without_alpha(*raster);
    if (raster->alpha()) unpremultiply(*raster);
    auto coded = maker.code(*raster, coding, parameters.quality);
    if (!coded) return tl::unexpected(coded.error());
    if (coded->size() > CoverResult::most_bytes)
        return core::fail(core::Errc::unsupported, "the picture is larger than one answer may be");
    CoverResult result;
    result.kind = kind_of(coding);
    result.width = raster->width();
    result.height = raster->height();
    result.original_width = image->original.width;
    result.original_height = image->original.height;
    result.bytes = std::move(*coded);
    return result;
}

}  // namespace understudy::media
