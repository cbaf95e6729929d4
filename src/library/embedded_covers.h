// library/embedded_covers.h: the pictures inside media files become those of films, episodes and albums that have none
// beside them. The last step of RefreshLibrary.
#pragma once

#include <set>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "library/analysis_run.h"
#include "library/progress_slice.h"
#include "media/analyst.h"
#include "model/library.h"
#include "store/analyses.h"
#include "store/blobs.h"
#include "store/covers.h"
#include "tasks/task.h"

namespace understudy::library {

class EmbeddedCovers {
public:
    /// References outlive it.
    EmbeddedCovers(store::Covers& covers, store::Analyses& analyses, store::BlobStore& blobs, media::Analyst& analyst,
                   core::Clock& clock)
        : covers_(covers), analyses_(analyses), blobs_(blobs), analyst_(analyst), clock_(clock) {}

    /// Sees to every item of `libraries` that is due (store/covers.h): one file an item, the next one where that fails.
    /// What is stored is no longer due: a second run opens nothing, one that was killed has lost the files in flight.
    /// Counts `covers`, and where there are any `covers_removed`, `covers_failed` (remembered until the file changes)
    /// and `covers_unreadable`. Blocks. Errors: cancelled (asked to stop), fenced, and what the stores say.
    [[nodiscard]] core::Result<void> refresh(tasks::Run& run, const std::vector<model::Library>& libraries,
                                             ProgressSlice slice);

private:
    [[nodiscard]] core::Result<void> hide(tasks::Run& run, const std::vector<core::LibraryId>& libraries);
    [[nodiscard]] core::Result<void> show(tasks::Run& run, const std::vector<store::DueCover>& covers);
    [[nodiscard]] core::Result<AnalysisReport> look_into(tasks::Run& run, const std::vector<store::DueCover>& wanted,
                                                         ProgressSlice slice);

    store::Covers& covers_;
    store::Analyses& analyses_;
    store::BlobStore& blobs_;
    media::Analyst& analyst_;
    core::Clock& clock_;
};

}  // namespace understudy::library
