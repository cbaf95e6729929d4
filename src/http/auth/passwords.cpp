#include "http/auth/passwords.h"

#include <sodium.h>

#include <array>
#include <utility>

#include "core/check.h"

namespace understudy::http {

Passwords::Passwords(Settings settings) : settings_(settings) {
    CHECK(sodium_init() >= 0);
    if (settings_.operations == 0) {
        settings_.operations = crypto_pwhash_OPSLIMIT_INTERACTIVE;
        settings_.memory_bytes = crypto_pwhash_MEMLIMIT_INTERACTIVE;
    }
    std::array<char, 33> random{};
    std::array<unsigned char, 16> bytes{};
    randombytes_buf(bytes.data(), bytes.size());
    sodium_bin2hex(random.data(), random.size(), bytes.data(), bytes.size());
    auto made = make(random.data());
    CHECK(made.has_value());
    decoy_ = std::move(*made);
}

core::Result<std::string> Passwords::make(std::string_view password) const {
    std::array<char, crypto_pwhash_STRBYTES> text{};
    if (crypto_pwhash_str(text.data(), password.data(), password.size(), settings_.operations,
                          settings_.memory_bytes) != 0)
        return core::fail(core::Errc::unavailable, "There is no memory for a login now; try again.");
    return std::string(text.data());
}

core::Result<std::string> Passwords::hash(std::string_view password) {
    if (password.empty()) return std::string();
    core::Result<std::string> hash;
    const auto done = in_turn([&]() -> core::Result<void> {
        hash = make(password);
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    return hash;
}

core::Result<bool> Passwords::matches(const std::string& hash, std::string_view password) {
    const auto& against = hash.empty() ? decoy_ : hash;
    bool same = false;
    const auto done = in_turn([&]() -> core::Result<void> {
        same = crypto_pwhash_str_verify(against.c_str(), password.data(), password.size()) == 0;
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    return same && !hash.empty();
}

core::Result<void> Passwords::in_turn(const std::function<core::Result<void>()>& work) {
    std::unique_lock lock(mutex_);
    if (in_hand_ >= settings_.in_hand)
        return core::fail(core::Errc::unavailable, "Too many logins at once; try again in a moment.");
    ++in_hand_;
    free_.wait(lock, [this] { return under_way_ < settings_.at_once; });
    ++under_way_;
    lock.unlock();
    auto done = work();
    lock.lock();
    --under_way_;
    --in_hand_;
    lock.unlock();
    free_.notify_one();
    return done;
}

}  // namespace understudy::http
