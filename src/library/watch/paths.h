// library/watch/paths.h: one path from a folder and a name.
#pragma once

#include <string>
#include <string_view>

namespace understudy::library {

[[nodiscard]] inline std::string join_path(std::string_view folder, std::string_view name) {
    std::string path(folder);
    if (path != "/") path += '/';
    return path.append(name);
}

}  // namespace understudy::library
