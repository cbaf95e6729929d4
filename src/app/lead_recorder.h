// app/lead_recorder.h: writes this pod's own terms into the history of who led, and tells the other pods of a new one.
// Fed by PodReporter with each look, by Parts when it stops.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "cluster/lead_history.h"
#include "core/log.h"
#include "core/time.h"
#include "lease/scan_leader_lease.h"

namespace understudy::app {

/// Safe from any thread; calls block on the database. What could not be written is tried again at the next look.
class LeadRecorder {
public:
    struct Settings {
        std::string pod;  ///< label
        core::BootId boot;
        std::function<void()> on_new_term = [] {};  ///< once a term, after it was written
    };
    LeadRecorder(Settings settings, cluster::LeadHistory& history, core::Clock& clock, core::Log& log)
        : settings_(std::move(settings)), history_(history), clock_(clock), log_(log) {}

    void look(const lease::LeaseView& view);

private:
    const Settings settings_;
    cluster::LeadHistory& history_;
    core::Clock& clock_;
    core::Log& log_;
    std::mutex mutex_;
    std::optional<std::int64_t> open_;  ///< the term that is written and has no end yet
};

}  // namespace understudy::app
