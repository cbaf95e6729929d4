// library/optimize_database.h: the task OptimizeDatabaseTask: analyses and blobs that nothing names go, then the
// database is made quick and small again. Its group keeps it from starting while a scan runs. Wired by app, run by the
// task engine.
#pragma once

#include "store/analyses.h"
#include "store/blobs.h"
#include "store/maintenance.h"
#include "tasks/task.h"

namespace understudy::library {

class OptimizeDatabase final : public tasks::ScheduledTask {
public:
    /// References outlive it.
    OptimizeDatabase(store::Analyses& analyses, store::BlobStore& blobs, store::BlobReferences& references,
                     store::Maintenance& maintenance)
        : analyses_(analyses), blobs_(blobs), references_(references), maintenance_(maintenance) {}

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    [[nodiscard]] core::Result<void> purge_analyses(tasks::Run& run, const std::string& cursor);
    [[nodiscard]] core::Result<void> remove_blobs(tasks::Run& run, const std::string& cursor);
    [[nodiscard]] core::Result<void> keep_up(tasks::Run& run);
    [[nodiscard]] core::Result<void> carry_out(tasks::Run& run, const store::UpkeepStep& step, double at);

    store::Analyses& analyses_;
    store::BlobStore& blobs_;
    store::BlobReferences& references_;
    store::Maintenance& maintenance_;
};

}  // namespace understudy::library
