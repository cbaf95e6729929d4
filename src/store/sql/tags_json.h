// store/sql/tags_json.h: lists, maps and tags as JSON text in a column. Used by item_rows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/media.h"

namespace understudy::store::sql {

[[nodiscard]] std::string list_to_json(const std::vector<std::string>& list);
[[nodiscard]] std::vector<std::string> list_from_json(const std::string& text);
[[nodiscard]] std::string map_to_json(const std::map<std::string, std::string>& map);
[[nodiscard]] std::map<std::string, std::string> map_from_json(const std::string& text);
/// Only what is said; `{}` for no tags.
[[nodiscard]] std::string tags_to_json(const model::Tags& tags);
[[nodiscard]] model::Tags tags_from_json(const std::string& text);

}  // namespace understudy::store::sql
