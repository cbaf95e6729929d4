// http/jellyfin/pictures/splash_screen.h: the picture behind the login of clients, made of posters where none was
// given. Used by the handlers of /Branding/Splashscreen.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "http/pictures/picture_answer.h"
#include "http/pictures/picture_files.h"
#include "http/pictures/pixels.h"
#include "http/services.h"

namespace understudy::http {

/// Libraries that every user who may log in can look into: what anybody at all may be shown of. nullopt: all. Blocks.
/// Errors: those of Users.
[[nodiscard]] core::Result<std::optional<std::vector<core::LibraryId>>> libraries_open_to_all(const Services& services);

/// Posters of films and series, 1920 x 1080. Safe from any thread. Anybody may ask for it, as often as they like:
/// posters are looked for, and one that could not be read is tried again, at most once a minute.
class Collage {
public:
    static constexpr int columns = 8, rows = 3, tile_width = 240, tile_height = 360;
    static constexpr core::Millis look_again{60'000};

    /// `services` outlives it, and has `scaled`.
    explicit Collage(const Services& services) : services_(services) {}
    /// The newest posters of libraries that are open to all; nullopt: there is none. Blocks. Its read() blocks as each
    /// poster's scaling does, the first time, and leaves out what cannot be read: a picture with a tag of its own where
    /// that may pass. Errors of that: not_found (no poster can be read), unavailable, cancelled.
    [[nodiscard]] core::Result<std::optional<PictureSource>> source();

private:
    struct Poster {
        core::LibraryId library;
        std::string path;       ///< beside the media; empty: `cover`
        store::BlobHash cover;  ///< in its files
        std::string tag;
    };
    using Libraries = std::optional<std::vector<core::LibraryId>>;
    struct Seen {
        core::Instant at;
        Libraries open;
        std::vector<Poster> posters;
    };
    /// What was made while some poster could not be read.
    struct Passing {
        core::Instant at;
        std::string tag;  ///< of the whole one
        core::Result<PictureBytes> picture;
    };
    [[nodiscard]] core::Result<std::vector<Poster>> posters();
    [[nodiscard]] core::Result<std::vector<Poster>> look_for_posters(const Libraries& open) const;
    [[nodiscard]] core::Result<std::string> bytes_of(const Poster& poster);
    [[nodiscard]] core::Result<Pixels> tile_of(const Poster& poster);
    [[nodiscard]] core::Result<PictureBytes> put_together(const std::string& tag, const std::vector<Pixels>& tiles);
    [[nodiscard]] core::Result<PictureBytes> made(const std::string& tag, const std::vector<Poster>& posters);

    const Services& services_;
    PictureFiles files_;
    std::mutex looking_, making_;  ///< one at a time: who comes meanwhile wants the same
    std::optional<Seen> seen_;
    std::optional<Passing> passing_;
};

}  // namespace understudy::http
