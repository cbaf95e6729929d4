#include "store/blobs/folder_blobs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/ids.h"
#include "core/text.h"
#include "store/blobs/hash_bytes.h"

namespace understudy::store {
namespace {

constexpr std::string_view setting = "Jellyfin:Blobs:Folder";
constexpr const char* temporary = "tmp";
constexpr std::size_t references_at_once = 1'000;

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] explicit operator bool() const noexcept { return number_ >= 0; }
    [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_;
};

struct CloseFolder {
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

std::string way_out(int error) {
    if (error == ENOSPC || error == EDQUOT) return ": make room there, or set Jellyfin:Blobs:Provider=Database";
    if (error == EROFS) return ": mount it for writing";
    if (error == EACCES || error == EPERM) return ": let this user write there";
    if (error == ESTALE || error == ENOTCONN || error == EIO)
        return ": the disc or share is away; mount it again and restart";
    return {};
}

tl::unexpected<core::Error> blob_error(const std::string& what, const std::string& path, int error) {
    return core::fail(core::Errc::unavailable, std::string(setting) + ": cannot " + what + " " + path + " (" +
                                                   std::generic_category().message(error) + ")" + way_out(error));
}

std::string name_of(const BlobHash& hash) {
    const auto text = hash.str();
    return text.substr(0, 2) + "/" + text;
}

// 0, or errno.
int write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

// nullopt: no such file. Otherwise its bytes, or errno.
core::Result<std::optional<std::string>> read_file(int root, const std::string& folder, const std::string& name) {
    const Descriptor file(::openat(root, name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file && errno == ENOENT) return std::optional<std::string>{};
    if (!file) return blob_error("open", folder + "/" + name, errno);
    std::string bytes;
    struct stat status {};
    if (::fstat(file.get(), &status) == 0 && status.st_size > 0)
        bytes.reserve(static_cast<std::size_t>(status.st_size));
    std::array<char, 65'536> part{};
    for (;;) {
        const auto count = ::read(file.get(), part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return blob_error("read", folder + "/" + name, errno);
        if (count == 0) return std::optional<std::string>(std::move(bytes));
        bytes.append(part.data(), static_cast<std::size_t>(count));
    }
}

// The names in a sub-folder; none where it is not there.
core::Result<std::vector<std::string>> list(int root, const std::string& folder, const std::string& name) {
    std::vector<std::string> names;
    Descriptor descriptor(::openat(root, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor && errno == ENOENT) return names;
    if (!descriptor) return blob_error("open", folder + "/" + name, errno);
    const std::unique_ptr<DIR, CloseFolder> open(::fdopendir(descriptor.get()));
    if (!open) return blob_error("list", folder + "/" + name, errno);
    (void)descriptor.release();  // closedir closes it
    for (;;) {
        errno = 0;
        const auto* const entry = ::readdir(open.get());
        if (entry == nullptr && errno != 0) return blob_error("list", folder + "/" + name, errno);
        if (entry == nullptr) return names;
        const std::string_view text = entry->d_name;
        if (text != "." && text != "..") names.emplace_back(text);
    }
}

core::UtcTime mtime_of(const struct stat& status) {
    return core::from_unix_ms(std::int64_t{status.st_mtim.tv_sec} * 1'000 + status.st_mtim.tv_nsec / 1'000'000);
}

std::array<timespec, 2> times(core::UtcTime at) {
    const auto ms = core::to_unix_ms(at);
    return {timespec{0, UTIME_OMIT}, timespec{ms / 1'000, (ms % 1'000) * 1'000'000}};
}

std::string sub_folder(int number) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned>(number);
    return {digits[byte >> 4U], digits[byte & 15U]};
}

// The folder may be a mount that is missing: only a cluster without any folder may make one.
core::Result<int> open_root(const std::string& folder, bool make) {
    if (make) {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (error) return blob_error("make the folder", folder, error.value());
    }
    const int root = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) return blob_error("open the folder", folder, errno);
    return root;
}

core::Error wrong_folder(const std::string& folder, const std::string& found, const std::string& token) {
    return {core::Errc::conflict,
            std::string(setting) + ": " + folder + " is not the folder that this cluster's blobs are in (its file " +
                FolderBlobs::marker + " " + (found.empty() ? "is missing" : "says " + found) + ", expected " + token +
                "): mount the folder that the other pods use; only if that one is lost for good, write " + token +
                " into " + folder + "/" + FolderBlobs::marker};
}

}  // namespace

core::Result<std::unique_ptr<FolderBlobs>> FolderBlobs::open(const std::string& folder, BlobFolderRegistry& registry,
                                                             core::Clock& clock, core::Random& random) {
    const auto agreed = registry.token();
    if (!agreed) return tl::unexpected(agreed.error());
    const auto root = open_root(folder, !agreed->has_value());
    if (!root) {
        auto error = root.error();
        if (*agreed) error.context += "; this cluster's blobs are in a folder already: mount it there";
        return tl::unexpected(std::move(error));
    }
    std::unique_ptr<FolderBlobs> blobs(new FolderBlobs(*root, folder, clock, random));
    auto said = read_file(*root, folder, marker);
    if (!said) return tl::unexpected(said.error());
    if (!*said && !*agreed) {
        // The first pod. Another that is first too and shares the folder links its marker before or after: one wins.
        const auto token = core::id_to_hex(core::RunId::make(random).bytes());
        const auto name = blobs->temporary_name();
        if (auto written = blobs->write_new(name, token + "\n"); !written) return tl::unexpected(written.error());
        const int linked = ::linkat(*root, name.c_str(), *root, marker, 0);
        const int error = errno;
        ::unlinkat(*root, name.c_str(), 0);
        if (linked != 0 && error != EEXIST) return blobs->failed("make", marker, error);
        if (::fsync(*root) != 0) return blobs->failed("sync", "", errno);
        said = read_file(*root, folder, marker);
        if (!said) return tl::unexpected(said.error());
    }
    const auto found = std::string(core::trim(said->value_or("")));
    const auto token = *agreed ? core::Result<std::string>(**agreed) : registry.agree(found);
    if (!token) return tl::unexpected(token.error());
    if (found.empty() || found != *token) return tl::unexpected(wrong_folder(folder, found, *token));
    return blobs;
}

FolderBlobs::~FolderBlobs() {
    ::close(root_);
}

tl::unexpected<core::Error> FolderBlobs::failed(const std::string& what, const std::string& name, int error) const {
    return blob_error(what, name.empty() ? folder_ : folder_ + "/" + name, error);
}

std::string FolderBlobs::temporary_name() {
    return std::string(temporary) + "/" + core::RunId::make(random_).str();
}

// Makes the grace begin again. False: there is no such file.
bool FolderBlobs::touch(const std::string& name) {
    const auto now = times(clock_.utc_now());
    return ::utimensat(root_, name.c_str(), now.data(), 0) == 0;
}

// A whole file under a name that is free (a temporary one).
core::Result<void> FolderBlobs::write_new(const std::string& name, std::string_view bytes) {
    if (::mkdirat(root_, temporary, 0777) != 0 && errno != EEXIST) return failed("make", temporary, errno);
    const Descriptor file(::openat(root_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file) return failed("write", name, errno);
    int error = write_all(file.get(), bytes);
    const auto now = times(clock_.utc_now());
    if (error == 0 && ::futimens(file.get(), now.data()) != 0) error = errno;
    if (error == 0 && ::fsync(file.get()) != 0) error = errno;
    if (error == 0) return {};
    ::unlinkat(root_, name.c_str(), 0);
    return failed("write", name, error);
}

core::Result<BlobHash> FolderBlobs::put(std::string_view bytes) {
    const auto hash = hash_bytes(bytes);
    const auto name = name_of(hash);
    struct stat status {};
    // The touch comes first: from here on remove_if_old of another pod puts the file back. Of another size it is
    // damaged.
    if (touch(name) && ::fstatat(root_, name.c_str(), &status, 0) == 0 &&
        static_cast<std::size_t>(status.st_size) == bytes.size()) {
        const auto there = get(hash);
        if (there && *there) return hash;
    }
    const auto temporary_file = temporary_name();
    if (auto written = write_new(temporary_file, bytes); !written) return tl::unexpected(written.error());
    const auto parent = name.substr(0, 2);
    int error = 0;
    if (::mkdirat(root_, parent.c_str(), 0777) != 0 && errno != EEXIST) error = errno;
    if (error == 0 && ::renameat(root_, temporary_file.c_str(), root_, name.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlinkat(root_, temporary_file.c_str(), 0);
        return failed("write", name, error);
    }
    // The name is durable too: a row that refers to it is committed next.
    const Descriptor folder(::openat(root_, parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder || ::fsync(folder.get()) != 0) return failed("sync", parent, errno);
    return hash;
}

core::Result<std::optional<std::string>> FolderBlobs::get(const BlobHash& hash) {
    auto bytes = read_file(root_, folder_, name_of(hash));
    if (!bytes || !*bytes || hash_bytes(**bytes) == hash) return bytes;
    return core::fail(core::Errc::corrupt,
                      "the blob " + folder_ + "/" + name_of(hash) + " is damaged: its bytes are not those of its name");
}

core::Result<bool> FolderBlobs::exists(const BlobHash& hash) {
    struct stat status {};
    const auto name = name_of(hash);
    if (::fstatat(root_, name.c_str(), &status, 0) == 0) return true;
    if (errno == ENOENT) return false;
    return failed("look at", name, errno);
}

core::Result<BlobTotals> FolderBlobs::totals() {
    BlobTotals totals;
    for (int number = 0; number < 256; ++number) {
        const auto folder = sub_folder(number);
        const auto names = list(root_, folder_, folder);
        if (!names) return tl::unexpected(names.error());
        for (const auto& name : *names) {
            struct stat status {};
            if (!BlobHash::parse(name) || ::fstatat(root_, (folder + "/" + name).c_str(), &status, 0) != 0) continue;
            ++totals.blobs;
            totals.size_bytes += status.st_size;
        }
    }
    return totals;
}

// Moves the file aside before it judges its age: a put that touched it in between is seen, and the file goes back; a
// put that comes later finds no file and writes it anew.
core::Result<bool> FolderBlobs::remove_if_old(const std::string& name, core::UtcTime before) {
    const auto aside = temporary_name();
    if (::mkdirat(root_, temporary, 0777) != 0 && errno != EEXIST) return failed("make", temporary, errno);
    if (::renameat(root_, name.c_str(), root_, aside.c_str()) != 0) {
        if (errno == ENOENT) return false;
        return failed("remove", name, errno);
    }
    struct stat status {};
    if (::fstatat(root_, aside.c_str(), &status, 0) == 0 && mtime_of(status) > before) {
        // Where a put has written it anew, the same bytes take its place.
        if (::renameat(root_, aside.c_str(), root_, name.c_str()) != 0) return failed("put back", name, errno);
        return false;
    }
    if (::unlinkat(root_, aside.c_str(), 0) != 0) return failed("remove", aside, errno);
    return true;
}

core::Result<CleanStep> FolderBlobs::sweep_temporary(core::UtcTime before) {
    CleanStep step;
    const auto names = list(root_, folder_, temporary);
    if (!names) return tl::unexpected(names.error());
    for (const auto& name : *names) {
        const auto path = std::string(temporary) + "/" + name;
        struct stat status {};
        if (::fstatat(root_, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || mtime_of(status) > before) continue;
        ++step.looked_at;
        if (::unlinkat(root_, path.c_str(), 0) == 0) ++step.removed;
    }
    return step;
}

core::Result<CleanStep> FolderBlobs::remove_unreferenced(const std::string& cursor, BlobReferences& references,
                                                         core::Millis grace) {
    const auto before = clock_.utc_now() - grace;
    if (cursor == temporary) return sweep_temporary(before);
    const auto folder = cursor.empty() ? sub_folder(0) : cursor;
    int number = 0;
    while (number < 256 && sub_folder(number) != folder) ++number;
    if (number == 256) return core::fail(core::Errc::invalid, "no cursor of remove_unreferenced: " + cursor);
    CleanStep step;
    step.cursor = number < 255 ? sub_folder(number + 1) : temporary;
    const auto names = list(root_, folder_, folder);
    if (!names) return tl::unexpected(names.error());
    std::vector<BlobHash> old;
    const auto remove_old = [&]() -> core::Result<void> {
        const auto used = references.referenced(old);
        if (!used) return tl::unexpected(used.error());
        for (const auto& hash : old) {
            if (used->contains(hash)) continue;
            const auto removed = remove_if_old(name_of(hash), before);
            if (!removed) return tl::unexpected(removed.error());
            if (*removed) ++step.removed;
        }
        old.clear();
        return {};
    };
    for (const auto& name : *names) {
        const auto hash = BlobHash::parse(name);
        struct stat status {};
        if (!hash || ::fstatat(root_, (folder + "/" + name).c_str(), &status, 0) != 0) continue;
        ++step.looked_at;
        if (mtime_of(status) <= before) old.push_back(*hash);
        if (old.size() < references_at_once) continue;
        if (auto done = remove_old(); !done) return tl::unexpected(done.error());
    }
    if (!old.empty()) {
        if (auto done = remove_old(); !done) return tl::unexpected(done.error());
    }
    return step;
}

}  // namespace understudy::store
