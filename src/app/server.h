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
    std::vector<EffectiveSetting> in_force;  ///< to show to administrators
};

/// Blocks until SIGINT or SIGTERM, or until it is asked to end over HTTP. Returns the exit code; where it was asked to
/// begin anew it returns only if that failed. Throws std::runtime_error where the server cannot start.
int run_server(const Settings& settings, const ServerOptions& options);

}  // namespace understudy::app
