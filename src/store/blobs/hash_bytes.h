// store/blobs/hash_bytes.h: the hash that names a blob. Used by both providers.
#pragma once

#include <string_view>

#include "store/blob_hash.h"

namespace understudy::store {

/// BLAKE2b with 32 bytes of output. From libsodium: OpenSSL 3.0 has BLAKE2b only with 64.
[[nodiscard]] BlobHash hash_bytes(std::string_view bytes);

}  // namespace understudy::store
