// tasks/database/sql_ledger_tables.h: the ledger's rows in SQLite or PostgreSQL (store/migrations/0001_ledger.sql). app
// builds it under the TransactionalRunLedger, which has the rules.
#pragma once

#include "store/sql/session.h"
#include "tasks/ledger_tables.h"

namespace understudy::tasks::database {

/// Safe from any thread: each call takes a session of its own.
class SqlLedgerTables final : public LedgerTables {
public:
    /// `database` is migrated and outlives the tables.
    explicit SqlLedgerTables(store::sql::Database& database) : database_(database) {}

    [[nodiscard]] core::Result<void> transaction(
        const std::function<core::Result<void>(LedgerTransaction&)>& work) override;
    [[nodiscard]] core::Result<void> look(const std::function<void(LedgerView&)>& work) override;

private:
    store::sql::Database& database_;
};

}  // namespace understudy::tasks::database
