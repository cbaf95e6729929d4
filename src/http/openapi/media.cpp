// What is in media: sources, streams and chapters.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

constexpr SchemaRow schemas[] = {
    {"MediaSourceInfo",
     "Protocol:MediaProtocol Id:string? Path:string? Type:MediaSourceType Container:string? Size:int64? "
     "Name:string? IsRemote:bool RunTimeTicks:int64? ReadAtNativeFramerate:bool IgnoreDts:bool "
     "IgnoreIndex:bool GenPtsInput:bool SupportsTranscoding:bool SupportsDirectStream:bool SupportsDirectPlay:bool "
     "IsInfiniteStream:bool UseMostCompatibleTranscodingProfile:bool RequiresOpening:bool RequiresClosing:bool "
     "RequiresLooping:bool SupportsProbing:bool VideoType:VideoType? MediaStreams:[MediaStream]? "
     "MediaAttachments:[MediaAttachment]? Formats:[string]? Bitrate:int32? RequiredHttpHeaders:{string}? "
     "TranscodingSubProtocol:MediaStreamProtocol DefaultAudioStreamIndex:int32? HasSegments:bool"},
    {"MediaStream",
     "Codec:string? Language:string? Title:string? VideoRange:VideoRange VideoRangeType:VideoRangeType "
     "AudioSpatialFormat:AudioSpatialFormat DisplayTitle:string? IsInterlaced:bool IsAVC:bool? "
     "ChannelLayout:string? BitRate:int32? BitDepth:int32? Channels:int32? SampleRate:int32? IsDefault:bool "
     "IsForced:bool IsHearingImpaired:bool Height:int32? Width:int32? AverageFrameRate:float? RealFrameRate:float? "
     "ReferenceFrameRate:float? Profile:string? Type:MediaStreamType Index:int32 IsExternal:bool "
     "IsExternalUrl:bool? IsTextSubtitleStream:bool SupportsExternalStream:bool Path:string? PixelFormat:string? "
     "Level:double? IsAnamorphic:bool?"},
    {"MediaAttachment", "Codec:string? Index:int32 FileName:string?"},
    {"ChapterInfo", "StartPositionTicks:int64 Name:string? ImageDateModified:time ImageTag:string?"},
    {"MediaProtocol", "(File|Http|Rtmp|Rtsp|Udp|Rtp|Ftp)"},
    {"MediaSourceType", "(Default|Grouping|Placeholder)"},
    {"MediaStreamProtocol", "(http|hls)"},
    {"MediaStreamType", "(Audio|Video|Subtitle|EmbeddedImage|Data|Lyric)"},
    {"MediaType", "(Unknown|Video|Audio|Photo|Book)"},
    {"VideoType", "(VideoFile|Iso|Dvd|BluRay)"},
    {"VideoRange", "(Unknown|SDR|HDR)"},
    {"VideoRangeType",
     "(Unknown|SDR|HDR10|HLG|DOVI|DOVIWithHDR10|DOVIWithHLG|DOVIWithSDR|DOVIWithEL|DOVIWithHDR10Plus|"
     "DOVIWithELHDR10Plus|DOVIInvalid|HDR10Plus)"},
    {"AudioSpatialFormat", "(None|DolbyAtmos|DTSX)"},
};

}  // namespace

Group media_group() {
    return {schemas, {}, {}};
}

}  // namespace understudy::http::openapi
