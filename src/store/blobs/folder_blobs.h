// store/blobs/folder_blobs.h: blobs as files of one folder that all pods share. Made by app.
#pragma once

#include <memory>
#include <string>

#include "core/random.h"
#include "core/time.h"
#include "store/blobs.h"

namespace understudy::store {

/// `<folder>/ab/ab12….` by the first byte of the hash. A blob is written to `<folder>/tmp`, synced and renamed, so a
/// file with a hash for its name is whole. The folder is opened once: where its mount goes away later, errors say so
/// and nothing is written to the empty mount point.
class FolderBlobs final : public BlobStore {
public:
    static constexpr const char* marker = "understudy-blobs";

    /// Makes the folder and its marker where the cluster has agreed on none yet. Errors: conflict where this is not the
    /// folder that the cluster's other pods use; unavailable where it cannot be made or read. `clock` and `random` must
    /// outlive it.
    [[nodiscard]] static core::Result<std::unique_ptr<FolderBlobs>> open(const std::string& folder,
                                                                         BlobFolderRegistry& registry,
                                                                         core::Clock& clock, core::Random& random);
    FolderBlobs(const FolderBlobs&) = delete;
    FolderBlobs& operator=(const FolderBlobs&) = delete;
    ~FolderBlobs() override;

    [[nodiscard]] core::Result<BlobHash> put(std::string_view bytes) override;
    [[nodiscard]] core::Result<std::optional<std::string>> get(const BlobHash& hash) override;
    [[nodiscard]] core::Result<bool> exists(const BlobHash& hash) override;
    [[nodiscard]] core::Result<BlobTotals> totals() override;
    /// One of the 256 sub-folders a step.
    [[nodiscard]] core::Result<CleanStep> remove_unreferenced(const std::string& cursor, BlobReferences& references,
                                                              core::Millis grace) override;

private:
    FolderBlobs(int root, std::string folder, core::Clock& clock, core::Random& random)
        : root_(root), folder_(std::move(folder)), clock_(clock), random_(random) {}

    [[nodiscard]] bool touch(const std::string& name);
    [[nodiscard]] core::Result<void> write_new(const std::string& name, std::string_view bytes);
    [[nodiscard]] core::Result<bool> remove_if_old(const std::string& name, core::UtcTime before);
    [[nodiscard]] core::Result<CleanStep> sweep_temporary(core::UtcTime before);
    [[nodiscard]] std::string temporary_name();
    [[nodiscard]] tl::unexpected<core::Error> failed(const std::string& what, const std::string& name, int error) const;

    int root_;
    std::string folder_;
    core::Clock& clock_;
    core::Random& random_;
};

}  // namespace understudy::store
