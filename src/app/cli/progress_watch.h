// app/cli/progress_watch.h: how fast a run comes on, and how long it may still take, from its progress as a client sees
// it. Used by `tasks run --wait`.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

namespace understudy::app {

/// Times are any steady clock's. Owns no clock.
class ProgressWatch {
public:
    using Time = std::chrono::milliseconds;

    /// Progress that falls back (a run that goes on elsewhere) starts the watch anew.
    void saw(Time at, double percent);
    /// Of the last minute; nullopt: too little is known, or nothing moves.
    [[nodiscard]] std::optional<double> percent_a_minute() const;
    /// Steady: what it says runs down with the clock and follows the rate slowly. nullopt: not known.
    [[nodiscard]] std::optional<Time> left(Time now) const;
    /// `3.1 %/min, about 4 min left`; empty where nothing is known yet.
    [[nodiscard]] std::string text(Time now) const;

private:
    struct Sample {
        Time at{};
        double percent = 0;
    };
    std::deque<Sample> samples_;  ///< of the last minute, and the last one before it
    std::optional<Time> end_;     ///< when it is done, as last told
    Time told_at_{};
};

/// `about 4 min`, `about 2 h 10 min`, `less than a minute`.
[[nodiscard]] std::string rough_duration(std::chrono::milliseconds duration);

/// When a line is due where nobody sees one line change: the first after 10 s, then one each half minute.
class LinePace {
public:
    [[nodiscard]] bool due(ProgressWatch::Time now);

private:
    std::optional<ProgressWatch::Time> next_;
};

}  // namespace understudy::app
