#include "http/pictures/picture_files.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "http/entity_tags.h"
#include "http/text.h"
#include "media/image_header.h"
#include "media/unique_fd.h"

namespace understudy::http {
namespace {

// Anybody may ask for pictures: where they lie on this machine is not told.
std::string shown(const std::string& path) {
    return printable(std::string_view(path).substr(path.rfind('/') + 1));
}

core::Error failed(const std::string& path, int error) {
    // Asking again would not help: nobody may read it, or it is not there.
    const bool gone =
        error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENXIO || error == EACCES || error == EPERM;
    return {gone ? core::Errc::not_found : core::Errc::unavailable,
            "The picture " + shown(path) + " cannot be read: " + std::generic_category().message(error) + "."};
}

core::Result<std::string> all_of(int fd, const std::string& path, std::int64_t size) {
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t at = 0;
    while (at < bytes.size()) {
        const auto got = ::read(fd, bytes.data() + at, bytes.size() - at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return tl::unexpected(failed(path, errno));
        if (got == 0) break;  // it has become shorter
        at += static_cast<std::size_t>(got);
    }
    bytes.resize(at);
    return bytes;
}

}  // namespace

core::Result<Picture> read_picture(const std::string& path, const std::string& if_none_match) {
    // O_NONBLOCK: a pipe of that name would hold us at open.
    const media::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file) return tl::unexpected(failed(path, errno));
    struct ::stat status {};
    if (::fstat(file.get(), &status) != 0) return tl::unexpected(failed(path, errno));
    if (!S_ISREG(status.st_mode)) return core::fail(core::Errc::not_found, shown(path) + " is no file.");
    Picture picture;
    picture.tag =
        image_tag(path, status.st_size, std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec);
    if (names_tag(if_none_match, picture.tag)) {
        picture.known = true;
        return picture;
    }
    if (status.st_size > largest_picture) {
        return core::fail(core::Errc::unsupported, "The picture " + shown(path) + " has " +
                                                       std::to_string(status.st_size) + " bytes, more than the " +
                                                       std::to_string(largest_picture) +
                                                       " that are sent; make it smaller.");
    }
    auto bytes = all_of(file.get(), path, status.st_size);
    if (!bytes) return tl::unexpected(bytes.error());
    const std::string& content = *bytes;
    const auto header =
        media::read_image_header({reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
    if (!header) {
        return core::fail(core::Errc::corrupt,
                          shown(path) + " is no picture: neither JPEG, PNG, WebP, GIF, BMP, TIFF nor AVIF.");
    }
    picture.content_type = media::mime_type(header->kind);
    picture.bytes = std::move(*bytes);
    return picture;
}

struct PictureFiles::State {
    std::mutex mutex;
    std::condition_variable read;
    std::map<core::LibraryId, int> overdue;
};

PictureFiles::PictureFiles(core::Millis patience, Read read)
    : patience_(patience), read_(std::move(read)), state_(std::make_shared<State>()) {}

core::Result<Picture> PictureFiles::read(core::LibraryId library, const std::string& path,
                                         const std::string& if_none_match) {
    struct Job {
        std::optional<core::Result<Picture>> result;
        bool given_up = false;
    };
    const auto silent = [&] {
        return core::fail(core::Errc::unavailable, "The library folder of " + shown(path) +
                                                       " does not answer; its pictures come when it does again.");
    };
    std::unique_lock lock(state_->mutex);
    if (state_->overdue.contains(library)) return silent();
    lock.unlock();
    const auto job = std::make_shared<Job>();
    try {
        std::thread([state = state_, job, read = read_, library, path, if_none_match] {
            ::pthread_setname_np(::pthread_self(), "picture");
            auto result = read(path, if_none_match);
            const std::lock_guard own(state->mutex);
            job->result = std::move(result);
            if (job->given_up && --state->overdue[library] == 0) state->overdue.erase(library);
            state->read.notify_all();
        }).detach();
    } catch (const std::system_error&) {
        return core::fail(core::Errc::unavailable, "There is no thread left to read a picture.");
    }
    lock.lock();
    state_->read.wait_for(lock, patience_, [&] { return job->result.has_value(); });
    if (job->result) return std::move(*job->result);
    job->given_up = true;
    ++state_->overdue[library];
    return silent();
}

}  // namespace understudy::http
