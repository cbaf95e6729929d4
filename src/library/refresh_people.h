// library/refresh_people.h: the task RefreshPeople: people who are one are merged, people without a credit go, and the
// rest get the pictures that lie beside their films (`.actors/First_Last.jpg`). Wired by app, run by the task engine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "library/clean_run.h"
#include "library/file_system.h"
#include "media/analyst.h"
#include "store/blobs.h"
#include "store/catalog.h"
#include "store/people.h"
#include "tasks/task.h"

namespace understudy::library {

class RefreshPeople final : public tasks::ScheduledTask {
public:
    /// A person is looked at again after so long, whatever came of it.
    static constexpr std::chrono::days again_after{30};

    /// References outlive it.
    RefreshPeople(store::People& people, store::Catalog& catalog, store::BlobStore& blobs, media::Analyst& analyst,
                  std::shared_ptr<const FileSystem> files, core::Clock& clock)
        : people_(people),
          catalog_(catalog),
          blobs_(blobs),
          analyst_(analyst),
          files_(std::move(files)),
          clock_(clock) {}

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    [[nodiscard]] core::Result<void> merge(tasks::Run& run, const CleanPlace& from);
    [[nodiscard]] core::Result<void> remove(tasks::Run& run, const CleanPlace& from);
    [[nodiscard]] core::Result<void> refresh(tasks::Run& run);
    [[nodiscard]] core::Result<std::int64_t> everyone();

    store::People& people_;
    store::Catalog& catalog_;
    store::BlobStore& blobs_;
    media::Analyst& analyst_;
    std::shared_ptr<const FileSystem> files_;
    core::Clock& clock_;
};

}  // namespace understudy::library
