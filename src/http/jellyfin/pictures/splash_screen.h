// http/jellyfin/pictures/splash_screen.h: the picture behind the login of clients, made of posters where none was
// given. Used by the handlers of /Branding/Splashscreen.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "http/pictures/picture_answer.h"
#include "http/pictures/picture_files.h"
#include "http/services.h"

namespace understudy::http {

/// Libraries that every user who may log in can look into: what anybody at all may be shown of. nullopt: all. Blocks.
/// Errors: those of Users.
[[nodiscard]] core::Result<std::optional<std::vector<core::LibraryId>>> libraries_open_to_all(const Services& services);

/// Posters of films and series, 1920 x 1080. Safe from any thread.
class Collage {
public:
    static constexpr int columns = 8, rows = 3, tile_width = 240, tile_height = 360;

    /// `services` outlives it, and has `scaled`.
    explicit Collage(const Services& services) : services_(services) {}
    /// The newest posters of libraries that are open to all; nullopt: there is none. Blocks. Its read() blocks as each
    /// poster's scaling does, the first time; errors of that: not_found (no poster can be read), unavailable,
    /// cancelled.
    [[nodiscard]] core::Result<std::optional<PictureSource>> source();

private:
    struct Poster {
        core::LibraryId library;
        std::string path;       ///< beside the media; empty: `cover`
        store::BlobHash cover;  ///< in its files
        std::string tag;
    };
    [[nodiscard]] core::Result<std::vector<Poster>> posters() const;
    [[nodiscard]] core::Result<std::string> bytes_of(const Poster& poster);
    [[nodiscard]] core::Result<PictureBytes> made(const std::string& tag, const std::vector<Poster>& posters);

    const Services& services_;
    PictureFiles files_;
    std::mutex making_;  ///< one at a time: who comes meanwhile wants the same
};

}  // namespace understudy::http
