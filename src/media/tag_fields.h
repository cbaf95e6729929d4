// media/tag_fields.h: which field of a file's tags means what, for all formats alike. Used by media/ffmpeg and
// media/taglib.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/media.h"

namespace understudy::media {

/// Puts one field where it belongs. `key` as Vorbis comments, TagLib's property map or libavformat's metadata call it,
/// in any case (`TRACKNUMBER`, `track`, `MusicBrainz Album Id`); unknown ones are ignored. `values` are clean text. A
/// field that was already set by a more exact key (`ARTISTS` over `ARTIST`) stays, whatever the order of the calls.
void set_tag_field(model::Tags& tags, std::string_view key, const std::vector<std::string>& values);

/// True if nothing was said.
[[nodiscard]] bool is_empty(const model::Tags& tags);

}  // namespace understudy::media
