// http/jellyfin/dto/media_dto.h: media sources and streams in Jellyfin's form. Used by the item DTO.
#pragma once

#include <string>

#include "http/json_writer.h"
#include "model/item.h"

namespace understudy::http {

/// `mkv`, `mp4`, `flac`: what clients expect, from libavformat's name and the file's extension.
[[nodiscard]] std::string container_name(const model::MediaSource& source);
/// MediaSourceInfo of the `index`-th source; the first has the item's own id.
void write_source(JsonWriter& out, const model::Item& item, std::size_t index);
/// The array of MediaStream of one source.
void write_streams(JsonWriter& out, const model::MediaSource& source);
/// The array of ChapterInfo of one source.
void write_chapters(JsonWriter& out, const model::MediaSource& source);

}  // namespace understudy::http
