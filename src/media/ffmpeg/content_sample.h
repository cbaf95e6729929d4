// media/ffmpeg/content_sample.h: the fingerprint by which a moved or renamed file is known again. Used by the worker.
#pragma once

#include <string>

#include "media/byte_source.h"

namespace understudy::media {

/// MurmurHash3 (128 bits, 32 hex digits) of the first and last 64 KiB and the size; all of a file of up to 128 KiB.
/// Tells files apart, but proves nothing against somebody who wants two alike. Empty after a read fault.
[[nodiscard]] std::string content_sample(ByteSource& bytes);

}  // namespace understudy::media
