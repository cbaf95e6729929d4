// http/jellyfin/system/kept_configuration.h: the sections of the configuration as they are kept for all pods. Used by
// the handlers of configuration and branding, and of what obeys them.
#pragma once

#include <string>

#include "http/jellyfin/system/configuration_sections.h"
#include "http/services.h"

namespace understudy::http {

/// JSON; `{}` where nothing was set yet. Blocks. Errors: unsupported, unavailable, timed_out.
[[nodiscard]] core::Result<std::string> kept_section(const Services& services, const ConfigurationSection& section);
/// Errors: also invalid, where it is too long.
[[nodiscard]] core::Result<void> keep_section(const Services& services, const ConfigurationSection& section,
                                              const std::string& json);

}  // namespace understudy::http
