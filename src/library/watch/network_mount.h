// library/watch/network_mount.h: where inotify hears nothing of what other machines write.
#pragma once

#include <string>

namespace understudy::library {

/// By the kind of file system `path` lies on; false where it cannot be asked. Blocks while a dead share does.
[[nodiscard]] bool is_network_mount(const std::string& path);

}  // namespace understudy::library
