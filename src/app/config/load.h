// app/config/load.h: from the command line's common options to checked settings. Used by serve, config and db; the
// others look for their key there.
#pragma once

#include "app/cli/command.h"
#include "app/config/settings.h"

namespace understudy::app {

[[nodiscard]] CheckedSettings load_settings(const CommonOptions& options);
/// Throws CommandFailure with all faults, a line each, where there are any.
[[nodiscard]] Settings load_settings_or_fail(const CommonOptions& options);
/// For commands that ask a server: of the settings only those that were typed with the command are its affair. Throws
/// CommandFailure where one of them is unknown or given twice.
void require_known_settings(const CommonOptions& options);

}  // namespace understudy::app
