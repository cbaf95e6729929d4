// library/kind_guess.h: films, shows or music? Told from what lies in a folder, for `script/server DIR…` and the CLI.
#pragma once

#include <string>
#include <vector>

#include "model/library.h"

namespace understudy::library {

/// From paths below the folder, the file's name last. Pure. Movies where there is nothing to go by.
[[nodiscard]] model::LibraryKind guess_kind_of(const std::vector<std::string>& paths);
/// Looks at up to `at_most` files below `folder`, breadth first, opening none.
[[nodiscard]] model::LibraryKind guess_kind(const std::string& folder, std::size_t at_most = 2'000);

}  // namespace understudy::library
