#include "media/ffmpeg/container.h"

extern "C" {
#include <libavformat/avformat.h>
}

#include <algorithm>
#include <span>
#include <string>

#include "media/ffmpeg/describe.h"
#include "media/ffmpeg/input.h"
#include "media/sniff.h"

namespace understudy::media {

namespace {

// Streams show themselves within the first second or two of nearly every transport stream; the second look is for the
// rest.
constexpr ReadLimits first_look{.bytes = 2 * 1024 * 1024, .micros = 3'000'000};
constexpr ReadLimits second_look{.bytes = 20 * 1024 * 1024, .micros = 20'000'000};

bool is_attached(const AVStream& stream) {
    return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
}

std::span<AVStream* const> streams_of(const AVFormatContext& context) {
    return {context.streams, context.nb_streams};
}

bool video_is_known(const AVStream& stream, const CodecConfig* config) {
    const auto& p = *stream.codecpar;
    if (p.width <= 0 || p.height <= 0 || config == nullptr) return false;
    if (stream.avg_frame_rate.num <= 0 && stream.r_frame_rate.num <= 0) return false;
    // Eight bits are SDR. Deeper video may be HDR: where the container does not say, the bit stream must.
    return config->bit_depth <= 8 || p.color_trc != AVCOL_TRC_UNSPECIFIED;
}

bool audio_is_known(const AVStream& stream) {
    const auto& p = *stream.codecpar;
    // DTS-HD hides in the packets of a DTS stream.
    return p.codec_id != AV_CODEC_ID_NONE && p.codec_id != AV_CODEC_ID_DTS && p.sample_rate > 0 &&
           p.ch_layout.nb_channels > 0;
}

/// True if the header said all that MediaInfo wants: then stream info, most of a video's cost, is not asked.
bool header_suffices(const AVFormatContext& context) {
    if ((context.ctx_flags & AVFMTCTX_NOHEADER) != 0 || context.nb_streams == 0 || duration_of(context).count() <= 0)
        return false;
    return std::ranges::all_of(streams_of(context), [](const AVStream* stream) {
        switch (stream->codecpar->codec_type) {
            case AVMEDIA_TYPE_VIDEO: {
                if (is_attached(*stream)) return true;
                const auto config = config_of(*stream);
                return video_is_known(*stream, config ? &*config : nullptr);
            }
            case AVMEDIA_TYPE_AUDIO:
                return audio_is_known(*stream);
            default:
                return true;
        }
    });
}

/// A stream that began after the first look's end has no size or rate yet.
bool is_incomplete(const AVFormatContext& context) {
    return std::ranges::any_of(streams_of(context), [](const AVStream* stream) {
        const auto& p = *stream->codecpar;
        if (p.codec_type == AVMEDIA_TYPE_VIDEO) return p.width <= 0 && !is_attached(*stream);
        return p.codec_type == AVMEDIA_TYPE_AUDIO && (p.sample_rate <= 0 || p.ch_layout.nb_channels <= 0);
    });
}

bool has_media(const AVFormatContext& context) {
    return std::ranges::any_of(streams_of(context), [](const AVStream* stream) {
        const auto type = stream->codecpar->codec_type;
        return type == AVMEDIA_TYPE_AUDIO || (type == AVMEDIA_TYPE_VIDEO && !is_attached(*stream));
    });
}

}  // namespace

std::string demuxer_for(ByteSource& bytes) {
    const Sniffed sniffed = sniff(bytes);
    const bool weak = sniffed.demuxer == "mp3" || sniffed.demuxer == "aac" || sniffed.tag_bytes != 0;
    return weak ? std::string{} : std::string(sniffed.demuxer);
}

core::Result<model::MediaInfo> read_container(ByteSource& bytes) {
    const std::string demuxer = demuxer_for(bytes);
    auto input = Input::open(bytes, demuxer, first_look);
    if (!input) return tl::unexpected(input.error());
    if (!header_suffices((*input)->context())) {
        if (auto found = (*input)->find_stream_info(); !found) return tl::unexpected(found.error());
        if (is_incomplete((*input)->context()) && bytes.size() > first_look.bytes) {
            // libavformat cannot look twice through one context: it frees what the first look learnt.
            input = Input::open(bytes, demuxer, second_look);
            if (!input) return tl::unexpected(input.error());
            if (auto found = (*input)->find_stream_info(); !found) return tl::unexpected(found.error());
        }
    }
    const auto& context = (*input)->context();
    if (bytes.fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
    if (!has_media(context))
        return core::fail(demuxer.empty() ? core::Errc::unsupported : core::Errc::corrupt,
                          std::string(context.iformat->name) + " without a stream of video or audio");
    return describe(context, bytes.size());
}

}  // namespace understudy::media
