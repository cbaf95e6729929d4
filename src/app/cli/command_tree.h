// app/cli/command_tree.h: all commands and options as one CLI11 tree: what is parsed, helped with, completed and
// printed as the manual. Used by run_cli.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"

namespace understudy::app {

/// Fills `root`; `common`, `sets` and `chosen` get what is parsed and outlive it.
void add_command_tree(CLI::App& root, CommonOptions& common, std::vector<std::string>& sets, Action& chosen);

/// `understudy.1`: a section for each command, in roff's man macros.
[[nodiscard]] std::string manual_page(const CLI::App& root);
/// The last line of a command's footer that points to the common options; the manual has those once.
inline constexpr std::string_view common_options_line =
    "Options of all commands (--url, --key, --data-dir, --config, --set, --json): `understudy --help`.";

/// understudy man, understudy completion.
void add_words_commands(CLI::App& root, Action& chosen);

}  // namespace understudy::app
