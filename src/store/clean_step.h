// store/clean_step.h: how a clean-up of a large table goes on in bounded steps, each under its own fence. Used by the
// ports of store that clean, and by the tasks that call them until `cursor` is empty.
#pragma once

#include <cstdint>
#include <string>

namespace understudy::store {

/// `cursor` goes into the next call (and may be a run's cursor: text, its meaning is the port's); empty: that was all.
struct CleanStep {
    std::int64_t looked_at = 0;
    std::int64_t removed = 0;
    std::string cursor;
};

}  // namespace understudy::store
