// tests/model/ledger/explorer.h: breadth-first through all worlds of a scope; from each one a fault-free continuation.
#pragma once

#include <cstddef>
#include <string>

#include "model/ledger/world.h"

namespace understudy::testing::model {

struct Findings {
    std::string violation;  ///< empty: none
    std::string trace;      ///< the steps that led to it
    std::size_t states = 0;
    std::size_t transitions = 0;
    int longest_ticks = 0;  ///< from a state to rest, without faults
    int most_killed = 0;    ///< live runs killed in one continuation
};

struct Limits {
    bool liveness = true;
    std::size_t most_states = 3'000'000;
};

[[nodiscard]] Findings explore(const Scope& scope, Without without = Without::nothing, Limits limits = {});

}  // namespace understudy::testing::model
