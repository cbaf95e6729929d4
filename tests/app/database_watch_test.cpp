#include "app/database_watch.h"

#include <gtest/gtest.h>

#include "http/fakes.h"
#include "support/manual_clock.h"

namespace understudy::app {
namespace {

using namespace std::chrono_literals;
using testing::ManualClock;
using testing::RecordingLog;

/// A database that is away when told to; blocks nobody.
class Switch final : public store::sql::Database {
public:
    explicit Switch(std::atomic<bool>& away, std::atomic<int>& pings) : away_(away), pings_(pings) {}
    store::sql::Dialect dialect() const noexcept override { return store::sql::Dialect::postgresql; }
    core::Result<void> with(store::sql::Access,
                            const std::function<core::Result<void>(store::sql::Session&)>&) override {
        return answer();
    }
    core::Result<void> ping() override {
        ++pings_;
        return answer();
    }

private:
    core::Result<void> answer() const {
        if (away_) return core::fail(core::Errc::unavailable, "connection refused");
        return {};
    }
    std::atomic<bool>& away_;
    std::atomic<int>& pings_;
};

TEST(OutageTeller, one_line_when_it_goes_and_one_when_it_is_back) {
    RecordingLog log;
    ManualClock clock;
    OutageTeller teller("PostgreSQL host=db port=5432", log);
    teller.on_ping(clock.now(), {});
    EXPECT_EQ(log.count(""), 0U);
    for (int i = 0; i < 5; ++i) {
        teller.on_ping(clock.now(), core::fail(core::Errc::unavailable, "connection refused"));
        clock.advance(3s);
    }
    EXPECT_EQ(log.count(""), 1U);
    EXPECT_EQ(log.count("database=PostgreSQL host=db port=5432 setting=Jellyfin:Database:ConnectionString "
                        "error=connection refused"),
              1U);
    teller.on_ping(clock.now(), {});
    teller.on_ping(clock.now(), {});
    EXPECT_EQ(log.count(""), 2U);
    EXPECT_EQ(log.count("answers again: work goes on database=PostgreSQL host=db port=5432 after_seconds=15"), 1U);
}

TEST(OutageTeller, a_call_that_took_too_long_is_told_of_once_in_five_minutes) {
    RecordingLog log;
    ManualClock clock;
    OutageTeller teller("PostgreSQL", log);
    for (int i = 0; i < 4; ++i) {
        teller.on_lone_failure(clock.now(), {core::Errc::timed_out, "statement timeout"});
        clock.advance(100s);
    }
    EXPECT_EQ(log.count("warning the database answers, but a call was given up"), 2U);
    teller.on_lone_failure(clock.now(), {core::Errc::unavailable, "terminated by the administrator"});
    EXPECT_EQ(log.count("warning "), 2U) << "a connection that was lost is no outage";
}

TEST(OutageTeller, calls_that_fail_on_and_on_are_told_of_once_in_five_minutes) {
    RecordingLog log;
    ManualClock clock;
    OutageTeller teller("SQLite", log);
    const core::Error full{core::Errc::unavailable, "database or disk is full"};
    for (int i = 0; i < 20; ++i) {  // each a lost connection
        teller.on_lone_failure(clock.now(), full);
        clock.advance(1min);
    }
    EXPECT_EQ(log.count("warning "), 0U);
    for (int i = 0; i < 30; ++i) {
        teller.on_lone_failure(clock.now(), full);
        clock.advance(20s);
    }
    EXPECT_EQ(log.count("warning the database answers, but calls fail again and again: is its disc full? "
                        "database=SQLite error=database or disk is full"),
              2U);
}

TEST(DatabaseWatch, looks_at_once_when_anybody_meets_a_failure) {
    RecordingLog log;
    ManualClock clock;
    Health health;
    std::atomic<bool> away = false;
    std::atomic<int> pings = 0;
    WatchedDatabase database(std::make_unique<Switch>(away, pings));
    OutageTeller teller("PostgreSQL", log);
    DatabaseWatch watch(database, teller, health, clock);
    const auto ask = [&] {
        return database.with(store::sql::Access::read, [](auto&) { return core::Result<void>(); });
    };
    clock.await_waiters(1);
    EXPECT_TRUE(health.report().database_reachable);
    EXPECT_TRUE(ask());
    EXPECT_EQ(pings, 1);
    away = true;
    EXPECT_FALSE(ask());
    while (health.report().database_reachable) std::this_thread::yield();  // no time has passed
    EXPECT_EQ(log.count("the database does not answer"), 1U);
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(ask());
    away = false;
    clock.await_waiters(1);
    clock.advance(500ms);
    while (!health.report().database_reachable) std::this_thread::yield();
    EXPECT_EQ(log.count("the database does not answer"), 1U) << "however many met it";
    EXPECT_EQ(log.count("answers again"), 1U);
}

}  // namespace
}  // namespace understudy::app
