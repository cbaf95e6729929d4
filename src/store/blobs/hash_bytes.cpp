#include "store/blobs/hash_bytes.h"

#include <sodium.h>

#include "core/check.h"

namespace understudy::store {

BlobHash hash_bytes(std::string_view bytes) {
    static_assert(std::tuple_size_v<decltype(BlobHash::bytes)> == crypto_generichash_BYTES);
    // Picks the implementation that suits this processor; safe to repeat and from any thread.
    static const bool ready = sodium_init() >= 0;
    CHECK(ready);
    BlobHash hash;
    const int failed =
        crypto_generichash(hash.bytes.data(), hash.bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                           bytes.size(), nullptr, 0);
    CHECK(failed == 0);
    return hash;
}

}  // namespace understudy::store
