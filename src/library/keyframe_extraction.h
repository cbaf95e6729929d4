// library/keyframe_extraction.h: the task KeyframeExtraction: the times of each video's keyframes, from the container's
// index where it has one, never by decoding. Wired by app, run by the task engine.
#pragma once

#include "core/time.h"
#include "library/analysis_run.h"
#include "store/libraries.h"

namespace understudy::library {

class KeyframeExtraction final : public tasks::ScheduledTask {
public:
    /// `analyses` rows of this kind hold a media::KeyframeIndex as its encode() writes it.
    static constexpr const char* kind = "keyframes";

    /// References outlive it.
    KeyframeExtraction(store::LibraryStore& libraries, store::Analyses& analyses, media::Analyst& analyst,
                       core::Clock& clock)
        : libraries_(libraries), analyses_(analyses), analyst_(analyst), clock_(clock) {}

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    store::LibraryStore& libraries_;
    store::Analyses& analyses_;
    media::Analyst& analyst_;
    core::Clock& clock_;
};

}  // namespace understudy::library
