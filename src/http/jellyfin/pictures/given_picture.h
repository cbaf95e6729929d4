// http/jellyfin/pictures/given_picture.h: a picture that a client sends, made anew so that nothing foreign is ever
// handed on. Used by the handlers that take pictures.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "http/services.h"
#include "media/cover.h"

namespace understudy::http {

/// The body, as bytes or as base64 (jellyfin-web sends that, whatever the content type says), at most `most_side`
/// pixels a side: a JPEG, or a PNG where something shows through. At most 32 MiB as it is sent (its routes
/// have Route::large_body). Blocks as ScaledPictures::scale does. Errors: invalid (no picture, or one that does not
/// decode), unsupported (no pictures are taken here), unavailable, timed_out, cancelled.
[[nodiscard]] core::Result<media::CoverResult> given_picture(const Services& services, const Request& request,
                                                             int most_side);

/// RFC 4648, with or without padding; blanks, and a `data:…;base64,` before it, do not count. nullopt: no base64.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace understudy::http
