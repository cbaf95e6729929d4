// understudy serve: from settings to a running server.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "app/cli/command.h"
#include "app/config/load.h"
#include "app/media_folders.h"
#include "app/server.h"

namespace understudy::app {
namespace {

struct ServeOptions {
    std::string listen;
    std::vector<std::string> media;
    std::string web_dir;
};

int serve(Command& command, const ServeOptions& options) {
    auto common = command.options();
    if (!options.listen.empty()) common.settings.emplace_back("Jellyfin:Http:Listen", options.listen);
    if (!options.web_dir.empty()) common.settings.emplace_back("Jellyfin:WebDir", options.web_dir);
    ServerOptions server;
    for (const auto& text : options.media) {
        auto folder = parse_media_folder(text);
        if (!folder) throw CommandFailure{Exit::usage, folder.error().context};
        server.media.push_back(std::move(*folder));
    }
    auto checked = load_settings(common);
    const auto settings = load_settings_or_fail(common);
    server.ignored_environment = checked.ignored_names;
    server.in_force = checked.effective;
    return run_server(settings, server);
}

}  // namespace

void add_serve_command(CLI::App& root, Action& chosen) {
    auto* sub = root.add_subcommand("serve", "run the server until SIGINT or SIGTERM");
    auto options = std::make_shared<ServeOptions>();
    sub->add_option("--listen", options->listen, "ADDR:PORT = Jellyfin:Http:Listen (default 0.0.0.0:8096)");
    sub->add_option("--media", options->media,
                    "[KIND=]DIR: make a library of DIR where there is none, and scan it; may be repeated")
        ->allow_extra_args(false);
    sub->add_option("--webdir", options->web_dir, "DIR = Jellyfin:WebDir: a built web client to serve at /web/");
    sub->footer(
        "Examples:\n  understudy serve --data-dir ./data --media movies=/media/films --media /media/music\n"
        "  Jellyfin__Database__Provider=PostgreSQL "
        "Jellyfin__Database__ConnectionString='Host=db;Database=understudy;Username=u' understudy serve\n"
        "SIGINT or SIGTERM hands over and stops, within Jellyfin:Tasks:ShutdownGraceSeconds; a further one, a "
        "second\nor more later, ends it at once.");
    sub->callback([&chosen, options] { chosen = [options](Command& command) { return serve(command, *options); }; });
}

}  // namespace understudy::app
