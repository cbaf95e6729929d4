// store/sql/dialect.h: one SQL text for two databases: what is replaced in it, and how a file of it is cut. Pure
// functions. Used by the sessions and the migration runner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/sql/session.h"

namespace understudy::store::sql {

/// Replaces the {words} of session.h and, for PostgreSQL, `?` by `$1`, `$2`, … Literals, quoted names and comments stay
/// as they are; so do braces around other words ('{}' is an empty JSON object).
[[nodiscard]] std::string translate(std::string_view sql, Dialect dialect);

/// Cuts a script at its semicolons, but not at those inside literals, quoted names and comments. No empty statements.
[[nodiscard]] std::vector<std::string> split_statements(std::string_view script);

/// The first words of a statement on one line, for error texts.
[[nodiscard]] std::string describe_statement(std::string_view sql);

}  // namespace understudy::store::sql
