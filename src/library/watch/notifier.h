// library/watch/notifier.h: what the kernel tells of watched folders, as a port, so that a test can forbid a folder,
// run out of watches or drop events. Implemented by InotifyNotifier. Used by one root's thread, but wake().
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/time.h"

namespace understudy::library {

struct NotifyEvent {
    enum class Kind {
        created,    ///< made here
        written,    ///< closed by somebody who could write
        arrived,    ///< moved here
        removed,    ///< deleted, or moved away
        unwatched,  ///< the watch is gone: its folder was deleted, unmounted, or the watch taken off
        moved,      ///< the watched folder itself has another name or place now
        overflow,   ///< events were dropped; `watch` means nothing
    };
    int watch = 0;
    Kind kind = Kind::written;
    bool is_folder = false;  ///< the entry; a link to a folder is none
    std::string name;        ///< of the entry, bytes
};

class Notifier {
public:
    virtual ~Notifier() = default;
    /// Watches a folder, through a link too. A folder that is watched by another name already gives the same watch.
    /// 0 or errno: ENOSPC where the kernel has none left for this user.
    [[nodiscard]] virtual int add(const std::string& folder, int& watch) = 0;
    virtual void remove(int watch) = 0;
    /// Waits for events, `at_most`, or wake(); what has come by then.
    [[nodiscard]] virtual std::vector<NotifyEvent> wait(core::Millis at_most) = 0;
    /// From any thread.
    virtual void wake() = 0;
    /// A link, or a further name of a file: it is whole at once, and nobody will close it after writing.
    [[nodiscard]] virtual bool is_whole(const std::string& file) const = 0;
};

/// Null where the kernel gives none (`error` says why).
using MakeNotifier = std::function<std::unique_ptr<Notifier>(int& error)>;

}  // namespace understudy::library
