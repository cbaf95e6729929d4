// store/sql/kept_totals.h: how many items a large list has, as counted at most a second ago: counting 20,000 costs four
// times what a page of them does, and clients ask page after page. Used by SqlCatalog.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/sql/statement.h"

namespace understudy::store::sql {

/// Safe from any thread. Only totals of `least` and more are kept: fewer are counted anew, and exactly.
class KeptTotals {
public:
    using Instant = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds kept_for{1'000};
    static constexpr std::size_t least = 5'000;
    static constexpr std::size_t most_lists = 256;

    /// nullopt: count it, and keep() it. Of those who ask once it is too old one counts; the others get what was.
    [[nodiscard]] std::optional<std::size_t> find(const Statement& count, Instant now);
    void keep(const Statement& count, std::size_t total, Instant now);

private:
    struct Total {
        std::size_t total = 0;
        Instant counted_at;
    };
    std::mutex mutex_;
    std::unordered_map<std::string, Total> totals_;  ///< by statement and values
};

}  // namespace understudy::store::sql
