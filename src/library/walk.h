// library/walk.h: lists and stats a library's folders in parallel and hands them over in the byte order of their paths.
// First phase of a scan; used by the scanner, which merges it with what the store knows (diff.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "library/file_system.h"
#include "library/naming/entries.h"
#include "library/scan_scope.h"
#include "model/library.h"

namespace understudy::library {

/// An entry that is there but cannot be used: what the store knows at or below it is not proven gone.
struct UnusableEntry {
    std::string name;
    std::string reason;  ///< for people: «links to nothing», «Permission denied»
};

/// How completely a folder was listed. Only `complete` (and `excluded`, a person's own word) proves anything gone.
enum class Listed : unsigned char {
    complete,
    excluded,    ///< holds a `.ignore` file: its sub-tree is none of the library's
    incomplete,  ///< could not be opened or read to its end, or is an empty, missing or unreadable root
    looping,     ///< leads back to one of its own ancestors: not entered again
};

/// One step of a walk, in order: a folder before what is in it, files and folders by the bytes of their whole paths.
struct WalkEvent {
    enum class Kind : unsigned char { directory, file };
    Kind kind = Kind::directory;
    std::string_view path;  ///< until the next step

    // Of a folder:
    Listed listed = Listed::complete;
    std::string_view reason;  ///< where it is not complete
    bool is_root = false;
    bool is_link = false;                                  ///< a link by this name leads to it; of a file too
    bool holds_nothing = false;                            ///< no entry but hidden and system ones
    std::uint32_t entries = 0;                             ///< all that were listed
    std::uint32_t media_files = 0;                         ///< of class `media`
    const std::vector<UnusableEntry>* unusable = nullptr;  ///< until the next step

    // Of a file; device of a folder too:
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;
    std::uint64_t inode = 0;
    std::uint64_t device = 0;
    naming::FileClass file_class = naming::FileClass::none;
};

struct WalkSettings {
    model::LibraryKind kind = model::LibraryKind::movies;
    unsigned threads = 4;                 ///< hide the latency of network shares; local discs need two
    std::size_t ahead_entries = 100'000;  ///< how many entries may be listed and not yet handed over
    /// A folder whose listing does not move for so long is left as incomplete: one hung share must not stop the rest.
    core::Millis patience{20'000};
    bool nfo = true;  ///< false: NFO files are no business of this library
    ScanScope scope;  ///< folders on the way to what it names are listed too
};

class WalkSource {
public:
    enum class Step { event, end, stopped };
    virtual ~WalkSource() = default;
    [[nodiscard]] virtual Step next(WalkEvent& event) = 0;
};

/// Owns its threads. A thread that hangs in the kernel is let go with what it needs; it ends when the kernel lets it.
class Walk final : public WalkSource {
public:
    /// `stop` is asked at each step and at least every 200 ms while waiting.
    Walk(std::shared_ptr<const FileSystem> files, WalkSettings settings, const std::vector<std::string>& roots,
         std::function<bool()> stop);
    ~Walk() override;
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    [[nodiscard]] Step next(WalkEvent& event) override;

private:
    class Shared;
    struct Frame;
    std::shared_ptr<Shared> shared_;
    std::vector<Frame> frames_;
    std::function<bool()> stop_;
    std::string path_;
};

}  // namespace understudy::library
