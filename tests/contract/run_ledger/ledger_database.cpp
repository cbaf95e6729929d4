#include "contract/run_ledger/ledger_database.h"

#include <atomic>
#include <stdexcept>

#include "support/databases.h"
#include "support/memory_ledger_tables.h"
#include "tasks/database/sql_ledger_tables.h"

namespace understudy::testing {
namespace {

class MemoryLedgerDatabase final : public LedgerDatabase {
public:
    tasks::LedgerTables& tables() override { return tables_; }
    void pass_time(core::Millis by) override { now_ms_ += by.count(); }

private:
    std::atomic<std::int64_t> now_ms_{1'800'000'000'000};
    MemoryLedgerRows rows_;
    MemoryLedgerTables tables_{rows_, [this] { return core::from_unix_ms(now_ms_); }};
};

class SqlLedgerDatabase final : public LedgerDatabase {
public:
    explicit SqlLedgerDatabase(DatabaseKind kind) : test_(make_test_database(kind)), database_(test_->open(10)) {
        const auto migrated = store::sql::migrate(*database_);
        if (!migrated) throw std::runtime_error(migrated.error().context);
        tables_ = std::make_unique<tasks::database::SqlLedgerTables>(*database_);
    }
    tasks::LedgerTables& tables() override { return *tables_; }
    void pass_time(core::Millis by) override {
        age("cluster_state", {"cluster_started_at"}, by);
        age("task_state", {"next_slot", "slots_after", "pending_not_before", "last_end", "last_start"}, by);
        age("task_slots", {"slot_at"}, by);
        age("task_runs", {"slot_at", "started_at", "ended_at", "heartbeat_at"}, by);
        age("task_beats", {"beat_at"}, by);
        age("task_skips", {"slot_at", "skipped_at"}, by);
        const auto done = tables_->transaction([&](tasks::LedgerTransaction& tx) -> core::Result<void> {
            for (auto task : tx.tasks()) {
                for (auto& trigger : task.triggers) trigger.created_at -= by;
                tx.update_task(task);
            }
            return {};
        });
        if (!done) throw std::runtime_error(done.error().context);
    }

private:
    void age(const std::string& table, const std::vector<std::string>& columns, core::Millis by) {
        const auto amount = std::to_string(by.count());
        std::string sql = "UPDATE " + table + " SET ";
        for (const auto& column : columns)
            sql += (&column == &columns.front() ? "" : ", ") + column + " = " + column + " - " + amount;
        const auto done =
            database_->with(store::sql::Access::write, [&](store::sql::Session& session) -> core::Result<void> {
                const auto touched = session.execute(sql);
                if (!touched) return tl::unexpected(touched.error());
                return {};
            });
        if (!done) throw std::runtime_error(done.error().context);
    }

    std::unique_ptr<TestDatabase> test_;
    std::unique_ptr<store::sql::Database> database_;
    std::unique_ptr<tasks::LedgerTables> tables_;
};

}  // namespace

std::unique_ptr<LedgerDatabase> make_ledger_database(LedgerKind kind) {
    switch (kind) {
        case LedgerKind::memory:
            return std::make_unique<MemoryLedgerDatabase>();
        case LedgerKind::sqlite:
            return std::make_unique<SqlLedgerDatabase>(DatabaseKind::sqlite);
        case LedgerKind::postgresql:
            return std::make_unique<SqlLedgerDatabase>(DatabaseKind::postgresql);
    }
    return nullptr;
}

}  // namespace understudy::testing
