#include "http/web_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "http/entity_tags.h"
#include "http/static_files.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::int64_t largest_file = std::int64_t{64} * 1024 * 1024;  // a font or a decoder in WebAssembly: a few MiB

Response nothing(std::string_view path) {
    return text_answer(404, "There is no file '" + printable(path) + "' here.");
}

/// No segment may lead upwards or name anything but one entry of a folder.
bool is_plain(std::string_view path) {
    if (path.find('\0') != std::string_view::npos || path.find('\\') != std::string_view::npos) return false;
    return std::ranges::none_of(split(path, '/'), [](std::string_view segment) {
        return segment.empty() || segment == "." || segment == "..";
    });
}

bool is_below(const std::filesystem::path& root, const std::filesystem::path& file) {
    return std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
}

class Descriptor {
public:
    explicit Descriptor(int fd) noexcept : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_;
};

bool read_all(int fd, std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto got = ::read(fd, bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;  // cut while we read: the client asks again
        done += static_cast<std::size_t>(got);
    }
    return true;
}

}  // namespace

core::Result<WebFolder> WebFolder::open(const std::filesystem::path& folder) {
    std::error_code error;
    auto root = std::filesystem::canonical(folder, error);
    const auto refuse = [&](const std::string& why) {
        return core::fail(core::Errc::invalid, "Jellyfin:WebDir = '" + folder.string() + "' " + why +
                                                   "; name the folder of a built web client, or leave it out");
    };
    if (error) return refuse("cannot be entered: " + error.message());
    if (!std::filesystem::is_directory(root, error)) return refuse("is no folder");
    if (!std::filesystem::is_regular_file(root / "index.html", error)) return refuse("has no index.html");
    return WebFolder(std::move(root));
}

Response WebFolder::answer(const Request& request, std::string_view path) const {
    const std::string wanted(path.empty() ? "index.html" : path);
    if (!is_plain(wanted)) return nothing(path);
    std::error_code error;
    const auto file = std::filesystem::canonical(root_ / wanted, error);
    if (error || !is_below(root_, file)) return nothing(path);
    // Canonical: no link is left in it, and one that takes its place by now is refused. A pipe is not waited for.
    const Descriptor open_file(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts {};
    if (open_file.get() < 0 || ::fstat(open_file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return nothing(path);
    if (facts.st_size > largest_file) return text_answer(501, "This file is larger than 64 MiB.");

    const auto tag = fmt::format("{:x}-{:x}-{:x}", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
    Response response;
    response.with("ETag", '"' + tag + '"').with("Cache-Control", std::string(keeping_of(wanted)));
    if (names_tag(request.header("If-None-Match"), tag)) {
        response.status = 304;
        return response;
    }
    response.content_type = mime_type_of(wanted);
    response.body.resize(static_cast<std::size_t>(facts.st_size));
    if (!read_all(open_file.get(), response.body)) return text_answer(503, "The file changed while it was read.");
    return response;
}

}  // namespace understudy::http
