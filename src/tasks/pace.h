// tasks/pace.h: how fast a run works and how long it has left, for people. Told by tasks in their own unit of work,
// measured by ActiveRun, kept with the run's beat.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"

namespace understudy::tasks {

/// Of a run that is at work; no unit: its task does not say.
struct Pace {
    std::string unit;                  ///< of what: `files`, `s of media`, `MB`
    double per_second = 0;             ///< over about the last half minute
    std::optional<core::Millis> left;  ///< at this pace; nullopt: nobody can tell yet
    friend bool operator==(const Pace&, const Pace&) = default;
};

/// Measures it over a window, so that one long file does not make the estimate jump. Not thread-safe.
class PaceMeter {
public:
    /// The longest look back, and how long work must have been seen before a pace is told.
    static constexpr core::Nanos window = std::chrono::seconds{30}, at_least = std::chrono::seconds{2};

    /// `done` of `total`, both in `unit`. A new unit, or less done than before, is a new piece of work.
    void note(core::Instant now, std::string_view unit, double done, double total);
    [[nodiscard]] Pace pace(core::Instant now) const;

private:
    struct Sample {
        core::Instant at;
        double done = 0;
    };
    std::string unit_;
    double done_ = 0, total_ = 0;
    std::deque<Sample> samples_;  ///< at least half a second apart: at most some 60
};

}  // namespace understudy::tasks
