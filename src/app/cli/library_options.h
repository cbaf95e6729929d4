// app/cli/library_options.h: what a library is set to, as words of the command line. Used by the library commands.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace understudy::app {

struct NewLibraryOptions {
    std::string json;  ///< an object, or @FILE
    bool chapter_images = false, no_loudness = false;
    std::string no_segments;  ///< providers with commas between
    std::optional<int> remove_missing_after;
};

/// Adds the flags that set `wanted`.
void add_library_option_flags(CLI::App& command, NewLibraryOptions& wanted);
/// Jellyfin's LibraryOptions; flags go before what the JSON says. Empty: nothing is said. Throws CommandFailure.
[[nodiscard]] boost::json::object library_options_json(const NewLibraryOptions& wanted);

}  // namespace understudy::app
