// library/playlists/playlist.h: playlist files found in a library: .m3u, .m3u8, .pls, .xspf. Pure: bytes in, entries
// out; files are read through a port. Used by the scan's describing phase; foreign bytes, never throws.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace understudy::library::playlists {

constexpr std::size_t longest_file = std::size_t{4} * 1024 * 1024;  ///< bytes
constexpr std::size_t most_entries = 20'000;                        ///< of a playlist with all that it includes
constexpr int deepest = 8;                                          ///< playlists within playlists

enum class Format : std::uint8_t { m3u, pls, xspf };
/// By extension, in any case.
[[nodiscard]] std::optional<Format> format_of(std::string_view name) noexcept;

struct Entry {
    std::string written;  ///< as in the file, for people
    std::string path;     ///< absolute path bytes without `.` and `..`; empty where `fault` says why
    std::string title;    ///< empty: not said
    core::Millis duration{};
    std::string fault;  ///< empty: usable. «not a local file», «missing», «includes itself», …
};

struct Playlist {
    std::string title;  ///< as the file says; empty: its name is its title
    std::vector<Entry> entries;
    std::string
        fault;  ///< of the file as a whole: cut, broken XML with its line, too many entries; what was read is kept
};

/// `file`: the playlist's own absolute path; entries are relative to its folder.
[[nodiscard]] Playlist parse(std::string_view bytes, Format format, std::string_view file);

/// What a playlist needs of the disc.
class Files {
public:
    virtual ~Files() = default;
    /// At most longest_file + 1 bytes. Errors: not_found, unavailable; the context is shown as the entry's fault.
    [[nodiscard]] virtual core::Result<std::string> read(const std::string& path) const = 0;
    [[nodiscard]] virtual bool exists(const std::string& path) const = 0;
};

/// Reads `file` and puts in place of every entry that is a playlist what that one holds. One that is being read already
/// is an entry with the fault «includes itself»; a missing file stays, with that reason. Errors: as Files::read for
/// `file` itself; unsupported: no playlist by its name.
[[nodiscard]] core::Result<Playlist> load(const std::string& file, const Files& files);

/// `a/./b/../c` -> `a/c`; of an absolute path, by its letters alone (links are not followed).
[[nodiscard]] std::string normalize(std::string_view path);

}  // namespace understudy::library::playlists
