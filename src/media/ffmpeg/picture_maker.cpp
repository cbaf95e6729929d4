#include "media/ffmpeg/picture_maker.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/frame.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

#include "core/check.h"
#include "media/ffmpeg/stream_decoder.h"

namespace understudy::media {

namespace {

const std::int32_t* display_matrix(const AVStream* stream, const AVFrame& frame) {
    if (const auto* data = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
        data != nullptr && data->size >= 9 * sizeof(std::int32_t))
        return reinterpret_cast<const std::int32_t*>(data->data);
    if (stream == nullptr) return nullptr;
    std::size_t size = 0;
    const auto* data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return size >= 9 * sizeof(std::int32_t) ? reinterpret_cast<const std::int32_t*>(data) : nullptr;
}

double rational(AVRational value) {
    return value.den == 0 ? 0 : av_q2d(value);
}

/// MaxCLL tells what the film reaches, the mastering screen only what it could; 1000 nits where neither is said.
double peak_of(const AVFrame& frame) {
    if (const auto* data = av_frame_get_side_data(&frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)) {
        const auto& level = *reinterpret_cast<const AVContentLightMetadata*>(data->data);
        if (level.MaxCLL > 0) return level.MaxCLL;
    }
    if (const auto* data = av_frame_get_side_data(&frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)) {
        const auto& screen = *reinterpret_cast<const AVMasteringDisplayMetadata*>(data->data);
        if (screen.has_luminance != 0 && rational(screen.max_luminance) > 0) return rational(screen.max_luminance);
    }
    return 1000;
}

/// What the bit stream says, else the container.
Colour colour_of(const AVFrame& frame, const AVStream* stream) {
    auto transfer = frame.color_trc;
    auto primaries = frame.color_primaries;
    if (stream != nullptr && transfer == AVCOL_TRC_UNSPECIFIED) transfer = stream->codecpar->color_trc;
    if (stream != nullptr && primaries == AVCOL_PRI_UNSPECIFIED) primaries = stream->codecpar->color_primaries;
    Colour colour;
    colour.wide = primaries == AVCOL_PRI_BT2020;
    if (transfer == AVCOL_TRC_SMPTE2084) colour = {Transfer::pq, true, peak_of(frame)};
    if (transfer == AVCOL_TRC_ARIB_STD_B67) colour = {Transfer::hlg, true, 1000};
    return colour;
}

/// Videos that do not say are BT.601 up to SD, BT.709 above, as players take it.
int matrix_of(const AVFrame& frame, const AVStream* stream, const Colour& colour) {
    auto space = frame.colorspace;
    if (stream != nullptr && space == AVCOL_SPC_UNSPECIFIED) space = stream->codecpar->color_space;
    switch (space) {
        case AVCOL_SPC_BT709:
            return SWS_CS_ITU709;
        case AVCOL_SPC_BT2020_NCL:
        case AVCOL_SPC_BT2020_CL:
            return SWS_CS_BT2020;
        case AVCOL_SPC_FCC:
            return SWS_CS_FCC;
        case AVCOL_SPC_SMPTE240M:
            return SWS_CS_SMPTE240M;
        case AVCOL_SPC_BT470BG:
        case AVCOL_SPC_SMPTE170M:
            return SWS_CS_ITU601;
        default:
            break;
    }
    if (colour.transfer != Transfer::sdr) return SWS_CS_BT2020;
    // A JPEG is BT.601 whatever its size (JFIF).
    return stream == nullptr || frame.height < 720 ? SWS_CS_ITU601 : SWS_CS_ITU709;
}

/// The old formats of full range have names of their own, of which swscale warns; it wants the range said.
AVPixelFormat plain_format(int format, bool& full_range) {
    switch (format) {
        case AV_PIX_FMT_YUVJ420P:
            full_range = true;
            return AV_PIX_FMT_YUV420P;
        case AV_PIX_FMT_YUVJ422P:
            full_range = true;
            return AV_PIX_FMT_YUV422P;
        case AV_PIX_FMT_YUVJ444P:
            full_range = true;
            return AV_PIX_FMT_YUV444P;
        case AV_PIX_FMT_YUVJ440P:
            full_range = true;
            return AV_PIX_FMT_YUV440P;
        case AV_PIX_FMT_YUVJ411P:
            full_range = true;
            return AV_PIX_FMT_YUV411P;
        default:
            return static_cast<AVPixelFormat>(format);
    }
}

Raster turned(Raster in, const Turn& turn) {
    if (!turn.swap && !turn.mirror_x && !turn.mirror_y) return in;
    Raster out(turn.swap ? in.height() : in.width(), turn.swap ? in.width() : in.height(), in.alpha());
    const auto step = static_cast<std::size_t>(in.channels());
    const std::uint8_t* from = in.pixels().data();
    std::uint8_t* to = out.pixels().data();
    for (int y = 0; y < out.height(); ++y) {
        for (int x = 0; x < out.width(); ++x, to += step) {
            const int u = turn.mirror_x ? out.width() - 1 - x : x;
            const int v = turn.mirror_y ? out.height() - 1 - y : y;
            const auto column = static_cast<std::size_t>(turn.swap ? v : u);
            const auto row = static_cast<std::size_t>(turn.swap ? u : v);
            std::copy_n(from + (row * static_cast<std::size_t>(in.width()) + column) * step, step, to);
        }
    }
    return out;
}

/// To a third and below, the mean of the pixels that become one is as good as a curve over them, for 40 % of the time.
int way_of_scaling(const AVFrame& frame, const Size& size) {
    return size.width * 3 <= frame.width && size.height * 3 <= frame.height ? SWS_AREA : SWS_BICUBIC;
}

/// libavcodec's MJPEG counts quantisers: its table is MPEG-1's times quantiser / 8, about 1.4 times as fine as the JPEG
/// standard's; a JPEG library scales that one by 5000 / quality or 200 - 2 quality per cent.
int quantiser_of(int quality) {
    const double percent = quality < 50 ? 5000.0 / quality : 200 - 2.0 * quality;
    return std::clamp(static_cast<int>(std::lround(percent * 0.112)), 1, 31);
}

const char* encoder_of(Coding coding) {
    switch (coding) {
        case Coding::jpeg:
            return "mjpeg";
        case Coding::webp:
            return "libwebp";
        case Coding::png:
            return "png";
        case Coding::bmp:
            return "bmp";
    }
    return "png";
}

}  // namespace

Raster::Raster(int width, int height, bool alpha) : width_(width), height_(height), alpha_(alpha) {
    CHECK(width > 0 && height > 0);
    bytes_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                      static_cast<std::size_t>(channels()) +
                  slack);
}

