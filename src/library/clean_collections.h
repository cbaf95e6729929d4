// library/clean_collections.h: the task CleanCollectionsAndPlaylists: drops members whose item is gone, never those of
// a library that is offline. Wired by app, run by the task engine.
#pragma once

#include <memory>
#include <vector>

#include "library/file_system.h"
#include "store/collections.h"
#include "store/libraries.h"
#include "tasks/task.h"

namespace understudy::library {

class CleanCollections final : public tasks::ScheduledTask {
public:
    /// References outlive it.
    CleanCollections(store::LibraryStore& libraries, store::Collections& collections,
                     std::shared_ptr<const FileSystem> files)
        : libraries_(libraries), collections_(collections), files_(std::move(files)) {}

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    /// Libraries with a folder that is not to be seen now, whatever the last scan saw: at start-up discs come late.
    [[nodiscard]] core::Result<std::vector<core::LibraryId>> away(tasks::Run& run) const;

    store::LibraryStore& libraries_;
    store::Collections& collections_;
    std::shared_ptr<const FileSystem> files_;
};

}  // namespace understudy::library
