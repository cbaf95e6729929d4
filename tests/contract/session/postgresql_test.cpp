// What only a server can do to us: go away, freeze, throw a session out, announce.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "store/sql/session.h"
#include "support/postgres_server.h"

namespace understudy::testing {

using namespace understudy::store::sql;
using namespace std::chrono_literals;
using core::Errc;
using core::Result;
using std::chrono::steady_clock;

namespace {

void ok(const Result<void>& result) {
    ASSERT_TRUE(result) << result.error().context;
}

Result<void> look(Database& database) {
    return database.with(Access::read,
                         [](Session& session) { return session.query("SELECT 1", {}, [](const Row&) {}); });
}

}  // namespace

TEST(PostgreSql, a_server_that_was_restarted_is_found_again) {
    PostgresServer server;
    const auto database = open_postgresql(server.conninfo(), 2);
    ok(look(*database));
    server.stop();
    const auto away = look(*database);
    ASSERT_FALSE(away);
    EXPECT_EQ(away.error().code, Errc::unavailable);
    EXPECT_FALSE(database->ping());
    server.start();
    ok(look(*database));
    ok(database->ping());
}

TEST(PostgreSql, a_frozen_server_costs_a_statement_its_limit_and_a_ping_two_seconds) {
    PostgresServer server;
    const auto database = open_postgresql(server.conninfo(), 2);
    ok(look(*database));
    server.freeze();
    auto from = steady_clock::now();
    const auto pinged = database->ping();
    EXPECT_FALSE(pinged);
    EXPECT_LT(steady_clock::now() - from, 2500ms);
    from = steady_clock::now();
    const auto late = database->with(Access::read, [](Session& session) {
        session.set_limit(1s);
        return session.query("SELECT 1", {}, [](const Row&) {});
    });
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, Errc::timed_out) << late.error().context;
    EXPECT_LT(steady_clock::now() - from, 5s);
    server.thaw();
    ok(look(*database));
}

TEST(PostgreSql, a_slow_statement_ends_at_its_limit_and_the_session_lives_on) {
    const auto database = open_postgresql(PostgresServer::shared().conninfo(), 1);
    ok(database->with(Access::read, [](Session& session) -> Result<void> {
        session.set_limit(1s);
        const auto late = session.query("SELECT pg_sleep(20)", {}, [](const Row&) {});
        EXPECT_EQ(late ? Errc::invalid : late.error().code, Errc::timed_out);
        return session.query("SELECT 1", {}, [](const Row&) {});
    }));
}

TEST(PostgreSql, sessions_carry_the_limits_that_free_a_dead_pods_locks) {
    const auto database = open_postgresql(PostgresServer::shared().conninfo(), 1);
    ok(database->with(Access::read, [](Session& session) -> Result<void> {
        const std::vector<std::pair<std::string, std::string>> wanted{{"idle_in_transaction_session_timeout", "10s"},
                                                                      {"statement_timeout", "9500ms"},
                                                                      {"lock_timeout", "8s"},
                                                                      {"tcp_keepalives_idle", "10"},
                                                                      {"tcp_keepalives_interval", "5"},
                                                                      {"tcp_keepalives_count", "3"},
                                                                      {"application_name", "understudy"}};
        for (const auto& [name, value] : wanted) {
            std::string found;
            auto looked =
                session.query("SELECT current_setting(?)", {name}, [&](const Row& row) { found = row.text(0); });
            if (!looked) return looked;
            EXPECT_EQ(found, value) << name;
        }
        return {};
    }));
}

TEST(PostgreSql, a_pod_that_freezes_inside_a_transaction_holds_its_locks_no_longer_than_15_seconds) {
    const auto conninfo = PostgresServer::shared().make_database();
    const auto frozen = open_postgresql(conninfo, 1), other = open_postgresql(conninfo, 1);
    const auto bump = [](Session& session) -> Result<void> {
        auto done = session.execute("UPDATE runs SET n = n + 1");
        if (!done) return tl::unexpected(done.error());
        return {};
    };
    ok(frozen->with(Access::write, [](Session& session) -> Result<void> {
        auto made = session.execute("CREATE TABLE runs AS SELECT 0 AS n");
        if (!made) return tl::unexpected(made.error());
        return {};
    }));
    const auto late = frozen->with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> Result<void> {
            if (auto locked = bump(session); !locked) return locked;
            const auto from = steady_clock::now();  // frozen from here on
            Result<void> taken;
            do {
                taken = other->with(Access::write, bump);
            } while (!taken && taken.error().code == Errc::timed_out && steady_clock::now() - from < 30s);
            EXPECT_TRUE(taken) << taken.error().context;
            EXPECT_LT(steady_clock::now() - from, 15s);
            return bump(session);
        });
    });
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, Errc::unavailable) << late.error().context;
    std::int64_t n = 0;
    ok(other->with(Access::read, [&](Session& session) {
        return session.query("SELECT n FROM runs", {}, [&](const Row& row) { n = row.integer(0); });
    }));
    EXPECT_EQ(n, 1);
}

