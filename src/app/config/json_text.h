// app/config/json_text.h: what boost::json does not tell of a settings file: keys that stand twice, lines and columns.
// Used by sources.cpp and the fuzz target.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::app {

/// `line 3, column 5`, both from 1, the column in bytes.
[[nodiscard]] std::string position_in(std::string_view text, std::size_t offset);

struct DuplicateKey {
    std::string key;  ///< the whole key, as it is spelled the second time
    std::size_t first = 0, second = 0;
};

/// Keys that stand twice in one object, in any case: boost::json keeps the last of them in silence, and of two
/// spellings both. `text` must be valid JSON; comments and trailing commas may stand in it.
[[nodiscard]] std::vector<DuplicateKey> duplicate_keys(std::string_view text);

}  // namespace understudy::app
