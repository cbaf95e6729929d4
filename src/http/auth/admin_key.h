// http/auth/admin_key.h: the keys of administrators: where the first one comes from, and comparing without telling how
// far a guess was right. Used by app (load) and TokenOwners.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "core/result.h"
#include "http/message.h"

namespace understudy::http {

struct AdminKeySettings {
    std::optional<std::string> key;                 ///< `Jellyfin:Api:BootstrapKey`
    std::optional<std::filesystem::path> key_file;  ///< `Jellyfin:Api:BootstrapKeyFile`
    std::filesystem::path data_dir;                 ///< where `admin.key` is kept
};

struct AdminKey {
    std::string key;
    bool made = false;           ///< now, for the first time: to be printed once
    std::filesystem::path file;  ///< where it stands; empty: in the configuration
    std::string warning;         ///< for the log; empty: none
};

/// The configured key; else the one in `<data dir>/admin.key`; else makes one and writes it there (0600), where the CLI
/// finds it. Errors: invalid (names the setting; the key is never repeated), unavailable (the file cannot be read or
/// written).
[[nodiscard]] core::Result<AdminKey> load_admin_key(const AdminKeySettings& settings, core::Random& random);

/// A fixed set of keys, kept as hashes and compared in constant time (libsodium).
class AdminKeys {
public:
    explicit AdminKeys(const std::vector<std::string>& keys);
    /// From memory. nullopt: none of them.
    [[nodiscard]] std::optional<Caller> find(std::string_view token) const;

private:
    using Hash = std::array<std::uint8_t, 32>;
    [[nodiscard]] static Hash hash(std::string_view text);
    std::vector<Hash> hashes_;
};

}  // namespace understudy::http
