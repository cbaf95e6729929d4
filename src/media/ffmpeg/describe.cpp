#include "media/ffmpeg/describe.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "media/tag_fields.h"
#include "media/text.h"

namespace understudy::media {

namespace {

constexpr unsigned most_chapters = 5000;

core::Millis to_millis(std::int64_t count, AVRational base) {
    if (count == AV_NOPTS_VALUE || base.den == 0) return core::Millis{0};
    return core::Millis{av_rescale_q_rnd(count, base, AVRational{1, 1000}, AV_ROUND_NEAR_INF)};
}

std::string field(const AVDictionary* metadata, const char* key) {
    const auto* entry = av_dict_get(metadata, key, nullptr, 0);
    return entry == nullptr ? std::string{} : clean_text(entry->value);
}

model::StreamKind kind_of(AVMediaType type) {
    switch (type) {
        case AVMEDIA_TYPE_VIDEO:
            return model::StreamKind::video;
        case AVMEDIA_TYPE_AUDIO:
            return model::StreamKind::audio;
        case AVMEDIA_TYPE_SUBTITLE:
            return model::StreamKind::subtitle;
        case AVMEDIA_TYPE_ATTACHMENT:
            return model::StreamKind::attachment;
        default:
            return model::StreamKind::data;
    }
}

bool has_side_data(const AVStream& stream, AVPacketSideDataType type) {
    for (int i = 0; i < stream.nb_side_data; ++i)
        if (stream.side_data[i].type == type) return true;
    return false;
}

std::string hdr_of(const AVStream& stream) {
    if (has_side_data(stream, AV_PKT_DATA_DOVI_CONF)) return "DOVI";
    if (stream.codecpar->color_trc == AVCOL_TRC_SMPTE2084) return "HDR10";
    if (stream.codecpar->color_trc == AVCOL_TRC_ARIB_STD_B67) return "HLG";
    return "SDR";
}

double frame_rate_of(const AVStream& stream) {
    const AVRational rate = stream.avg_frame_rate.num > 0 ? stream.avg_frame_rate : stream.r_frame_rate;
    if (rate.num <= 0 || rate.den <= 0) return 0;
    return std::round(av_q2d(rate) * 1000) / 1000;  // 23.976, as people write it
}

void describe_video(model::MediaStream& out, const AVStream& stream) {
    const auto& p = *stream.codecpar;
    out.width = p.width;
    out.height = p.height;
    if (out.is_attached_picture) return;
    out.frame_rate = frame_rate_of(stream);
    out.hdr = hdr_of(stream);
    if (const auto* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(p.format))) {
        out.pixel_format = format->name;
        out.bit_depth = format->comp[0].depth;
    }
}

/// Headers often give only a count. The names are those the decoders themselves would give.
std::string layout_of(const AVCodecParameters& p, int channel_config) {
    AVChannelLayout layout{};
    if (p.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
        const bool dolby = p.codec_id == AV_CODEC_ID_AC3 || p.codec_id == AV_CODEC_ID_EAC3;
        if (dolby && p.ch_layout.nb_channels == 6) return "5.1(side)";
        if (channel_config == 7 && p.ch_layout.nb_channels == 8) return "7.1(wide)";
        av_channel_layout_default(&layout, p.ch_layout.nb_channels);
    } else if (av_channel_layout_copy(&layout, &p.ch_layout) < 0) {
        return {};
    }
    std::array<char, 128> name{};
    const int length = av_channel_layout_describe(&layout, name.data(), name.size());
    av_channel_layout_uninit(&layout);
    return length > 0 ? clean_text(name.data()) : std::string{};
}

void describe_audio(model::MediaStream& out, const AVStream& stream, const CodecConfig* config) {
    const auto& p = *stream.codecpar;
    out.channels = p.ch_layout.nb_channels;
    out.sample_rate_hz = p.sample_rate;
    out.channel_layout = layout_of(p, config != nullptr ? config->channel_config : 0);
    const AVCodecDescriptor* codec = avcodec_descriptor_get(p.codec_id);
    const bool lossless = codec != nullptr && (codec->props & AV_CODEC_PROP_LOSSLESS) != 0;
    if (lossless) out.bit_depth = p.bits_per_raw_sample > 0 ? p.bits_per_raw_sample : p.bits_per_coded_sample;
}

std::int64_t bitrate_of(const AVStream& stream) {
    if (stream.codecpar->bit_rate > 0) return stream.codecpar->bit_rate;
    // mkvmerge's statistics tags.
    for (const char* key : {"BPS", "BPS-eng"}) {
        const std::string text = field(stream.metadata, key);
        std::int64_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        if (value > 0) return value;
    }
    return 0;
}

model::MediaStream describe_stream(const AVStream& stream) {
    const auto& p = *stream.codecpar;
    const auto config = config_of(stream);
    model::MediaStream out;
    out.kind = kind_of(p.codec_type);
    out.index = stream.index;
    if (p.codec_id != AV_CODEC_ID_NONE) out.codec = avcodec_get_name(p.codec_id);
    out.bitrate_bps = bitrate_of(stream);
    out.language = field(stream.metadata, "language");
    if (out.language == "und") out.language.clear();
    out.title = field(stream.metadata, "title");
    out.is_default = (stream.disposition & AV_DISPOSITION_DEFAULT) != 0;
    out.is_forced = (stream.disposition & AV_DISPOSITION_FORCED) != 0;
    out.is_attached_picture = (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
    out.is_hearing_impaired = (stream.disposition & AV_DISPOSITION_HEARING_IMPAIRED) != 0;

    const int profile = p.profile != FF_PROFILE_UNKNOWN ? p.profile : config ? config->profile : FF_PROFILE_UNKNOWN;
    if (const char* name = avcodec_profile_name(p.codec_id, profile)) out.profile = name;
    out.level = p.level > 0 ? p.level : config ? config->level : 0;

    if (out.kind == model::StreamKind::video) {
        describe_video(out, stream);
        if (config && out.pixel_format.empty() && !out.is_attached_picture) {
            out.pixel_format = config->pixel_format;
            out.bit_depth = config->bit_depth;
        }
    }
    if (out.kind == model::StreamKind::audio) describe_audio(out, stream, config ? &*config : nullptr);
    return out;
}

/// libavformat joins several values of one Vorbis comment or ID3 frame with ';'.
std::vector<std::string> values_of(std::string_view key, std::string_view value) {
    const std::string upper = upper_ascii(key);
    if (upper.find("ARTIST") == std::string::npos || upper.starts_with("MUSICBRAINZ")) return {clean_text(value)};
    std::vector<std::string> values;
    while (!value.empty()) {
        const auto end = value.find(';');
        if (auto text = clean_text(value.substr(0, end)); !text.empty()) values.push_back(std::move(text));
        value = end == std::string_view::npos ? std::string_view{} : value.substr(end + 1);
    }
    return values;
}

void add_tags(model::Tags& tags, const AVDictionary* metadata) {
    const AVDictionaryEntry* entry = nullptr;
    while ((entry = av_dict_get(metadata, "", entry, AV_DICT_IGNORE_SUFFIX)) != nullptr)
        set_tag_field(tags, entry->key, values_of(entry->key, entry->value));
}

std::vector<model::Chapter> chapters_of(const AVFormatContext& context) {
    std::vector<model::Chapter> chapters;
    for (const auto* chapter : std::span(context.chapters, std::min(context.nb_chapters, most_chapters)))
        chapters.push_back({.start = std::max(core::Millis{0}, to_millis(chapter->start, chapter->time_base)),
                            .name = field(chapter->metadata, "title")});
    return chapters;
}

}  // namespace

core::Millis duration_of(const AVFormatContext& context) {
    if (context.duration > 0) return to_millis(context.duration, AVRational{1, AV_TIME_BASE});
    core::Millis longest{0};
    for (const auto* stream : std::span(context.streams, context.nb_streams))
        longest = std::max(longest, to_millis(stream->duration, stream->time_base));
    return longest;
}

std::optional<CodecConfig> config_of(const AVStream& stream) {
    const auto& p = *stream.codecpar;
    const std::size_t length =
        p.extradata != nullptr && p.extradata_size > 0 ? static_cast<std::size_t>(p.extradata_size) : 0;
    return read_codec_config(p.codec_id, {p.extradata, length});
}

model::MediaInfo describe(const AVFormatContext& context, std::int64_t size_bytes) {
    model::MediaInfo info;
    info.container = context.iformat->name;
    info.duration = duration_of(context);
    info.bitrate_bps = context.bit_rate;
    if (info.bitrate_bps <= 0 && info.duration.count() > 0)
        info.bitrate_bps = static_cast<std::int64_t>(static_cast<double>(size_bytes) * 8000 /
                                                     static_cast<double>(info.duration.count()));
    for (const auto* stream : std::span(context.streams, context.nb_streams)) {
        info.streams.push_back(describe_stream(*stream));
        info.has_embedded_picture |= info.streams.back().is_attached_picture;
    }
    info.chapters = chapters_of(context);
    // Ogg and a few others keep a piece's tags at its stream.
    if (context.nb_streams > 0 && av_dict_count(context.metadata) == 0)
        add_tags(info.tags, context.streams[0]->metadata);
    add_tags(info.tags, context.metadata);
    return info;
}

}  // namespace understudy::media