TEST(PostgreSql, a_session_that_was_thrown_out_is_replaced) {
    auto& server = PostgresServer::shared();
    const auto database = open_postgresql(server.make_database(), 1);
    std::int64_t pid = 0;
    ok(database->with(Access::write, [&](Session& session) {
        return session.query("SELECT pg_backend_pid()", {}, [&](const Row& row) { pid = row.integer(0); });
    }));
    const auto out = database->with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> Result<void> {
            server.sql("SELECT pg_terminate_backend(" + std::to_string(pid) + ", 5000)");
            return session.query("SELECT 1", {}, [](const Row&) {});
        });
    });
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().code, Errc::unavailable) << out.error().context;
    std::int64_t next = 0;
    ok(database->with(Access::write, [&](Session& session) {
        return session.query("SELECT pg_backend_pid()", {}, [&](const Row& row) { next = row.integer(0); });
    }));
    EXPECT_NE(next, pid);
}

TEST(PostgreSql, a_deadlock_is_tried_again) {
    auto& server = PostgresServer::shared();
    const auto database = open_postgresql(server.make_database(), 4);
    ok(database->with(Access::write, [](Session& session) -> Result<void> {
        if (auto made = session.execute("CREATE TABLE pairs (id BIGINT PRIMARY KEY, n BIGINT)"); !made)
            return tl::unexpected(made.error());
        if (auto added = session.execute("INSERT INTO pairs VALUES (1, 0), (2, 0)"); !added)
            return tl::unexpected(added.error());
        return {};
    }));
    std::mutex mutex;
    std::condition_variable both;
    int arrived = 0;
    std::atomic<int> tries{0}, failures{0};
    const auto cross = [&](std::int64_t first, std::int64_t second) {
        bool waited = false;
        const auto result = database->with(Access::write, [&](Session& session) {
            return session.transaction([&]() -> Result<void> {
                ++tries;
                if (auto one = session.execute("UPDATE pairs SET n = n + 1 WHERE id = ?", {first}); !one)
                    return tl::unexpected(one.error());
                if (!waited) {
                    waited = true;
                    std::unique_lock lock(mutex);
                    ++arrived;
                    both.notify_all();
                    both.wait(lock, [&] { return arrived == 2; });
                }
                if (auto two = session.execute("UPDATE pairs SET n = n + 1 WHERE id = ?", {second}); !two)
                    return tl::unexpected(two.error());
                return {};
            });
        });
        if (!result) ++failures;
    };
    std::thread other([&] { cross(2, 1); });
    cross(1, 2);
    other.join();
    EXPECT_EQ(failures, 0);
    EXPECT_GE(tries, 3);  // on a busy machine they may meet once more
}

TEST(PostgreSql, a_server_that_was_never_there_is_unavailable_not_an_exception) {
    const auto database = open_postgresql("host=127.0.0.1 port=1 user=nobody dbname=none", 2);
    const auto away = look(*database);
    ASSERT_FALSE(away);
    EXPECT_EQ(away.error().code, Errc::unavailable);
}

TEST(PostgreSql, of_several_hosts_the_one_that_answers_is_taken) {
    const auto port = std::to_string(PostgresServer::shared().port());
    const auto database =
        open_postgresql("host=127.0.0.1,127.0.0.1 port=1," + port + " user=postgres dbname=postgres", 1);
    ok(look(*database));
}

TEST(PostgreSql, a_bad_connection_string_names_the_option_but_never_a_value) {
    try {
        (void)open_postgresql("host=x pasword=geheim", 1);
        FAIL();
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("pasword"), std::string::npos);
        EXPECT_EQ(std::string(error.what()).find("geheim"), std::string::npos);
    }
    try {
        (void)open_postgresql("host=x password=sehr geheim", 1);
        FAIL();
    } catch (const std::exception& error) {
        EXPECT_EQ(std::string(error.what()).find("geheim"), std::string::npos);
    }
}

TEST(PostgreSqlListener, hears_notices_and_says_when_it_may_have_missed_some) {
    PostgresServer server;
    const auto listener = listen_postgresql(server.conninfo(), "a \"channel\"");
    using Heard = Listener::Heard;
    EXPECT_EQ(listener->wait(5s), Heard::reconnected);
    EXPECT_EQ(listener->wait(1ms), Heard::timeout);
    server.sql("NOTIFY \"a \"\"channel\"\"\"");
    EXPECT_EQ(listener->wait(5s), Heard::notice);
    auto waiting = std::async(std::launch::async, [&] { return listener->wait(60s); });
    listener->interrupt();
    EXPECT_EQ(waiting.get(), Heard::interrupted);
    server.stop();
    EXPECT_EQ(listener->wait(100ms), Heard::no_connection);
    server.start();
    EXPECT_EQ(listener->wait(5s), Heard::reconnected);
    server.sql("NOTIFY \"a \"\"channel\"\"\"");
    EXPECT_EQ(listener->wait(5s), Heard::notice);
}

}  // namespace understudy::testing
