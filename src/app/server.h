// app/server.h: builds all parts in order, waits for a signal, stops them in reverse. The only place that names
// adapters.
#pragma once

#include <string>
#include <vector>

#include "app/config/settings.h"
#include "app/media_folders.h"

namespace understudy::app {

struct ServerOptions {
    std::vector<MediaFolder> media;
    std::vector<std::string> ignored_environment;
};

/// Blocks until SIGINT or SIGTERM. Returns the exit code; throws std::runtime_error where the server cannot start.
int run_server(const Settings& settings, const ServerOptions& options);

}  // namespace understudy::app
