// store/sql/sql_blobs.h: blobs in the database, which blobs rows refer to, and the folder that was agreed on
// (0010_blobs.sql). Made by app.
#pragma once

#include "store/blobs.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlBlobs final : public BlobStore {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlBlobs(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<BlobHash> put(std::string_view bytes) override;
    [[nodiscard]] core::Result<std::optional<std::string>> get(const BlobHash& hash) override;
    [[nodiscard]] core::Result<bool> exists(const BlobHash& hash) override;
    [[nodiscard]] core::Result<BlobTotals> totals() override;
    [[nodiscard]] core::Result<CleanStep> remove_unreferenced(const std::string& cursor, BlobReferences& references,
                                                              core::Millis grace) override;

private:
    Database& database_;
};

/// Knows every column that names a blob; for both providers.
class SqlBlobReferences final : public BlobReferences {
public:
    explicit SqlBlobReferences(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::unordered_set<BlobHash>> referenced(const std::vector<BlobHash>& hashes) override;

private:
    Database& database_;
};

class SqlBlobFolderRegistry final : public BlobFolderRegistry {
public:
    explicit SqlBlobFolderRegistry(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<std::optional<std::string>> token() override;
    [[nodiscard]] core::Result<std::string> agree(const std::string& token) override;

private:
    Database& database_;
};

}  // namespace understudy::store::sql
