// What every Maintenance must do, and what each database's own care must come to.
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

#include "contract/scan_store/store_fixture.h"
#include "store/sql/sql_maintenance.h"

namespace understudy::testing {

using store::Upkeep;
using store::UpkeepStep;
using store::sql::Access;
using store::sql::Row;
using store::sql::Session;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class MaintenanceContract : public StoreFixture {
protected:
    void SetUp() override {
        StoreFixture::SetUp();
        settings_.vacuum_bytes = 1024 * 1024;
        make();
    }
    void make() { maintenance_ = std::make_unique<store::sql::SqlMaintenance>(*database_, settings_); }
    std::vector<UpkeepStep> plan() {
        auto found = maintenance_->plan();
        ok(found);
        return found.value_or(std::vector<UpkeepStep>{});
    }
    /// The step of that kind (and table, where one is named); nullopt: not planned.
    std::optional<UpkeepStep> planned(Upkeep kind, const std::string& table = {}) {
        for (auto& step : plan()) {
            if (step.kind == kind && (table.empty() || step.table == table)) return step;
        }
        return std::nullopt;
    }
    store::UpkeepResult carry_out(const UpkeepStep& step) {
        auto done = maintenance_->carry_out(step, [] { return false; });
        ok(done);
        return done.value_or(store::UpkeepResult{"failed", 0});
    }
    /// A table of its own, of which `gone` rows of 1,000 bytes were deleted.
    void fill(int rows, int gone) {
        ok(sql("CREATE TABLE rubbish (id BIGINT PRIMARY KEY, more TEXT)"));
        ok(sql("INSERT INTO rubbish WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < " +
               std::to_string(rows - 1) + ") SELECT x, " + (on_sqlite() ? "hex(zeroblob(500))" : "repeat('0', 1000)") +
               " FROM n"));
        ok(sql("DELETE FROM rubbish WHERE id < " + std::to_string(gone)));
        if (!on_sqlite()) tell_statistics();
    }
    [[nodiscard]] static bool on_sqlite() { return GetParam() == DatabaseKind::sqlite; }
    // PostgreSQL counts rows when a session has been idle for a second; this asks each of the pool's to count now.
    void tell_statistics() {
        ok(database_->with(Access::write, [](Session& session) {
            return session.query("SELECT CAST(CAST(pg_stat_force_next_flush() AS TEXT) AS TEXT)", {},
                                 [](const Row&) {});
        }));
        ok(sql("SELECT 1"));
    }
    std::int64_t rows_left() {
        std::int64_t left = 0;
        ok(database_->with(Access::read, [&](Session& session) {
            return session.query("SELECT count(*) FROM rubbish", {}, [&](const Row& row) { left = row.integer(0); });
        }));
        return left;
    }

    store::sql::MaintenanceSettings settings_;
    std::unique_ptr<store::Maintenance> maintenance_;
};

TEST_P(MaintenanceContract, only_the_run_that_owns_the_task_passes) {
    ok(maintenance_->pass(fence_));
    const auto again = maintenance_->pass(fence_);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, Errc::fenced);
}

TEST_P(MaintenanceContract, a_database_at_rest_has_no_vacuum_to_do) {
    fill(20'000, 20'000 / 100);
    const auto step = planned(Upkeep::vacuum);
    if (!on_sqlite()) {
        EXPECT_FALSE(step);
        return;
    }
    ASSERT_TRUE(step);
    EXPECT_THAT(step->skip, HasSubstr("too little to pay"));
    EXPECT_FALSE(step->wanted);
}

