// media/ffmpeg/fingerprint.h: the job `fingerprint` on one file. Called by the worker's dispatch and by benchmarks.
#pragma once

#include "core/result.h"
#include "media/byte_source.h"
#include "media/fingerprint.h"

namespace understudy::media {

/// The default audio stream, else the first, decoded within the windows only, each once: Chromaprint and the search for
/// silences hear the same samples. Memory: a frame and Chromaprint's tables, below 10 MB.
/// Errors: corrupt, unsupported (no audio, no decoder), unavailable. May throw std::bad_alloc.
[[nodiscard]] core::Result<FingerprintResult> make_fingerprints(ByteSource& bytes,
                                                                const FingerprintParameters& parameters);

}  // namespace understudy::media
