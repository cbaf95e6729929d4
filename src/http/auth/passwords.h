// http/auth/passwords.h: hashes passwords and compares with hashes (Argon2id by libsodium). Used by the handlers of
// logins and users.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "core/result.h"

namespace understudy::http {

/// Safe from any thread.
class Passwords {
public:
    struct Settings {
        unsigned long long operations = 0;  ///< 0: libsodium's interactive limits (64 MiB, about 0.1 s)
        std::size_t memory_bytes = 0;
        unsigned at_once = 2;  ///< hashes under way: each takes the memory
        unsigned in_hand = 3;  ///< with those that wait; one less than there are handler threads, so that a flood of
                               ///< logins leaves one to all other requests
    };
    explicit Passwords(Settings settings);

    /// `$argon2id$…`. Empty for the empty password, which means that none is set. Blocks. Errors: unavailable where too
    /// many wait.
    [[nodiscard]] core::Result<std::string> hash(std::string_view password);
    /// Takes the same time where `hash` is empty: nothing was right then. Blocks. Errors: unavailable.
    [[nodiscard]] core::Result<bool> matches(const std::string& hash, std::string_view password);

private:
    [[nodiscard]] core::Result<std::string> make(std::string_view password) const;
    [[nodiscard]] core::Result<void> in_turn(const std::function<core::Result<void>()>& work);

    Settings settings_;
    std::string decoy_;  ///< a hash that nothing matches
    std::mutex mutex_;
    std::condition_variable free_;
    unsigned under_way_ = 0, in_hand_ = 0;
};

inline constexpr std::size_t longest_password = 1'024;  ///< bytes

}  // namespace understudy::http
