// http/pictures/picture_cache.h: scaled pictures kept in a folder of this pod, the longest unused going first. Used by
// ScaledPictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "core/log.h"
#include "core/random.h"
#include "core/time.h"

namespace understudy::http {

/// What is in the folder is all that it knows: other processes may keep theirs there too, and whoever tidies it up is
/// welcome. A process that dies leaves whole pictures only, under their names. Safe from any thread; blocks on a local
/// disc. A folder that cannot be written to costs speed alone, and a line in the log.
class PictureCache {
public:
    struct Settings {
        std::filesystem::path folder;                                ///< made when it is needed
        std::int64_t most_bytes = std::int64_t{1024} * 1024 * 1024;  ///< 0: nothing is kept
    };
    /// `random`, `clock` and `log` outlive it.
    PictureCache(Settings settings, core::Random& random, core::Clock& clock, core::Log& log);

    /// `key`: lower-case letters, digits and `-`, at most 200. nullopt: not kept, or not as it was put, which goes. A
    /// use is remembered, to the hour.
    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    /// Replaces what is there. `bytes`: at most media::CoverResult::most_bytes. Beyond most_bytes the longest unused go
    /// until a tenth is free.
    void put(std::string_view key, std::string_view bytes);

private:
    [[nodiscard]] std::filesystem::path path_of(std::string_view key) const;
    [[nodiscard]] bool write(const std::filesystem::path& file, std::string_view bytes);
    [[nodiscard]] std::string half_name();
    void tidy();
    /// Once for each kind of trouble.
    void complain(bool& told, std::string_view what, const std::string& cause);

    const Settings settings_;
    core::Random& random_;
    core::Clock& clock_;
    core::Log& log_;
    std::mutex mutex_;
    std::int64_t since_look_;  ///< bytes put since the folder was looked through; at the start as many as ask for it
    bool failure_told_ = false, damage_told_ = false;
};

}  // namespace understudy::http
