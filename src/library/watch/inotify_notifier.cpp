#include "library/watch/inotify_notifier.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>

namespace understudy::library {
namespace {

// No IN_MODIFY, IN_ATTRIB, IN_OPEN, IN_ACCESS, IN_CLOSE_NOWRITE: reading files, as a scan does, makes no event.
constexpr std::uint32_t interest = IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF;

std::optional<NotifyEvent::Kind> kind_of(std::uint32_t mask) {
    using Kind = NotifyEvent::Kind;
    if ((mask & IN_Q_OVERFLOW) != 0) return Kind::overflow;
    if ((mask & IN_IGNORED) != 0) return Kind::unwatched;  // comes after IN_UNMOUNT too
    if ((mask & IN_CREATE) != 0) return Kind::created;
    if ((mask & IN_CLOSE_WRITE) != 0) return Kind::written;
    if ((mask & IN_MOVED_TO) != 0) return Kind::arrived;
    if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) return Kind::removed;
    if ((mask & IN_MOVE_SELF) != 0) return Kind::moved;
    return std::nullopt;
}

}  // namespace

std::unique_ptr<Notifier> InotifyNotifier::make(int& error) {
    const int events = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (events < 0) {
        error = errno;
        return nullptr;
    }
    const int waker = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (waker < 0) {
        error = errno;
        ::close(events);
        return nullptr;
    }
    return std::unique_ptr<Notifier>(new InotifyNotifier(events, waker));
}

InotifyNotifier::~InotifyNotifier() {
    ::close(events_);
    ::close(waker_);
}

int InotifyNotifier::add(const std::string& folder, int& watch) {
    watch = ::inotify_add_watch(events_, folder.c_str(), interest | IN_ONLYDIR);
    return watch < 0 ? errno : 0;
}

void InotifyNotifier::remove(int watch) {
    (void)::inotify_rm_watch(events_, watch);  // may be gone already
}

std::vector<NotifyEvent> InotifyNotifier::wait(core::Millis at_most) {
    std::array<pollfd, 2> both{pollfd{events_, POLLIN, 0}, pollfd{waker_, POLLIN, 0}};
    std::vector<NotifyEvent> all;
    if (::poll(both.data(), both.size(), static_cast<int>(at_most.count())) <= 0) return all;
    std::uint64_t woken = 0;
    (void)!::read(waker_, &woken, sizeof woken);
    alignas(inotify_event) std::array<char, std::size_t{64} * 1024> buffer{};
    const auto length = ::read(events_, buffer.data(), buffer.size());
    for (std::size_t at = 0; length > 0 && at < static_cast<std::size_t>(length);) {
        inotify_event head{};
        std::memcpy(&head, buffer.data() + at, sizeof head);
        const char* name = buffer.data() + at + sizeof head;
        at += sizeof head + head.len;
        const auto kind = kind_of(head.mask);
        if (!kind) continue;
        NotifyEvent event;
        event.watch = head.wd;
        event.kind = *kind;
        event.is_folder = (head.mask & IN_ISDIR) != 0;
        if (head.len > 0) event.name.assign(name, ::strnlen(name, head.len));
        all.push_back(std::move(event));
    }
    return all;
}

void InotifyNotifier::wake() {
    const std::uint64_t one = 1;
    (void)!::write(waker_, &one, sizeof one);
}

bool InotifyNotifier::is_whole(const std::string& file) const {
    struct stat found {};
    return ::lstat(file.c_str(), &found) == 0 && (S_ISLNK(found.st_mode) || found.st_nlink > 1);
}

long most_watches() {
    std::ifstream in("/proc/sys/fs/inotify/max_user_watches");
    long most = 0;
    in >> most;
    return most;
}

}  // namespace understudy::library
