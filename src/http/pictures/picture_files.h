// http/pictures/picture_files.h: picture files read for clients from folders that may hang. Used by the image handlers.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"

namespace understudy::http {

/// A larger file is no picture for a client.
inline constexpr std::int64_t largest_picture = std::int64_t{64} * 1024 * 1024;

struct Picture {
    std::string tag;           ///< of the file as it is now (image_tags.h)
    bool known = false;        ///< the client has it: no bytes
    std::string content_type;  ///< by the file's header
    std::string bytes;
};

/// One regular file whose header is that of a picture. `if_none_match` as the client sent it. Errors: not_found (gone,
/// no regular file), corrupt (no picture, whatever it is called), unsupported (larger than largest_picture),
/// unavailable (cannot be read).
[[nodiscard]] core::Result<Picture> read_picture(const std::string& path, const std::string& if_none_match);

/// A share that went away holds whoever reads from it, without end: each read has a thread of its own, and its caller
/// waits for so long. While one of a library's reads is overdue nobody waits for another of that library, so that
/// handlers stay free; threads that hang end when the share comes back, and hold up neither shutdown nor anybody else.
/// Safe from any thread.
class PictureFiles {
public:
    using Read = std::function<core::Result<Picture>(const std::string& path, const std::string& if_none_match)>;
    explicit PictureFiles(core::Millis patience = core::Millis{3'000}, Read read = read_picture);

    /// Blocks for at most `patience`. Errors: those of read_picture; unavailable where the library's files do not
    /// answer.
    [[nodiscard]] core::Result<Picture> read(core::LibraryId library, const std::string& path,
                                             const std::string& if_none_match);

private:
    struct State;
    core::Millis patience_;
    Read read_;
    std::shared_ptr<State> state_;
};

}  // namespace understudy::http
