// store/sql/blob_value.h: a blob's hash as 32 bytes in a column. Used by the adapters whose rows refer to blobs.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "store/blob_hash.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

[[nodiscard]] inline std::string_view bytes_of(const BlobHash& hash) {
    return {reinterpret_cast<const char*>(hash.bytes.data()), hash.bytes.size()};
}
/// NULL for none.
[[nodiscard]] inline Value blob_value(const BlobHash& hash) {
    if (hash.empty()) return Null{};
    return Bytes{std::string(bytes_of(hash))};
}
/// None where the column was NULL.
[[nodiscard]] inline BlobHash hash_from_bytes(const std::string& bytes) {
    BlobHash hash;
    if (bytes.size() == hash.bytes.size()) std::copy(bytes.begin(), bytes.end(), hash.bytes.begin());
    return hash;
}

}  // namespace understudy::store::sql
