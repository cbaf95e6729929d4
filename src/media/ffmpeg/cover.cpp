#include "media/ffmpeg/cover.h"

extern "C" {
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/frame.h>
}

#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "media/ffmpeg/input.h"
#include "media/ffmpeg/picture_maker.h"
#include "media/ffmpeg/still_image.h"
#include "media/image_header.h"
#include "media/sniff.h"

namespace understudy::media {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr ReadLimits look{.bytes = 2 * 1024 * 1024, .micros = 1'000'000};

bool is_for_clients(ImageKind kind) {
    return kind == ImageKind::jpeg || kind == ImageKind::png || kind == ImageKind::webp || kind == ImageKind::gif;
}

core::Result<CoverResult> from_frame(const AVFrame& frame, const CoverParameters& parameters) {
    PictureMaker maker;
    CoverResult result;
    result.original_width = frame.width;
    result.original_height = frame.height;
    auto raster = maker.scale(frame, nullptr, parameters.max_side, parameters.max_side, true);
    if (!raster) return tl::unexpected(raster.error());
    // An alpha channel that says nothing costs PNG's size for nothing.
    if (raster->alpha() && opaque(*raster)) raster = without_alpha(*raster);
    const bool see_through = raster->alpha();
    result.kind = see_through ? ImageKind::png : ImageKind::jpeg;
    auto coded = maker.code(*raster, see_through ? Coding::png : Coding::jpeg, parameters.quality);
    if (!coded) return tl::unexpected(coded.error());
    if (coded->size() > CoverResult::most_bytes)
        return core::fail(core::Errc::unsupported, "the picture is larger than one answer may be");
    result.width = raster->width();
    result.height = raster->height();
    result.bytes = std::move(*coded);
    return result;
}

core::Result<CoverResult> from_image(Bytes image, const ImageHeader& header, const CoverParameters& parameters) {
    if (auto checked = check_pixels(header.width, header.height); !checked) return tl::unexpected(checked.error());
    const auto most = static_cast<std::uint32_t>(parameters.max_side);
    if (is_for_clients(header.kind) && header.width <= most && header.height <= most && header.width > 0 &&
        !header.turned && std::cmp_less_equal(image.size(), parameters.original_bytes)) {
        CoverResult result;
        result.kind = header.kind;
        result.width = result.original_width = static_cast<int>(header.width);
        result.height = result.original_height = static_cast<int>(header.height);
        result.is_original = true;
        result.bytes.assign(reinterpret_cast<const char*>(image.data()), image.size());
        return result;
    }
    auto frame = decode_still(image, header);
    if (!frame) return tl::unexpected(frame.error());
    return from_frame(**frame, parameters);
}

bool is_front(const AVStream& stream) {
    // ID3's and FLAC's picture type 3, as libavformat names it; MP4 and Matroska name the file.
    const auto* comment = av_dict_get(stream.metadata, "comment", nullptr, 0);
    const auto* file = av_dict_get(stream.metadata, "filename", nullptr, 0);
    return (comment != nullptr && std::strcmp(comment->value, "Cover (front)") == 0) ||
           (file != nullptr && std::strncmp(file->value, "cover.", 6) == 0);
}

core::Result<CoverResult> from_media(ByteSource& bytes, const CoverParameters& parameters) {
    const Sniffed sniffed = sniff(bytes);
    auto input = Input::open(bytes, std::string(sniffed.demuxer), look);
    if (!input) return tl::unexpected(input.error());
    const AVFormatContext& context = (*input)->context();
    const AVPacket* best = nullptr;
    bool front = false;
    for (const AVStream* stream : std::span(context.streams, context.nb_streams)) {
        if ((stream->disposition & AV_DISPOSITION_ATTACHED_PIC) == 0 || stream->attached_pic.size <= 0) continue;
        if (best != nullptr && (front || !is_front(*stream))) continue;
        best = &stream->attached_pic;
        front = is_front(*stream);
    }
    if (best == nullptr) return core::fail(core::Errc::unsupported, "no picture in it");
    const Bytes image(best->data, static_cast<std::size_t>(best->size));
    const auto header = read_image_header(image);
    if (!header || header->kind == ImageKind::avif)
        return core::fail(core::Errc::unsupported, "the picture in it is of no kind that we can read");
    return from_image(image, *header, parameters);
}

}  // namespace

core::Result<CoverResult> make_cover(ByteSource& bytes, const CoverParameters& parameters) {
    const auto image = read_still(bytes);
    if (!image) return tl::unexpected(image.error());
    if (!*image) return from_media(bytes, parameters);
    if ((*image)->header.kind != ImageKind::avif) return from_image((*image)->bytes, (*image)->header, parameters);
    const auto frame = decode_avif(bytes);
    if (!frame) return tl::unexpected(frame.error());
    return from_frame(**frame, parameters);
}

}  // namespace understudy::media
