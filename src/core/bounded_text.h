// core/bounded_text.h: text that is cut between characters, and how long keys may be. Used by whoever takes names from
// files, and by the SQL adapters.
#pragma once

#include <cstddef>
#include <string_view>

namespace understudy::core {

/// Longest key by which names are searched, ordered or taken for one, in bytes: three of them fit into an entry of
/// PostgreSQL's indexes (2,704 bytes), which would else refuse what a file claims to be called, and a scan with it.
inline constexpr std::size_t longest_key = 500;

/// The first characters that are at most `most_bytes` together.
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes) noexcept;

}  // namespace understudy::core
