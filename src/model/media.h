// model/media.h: what is inside a media file, as plain values. Filled by probes, stored by the catalogue.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"

namespace understudy::model {

enum class StreamKind { video, audio, subtitle, attachment, data };

struct MediaStream {
    StreamKind kind = StreamKind::video;
    int index = 0;
    std::string codec;  ///< libavcodec's name: `h264`, `aac`, …
    std::string profile;
    int level = 0;
    std::int64_t bitrate_bps = 0;  ///< 0: unknown
    std::string language;          ///< as in the file, empty: none
    std::string title;
    int width = 0, height = 0;  ///< pixels
    double frame_rate = 0;      ///< frames a second, 0: unknown
    std::string hdr;            ///< `SDR`, `HDR10`, `HLG`, `DOVI`; empty for audio and subtitles
    int bit_depth = 0;
    std::string pixel_format;
    int channels = 0;
    std::string channel_layout;
    int sample_rate_hz = 0;
    bool is_default = false, is_forced = false, is_attached_picture = false, is_hearing_impaired = false;
};

struct Chapter {
    core::Millis start{};
    std::string name;
};

/// Tags of a music file (or of a film's container), tags winning over names. Empty: not said.
struct Tags {
    std::string title, album, date, comment;
    std::vector<std::string> artists, album_artists, composers, genres;
    int track = 0, track_total = 0, disc = 0, disc_total = 0, year = 0;
    bool compilation = false;
    std::map<std::string, std::string> ids;    ///< `MusicBrainzTrack`, `MusicBrainzAlbum`, `MusicBrainzArtist`, …
    std::map<std::string, std::string> gains;  ///< `REPLAYGAIN_TRACK_GAIN`, `R128_TRACK_GAIN`, … as in the file
};

/// All that a probe learns from one file.
struct MediaInfo {
    std::string container;    ///< libavformat's name: `matroska,webm`, `flac`, …
    core::Millis duration{};  ///< 0: unknown
    std::int64_t bitrate_bps = 0;
    std::vector<MediaStream> streams;
    std::vector<Chapter> chapters;
    Tags tags;
    bool has_embedded_picture = false;
    /// Content sample of the bytes (first and last 64 KiB and the size), to know one that moved. 32 hex digits.
    std::string content_sample;
    /// Size and mtime of the file as fstat said after the probe: a difference to the walk means it is still being
    /// written.
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;
};

}  // namespace understudy::model
