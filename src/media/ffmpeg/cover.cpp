#include "media/ffmpeg/cover.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/frame.h>
}

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "media/ffmpeg/input.h"
#include "media/ffmpeg/picture_maker.h"
#include "media/ffmpeg/stream_decoder.h"
#include "media/image_header.h"
#include "media/sniff.h"

namespace understudy::media {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::int64_t most_pixels = 50'000'000;  // 8660 x 5773
constexpr std::int64_t most_file_bytes = std::int64_t{64} * 1024 * 1024;
constexpr std::int64_t most_header_bytes = 4 * 1024 * 1024;  // a JPEG's profiles and previews stand before its size
constexpr ReadLimits look{.bytes = 2 * 1024 * 1024, .micros = 1'000'000};

tl::unexpected<core::Error> too_large(std::int64_t width, std::int64_t height) {
    return core::fail(core::Errc::unsupported, "an image of " + std::to_string(width) + "x" + std::to_string(height) +
                                                   " pixels is too large (at most " +
                                                   std::to_string(most_pixels / 1'000'000) + " million)");
}

/// WebP's animation and AVIF have no decoder of libavcodec's own; AVIF is a film of one picture.
AVCodecID codec_of(ImageKind kind) {
    switch (kind) {
        case ImageKind::jpeg:
            return AV_CODEC_ID_MJPEG;
        case ImageKind::png:
            return AV_CODEC_ID_PNG;
        case ImageKind::webp:
            return AV_CODEC_ID_WEBP;
        case ImageKind::gif:
            return AV_CODEC_ID_GIF;
        case ImageKind::bmp:
            return AV_CODEC_ID_BMP;
        case ImageKind::tiff:
            return AV_CODEC_ID_TIFF;
        case ImageKind::avif:
            return AV_CODEC_ID_AV1;
    }
    return AV_CODEC_ID_NONE;
}

bool is_for_clients(ImageKind kind) {
    return kind == ImageKind::jpeg || kind == ImageKind::png || kind == ImageKind::webp || kind == ImageKind::gif;
}

/// GIF's packets are found by its demuxer's parser; the first frame goes from the header to the first block's end.
core::Result<FramePtr> decode(Bytes image, ImageKind kind) {
    const std::unique_ptr<AVCodecParameters, void (*)(AVCodecParameters*)> parameters(
        avcodec_parameters_alloc(), [](AVCodecParameters* p) { avcodec_parameters_free(&p); });
    if (parameters == nullptr) return core::fail(core::Errc::corrupt, "out of memory");
    parameters->codec_type = AVMEDIA_TYPE_VIDEO;
    parameters->codec_id = codec_of(kind);
    auto codec = open_decoder(*parameters, most_pixels);
    if (!codec) return tl::unexpected(codec.error());
    auto packet = new_packet();
    auto frame = new_frame();
    if (!packet || !frame || av_new_packet(packet->get(), static_cast<int>(image.size())) < 0)
        return core::fail(core::Errc::corrupt, "out of memory");
    std::memcpy((*packet)->data, image.data(), image.size());
    (*packet)->flags |= AV_PKT_FLAG_KEY;
    int code = avcodec_send_packet(codec->get(), packet->get());
    if (code >= 0) {
        static_cast<void>(avcodec_send_packet(codec->get(), nullptr));
        code = avcodec_receive_frame(codec->get(), frame->get());
    }
    if (code < 0) return core::fail(core::Errc::corrupt, "the image does not decode: " + words_of(code));
    return frame;
}

/// GIF: header, colour table, then blocks; ends with the first image's data (GIF89a, sections 15 to 24). The decoder
/// takes one frame at a time.
Bytes first_frame_of_gif(Bytes gif) {
    const auto skip_blocks = [&](std::size_t at) {
        while (at < gif.size() && gif[at] != 0) at += std::size_t{gif[at]} + 1;
        return at + 1;
    };
    const auto table = [](std::uint8_t flags) { return (flags & 0x80) != 0 ? std::size_t{3} << ((flags & 7) + 1) : 0; };
    if (gif.size() < 13) return gif;
    std::size_t at = 13 + table(gif[10]);
    while (at + 10 < gif.size()) {
        if (gif[at] == 0x21) {
            at = skip_blocks(at + 2);
        } else if (gif[at] == 0x2C) {
            at = skip_blocks(at + 10 + table(gif[at + 9]) + 1);
            return gif.first(std::min(at, gif.size()));
        } else {
            break;
        }
    }
    return gif;
}

bool opaque(const Raster& picture) {
    const auto rgba = picture.pixels();
    for (std::size_t i = 3; i < rgba.size(); i += 4)
        if (rgba[i] != 255) return false;
    return true;
}

Raster without_alpha(const Raster& picture) {
    Raster out(picture.width(), picture.height(), false);
    const auto rgba = picture.pixels();
    std::uint8_t* to = out.pixels().data();
    for (std::size_t i = 0; i < rgba.size(); i += 4) to = std::copy_n(rgba.data() + i, 3, to);
    return out;
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
    if (std::int64_t{header.width} * header.height > most_pixels) return too_large(header.width, header.height);
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
    if (header.animated) return core::fail(core::Errc::unsupported, "an animated WebP that would have to be scaled");
    auto frame = decode(header.kind == ImageKind::gif ? first_frame_of_gif(image) : image, header.kind);
    if (!frame) return tl::unexpected(frame.error());
    return from_frame(**frame, parameters);
}

/// An AVIF is read by the demuxer of MP4, its one picture by dav1d.
core::Result<CoverResult> from_avif(ByteSource& bytes, const CoverParameters& parameters) {
    auto decoder = StreamDecoder::open(bytes, StreamDecoder::Kind::video);
    if (!decoder) return tl::unexpected(decoder.error());
    const AVCodecParameters& p = *(*decoder)->stream().codecpar;
    if (std::int64_t{p.width} * p.height > most_pixels) return too_large(p.width, p.height);
    const AVFrame* frame = (*decoder)->next();
    if (frame == nullptr) return core::fail(core::Errc::corrupt, "the image does not decode");
    return from_frame(*frame, parameters);
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
    auto header = read_image_header(bytes.head());
    std::vector<std::uint8_t> image;
    const auto load = [&](std::int64_t most) {
        image.resize(static_cast<std::size_t>(std::min(bytes.size(), most)));
        image.resize(bytes.read(0, image));
    };
    const Bytes head = bytes.head();
    const bool is_jpeg = head.size() > 3 && head[0] == 0xFF && head[1] == 0xD8 && head[2] == 0xFF;
    const bool is_tiff =
        head.size() > 4 && (std::memcmp(head.data(), "II*", 4) == 0 || std::memcmp(head.data(), "MM\0*", 4) == 0);
    if (!header && (is_jpeg || is_tiff)) {
        // A TIFF's directory may be anywhere, a JPEG's size behind its profiles.
        load(is_tiff ? most_file_bytes : most_header_bytes);
        header = read_image_header(image);
        if (!header) return core::fail(core::Errc::corrupt, "an image whose header says no size");
    }
    if (bytes.fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
    if (!header) return from_media(bytes, parameters);
    if (header->kind == ImageKind::avif) return from_avif(bytes, parameters);
    if (std::int64_t{header->width} * header->height > most_pixels) return too_large(header->width, header->height);
    if (bytes.size() > most_file_bytes) return core::fail(core::Errc::unsupported, "an image file of more than 64 MiB");
    if (std::cmp_less(image.size(), bytes.size())) load(most_file_bytes);
    if (bytes.fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
    return from_image(image, *header, parameters);
}

}  // namespace understudy::media
