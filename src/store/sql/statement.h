// store/sql/statement.h: a statement that grows with its parameters, and small words for results. Used by the SQL
// adapters.
#pragma once

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/fence.h"
#include "store/sql/bulk_rows.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

struct Statement {
    std::string text;
    std::vector<Value> values;

    Statement& add(const std::string& more, std::vector<Value> parameters = {}) {
        text += more;
        std::move(parameters.begin(), parameters.end(), std::back_inserter(values));
        return *this;
    }
    /// `text` followed by `column IN (…)`.
    Statement& add_in(const std::string& more, std::string_view column, BulkRows& rows) {
        return add(more + rows.in(column), rows.take());
    }
    Statement& add_from(const std::string& more, BulkRows& rows) { return add(more + rows.from(), rows.take()); }
    [[nodiscard]] core::Result<std::int64_t> execute(Session& session) const { return session.execute(text, values); }
    [[nodiscard]] core::Result<void> query(Session& session, const std::function<void(const Row&)>& each) const {
        return session.query(text, values, each);
    }
};

/// A result whose count nobody wants.
[[nodiscard]] inline core::Result<void> uncounted(const core::Result<std::int64_t>& result) {
    if (!result) return tl::unexpected(result.error());
    return {};
}

/// How PostgreSQL finds rows: by their keys whatever it takes a table for, or as its planner decides.
enum class Lookups { by_key, as_planned };

/// One fenced writing transaction with the limit of a bulk write.
[[nodiscard]] inline core::Result<void> write_under(Database& database, const core::Fence& fence,
                                                    const std::function<core::Result<void>(Session&)>& work,
                                                    Lookups lookups = Lookups::by_key) {
    return database.with(Access::write, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.transaction([&]() -> core::Result<void> {
            if (auto passed = pass_fence(session, fence); !passed) return passed;
            if (lookups == Lookups::by_key && session.dialect() == Dialect::postgresql) {
                // As SqlScanStore::apply: before the first ANALYZE of a growing table it would be read whole.
                if (auto set = session.execute("SET LOCAL enable_seqscan = off"); !set) return uncounted(set);
            }
            return work(session);
        });
    });
}

}  // namespace understudy::store::sql
