// store/sql/given_content.h: how pictures that a person gave stand among those of files (0015_covers.sql). Used by the
// adapters that write and purge them.
#pragma once

#include <string_view>

namespace understudy::store::sql {

/// What their `content_sample` starts with; behind it the name of the blob. No file has such a content.
inline constexpr std::string_view given_content = "given:";

}  // namespace understudy::store::sql
