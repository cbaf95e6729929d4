// http/entity_tags.h: what clients remember an answer by, and ids for what has only a name. Pure; used by the DTOs and
// by whoever sends pictures and files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ids.h"
#include "model/description.h"

namespace understudy::http {

/// 16 hex digits of path, size and time: another picture has another one, on every pod the same.
[[nodiscard]] std::string image_tag(std::string_view path, std::int64_t size_bytes, std::int64_t mtime_ns);
[[nodiscard]] inline std::string image_tag(const model::ItemImage& image) {
    return image_tag(image.path, image.size_bytes, image.mtime_ns);
}

/// The same for the same text, on all pods and for ever.
[[nodiscard]] core::IdBytes id_of_text(std::string_view text);

/// Does an If-None-Match name this tag (without its quotes)? `*` names any.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace understudy::http
