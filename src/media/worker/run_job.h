// media/worker/run_job.h: which function does which job. Used by the worker's main, by fuzz targets and benchmarks.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "media/analyst.h"
#include "media/byte_source.h"

namespace understudy::media {

/// Does one job on one file and returns its encoded result. Never throws. Errors: corrupt, unsupported (nothing of that
/// kind in the file, or a job that this worker does not know), invalid (parameters), unavailable (a read failed).
[[nodiscard]] core::Result<std::string> run_job(ByteSource& bytes, Job job, std::string_view parameters);

}  // namespace understudy::media
