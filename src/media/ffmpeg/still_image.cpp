#include "media/ffmpeg/still_image.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
}

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace understudy::media {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::int64_t most_file_bytes = std::int64_t{64} * 1024 * 1024;
constexpr std::int64_t most_header_bytes = 4 * 1024 * 1024;  // a JPEG's profiles and previews stand before its size

/// AVIF has no decoder of libavcodec's own; it is a film of one picture.
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

std::uint32_t little(Bytes bytes, std::size_t at) {
    return static_cast<std::uint32_t>(bytes[at]) | static_cast<std::uint32_t>(bytes[at + 1]) << 8 |
           static_cast<std::uint32_t>(bytes[at + 2]) << 16 | static_cast<std::uint32_t>(bytes[at + 3]) << 24;
}
void put_little(std::vector<std::uint8_t>& out, std::uint32_t value, int bytes = 4) {
    for (; bytes > 0; --bytes, value >>= 8) out.push_back(static_cast<std::uint8_t>(value & 0xFF));
}

/// The first frame of an animated WebP as a file of its own (RFC 9649, section 2.7.1): libavcodec reads no animation.
/// Empty: there is none.
std::vector<std::uint8_t> first_frame_of_webp(Bytes webp) {
    constexpr std::size_t chunk_head = 8, frame_head = 16;
    for (std::size_t at = 12; at + chunk_head <= webp.size();) {
        const std::size_t length = little(webp, at + 4), body = at + chunk_head;
        const std::size_t there = std::min(length, webp.size() - body);
        if (std::memcmp(webp.data() + at, "ANMF", 4) != 0 || there <= frame_head) {
            if (length > webp.size() - body) break;
            at = body + length + length % 2;
            continue;
        }
        const Bytes frame = webp.subspan(body, there);
        const Bytes data = frame.subspan(frame_head);
        std::vector<std::uint8_t> out;
        const auto word = [&](const char* text) { out.insert(out.end(), text, text + 4); };
        word("RIFF");
        put_little(out, static_cast<std::uint32_t>(4 + chunk_head + 10 + data.size()));
        word("WEBP");
        word("VP8X");
        put_little(out, 10);
        const bool alpha = data.size() >= 4 && std::memcmp(data.data(), "ALPH", 4) == 0;
        put_little(out, alpha ? 0x10 : 0);
        out.insert(out.end(), frame.begin() + 6, frame.begin() + 12);  // width and height less one, 24 bits each
        out.insert(out.end(), data.begin(), data.end());
        return out;
    }
    return {};
}

core::Result<FramePtr> decode(Bytes image, ImageKind kind, int halvings) {
    const std::unique_ptr<AVCodecParameters, void (*)(AVCodecParameters*)> parameters(
        avcodec_parameters_alloc(), [](AVCodecParameters* p) { avcodec_parameters_free(&p); });
    if (parameters == nullptr) return core::fail(core::Errc::corrupt, "out of memory");
    parameters->codec_type = AVMEDIA_TYPE_VIDEO;
    parameters->codec_id = codec_of(kind);
    auto codec = open_decoder(*parameters, most_image_pixels, halvings);
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

}  // namespace

core::Result<void> check_pixels(std::int64_t width, std::int64_t height) {
    if (width * height <= most_image_pixels) return {};
    return core::fail(core::Errc::unsupported, "an image of " + std::to_string(width) + "x" + std::to_string(height) +
                                                   " pixels is too large (at most " +
                                                   std::to_string(most_image_pixels / 1'000'000) + " million)");
}

core::Result<std::optional<StillImage>> read_still(ByteSource& bytes) {
    StillImage image;
    auto header = read_image_header(bytes.head());
    const auto load = [&](std::int64_t most) {
        image.bytes.resize(static_cast<std::size_t>(std::min(bytes.size(), most)));
        image.bytes.resize(bytes.read(0, image.bytes));
    };
    const Bytes head = bytes.head();
    const bool is_jpeg = head.size() > 3 && head[0] == 0xFF && head[1] == 0xD8 && head[2] == 0xFF;
    const bool is_tiff =
        head.size() > 4 && (std::memcmp(head.data(), "II*", 4) == 0 || std::memcmp(head.data(), "MM\0*", 4) == 0);
    if (!header && (is_jpeg || is_tiff)) {
        // A TIFF's directory may be anywhere, a JPEG's size behind its profiles.
        load(is_tiff ? most_file_bytes : most_header_bytes);
        header = read_image_header(image.bytes);
        if (!header) return core::fail(core::Errc::corrupt, "an image whose header says no size");
    }
    if (bytes.fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
    if (!header) return std::optional<StillImage>();
    image.header = *header;
    if (header->kind == ImageKind::avif) return std::optional(std::move(image));
    if (auto checked = check_pixels(header->width, header->height); !checked) return tl::unexpected(checked.error());
    if (bytes.size() > most_file_bytes) return core::fail(core::Errc::unsupported, "an image file of more than 64 MiB");
    if (std::cmp_less(image.bytes.size(), bytes.size())) load(most_file_bytes);
    if (bytes.fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
    return std::optional(std::move(image));
}

core::Result<FramePtr> decode_still(Bytes image, const ImageHeader& header, int halvings) {
    if (header.kind == ImageKind::gif) return decode(first_frame_of_gif(image), header.kind, halvings);
    if (!header.animated) return decode(image, header.kind, halvings);
    const auto frame = first_frame_of_webp(image);
    if (frame.empty()) return core::fail(core::Errc::corrupt, "an animated WebP without a frame");
    return decode(frame, header.kind, halvings);
}

core::Result<FramePtr> decode_avif(ByteSource& bytes) {
    auto decoder = StreamDecoder::open(bytes, StreamDecoder::Kind::video);
    if (!decoder) return tl::unexpected(decoder.error());
    const AVCodecParameters& p = *(*decoder)->stream().codecpar;
    if (auto checked = check_pixels(p.width, p.height); !checked) return tl::unexpected(checked.error());
    const AVFrame* frame = (*decoder)->next();
    if (frame == nullptr) return core::fail(core::Errc::corrupt, "the image does not decode");
    FramePtr own(av_frame_clone(frame));  // the decoder's is gone with it
    if (own == nullptr) return core::fail(core::Errc::corrupt, "out of memory");
    return own;
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

}  // namespace understudy::media
