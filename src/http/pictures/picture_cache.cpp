#include "http/pictures/picture_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/ids.h"
#include "media/cover.h"
#include "media/unique_fd.h"

namespace understudy::http {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t hour_s = 3600;
/// What a process writes before it has its name; left behind by one that died.
constexpr std::string_view half_written = ".half-";
/// A folder for each form of what is kept: that of another version is no damage, and goes when it is the longest
/// unused.
constexpr std::string_view form = "v2";

/// Behind each picture, as a disc may lose the end of a file or fill it with zeros, and browsers keep what they are
/// sent.
constexpr std::size_t checksum_bytes = 4;

std::array<char, checksum_bytes> checksum_of(std::string_view bytes) {
    const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    return {static_cast<char>(sum & 0xFF), static_cast<char>(sum >> 8 & 0xFF), static_cast<char>(sum >> 16 & 0xFF),
            static_cast<char>(sum >> 24 & 0xFF)};
}

/// Takes the checksum off; false: the picture is not as it was put.
bool take_checksum(std::string& bytes) {
    if (bytes.size() <= checksum_bytes) return false;
    const auto end = bytes.size() - checksum_bytes;
    const auto sum = checksum_of(std::string_view(bytes).substr(0, end));
    if (!std::equal(sum.begin(), sum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(end))) return false;
    bytes.resize(end);
    return true;
}

/// Nothing where the file cannot be read whole, or is larger than any picture that is put here.
std::string read_whole(int fd, std::int64_t size) {
    if (std::cmp_greater(size, media::CoverResult::most_bytes + checksum_bytes)) return {};
    std::string bytes(static_cast<std::size_t>(size), '\0');
    for (std::size_t at = 0; at < bytes.size();) {
        const auto got = ::read(fd, bytes.data() + at, bytes.size() - at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return {};
        at += static_cast<std::size_t>(got);
    }
    return bytes;
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::int64_t unix_seconds(core::UtcTime at) {
    return core::to_unix_ms(at) / 1000;
}

}  // namespace

PictureCache::PictureCache(Settings settings, core::Random& random, core::Clock& clock, core::Log& log)
    : settings_(std::move(settings)), random_(random), clock_(clock), log_(log), since_look_(settings_.most_bytes) {}

fs::path PictureCache::path_of(std::string_view key) const {
    CHECK(!key.empty() && key.size() <= 200 && std::ranges::all_of(key, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    }));
    return settings_.folder / form / key.substr(0, 2) / key;
}

std::optional<std::string> PictureCache::get(std::string_view key) {
    if (settings_.most_bytes == 0) return std::nullopt;
    const auto path = path_of(key);
    // O_NONBLOCK: a pipe of that name would hold us at open.
    const media::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file) return std::nullopt;
    struct ::stat status {};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    auto bytes = read_whole(file.get(), status.st_size);
    if (!take_checksum(bytes)) {
        ::unlink(path.c_str());
        complain(damage_told_, "a kept picture is damaged and is made again: a failing disc? (more are not told of)",
                 path.string());
        return std::nullopt;
    }
    const auto now = unix_seconds(clock_.utc_now());
    if (now - status.st_mtim.tv_sec > hour_s) {
        const std::array<::timespec, 2> times{::timespec{0, UTIME_OMIT}, ::timespec{now, 0}};
        static_cast<void>(::futimens(file.get(), times.data()));
    }
    return bytes;
}

void PictureCache::put(std::string_view key, std::string_view bytes) {
    if (std::cmp_greater(bytes.size(), settings_.most_bytes)) return;
    const auto file = path_of(key);
    if (!write(file, bytes)) {
        return complain(failure_told_, "scaled pictures cannot be kept: each is made again when it is asked for",
                        "write " + file.string() + ": " + std::generic_category().message(errno));
    }
    const std::lock_guard lock(mutex_);
    since_look_ += static_cast<std::int64_t>(bytes.size());
    if (since_look_ < settings_.most_bytes / 10) return;
    since_look_ = 0;
    tidy();
}

std::string PictureCache::half_name() {
    const std::lock_guard lock(mutex_);
    return core::ItemId::make(random_).str();
}

bool PictureCache::write(const fs::path& file, std::string_view bytes) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    const auto half = file.parent_path() / (std::string(half_written) + half_name());
    bool good = false;
    {
        const media::UniqueFd out(::open(half.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640));
        if (!out) return false;
        // Its modification time is that of its last use, by the clock that judges it.
        const auto now = unix_seconds(clock_.utc_now());
        const std::array<::timespec, 2> times{::timespec{0, UTIME_OMIT}, ::timespec{now, 0}};
        const auto sum = checksum_of(bytes);
        good = write_all(out.get(), bytes) && write_all(out.get(), {sum.data(), sum.size()}) &&
               ::futimens(out.get(), times.data()) == 0 && ::fdatasync(out.get()) == 0;
    }
    good = good && ::rename(half.c_str(), file.c_str()) == 0;
    if (good) return true;
    const int error = errno;
    ::unlink(half.c_str());
    errno = error;
    return false;
}

void PictureCache::tidy() {
    struct Kept {
        std::int64_t used_at = 0, bytes = 0;
        fs::path file;
    };
    std::vector<Kept> all;
    std::int64_t total = 0;
    const auto now = unix_seconds(clock_.utc_now());
    std::error_code error;
    for (fs::recursive_directory_iterator at(settings_.folder, error), end; !error && at != end; at.increment(error)) {
        struct ::stat status {};
        if (::lstat(at->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
        const bool is_half = at->path().filename().string().starts_with(half_written);
        if (is_half && now - status.st_mtim.tv_sec > hour_s) {
            ::unlink(at->path().c_str());
            continue;
        }
        if (is_half) continue;
        const auto bytes = std::max(status.st_size - std::int64_t{checksum_bytes}, std::int64_t{0});
        all.push_back({status.st_mtim.tv_sec, bytes, at->path()});
        total += bytes;
    }
    if (total <= settings_.most_bytes) return;
    std::ranges::sort(all, {}, &Kept::used_at);
    for (const auto& kept : all) {
        if (total <= settings_.most_bytes / 10 * 9) break;
        if (::unlink(kept.file.c_str()) == 0 || errno == ENOENT) total -= kept.bytes;
    }
}

void PictureCache::complain(bool& told, std::string_view what, const std::string& cause) {
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(told, true)) return;
    }
    log_.warning(what, {{"cause", cause}});
}

}  // namespace understudy::http