Turn turn_of(const AVStream* stream, const AVFrame& frame) {
    const std::int32_t* m = display_matrix(stream, frame);
    if (m == nullptr) return {};
    // (x', y') = (a x + c y, b x + d y) with a b at m[0] m[1], c d at m[3] m[4]. Slanted pictures go to the next
    // quarter.
    const bool swap = std::abs(std::int64_t{m[0]}) + std::abs(std::int64_t{m[4]}) <
                      std::abs(std::int64_t{m[1]}) + std::abs(std::int64_t{m[3]});
    if (swap) return {.swap = true, .mirror_x = m[3] < 0, .mirror_y = m[1] < 0};
    return {.swap = false, .mirror_x = m[0] < 0, .mirror_y = m[4] < 0};
}

Size fit(int width, int height, int aspect_num, int aspect_den, const Turn& turn, int max_width, int max_height) {
    double w = width, h = height;
    // A pixel more than eight times as wide as high is a broken header.
    if (aspect_num > 0 && aspect_den > 0) {
        const double aspect = static_cast<double>(aspect_num) / aspect_den;
        if (aspect > 0.125 && aspect < 8) (aspect >= 1 ? w : h) *= aspect >= 1 ? aspect : 1 / aspect;
    }
    if (turn.swap) std::swap(max_width, max_height);
    const double scale = std::min({1.0, max_width / w, max_height / h});
    return {std::max(1, static_cast<int>(std::lround(w * scale))),
            std::max(1, static_cast<int>(std::lround(h * scale)))};
}

PictureMaker::PictureMaker() = default;
PictureMaker::~PictureMaker() = default;

