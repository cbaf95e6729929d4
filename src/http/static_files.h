// http/static_files.h: files that a browser loads: what they are on the wire, how long they keep, who has them already.
// Used by the dashboard and by the folder of a web client.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "http/message.h"

namespace understudy::http {

/// A file inside the program (tools/embed_files.py makes them), sorted by path.
struct EmbeddedFile {
    std::string_view path;  ///< `assets/index-B3xKq9aZ.js`
    std::string_view bytes;
    std::string_view gzip;  ///< the same, compressed; empty where that gains nothing
    std::string_view tag;   ///< of the bytes, for ETag
};

/// By the name's end; `application/octet-stream` where that is not known. Texts are UTF-8.
[[nodiscard]] std::string_view mime_type_of(std::string_view path) noexcept;

/// A name that changes with its content, as bundlers make them (`index-B3xKq9aZ.js` in `assets/`,
/// `4517.0a1b2c3d4e.chunk.js`) is kept for ever; any other is asked for again each time.
[[nodiscard]] std::string_view keeping_of(std::string_view path) noexcept;

/// 200, 304 where the client has it, or 404. `path` as in EmbeddedFile; from memory.
[[nodiscard]] Response embedded_answer(const Request& request, std::span<const EmbeddedFile> files,
                                       std::string_view path);

/// 302 to `to`, which must be relative: a proxy may have put its own prefix before what we see.
[[nodiscard]] Response redirect(std::string to);

}  // namespace understudy::http
