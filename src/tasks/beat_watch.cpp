#include "tasks/beat_watch.h"

#include <algorithm>

namespace understudy::tasks {

void BeatWatch::saw(core::Instant now, std::span<const RunRow> live) {
    if (now.boot - looked_at_ > longest_gap_) runs_.clear();
    looked_at_ = now.boot;
    std::map<core::RunId, Watched> seen;
    for (const auto& run : live) {
        const auto old = runs_.find(run.id);
        const bool unmoved = old != runs_.end() && old->second.epoch == run.epoch && old->second.beat == run.beat;
        seen.emplace(run.id, unmoved ? old->second : Watched{run.epoch, run.beat, now.boot});
    }
    runs_ = std::move(seen);
}

bool BeatWatch::dead(core::RunId run) const {
    const auto it = runs_.find(run);
    return it != runs_.end() && looked_at_ - it->second.since >= dead_after_;
}

std::optional<core::Nanos> BeatWatch::next_death(core::Instant now) const {
    std::optional<core::Nanos> next;
    for (const auto& [run, watched] : runs_) {
        const auto left = watched.since + dead_after_ - now.boot;
        if (left > core::Nanos{0} && (!next || left < *next)) next = left;
    }
    return next;
}

}  // namespace understudy::tasks
