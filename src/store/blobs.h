// store/blobs.h: produced files (chapter pictures, art) by the hash of their bytes. Used by library's tasks and http.
// Contract for both providers: tests/contract/blobs/blobs_contract.h
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "store/blob_hash.h"
#include "store/clean_step.h"

namespace understudy::store {

/// Which blobs are in use: rows of the database that name them.
class BlobReferences {
public:
    virtual ~BlobReferences() = default;
    /// Those of `hashes` (at most 1,000) that some row names. Errors: unavailable, timed_out.
    [[nodiscard]] virtual core::Result<std::unordered_set<BlobHash>> referenced(
        const std::vector<BlobHash>& hashes) = 0;
};

/// How long after its last put a blob is safe without a reference.
inline constexpr core::Millis blob_grace{std::chrono::hours{24}};

struct BlobTotals {
    std::int64_t blobs = 0, size_bytes = 0;
};

/// Safe from any thread, and from several pods at once. All calls block. Errors of all: unavailable (what and where,
/// and the way out), timed_out.
class BlobStore {
public:
    virtual ~BlobStore() = default;
    /// Durable when it returns. Repeating it changes nothing but the time from which the grace counts, so put the bytes
    /// again before committing a new reference to an old blob.
    [[nodiscard]] virtual core::Result<BlobHash> put(std::string_view bytes) = 0;
    /// nullopt: there is none. Errors: also corrupt (its bytes are not those of its hash; putting them again repairs
    /// it).
    [[nodiscard]] virtual core::Result<std::optional<std::string>> get(const BlobHash& hash) = 0;
    [[nodiscard]] virtual core::Result<bool> exists(const BlobHash& hash) = 0;
    /// Looks at every blob: for tasks and people, not for each request.
    [[nodiscard]] virtual core::Result<BlobTotals> totals() = 0;
    /// A bounded step of removing what nothing refers to and was not put within `grace`; also what a dead process left
    /// half-written. Start with an empty cursor. No fence: it is safe whoever runs it.
    [[nodiscard]] virtual core::Result<CleanStep> remove_unreferenced(const std::string& cursor,
                                                                      BlobReferences& references,
                                                                      core::Millis grace) = 0;
};

/// Which folder the cluster's blobs are in, agreed in the database: a pod that sees another folder must not start.
class BlobFolderRegistry {
public:
    virtual ~BlobFolderRegistry() = default;
    /// What the marker in the folder must say; nullopt: no folder was agreed yet.
    [[nodiscard]] virtual core::Result<std::optional<std::string>> token() = 0;
    /// Agrees on `token` where nothing is agreed yet; returns what is in force.
    [[nodiscard]] virtual core::Result<std::string> agree(const std::string& token) = 0;
};

}  // namespace understudy::store
