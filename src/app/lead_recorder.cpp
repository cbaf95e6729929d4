#include "app/lead_recorder.h"

#include <algorithm>

namespace understudy::app {

void LeadRecorder::look(const lease::LeaseView& view) {
    const std::lock_guard lock(mutex_);
    if (view.standing == lease::Standing::leader && view.holder && !view.single) {
        const auto led_for =
            std::max(core::Millis{0}, std::chrono::duration_cast<core::Millis>(clock_.utc_now() - view.holder->since));
        const auto noted = history_.note(settings_.pod, settings_.boot, view.term, led_for);
        if (!noted) {
            log_.debug("the term of this pod could not be written", {{"error", noted.error().context}});
            return;
        }
        open_ = view.term;
        if (*noted) settings_.on_new_term();
        return;
    }
    if (!open_) return;
    if (const auto ended = history_.end(settings_.boot, *open_); !ended) {
        log_.debug("the end of this pod's term could not be written", {{"error", ended.error().context}});
        return;
    }
    open_.reset();
}

}  // namespace understudy::app
