// app/late_blobs.h: a blob store that is opened once the database is migrated, for parts that are built before. Made by
// Parts.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/check.h"
#include "store/blobs.h"

namespace understudy::app {

/// open() comes first, before any other thread knows of it.
class LateBlobs final : public store::BlobStore {
public:
    void open(std::unique_ptr<store::BlobStore> blobs) { blobs_ = std::move(blobs); }

    [[nodiscard]] core::Result<store::BlobHash> put(std::string_view bytes) override { return there().put(bytes); }
    [[nodiscard]] core::Result<std::optional<std::string>> get(const store::BlobHash& hash) override {
        return there().get(hash);
    }
    [[nodiscard]] core::Result<bool> exists(const store::BlobHash& hash) override { return there().exists(hash); }
    [[nodiscard]] core::Result<store::BlobTotals> totals() override { return there().totals(); }
    [[nodiscard]] core::Result<store::CleanStep> remove_unreferenced(const std::string& cursor,
                                                                     store::BlobReferences& references,
                                                                     core::Millis grace) override {
        return there().remove_unreferenced(cursor, references, grace);
    }

private:
    [[nodiscard]] store::BlobStore& there() {
        CHECK(blobs_ != nullptr);
        return *blobs_;
    }

    std::unique_ptr<store::BlobStore> blobs_;
};

}  // namespace understudy::app
