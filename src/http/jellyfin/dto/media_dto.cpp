#include "http/jellyfin/dto/media_dto.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "http/entity_tags.h"
#include "http/jellyfin/dto/item_dto.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::array<std::string_view, 7> text_subtitles{"subrip", "srt", "ass", "ssa", "webvtt", "mov_text", "text"};

/// Properties that are int32 in the contract: a larger value would crash typed clients.
std::int64_t clamp_int32(std::int64_t value) {
    return std::clamp<std::int64_t>(value, 0, std::numeric_limits<std::int32_t>::max());
}

/// An id for the further sources of an item that stays as long as their path does.
std::string source_id(const model::Item& item, std::size_t index) {
    return index == 0 ? item.id.str() : core::id_to_hex(id_of_text(item.sources[index].file.path));
}

std::string_view type_name(const model::MediaStream& stream) {
    switch (stream.kind) {
        case model::StreamKind::video:
            return stream.is_attached_picture ? "EmbeddedImage" : "Video";
        case model::StreamKind::audio:
            return "Audio";
        case model::StreamKind::subtitle:
            return "Subtitle";
        case model::StreamKind::attachment:
        case model::StreamKind::data:
            return "Data";
    }
    return "Data";
}

std::string_view resolution_name(int width, int height) {
    struct Step {
        int width, height;
        std::string_view name;
    };
    constexpr std::array steps{Step{640, 360, "360p"}, Step{854, 480, "480p"}, Step{1280, 962, "720p"},
                               Step{2560, 1440, "1080p"}, Step{4096, 3072, "4K"}};
    for (const auto& step : steps) {
        if (width <= step.width && height <= step.height) return step.name;
    }
    return "8K";
}

std::string_view layout_name(const model::MediaStream& stream) {
    switch (stream.channels) {
        case 1:
            return "mono";
        case 2:
            return "stereo";
        case 6:
            return "5.1";
        case 8:
            return "7.1";
        default:
            return stream.channel_layout;
    }
}

/// What a person picks from a list: `English - AAC - 5.1 - Default`, `1080p H264 SDR`.
std::string display_title(const model::MediaStream& stream, bool external) {
    std::string codec = stream.codec;
    std::ranges::transform(codec, codec.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    if (stream.kind == model::StreamKind::video) {
        auto title = fmt::format("{} {}", resolution_name(stream.width, stream.height), codec);
        if (!stream.hdr.empty()) title += " " + stream.hdr;
        return title;
    }
    std::string title;
    const auto add = [&](std::string_view part) {
        if (part.empty()) return;
        if (!title.empty()) title += " - ";
        title += part;
    };
    add(stream.title);
    add(stream.language);
    add(codec);
    if (stream.kind == model::StreamKind::audio) add(layout_name(stream));
    if (stream.is_default) add("Default");
    if (stream.is_forced) add("Forced");
    if (external) add("External");
    return title;
}

/// `path`: of a stream in a file of its own; empty: it is in the source's.
void write_stream(JsonWriter& out, const model::MediaStream& stream, int index, const std::string& path) {
    const bool video = stream.kind == model::StreamKind::video && !stream.is_attached_picture;
    const bool audio = stream.kind == model::StreamKind::audio;
    out.begin_object();
    out.text_if_any("Codec", stream.codec).text_if_any("Language", stream.language).text_if_any("Title", stream.title);
    // Always there, as they are not nullable in the contract.
    const bool hdr = video && !stream.hdr.empty() && stream.hdr != "SDR";
    out.field("VideoRange", !video || stream.hdr.empty() ? "Unknown" : hdr ? "HDR" : "SDR");
    out.field("VideoRangeType",
              video && !stream.hdr.empty() ? std::string_view(stream.hdr) : std::string_view("Unknown"));
    out.field("AudioSpatialFormat", "None");
    out.text_if_any("DisplayTitle", display_title(stream, !path.empty()));
    out.field("IsInterlaced", false);
    if (video) {
        out.field("IsAVC", stream.codec == "h264");
        if (stream.width > 0 && stream.height > 0) out.field("Width", stream.width).field("Height", stream.height);
        if (stream.frame_rate > 0) {
            const double rate = std::round(stream.frame_rate * 1000) / 1000;
            out.field("AverageFrameRate", rate).field("RealFrameRate", rate).field("ReferenceFrameRate", rate);
        }
        out.text_if_any("PixelFormat", stream.pixel_format);
        out.field("IsAnamorphic", false);
    }
    if (audio) {
        out.text_if_any("ChannelLayout", layout_name(stream));
        if (stream.channels > 0) out.field("Channels", stream.channels);
        if (stream.sample_rate_hz > 0) out.field("SampleRate", stream.sample_rate_hz);
    }
    if (stream.bitrate_bps > 0) out.field("BitRate", clamp_int32(stream.bitrate_bps));
    if (stream.bit_depth > 0) out.field("BitDepth", stream.bit_depth);
    out.field("IsDefault", stream.is_default).field("IsForced", stream.is_forced);
    out.field("IsHearingImpaired", stream.is_hearing_impaired);
    out.text_if_any("Profile", stream.profile);
    const bool external = !path.empty();
    out.field("Type", type_name(stream)).field("Index", index).field("IsExternal", external);
    if (external) out.field("IsExternalUrl", false).field("Path", path);
    const bool text = stream.kind == model::StreamKind::subtitle &&
                      std::ranges::find(text_subtitles, stream.codec) != text_subtitles.end();
    out.field("IsTextSubtitleStream", text);
    out.field("SupportsExternalStream", external && text);
    if (stream.level > 0) out.field("Level", stream.level);
    out.end_object();
}

}  // namespace

