#include "app/cli/progress_watch.h"

#include <fmt/format.h>

#include <cmath>

namespace understudy::app {
namespace {

using Time = ProgressWatch::Time;
using namespace std::chrono_literals;

constexpr Time window = 60s;         // tasks move file by file: less would show single large files
constexpr Time too_short = 5s;       // before that a rate is chance
constexpr double follow = 15'000.0;  // ms after which a new rate has two thirds of its weight

}  // namespace

void ProgressWatch::saw(Time at, double percent) {
    if (!samples_.empty() && percent < samples_.back().percent) {
        samples_.clear();
        end_.reset();
    }
    samples_.push_back({at, percent});
    while (samples_.size() > 2 && at - samples_[1].at >= window) samples_.pop_front();
    const auto rate = percent_a_minute();
    if (!rate) return;
    const auto fresh = at + Time{std::llround((100.0 - percent) / *rate * 60'000.0)};
    if (!end_) {
        end_ = fresh;
    } else {
        const auto weight = 1.0 - std::exp(-static_cast<double>((at - told_at_).count()) / follow);
        *end_ += Time{std::llround(weight * static_cast<double>((fresh - *end_).count()))};
    }
    told_at_ = at;
}

std::optional<double> ProgressWatch::percent_a_minute() const {
    if (samples_.size() < 2) return std::nullopt;
    const auto took = samples_.back().at - samples_.front().at;
    const auto gained = samples_.back().percent - samples_.front().percent;
    if (took < too_short || gained <= 0) return std::nullopt;
    return gained / (static_cast<double>(took.count()) / 60'000.0);
}

std::optional<Time> ProgressWatch::left(Time now) const {
    if (!end_ || !percent_a_minute()) return std::nullopt;
    return std::max(*end_ - now, Time{0});
}

std::string ProgressWatch::text(Time now) const {
    const auto rate = percent_a_minute();
    const auto remaining = left(now);
    if (!rate || !remaining) return {};
    return fmt::format("{:.{}f} %/min, {} left", *rate, *rate < 9.95 ? 1 : 0, rough_duration(*remaining));
}

std::string rough_duration(std::chrono::milliseconds duration) {
    const auto minutes = std::chrono::round<std::chrono::minutes>(duration).count();
    if (duration < 1min) return "less than a minute";
    if (minutes < 60) return fmt::format("about {} min", minutes);
    const auto tens = (minutes + 5) / 10 * 10;  // an hour ahead nobody knows the minute
    if (tens % 60 == 0) return fmt::format("about {} h", tens / 60);
    return fmt::format("about {} h {} min", tens / 60, tens % 60);
}

bool LinePace::due(ProgressWatch::Time now) {
    constexpr Time first = 10s, each = 30s;
    if (!next_) next_ = now + first;
    if (now < *next_) return false;
    next_ = now + each;
    return true;
}

}  // namespace understudy::app
