// library/watch/root_watch.h: one library root under watch, on a thread of its own, so that a share that hangs holds up
// nothing else. Kept by LibraryWatch.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/log.h"
#include "core/time.h"
#include "library/file_system.h"
#include "library/watch/notifier.h"
#include "model/library.h"

namespace understudy::library {

enum class WatchMode { automatic, inotify, poll, off };

struct RootWatchSettings {
    std::string root;
    model::LibraryKind kind = model::LibraryKind::movies;
    WatchMode mode = WatchMode::automatic;  ///< never off
    core::Millis poll_every{300'000};
    /// Of 1970: folders that changed since are reported at the first look.
    std::optional<std::int64_t> changed_since_ns = std::nullopt;
    core::Millis look_again{60'000};  ///< at a root that is away, and at folders that could not be watched
};

/// What one root's thread tells; called on that thread, also after the watch was dropped where it hung meanwhile: kept
/// alive by it, and answers from memory.
class RootListener {
public:
    virtual ~RootListener() = default;
    virtual void changed(const std::string& root, const std::string& path) = 0;
    virtual void say(core::LogLevel level, std::string_view message, std::initializer_list<core::LogField> fields) = 0;
    virtual void overflowed() = 0;
    virtual void polled() = 0;
};

struct RootWatchParts {
    std::shared_ptr<RootListener> listener;
    std::shared_ptr<const FileSystem> files;
    MakeNotifier make_notifier;
    std::function<bool(const std::string& path)> is_network;
};

class RootWatch {
public:
    enum class How { starting, away, inotify, polling };

    RootWatch(RootWatchSettings settings, RootWatchParts parts);
    /// Ends within 500 ms; a thread that hangs in the kernel is let go and ends when the kernel lets it.
    ~RootWatch();
    RootWatch(const RootWatch&) = delete;
    RootWatch& operator=(const RootWatch&) = delete;

    /// Asks the thread to end; the destructor waits.
    void stop();
    [[nodiscard]] const RootWatchSettings& settings() const noexcept;
    [[nodiscard]] How how() const noexcept;
    [[nodiscard]] std::size_t folders() const noexcept;

private:
    class Body;
    std::shared_ptr<Body> body_;
};

}  // namespace understudy::library
