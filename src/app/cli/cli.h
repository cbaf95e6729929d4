// app/cli/cli.h: parses the command line and runs the command. Called by main and by tests.
#pragma once

#include <iosfwd>

namespace understudy::app {

/// Returns the process's exit code (docs/cli.md). Blocks as long as the command does.
int run_cli(int argc, char** argv, std::ostream& out, std::ostream& err);

}  // namespace understudy::app
