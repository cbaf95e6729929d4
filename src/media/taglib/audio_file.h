// media/taglib/audio_file.h: tags and properties of music files by TagLib, which reads a track three times faster than
// libavformat. Used by the worker.
#pragma once

#include <optional>

#include "media/byte_source.h"
#include "model/media.h"

namespace understudy::media {

struct AudioFile {
    model::MediaInfo info;
    /// Only `info.tags` and has_embedded_picture are good; streams, duration and chapters are libavformat's to tell.
    bool tags_only = false;
};

/// Reads `bytes` if TagLib knows the format (by its first bytes). nullopt: it does not, or finds no audio in it.
[[nodiscard]] std::optional<AudioFile> read_audio_file(ByteSource& bytes);

}  // namespace understudy::media
