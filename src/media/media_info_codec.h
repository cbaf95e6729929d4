// media/media_info_codec.h: what a probe learnt as bytes, for the way from a worker to its server. Both ends are of one
// build: numbers go as they lie in memory. Used by the worker (encode) and worker_pool (decode).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"
#include "model/media.h"

namespace understudy::media {

/// Longest encoding that a worker sends: no honest file says more of itself.
inline constexpr std::size_t max_media_info_bytes = std::size_t{4} * 1024 * 1024;

/// All fields but size_bytes and mtime_ns.
[[nodiscard]] std::string encode_media_info(const model::MediaInfo& info);

/// The sender is not trusted: every length, enumerator and text is checked. Errors: corrupt.
[[nodiscard]] core::Result<model::MediaInfo> decode_media_info(std::string_view payload);

}  // namespace understudy::media
