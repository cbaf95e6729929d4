// tests/contract/run_ledger/ledger_database.h: one ledger's rows in memory, SQLite or PostgreSQL, whose time a test
// moves. Used by the contract suite of RunLedger, so that memory cannot drift from the real thing.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>

#include "core/time.h"
#include "tasks/ledger_tables.h"

namespace understudy::testing {

enum class LedgerKind { memory, sqlite, postgresql };
inline std::ostream& operator<<(std::ostream& out, LedgerKind kind) {
    return out << (kind == LedgerKind::memory ? "memory" : kind == LedgerKind::sqlite ? "sqlite" : "postgresql");
}

class LedgerDatabase {
public:
    virtual ~LedgerDatabase() = default;
    [[nodiscard]] virtual tasks::LedgerTables& tables() = 0;
    /// The database's clock goes on. A real database's cannot be moved: there everything that was becomes older.
    virtual void pass_time(core::Millis by) = 0;
};
[[nodiscard]] std::unique_ptr<LedgerDatabase> make_ledger_database(LedgerKind kind);

}  // namespace understudy::testing
