// http/compression.h: answers in fewer bytes, and not at all where the client has them: gzip and weak tags of JSON.
// Used by the dispatcher.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

namespace understudy::http {

/// Less than this is one packet either way.
inline constexpr std::size_t least_compressed_bytes = 1024;

/// Does an Accept-Encoding want gzip (RFC 9110 §12.5.3)? An absent one does not.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);
/// At the level that pays on a fast network: see docs/performance.md. nullopt: no memory.
[[nodiscard]] std::optional<std::string> gzip(std::string_view bytes);

/// Tags a JSON answer to a GET by its bytes, unless the handler did, and makes it 304 where the client has it; else
/// compresses it where that helps. Answers of other kinds stay as they are.
void make_light(const Request& request, Response& response);

}  // namespace understudy::http
