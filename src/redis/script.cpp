#include "redis/script.h"

#include <openssl/evp.h>

#include <array>

#include "core/check.h"

namespace understudy::redis {

Script::Script(std::string text) : text_(std::move(text)) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    CHECK(EVP_Digest(text_.data(), text_.size(), digest.data(), &length, EVP_sha1(), nullptr) == 1);
    constexpr const char* digits = "0123456789abcdef";
    for (unsigned int i = 0; i < length; ++i) {
        sha1_.push_back(digits[digest[i] >> 4U]);
        sha1_.push_back(digits[digest[i] & 15U]);
    }
}

}  // namespace understudy::redis
