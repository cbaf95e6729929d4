#include "tasks/pace.h"

#include <algorithm>
#include <cmath>

namespace understudy::tasks {
namespace {

constexpr core::Nanos apart = std::chrono::milliseconds{500};
constexpr double longest_s = 365.0 * 24 * 3600;  // what takes longer is not an estimate

}  // namespace

void PaceMeter::note(core::Instant now, std::string_view unit, double done, double total) {
    if (!std::isfinite(done) || !std::isfinite(total)) return;
    if (unit_ != unit || done < done_) {
        unit_ = unit;
        samples_.clear();
    }
    done_ = done;
    total_ = std::max(done, total);
    if (!samples_.empty() && core::elapsed(samples_.back().at, now) < apart) return;
    samples_.push_back({now, done});
    // The oldest one kept is the last that is a whole window old, so that the look back never becomes short.
    while (samples_.size() > 2 && core::elapsed(samples_[1].at, now) >= window) samples_.pop_front();
}

Pace PaceMeter::pace(core::Instant now) const {
    Pace pace{.unit = unit_};
    if (samples_.empty()) return pace;
    const auto seen = core::elapsed(samples_.front().at, now);
    if (seen < at_least) return pace;
    pace.per_second = (done_ - samples_.front().done) / std::chrono::duration<double>(seen).count();
    const double left_s = pace.per_second > 0 ? (total_ - done_) / pace.per_second : longest_s;
    if (left_s < longest_s) pace.left = core::Millis{std::llround(left_s * 1000)};
    return pace;
}

}  // namespace understudy::tasks
