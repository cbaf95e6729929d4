#include "http/auth/admin_key.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/check.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::size_t shortest_key = 16, longest_key = 256;  // as Jellyfin:Api:BootstrapKey

std::string cause(int error) {
    return std::generic_category().message(error);
}

core::Result<std::string> usable(std::string_view text, const std::string& where) {
    const auto key = trim(text);
    const auto refuse = [&](const std::string& why) {
        return core::fail(core::Errc::invalid, where + ": the key " + why);
    };
    if (key.empty()) return refuse("is empty; set one of 16 .. 256 characters (`openssl rand -hex 16` makes one)");
    if (key.size() < shortest_key || key.size() > longest_key) {
        return refuse("has " + std::string(key.size() < shortest_key ? "less than 16" : "more than 256") +
                      " characters; set one of 16 .. 256 (`openssl rand -hex 16` makes one)");
    }
    if (!std::ranges::all_of(key, [](char c) {
            return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-' || c == '_';
        })) {
        return refuse(
            "holds something else than letters, digits, - and _, which would not travel in every header; "
            "set another (`openssl rand -hex 16` makes one)");
    }
    return std::string(key);
}

struct FileDescriptor {
    explicit FileDescriptor(int descriptor) : fd(descriptor) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() {
        if (fd >= 0) ::close(fd);
    }
    int fd;
};

struct FileText {
    std::string text;
    bool others_may_read = false;
};

/// nullopt: there is no such file.
core::Result<std::optional<FileText>> read_file(const std::filesystem::path& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.fd < 0) {
        if (errno == ENOENT) return std::optional<FileText>();
        return core::fail(core::Errc::unavailable, path.string() + " cannot be read: " + cause(errno));
    }
    FileText found;
    struct stat facts {};
    if (::fstat(file.fd, &facts) == 0) found.others_may_read = (facts.st_mode & 07U) != 0;
    std::array<char, 2 * longest_key> buffer{};
    const auto size = ::read(file.fd, buffer.data(), buffer.size());
    if (size < 0) return core::fail(core::Errc::unavailable, path.string() + " cannot be read: " + cause(errno));
    found.text.assign(buffer.data(), static_cast<std::size_t>(size));
    return std::optional<FileText>(std::move(found));
}

/// Whole or not at all, readable by its owner alone from the first moment on.
core::Result<void> write_file(const std::filesystem::path& path, const std::string& text) {
    auto temporary = path;
    temporary += ".tmp." + std::to_string(::getpid());
    ::unlink(temporary.c_str());
    {
        const FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        const bool written = file.fd >= 0 &&
                             ::write(file.fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                             ::fsync(file.fd) == 0;
        if (!written) {
            const int error = errno;
            ::unlink(temporary.c_str());
            return core::fail(core::Errc::unavailable, "the admin key cannot be written to " + path.string() + ": " +
                                                           cause(error) +
                                                           "; make the data folder writable or set "
                                                           "Jellyfin:Api:BootstrapKey");
        }
    }
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
        const int error = errno;
        ::unlink(temporary.c_str());
        return core::fail(core::Errc::unavailable,
                          "the admin key cannot be written to " + path.string() + ": " + cause(error));
    }
    return {};
}

}  // namespace

core::Result<AdminKey> load_admin_key(const AdminKeySettings& settings, core::Random& random) {
    AdminKey answer;
    if (settings.key) {
        auto key = usable(*settings.key, "Jellyfin:Api:BootstrapKey");
        if (!key) return tl::unexpected(key.error());
        answer.key = std::move(*key);
        return answer;
    }
    if (settings.key_file) {
        const auto where = "Jellyfin:Api:BootstrapKeyFile=" + settings.key_file->string();
        auto file = read_file(*settings.key_file);
        if (!file) return tl::unexpected(file.error());
        if (!*file)
            return core::fail(core::Errc::invalid,
                              where + ": there is no such file; mount the secret or correct the path");
        auto key = usable((*file)->text, where);
        if (!key) return tl::unexpected(key.error());
        answer.key = std::move(*key);
        return answer;  // a mounted secret is often readable for a group: no warning
    }
    answer.file = settings.data_dir / "admin.key";
    auto file = read_file(answer.file);
    if (!file) return tl::unexpected(file.error());
    if (*file && !trim((*file)->text).empty()) {
        auto key = usable((*file)->text, answer.file.string());
        if (!key) {
            return core::fail(key.error().code,
                              key.error().context + "; or remove the file, and a new key is made and printed");
        }
        answer.key = std::move(*key);
        if ((*file)->others_may_read) {
            answer.warning = answer.file.string() + " may be read by every user of this machine; use: chmod o-rwx " +
                             answer.file.string();
        }
        return answer;
    }
    std::array<std::uint8_t, 16> bytes{};
    random.fill(bytes);
    std::array<char, 2 * bytes.size() + 1> hex{};
    sodium_bin2hex(hex.data(), hex.size(), bytes.data(), bytes.size());
    answer.key = hex.data();
    answer.made = true;
    if (const auto written = write_file(answer.file, answer.key + "\n"); !written)
        return tl::unexpected(written.error());
    return answer;
}

AdminKeys::AdminKeys(const std::vector<std::string>& keys) {
    CHECK(sodium_init() >= 0);
    for (const auto& key : keys) hashes_.push_back(hash(key));
}

AdminKeys::Hash AdminKeys::hash(std::string_view text) {
    Hash digest{};
    crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                       nullptr, 0);
    return digest;
}

std::optional<Caller> AdminKeys::find(std::string_view token) const {
    // Hashes have one length, so neither length nor content of a guess shows in the time this takes; all are compared.
    const auto digest = hash(token);
    bool known = false;
    for (const auto& each : hashes_) {
        if (sodium_memcmp(each.data(), digest.data(), digest.size()) == 0) known = true;
    }
    if (!known || token.empty()) return std::nullopt;
    return Caller{.name = "admin key", .admin = true};
}

}  // namespace understudy::http
