// model/library.h: what a household keeps where. Plain values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/time.h"

namespace understudy::model {

enum class LibraryKind { movies, tvshows, music };
[[nodiscard]] std::string_view to_string(LibraryKind kind) noexcept;
[[nodiscard]] std::optional<LibraryKind> parse_library_kind(std::string_view text) noexcept;  ///< any case

/// Of a library's folder and of what is in it: paths are keys, and PostgreSQL's indexes take some 2,700 bytes. The name
/// of what is longer, and so is none of the library's, still fits behind one.
inline constexpr std::size_t most_path_bytes = 2'000;

struct Library {
    core::LibraryId id;
    std::string name;  ///< unique, any case
    LibraryKind kind = LibraryKind::movies;
    std::vector<std::string> paths;  ///< absolute path bytes, no trailing slash; order kept
    std::string options = "{}";      ///< JSON as clients sent it
    std::optional<core::Millis>
        remove_missing_after;  ///< grace for an emptied root; nullopt: never, only proof removes
    core::UtcTime created_at{};
    std::optional<core::UtcTime> scanned_at;
};

/// A root's reason where its disc seems to be away: another device, and none of what was known on it.
constexpr std::string_view root_on_another_device = "another device";

/// A root as the last scan found it.
struct RootState {
    std::string path;
    bool online = true;
    std::string reason;  ///< why it is offline: `missing`, `empty`, `another device`, `permission denied`, …
    core::UtcTime since{};
    std::uint64_t device = 0;  ///< st_dev when last online
};

}  // namespace understudy::model
