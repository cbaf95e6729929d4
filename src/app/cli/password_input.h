// app/cli/password_input.h: where a password comes from that must stand in no command line: a file, or a person who
// types it unseen. Used by the commands of users.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

namespace understudy::app {

/// The first line of `file` (`-`: of standard input); without a file what a person types twice at the terminal; nullopt
/// where there is neither. Throws CommandFailure: usage, where the file cannot be read, its first line is empty,
/// too long or no UTF-8, or the two differ.
[[nodiscard]] std::optional<std::string> read_password(const std::string& file, const std::string& whose,
                                                       std::ostream& err);

}  // namespace understudy::app
