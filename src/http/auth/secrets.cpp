#include "http/auth/secrets.h"

#include <sodium.h>

#include <array>
#include <cstdint>

namespace understudy::http {

std::string new_secret(core::Random& random) {
    std::array<std::uint8_t, 16> bytes{};
    random.fill(bytes);
    std::array<char, 2 * bytes.size() + 1> hex{};
    sodium_bin2hex(hex.data(), hex.size(), bytes.data(), bytes.size());
    return hex.data();
}

std::string hash_secret(std::string_view secret) {
    std::array<unsigned char, 32> digest{};
    crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(secret.data()),
                       secret.size(), nullptr, 0);
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace understudy::http
