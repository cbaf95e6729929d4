// core/fence.h: who writes. Every write of a run carries this and the database compares it in the same transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.h"

namespace understudy::core {

/// A write is accepted only while the run's row is `running` or `cancelling` at this epoch and this cursor_seq; then
/// cursor_seq grows by one, so that even a copied process image cannot write twice (docs/adr/0001).
struct Fence {
    RunId run;
    std::int64_t epoch = 0;
    std::int64_t cursor_seq = 0;
    std::optional<std::string> cursor;  ///< the cursor to store with this write; nullopt leaves it as it is
};

}  // namespace understudy::core
