// app/config/postgres_connection.h: database connection strings as operators of .NET servers write them, and as libpq
// does.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::app {

struct PostgresConnection {
    std::string conninfo;               ///< libpq keywords, or the postgresql:// URL as given
    std::vector<std::string> warnings;  ///< accepted words that change nothing here
};

/// `Host=…;Port=…;Database=…;Username=…;Password=…;SSL Mode=…` (Npgsql; keys in any case, values may be quoted), a
/// postgresql:// URL, or libpq keywords. Errors: invalid, naming the word and the nearest known one, never the
/// password.
[[nodiscard]] core::Result<PostgresConnection> parse_postgres_connection(std::string_view text);

/// `Data Source=FILE` or a plain path; empty: `fallback`. Errors: invalid.
[[nodiscard]] core::Result<std::filesystem::path> sqlite_file(std::string_view text,
                                                              const std::filesystem::path& fallback);

}  // namespace understudy::app