std::string container_name(const model::MediaSource& source) {
    auto extension = std::filesystem::path(source.file.path).extension().string();
    if (!extension.empty()) extension = to_lower(extension.substr(1));
    const auto& names = source.info.container;
    if (names.empty()) return extension;
    const auto all = split(names, ',');
    if (std::ranges::find(all, extension) != all.end()) return extension;
    const auto first = all.front();
    if (first == "matroska") return "mkv";
    if (first == "mov") return "mp4";
    if (first == "mpegts") return "ts";
    return std::string(first);
}

void write_streams(JsonWriter& out, const model::MediaSource& source) {
    out.begin_array();
    for (const auto& stream : source.info.streams) {
        if (stream.kind != model::StreamKind::attachment) write_stream(out, stream, stream.index, {});
    }
    // Numbered on after all that is in the source's own file, attachments too.
    int next = 0;
    for (const auto& stream : source.info.streams) next = std::max(next, stream.index + 1);
    for (const auto& each : source.external) write_stream(out, each.stream, next++, each.path);
    out.end_array();
}

void write_chapters(JsonWriter& out, const model::MediaSource& source) {
    out.begin_array();
    for (const auto& chapter : source.info.chapters) {
        out.begin_object().field("StartPositionTicks", to_ticks(chapter.start)).text_if_any("Name", chapter.name);
        out.field("ImageDateModified", "0001-01-01T00:00:00.0000000Z").end_object();  // not nullable: .NET's zero date
    }
    out.end_array();
}

void write_source(JsonWriter& out, const model::Item& item, std::size_t index) {
    const auto& source = item.sources[index];
    const auto& info = source.info;
    out.begin_object();
    out.field("Protocol", "File").field("Id", source_id(item, index)).field("Path", source.file.path);
    out.field("Type", "Default").text_if_any("Container", container_name(source)).field("Size", source.file.size_bytes);
    out.field("Name", source.version_name.empty() ? std::filesystem::path(source.file.path).stem().string()
                                                  : source.version_name);
    out.field("IsRemote", false);
    if (info.duration.count() > 0) out.field("RunTimeTicks", to_ticks(info.duration));
    out.field("ReadAtNativeFramerate", false)
        .field("IgnoreDts", false)
        .field("IgnoreIndex", false)
        .field("GenPtsInput", false);
    // Nothing is played yet; the properties are not nullable.
    out.field("SupportsTranscoding", false)
        .field("SupportsDirectStream", false)
        .field("SupportsDirectPlay", item.available);
    out.field("IsInfiniteStream", false)
        .field("UseMostCompatibleTranscodingProfile", false)
        .field("RequiresOpening", false);
    out.field("RequiresClosing", false).field("RequiresLooping", false).field("SupportsProbing", true);
    if (media_type(item) == "Video") out.field("VideoType", "VideoFile");
    out.name("MediaStreams");
    write_streams(out, source);
    out.name("MediaAttachments").begin_array();
    for (const auto& stream : info.streams) {
        if (stream.kind != model::StreamKind::attachment) continue;
        out.begin_object().text_if_any("Codec", stream.codec).field("Index", stream.index);
        out.text_if_any("FileName", stream.title).end_object();
    }
    out.end_array();
    out.name("Formats").begin_array().end_array();
    if (info.bitrate_bps > 0) out.field("Bitrate", clamp_int32(info.bitrate_bps));
    out.name("RequiredHttpHeaders").begin_object().end_object();
    out.field("TranscodingSubProtocol", "http");
    for (const auto& stream : info.streams) {
        if (stream.kind != model::StreamKind::audio) continue;
        const auto chosen = std::ranges::find_if(info.streams, [](const model::MediaStream& each) {
            return each.kind == model::StreamKind::audio && each.is_default;
        });
        out.field("DefaultAudioStreamIndex", chosen == info.streams.end() ? stream.index : chosen->index);
        break;
    }
    out.field("HasSegments", false).end_object();
}

}  // namespace understudy::http
