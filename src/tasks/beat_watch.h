// tasks/beat_watch.h: which live runs has this pod seen unmoved for so long that they are dead? Pure: looks go in with
// their time. Used by TaskScheduler on every pod.
#pragma once

#include <map>
#include <optional>
#include <span>

#include "core/ids.h"
#include "core/time.h"
#include "tasks/run_ledger.h"

namespace understudy::tasks {

class BeatWatch {
public:
    /// @param longest_gap between two looks; after a longer one nothing is known of the time between (this pod may have
    ///        been stopped, and the database away): the watch begins anew
    BeatWatch(core::Millis dead_after, core::Millis longest_gap) : dead_after_(dead_after), longest_gap_(longest_gap) {}

    /// All live runs, as the database just told them.
    void saw(core::Instant now, std::span<const RunRow> live);
    /// The database did not answer: nobody could have beaten, so nothing counts as unmoved.
    void missed() noexcept { runs_.clear(); }

    [[nodiscard]] bool dead(core::RunId run) const;
    /// How long until the next run will have been unmoved for long enough; nullopt: none is watched.
    [[nodiscard]] std::optional<core::Nanos> next_death(core::Instant now) const;

private:
    struct Watched {
        std::int64_t epoch = 0, beat = 0;
        core::Nanos since{};  ///< boot time: a step of the real clock must make nobody dead
    };

    core::Nanos dead_after_, longest_gap_;
    std::map<core::RunId, Watched> runs_;
    core::Nanos looked_at_{};
};

}  // namespace understudy::tasks
