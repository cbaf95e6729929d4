// tests/cluster/eventually.h: waiting for something that real processes bring about: a look, not a guess of how long it
// takes.
#pragma once

#include <thread>

#include "core/time.h"

namespace understudy::testing {

template <class Condition>
bool eventually(core::Millis at_most, Condition done) {
    const core::SystemClock clock;
    const auto begun = clock.now();
    while (!done()) {
        if (clock.now().boot - begun.boot > at_most) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds{20});  // between two looks
    }
    return true;
}

}  // namespace understudy::testing