TEST_P(MaintenanceContract, what_was_deleted_is_vacuumed_once_and_nothing_else_is_lost) {
    fill(20'000, 15'000);
    const auto step = planned(Upkeep::vacuum);
    ASSERT_TRUE(step);
    EXPECT_THAT(step->skip, IsEmpty());
    EXPECT_GT(step->size_bytes, 0);
    const auto result = carry_out(*step);
    EXPECT_THAT(result.skipped, IsEmpty());
    EXPECT_EQ(rows_left(), 5'000);
    const auto again = planned(Upkeep::vacuum);
    if (on_sqlite()) {
        EXPECT_GT(result.freed_bytes, 10'000'000);
        EXPECT_LT(std::filesystem::file_size(base_->file()), 10'000'000U);
        EXPECT_THAT(again->skip, Not(IsEmpty()));
    } else {
        EXPECT_EQ(step->table, "public.rubbish");
        EXPECT_FALSE(again);
        EXPECT_FALSE(planned(Upkeep::statistics, "public.rubbish")) << "VACUUM has analysed it too";
    }
}

TEST_P(MaintenanceContract, all_that_is_planned_can_be_carried_out) {
    fill(2'000, 10);
    for (const auto& step : plan()) {
        if (!step.skip.empty()) continue;
        EXPECT_THAT(carry_out(step).skipped, IsEmpty()) << step.table;
    }
    if (on_sqlite()) return;
    EXPECT_THAT(plan(), IsEmpty()) << "and then there is nothing to do";
}

INSTANTIATE_TEST_SUITE_P(databases, MaintenanceContract, both_databases(), database_name);

class SqliteMaintenance : public MaintenanceContract {};

TEST_P(SqliteMaintenance, no_vacuum_where_the_disc_is_too_full_and_people_are_told) {
    fill(20'000, 15'000);
    settings_.free_space = [](const std::string&) { return std::int64_t{2'000'000}; };
    make();
    const auto step = planned(Upkeep::vacuum);
    ASSERT_TRUE(step);
    EXPECT_THAT(step->skip, HasSubstr("has only 1 MiB"));
    EXPECT_TRUE(step->wanted);
}

TEST_P(SqliteMaintenance, no_vacuum_of_a_database_that_would_keep_writers_waiting_for_long) {
    fill(20'000, 15'000);
    settings_.vacuum_most_bytes = 1'000'000;
    make();
    const auto step = planned(Upkeep::vacuum);
    ASSERT_TRUE(step);
    EXPECT_THAT(step->skip, HasSubstr("stop the server and run VACUUM"));
    EXPECT_TRUE(step->wanted);
}

TEST_P(SqliteMaintenance, the_log_is_empty_after_a_checkpoint) {
    fill(20'000, 0);
    const auto log = base_->file() + "-wal";
    ASSERT_GT(std::filesystem::file_size(log), 0U);
    const auto step = planned(Upkeep::checkpoint);
    ASSERT_TRUE(step);
    (void)carry_out(*step);
    EXPECT_EQ(std::filesystem::file_size(log), 0U);
}

TEST_P(SqliteMaintenance, readers_go_on_while_it_is_vacuumed) {
    fill(60'000, 40'000);
    const auto step = planned(Upkeep::vacuum);
    ASSERT_TRUE(step);
    std::atomic<bool> done{false};
    std::atomic<int> wrong{0}, looks{0};
    std::thread reader([&] {
        while (!done) {
            if (rows_left() != 20'000) ++wrong;
            ++looks;
        }
    });
    const auto result = maintenance_->carry_out(*step, [] { return false; });
    done = true;
    reader.join();
    ok(result);
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(looks, 0);
}

INSTANTIATE_TEST_SUITE_P(databases, SqliteMaintenance, ::testing::Values(DatabaseKind::sqlite), database_name);

class PostgresMaintenance : public MaintenanceContract {};

TEST_P(PostgresMaintenance, a_locked_table_is_left_out_at_once_and_that_is_said) {
    fill(20'000, 15'000);
    const auto step = planned(Upkeep::vacuum);
    ASSERT_TRUE(step);
    ok(base_->open()->with(Access::write, [&](Session& other) {
        return other.transaction([&]() -> Result<void> {
            auto locked = other.execute("LOCK TABLE rubbish IN SHARE UPDATE EXCLUSIVE MODE");
            if (!locked) return tl::unexpected(locked.error());
            EXPECT_THAT(carry_out(*step).skipped, HasSubstr("locked"));
            return {};
        });
    }));
    EXPECT_TRUE(planned(Upkeep::vacuum)) << "it is still to be done";
    EXPECT_THAT(carry_out(*step).skipped, IsEmpty());
}

TEST_P(PostgresMaintenance, writers_go_on_beside_it_and_the_session_is_as_before) {
    fill(20'000, 15'000);
    const auto step = planned(Upkeep::vacuum);
    ASSERT_TRUE(step);
    const auto other = base_->open();
    ok(other->with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> Result<void> {
            auto written = session.execute("UPDATE rubbish SET more = '' WHERE id = 19999");
            if (!written) return tl::unexpected(written.error());
            EXPECT_THAT(carry_out(*step).skipped, IsEmpty()) << "a row of it is being written";
            return {};
        });
    }));
    ok(database_->with(Access::write, [](Session& session) -> Result<void> {
        std::string limit;
        auto shown = session.query("SHOW lock_timeout", {}, [&](const Row& row) { limit = row.text(0); });
        EXPECT_EQ(limit, "8s");
        return shown;
    }));
}

INSTANTIATE_TEST_SUITE_P(databases, PostgresMaintenance, ::testing::Values(DatabaseKind::postgresql), database_name);

}  // namespace understudy::testing
