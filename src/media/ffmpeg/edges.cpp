#include "media/ffmpeg/edges.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "media/ffmpeg/picture_maker.h"
#include "media/ffmpeg/stream_decoder.h"

namespace understudy::media {

namespace {

using std::chrono::microseconds;

/// Samples of the luma plane: `depth` bits in one byte, or in two with the low byte first.
struct Luma {
    int depth = 8;
    bool full_range = false;
};

std::optional<Luma> luma_of(const AVFrame& frame) {
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    constexpr std::uint64_t other = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                                    AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT;
    if (format == nullptr || (format->flags & other) != 0) return std::nullopt;
    const AVComponentDescriptor& y = format->comp[0];
    if (y.plane != 0 || y.offset != 0 || y.step != (y.depth > 8 ? 2 : 1) || y.depth > 16) return std::nullopt;
    switch (frame.format) {
        case AV_PIX_FMT_YUVJ420P:
        case AV_PIX_FMT_YUVJ422P:
        case AV_PIX_FMT_YUVJ444P:
            return Luma{y.depth + y.shift, true};
        default:
            return Luma{y.depth + y.shift, frame.color_range == AVCOL_RANGE_JPEG};
    }
}

/// A share of the luma range as a sample (libavfilter's vf_blackdetect counts alike).
unsigned sample_of(double share, const Luma& luma) {
    const double unit = std::ldexp(1.0, luma.depth - 8);
    const double value = luma.full_range ? share * (std::ldexp(1.0, luma.depth) - 1) : (16 + share * (235 - 16)) * unit;
    return static_cast<unsigned>(value);
}

template <class Sample>
std::size_t bright_in_row(const std::uint8_t* row, int width, unsigned threshold) {
    std::size_t bright = 0;
    for (int x = 0; x < width; ++x) {
        Sample sample = 0;
        std::memcpy(&sample, row + static_cast<std::size_t>(x) * sizeof sample, sizeof sample);
        bright += sample > threshold ? 1u : 0u;
    }
    return bright;
}

class BlackPictures {
public:
    explicit BlackPictures(const EdgesParameters& parameters) : parameters_(parameters) {}

    /// Stops at the row that decides: a lit picture costs a few rows.
    bool is_black(const AVFrame& frame) {
        const auto pixels = static_cast<double>(frame.width) * frame.height;
        const double may_be_bright = pixels * (1 - parameters_.picture_black_ratio);
        const auto luma = luma_of(frame);
        if (!luma) return is_black_in_colours(frame, may_be_bright / pixels);
        const unsigned threshold = sample_of(parameters_.pixel_black, *luma);
        double bright = 0;
        for (int y = 0; y < frame.height && bright <= may_be_bright; ++y) {
            const std::uint8_t* row = frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0];
            bright += static_cast<double>(luma->depth > 8 ? bright_in_row<std::uint16_t>(row, frame.width, threshold)
                                                          : bright_in_row<std::uint8_t>(row, frame.width, threshold));
        }
        return bright <= may_be_bright;
    }

private:
    /// RGB, palettes: rare in films. A smaller copy will do.
    bool is_black_in_colours(const AVFrame& frame, double may_be_bright) {
        const auto raster = maker_.scale(frame, nullptr, 320, 320, false);
        if (!raster) return false;
        const double threshold = 255 * parameters_.pixel_black;
        double bright = 0;
        const auto rgb = raster->pixels();
        for (std::size_t i = 0; i + 3 <= rgb.size(); i += 3)
            bright += std::max({rgb[i], rgb[i + 1], rgb[i + 2]}) > threshold ? 1 : 0;
        return bright * 3 <= may_be_bright * static_cast<double>(rgb.size());
    }

    const EdgesParameters& parameters_;
    PictureMaker maker_;
};

std::vector<TimeSpan> blacks_in(StreamDecoder& decoder, const TimeSpan& window, const EdgesParameters& parameters) {
    std::vector<TimeSpan> out;
    // Half a second of run-up for containers whose seek lands by decoding time.
    if (!decoder.seek(decoder.to_stream(std::max<std::int64_t>(window.start.count() - 500'000, 0)))) return out;
    BlackPictures pictures(parameters);
    std::optional<microseconds> since;
    microseconds last = window.start;
    const auto close = [&](microseconds at) {
        const TimeSpan span{std::max(*since, window.start), std::min(at, window.end)};
        if (span.end - span.start >= parameters.shortest && span.end > span.start &&
            out.size() < EdgesResult::most_blacks)
            out.push_back(span);
        since.reset();
    };
    while (const AVFrame* frame = decoder.next()) {
        if (frame->best_effort_timestamp == AV_NOPTS_VALUE) continue;
        const microseconds at{decoder.from_stream(frame->best_effort_timestamp)};
        const microseconds length{
            av_rescale_q(std::max<std::int64_t>(frame->pkt_duration, 0), decoder.stream().time_base, {1, 1'000'000})};
        if (at + length <= window.start) continue;
        if (at >= window.end) {
            last = window.end;
            break;
        }
        last = std::max(last, at + length);
        const bool black = pictures.is_black(*frame);
        if (black && !since) since = at;
        if (!black && since) close(at);
    }
    if (since) close(last);
    return out;
}

}  // namespace

core::Result<EdgesResult> find_edges(ByteSource& bytes, const EdgesParameters& parameters) {
    auto decoder = StreamDecoder::open(bytes, StreamDecoder::Kind::video);
    if (!decoder) return tl::unexpected(decoder.error());
    EdgesResult result;
    for (const auto& window : parameters.windows) {
        result.blacks.push_back(blacks_in(**decoder, window, parameters));
        if ((*decoder)->fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
    }
    return result;
}

}  // namespace understudy::media
