// media/worker/worker.h: the life of a worker process: shut yourself in, say so, answer orders until the server hangs
// up. Used by main.cpp and by the misbehaving worker of the tests.
#pragma once

#include <functional>

#include "media/byte_source.h"
#include "media/prober.h"

namespace understudy::media {

using FileProbe = std::function<ProbeResult(ByteSource&, ProbeKind)>;

/// Expects the server's process id as its only argument and the socket at wire::socket_fd. Returns the exit code.
int run_worker(int argc, const char* const* argv, const FileProbe& probe);

}  // namespace understudy::media
