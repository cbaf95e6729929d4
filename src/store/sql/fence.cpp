// store/sql/fence.cpp: pass_fence, the one rule by which a run may write.
#include "core/fence.h"

#include <optional>

#include "store/sql/session.h"

namespace understudy::store::sql {

core::Result<void> pass_fence(Session& session, const core::Fence& fence) {
    // One statement locks, compares and adds. On PostgreSQL an UPDATE that touches no key column takes the row FOR NO
    // KEY UPDATE; if it had to wait for another writer it compares again with what that one left.
    const auto cursor = fence.cursor ? Value{*fence.cursor} : Value{Null{}};
    const auto passed = session.execute(
        "UPDATE task_runs SET cursor_seq = cursor_seq + 1, cursor = COALESCE(?, cursor) "
        "WHERE run_id = ? AND epoch = ? AND cursor_seq = ? AND state IN ('running', 'cancelling')",
        {cursor, fence.run.str(), fence.epoch, fence.cursor_seq});
    if (!passed) return tl::unexpected(passed.error());
    if (*passed == 1) return {};

    std::string found = "the run is gone";
    const auto looked = session.query(
        "SELECT epoch, state, cursor_seq FROM task_runs WHERE run_id = ?", {fence.run.str()}, [&](const Row& row) {
            found = "it is " + row.text(1) + " at epoch " + std::to_string(row.integer(0)) + ", write " +
                    std::to_string(row.integer(2));
        });
    if (!looked) return tl::unexpected(looked.error());
    return core::fail(core::Errc::fenced, "run " + fence.run.str() + " at epoch " + std::to_string(fence.epoch) +
                                              ", write " + std::to_string(fence.cursor_seq) +
                                              " may write no more: " + found);
}

}  // namespace understudy::store::sql