void PictureMaker::FreeScaler::operator()(SwsContext* scaler) const noexcept {
    sws_freeContext(scaler);
}

core::Result<Raster> PictureMaker::scale(const AVFrame& frame, const AVStream* stream, int max_width, int max_height,
                                         bool keep_alpha) {
    const Turn turn = turn_of(stream, frame);
    AVRational aspect = frame.sample_aspect_ratio;
    if (aspect.num <= 0 && stream != nullptr) aspect = stream->sample_aspect_ratio;
    const Size size =
        fit(std::max(frame.width, 1), std::max(frame.height, 1), aspect.num, aspect.den, turn, max_width, max_height);
    return scaled(frame, stream, size, turn, keep_alpha);
}

core::Result<Raster> PictureMaker::scale_to(const AVFrame& frame, Size upright, bool keep_alpha) {
    const Turn turn = turn_of(nullptr, frame);
    if (turn.swap) std::swap(upright.width, upright.height);
    return scaled(frame, nullptr, upright, turn, keep_alpha);
}

core::Result<Raster> PictureMaker::scaled(const AVFrame& frame, const AVStream* stream, Size size, const Turn& turn,
                                          bool keep_alpha) {
    bool full_range = frame.color_range == AVCOL_RANGE_JPEG;
    const AVPixelFormat format = plain_format(frame.format, full_range);
    const AVPixFmtDescriptor* description = av_pix_fmt_desc_get(format);
    if (frame.width <= 0 || frame.height <= 0 || description == nullptr || sws_isSupportedInput(format) == 0)
        return core::fail(core::Errc::unsupported, "pixels of a kind that cannot be scaled");

    // Of two fields one is enough where the picture shrinks to half: no combs where things moved.
    std::array<std::uint8_t*, 4> planes{};
    std::array<int, 4> strides{};
    std::copy_n(frame.data, 4, planes.begin());
    std::copy_n(frame.linesize, 4, strides.begin());
    int height = frame.height;
    if (frame.interlaced_frame != 0 && size.height * 2 <= height && height % 4 == 0 && planes[3] == nullptr) {
        height /= 2;
        for (int& stride : strides) stride *= 2;
    }

    const Colour colour = colour_of(frame, stream);
    const bool mapped = colour.transfer != Transfer::sdr || colour.wide;
    const bool has_alpha = (description->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 || format == AV_PIX_FMT_PAL8;
    Raster out(size.width, size.height, keep_alpha && has_alpha && !mapped);
    const AVPixelFormat target = mapped ? AV_PIX_FMT_RGB48LE : out.alpha() ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
    const int matrix = matrix_of(frame, stream, colour);
    const std::array<int, 8> key{frame.width, height, format, size.width, size.height, target, matrix, full_range};
    if (scaler_ == nullptr || key != scaler_key_) {
        scaler_.reset(sws_getContext(frame.width, height, format, size.width, size.height, target,
                                     way_of_scaling(frame, size) | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nullptr,
                                     nullptr, nullptr));
        if (scaler_ == nullptr) return core::fail(core::Errc::corrupt, "no memory to scale the picture");
        constexpr int one = 1 << 16;
        // -1: pixels that are RGB already have no matrix.
        static_cast<void>(sws_setColorspaceDetails(scaler_.get(), sws_getCoefficients(matrix), full_range ? 1 : 0,
                                                   sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, one, one));
        scaler_key_ = key;
    }

    std::vector<std::uint8_t> linear(mapped ? out.pixels().size() * 2 + Raster::slack : 0);
    std::array<std::uint8_t*, 4> to{mapped ? linear.data() : out.pixels().data()};
    const std::array<int, 4> to_strides{size.width * (mapped ? 6 : out.channels())};
    if (sws_scale(scaler_.get(), planes.data(), strides.data(), 0, height, to.data(), to_strides.data()) != size.height)
        return core::fail(core::Errc::corrupt, "the picture could not be scaled");
    if (mapped) {
        if (!tone_map_ || tone_map_colour_ != colour) {
            tone_map_.emplace(colour);
            tone_map_colour_ = colour;
        }
        std::vector<std::uint16_t> words(out.pixels().size());
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = static_cast<std::uint16_t>(linear[2 * i] | (linear[2 * i + 1] << 8));
        tone_map_->apply(words, out.pixels());
    }
    return turned(std::move(out), turn);
}

core::Result<std::string> PictureMaker::code(const Raster& picture, Coding coding, int quality) {
    const char* name = encoder_of(coding);
    const AVCodec* encoder = avcodec_find_encoder_by_name(name);
    if (encoder == nullptr)
        return core::fail(core::Errc::unsupported, std::string("this libavcodec has no encoder ") + name);
    CodecPtr context(avcodec_alloc_context3(encoder));
    auto frame = new_frame();
    auto packet = new_packet();
    if (context == nullptr || !frame || !packet) return core::fail(core::Errc::corrupt, "out of memory");
    const AVPixelFormat from = picture.alpha() ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
    context->width = picture.width();
    context->height = picture.height();
    context->time_base = {1, 25};
    context->sample_aspect_ratio = {1, 1};
    context->thread_count = 1;
    context->flags |= AV_CODEC_FLAG_BITEXACT;  // no version in it: the same picture has the same name in the blob store
    switch (coding) {
        case Coding::jpeg:
            context->pix_fmt = AV_PIX_FMT_YUVJ420P;
            context->color_range = AVCOL_RANGE_JPEG;
            context->flags |= AV_CODEC_FLAG_QSCALE;
            context->qmin = 1;
            context->global_quality = FF_QP2LAMBDA * quantiser_of(quality);
            break;
        case Coding::webp:
            context->pix_fmt = picture.alpha() ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P;
            static_cast<void>(av_opt_set_double(context->priv_data, "quality", quality, 0));
            break;
        case Coding::png:
            context->pix_fmt = from;
            break;
        case Coding::bmp:
            context->pix_fmt = AV_PIX_FMT_BGR24;
            break;
    }
    if (const int code = avcodec_open2(context.get(), encoder, nullptr); code < 0)
        return core::fail(core::Errc::corrupt, std::string("encoder ") + name + ": " + words_of(code));
    AVFrame& raw = **frame;
    raw.width = picture.width();
    raw.height = picture.height();
    raw.format = context->pix_fmt;
    raw.color_range = context->color_range;
    raw.quality = context->global_quality;
    if (av_frame_get_buffer(&raw, 0) < 0) return core::fail(core::Errc::corrupt, "no memory for the picture");
    bool full_range = coding == Coding::jpeg;
    const std::unique_ptr<SwsContext, FreeScaler> converter(
        sws_getContext(picture.width(), picture.height(), from, picture.width(), picture.height(),
                       plain_format(raw.format, full_range), SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP,
                       nullptr, nullptr, nullptr));
    if (converter == nullptr) return core::fail(core::Errc::corrupt, "no memory for the picture");
    constexpr int one = 1 << 16;
    // Both JPEG (JFIF) and WebP (RFC 9649) are BT.601; JPEG of full range.
    static_cast<void>(sws_setColorspaceDetails(converter.get(), sws_getCoefficients(SWS_CS_DEFAULT), 1,
                                               sws_getCoefficients(SWS_CS_ITU601), full_range ? 1 : 0, 0, one, one));
    const std::array<const std::uint8_t*, 4> planes{picture.pixels().data()};
    const std::array<int, 4> strides{picture.width() * picture.channels()};
    if (sws_scale(converter.get(), planes.data(), strides.data(), 0, picture.height(), raw.data, raw.linesize) !=
        picture.height())
        return core::fail(core::Errc::corrupt, "the picture could not be converted");
    int code = avcodec_send_frame(context.get(), &raw);
    if (code >= 0) code = avcodec_send_frame(context.get(), nullptr);
    if (code >= 0) code = avcodec_receive_packet(context.get(), packet->get());
    if (code < 0) return core::fail(core::Errc::corrupt, std::string("encoder ") + name + ": " + words_of(code));
    const AVPacket& coded = **packet;
    return std::string(reinterpret_cast<const char*>(coded.data), static_cast<std::size_t>(coded.size));
}

}  // namespace understudy::media
