// media/worker/worker.h: the life of a worker process: shut yourself in, say so, answer orders until the server hangs
// up. Used by main.cpp and by the misbehaving worker of the tests.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "media/analyst.h"
#include "media/byte_source.h"

namespace understudy::media {

/// run_job, or what stands for it in a test.
using JobRunner = std::function<core::Result<std::string>(ByteSource&, Job, std::string_view parameters)>;

/// Expects the server's process id as its only argument and the socket at wire::socket_fd. Returns the exit code.
int run_worker(int argc, const char* const* argv, const JobRunner& run);

}  // namespace understudy::media
