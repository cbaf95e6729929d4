// media/worker/probe_file.h: all that a probe learns from one file, by TagLib or libavformat, whichever is quicker and
// knows it. Used by the worker, fuzz targets and benchmarks.
#pragma once

#include "media/byte_source.h"
#include "media/prober.h"

namespace understudy::media {

/// Fills all of MediaInfo but size_bytes and mtime_ns, which the pool takes from fstat. Never throws.
/// Errors: corrupt, unsupported, unavailable (a read failed).
[[nodiscard]] ProbeResult probe_file(ByteSource& bytes, ProbeKind kind);

/// Once per process, before the sandbox closes: touches what the libraries would load or open on first use.
void prepare_parsers();

}  // namespace understudy::media
