#include "library/clean_run.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace understudy::library {

CleanPlace CleanPlace::parse(const std::string& cursor) {
    const auto end = cursor.find(':');
    if (end == std::string::npos) return {};
    return {cursor.substr(0, end), cursor.substr(end + 1)};
}

core::Result<CleanTotals> clean_in_steps(tasks::Run& run, const CleanPlace& from, const CleanWork& work,
                                         const std::function<void(const CleanTotals&)>& done) {
    CleanTotals totals;
    auto place = from;
    for (;;) {
        if (run.should_stop()) return core::fail(core::Errc::cancelled, place.phase);
        std::optional<store::CleanStep> step;
        const auto sent = run.commit(place.str(), [&](const core::Fence& fence) -> core::Result<void> {
            step.reset();
            auto one = work(place.cursor, fence);
            if (!one) return tl::unexpected(one.error());
            step = std::move(*one);
            return {};
        });
        if (!sent && sent.error().code == core::Errc::invalid && !place.cursor.empty()) {
            place.cursor.clear();
            continue;
        }
        if (!sent) return tl::unexpected(sent.error());
        if (!step) continue;  // written, but the answer was lost: only the port can say where it goes on
        totals.looked_at += step->looked_at;
        totals.removed += step->removed;
        if (done) done(totals);
        if (step->cursor.empty()) return totals;
        place.cursor = std::move(step->cursor);
    }
}

double progress_within(double from, double to, std::int64_t part, std::int64_t whole) noexcept {
    if (whole <= 0) return to;
    const auto share = static_cast<double>(std::clamp<std::int64_t>(part, 0, whole)) / static_cast<double>(whole);
    return from + (to - from) * share;
}

}  // namespace understudy::library
