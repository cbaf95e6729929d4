// library/clean_run.h: a clean-up of the store within a run: bounded steps, each under the fence, until the port says
// that it was all. The run's cursor says where: a run whose pod died goes on at the step that was at work. Used by the
// tasks that clean.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "store/clean_step.h"
#include "tasks/task.h"

namespace understudy::library {

/// Which of a task's clean-ups was at work, and the port's own cursor in it.
struct CleanPlace {
    std::string phase;   ///< empty: none yet
    std::string cursor;  ///< empty: from its start

    [[nodiscard]] static CleanPlace parse(const std::string& cursor);
    [[nodiscard]] std::string str() const { return phase + ":" + cursor; }
};

struct CleanTotals {
    std::int64_t looked_at = 0, removed = 0;
};

/// One step from `cursor`; repeating it changes nothing.
using CleanWork = std::function<core::Result<store::CleanStep>(const std::string& cursor, const core::Fence& fence)>;

/// Steps `work` to its end, from `from.cursor` on; a cursor that the port does not know (of another version) counts as
/// the start. `done` hears of the sums after each step, for progress. Errors: cancelled (asked to stop; what is done
/// is done), fenced, and what `work` says.
[[nodiscard]] core::Result<CleanTotals> clean_in_steps(tasks::Run& run, const CleanPlace& from, const CleanWork& work,
                                                       const std::function<void(const CleanTotals&)>& done);

/// `part` of `whole` as a number of from..to; beyond the end counts as the end.
[[nodiscard]] double progress_within(double from, double to, std::int64_t part, std::int64_t whole) noexcept;

}  // namespace understudy::library
