// library/segment_edges.h: where the picture is black around the edges of intros and credits. Looked up once for a
// file and kept: when a season gets another episode, the others are not opened again. Used by the provider
// `fingerprint`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/time.h"
#include "library/segments/season.h"
#include "media/analyst.h"
#include "media/edges.h"
#include "store/analyses.h"
#include "tasks/task.h"

namespace understudy::library {

struct EdgeQuestion {
    const store::AnalysableSource* source = nullptr;
    std::vector<segments::Micros> edges;
};

/// By content.
struct EdgeAnswers {
    std::map<store::ContentKey, std::vector<segments::Span>> blacks;  ///< a file that cannot say has none
    std::map<store::ContentKey, core::Error> unread;                  ///< could not be read now
};

class SegmentEdges {
public:
    /// References outlive it.
    SegmentEdges(store::Analyses& analyses, media::Analyst& analyst, core::Clock& clock)
        : analyses_(analyses), analyst_(analyst), clock_(clock) {}

    static constexpr const char* kind = "edges:v1";

    /// The black stretches around each question's edges, and perhaps more. Errors: cancelled, fenced, and what the
    /// store says.
    [[nodiscard]] core::Result<EdgeAnswers> blacks(const std::vector<EdgeQuestion>& questions, tasks::Run& run);

private:
    [[nodiscard]] core::Result<void> look(const std::vector<const EdgeQuestion*>& questions, EdgeAnswers& into,
                                          tasks::Run& run);

    store::Analyses& analyses_;
    media::Analyst& analyst_;
    core::Clock& clock_;
};

/// Windows of `margin` around `edges`, from 0 to `duration` (0: unknown), sorted and apart.
[[nodiscard]] std::vector<media::TimeSpan> edge_windows(std::vector<segments::Micros> edges, segments::Micros margin,
                                                        core::Millis duration);

}  // namespace understudy::library
