// tests/contract/session/session_contract.h: what every Database and its sessions must do, on SQLite and PostgreSQL
// alike.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "contract/session/session_fixture.h"

namespace understudy::testing {

class SessionContract : public SessionFixture {};

TEST_P(SessionContract, gives_back_what_it_was_given) {
    const std::int64_t big = 9'007'199'254'740'993;  // no double holds it
    const std::string name = "Zoë's \"{now_ms}\" ? 100%", path = std::string("/media/\xff\x00 \xc3", 11);
    ok(write([&](Session& session) -> Result<void> {
        auto added = session.execute("INSERT INTO things VALUES (?, ?, ?, ?, ?)",
                                     {std::int64_t{1}, name, big, 0.1, Bytes{path}});
        EXPECT_EQ(added.value_or(-1), 1);
        return done(session.execute("INSERT INTO things VALUES (?, ?, ?, ?, ?)",
                                    {std::int64_t{2}, Null{}, -big, -1e300, Bytes{""}}));
    }));
    int rows = 0;
    ok(read([&](Session& session) {
        return session.query("SELECT id, name, size, weight, path FROM things ORDER BY id", {}, [&](const Row& row) {
            ++rows;
            if (rows == 1) {
                EXPECT_EQ(row.text(1), name);
                EXPECT_EQ(row.integer(2), big);
                EXPECT_EQ(row.real(3), 0.1);
                EXPECT_EQ(row.bytes(4), path);
                EXPECT_FALSE(row.is_null(1));
            } else {
                EXPECT_TRUE(row.is_null(1));
                EXPECT_EQ(row.text(1), "");
                EXPECT_EQ(row.integer(2), -big);
                EXPECT_EQ(row.real(3), -1e300);
                EXPECT_FALSE(row.is_null(4));
                EXPECT_EQ(row.bytes(4), "");
            }
        });
    }));
    EXPECT_EQ(rows, 2);
}

TEST_P(SessionContract, counts_the_rows_a_statement_touched) {
    ok(write([&](Session& session) -> Result<void> {
        for (std::int64_t id = 0; id < 5; ++id) {
            if (auto added = add(session, id); !added) return added;
        }
        EXPECT_EQ(session.execute("UPDATE things SET size = 1 WHERE id >= ?", {std::int64_t{3}}).value_or(-1), 2);
        EXPECT_EQ(session.execute("UPDATE things SET size = 1 WHERE id > ?", {std::int64_t{99}}).value_or(-1), 0);
        EXPECT_EQ(session.execute("CREATE TABLE others (id BIGINT)").value_or(-1), 0);
        EXPECT_EQ(session.execute("DELETE FROM things").value_or(-1), 5);
        return {};
    }));
}

TEST_P(SessionContract, sums_and_counts_are_integers) {
    ok(write([&](Session& session) -> Result<void> {
        return done(session.execute("INSERT INTO things (id, size) VALUES (1, 4000000000), (2, 5000000000)"));
    }));
    std::int64_t sum = 0;
    ok(read([&](Session& session) {
        return session.query("SELECT sum(size) FROM things", {}, [&](const Row& row) { sum = row.integer(0); });
    }));
    EXPECT_EQ(sum, 9'000'000'000);
}

TEST_P(SessionContract, a_taken_key_is_a_conflict) {
    ok(write([](Session& session) { return add(session, 1); }));
    const auto again = write([](Session& session) { return add(session, 1); });
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, Errc::conflict);
    ok(write([](Session& session) { return add(session, 2); }));  // and the session goes on
}

TEST_P(SessionContract, says_of_wrong_sql_what_is_wrong) {
    const auto result =
        read([](Session& session) { return session.query("SELECT nonsense FROM things", {}, [](const Row&) {}); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::corrupt);
    EXPECT_NE(result.error().context.find("nonsense"), std::string::npos) << result.error().context;
    const auto values =
        write([](Session& session) { return done(session.execute("INSERT INTO things (id) VALUES (?)", {})); });
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().code, Errc::corrupt);
}

TEST_P(SessionContract, a_transaction_is_all_or_nothing) {
    const auto failed = write([](Session& session) {
        return session.transaction([&]() -> Result<void> {
            if (auto added = add(session, 1); !added) return added;
            return core::fail(Errc::fenced, "no");
        });
    });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, Errc::fenced);
    EXPECT_THROW((void)write([](Session& session) {
                     return session.transaction([&]() -> Result<void> {
                         (void)add(session, 2);
                         throw std::runtime_error("thrown");
                     });
                 }),
                 std::runtime_error);
    EXPECT_EQ(count(), 0);
    ok(write([](Session& session) {
        return session.transaction([&]() -> Result<void> {
            if (auto added = add(session, 3); !added) return added;
            return add(session, 4);
        });
    }));
    EXPECT_EQ(count(), 2);
}

TEST_P(SessionContract, a_transaction_with_a_failed_statement_never_commits) {
    ok(write([](Session& session) { return add(session, 1); }));
    const auto result = write([](Session& session) {
        return session.transaction([&]() -> Result<void> {
            if (auto added = add(session, 2); !added) return added;
            EXPECT_FALSE(add(session, 1));  // the caller looks away
            EXPECT_FALSE(add(session, 3));  // nothing more is taken
            return {};
        });
    });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::corrupt);
    EXPECT_EQ(count(), 1);
}

TEST_P(SessionContract, a_snapshot_does_not_see_later_writes) {
    ok(write([](Session& session) { return add(session, 1); }));
    std::int64_t first = 0, second = 0;
    ok(read([&](Session& session) {
        return session.snapshot([&]() -> Result<void> {
            const auto look = [&](std::int64_t& into) {
                return session.query("SELECT count(*) FROM things", {}, [&](const Row& row) { into = row.integer(0); });
            };
            if (auto looked = look(first); !looked) return looked;
            std::thread other([&] { ok(write([](Session& writer) { return add(writer, 2); })); });
            other.join();
            return look(second);
        });
    }));
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 1);
    EXPECT_EQ(count(), 2);
}

TEST_P(SessionContract, nothing_is_written_in_a_snapshot) {
    const auto result = read([](Session& session) { return session.snapshot([&] { return add(session, 1); }); });
    EXPECT_FALSE(result);
    EXPECT_EQ(count(), 0);
}

TEST_P(SessionContract, a_query_inside_the_rows_of_the_same_query_works) {
    ok(write([](Session& session) -> Result<void> {
        for (std::int64_t id = 1; id <= 3; ++id) {
            if (auto added = add(session, id); !added) return added;
        }
        return {};
    }));
    std::vector<std::int64_t> seen;
    ok(read([&](Session& session) {
        const std::string sql = "SELECT id FROM things WHERE id >= ? ORDER BY id";
        return session.query(sql, {std::int64_t{1}}, [&](const Row& row) {
            const auto id = row.integer(0);
            ok(session.query(sql, {id}, [&](const Row& inner) { seen.push_back(id * 10 + inner.integer(0)); }));
        });
    }));
    EXPECT_EQ(seen, (std::vector<std::int64_t>{11, 12, 13, 22, 23, 33}));
}

TEST_P(SessionContract, the_databases_clock_is_in_milliseconds) {
    std::int64_t now = 0, later = 0;
    ok(read([&](Session& session) {
        auto looked = session.query("SELECT {now_ms}", {}, [&](const Row& row) { now = row.integer(0); });
        if (!looked) return looked;
        return session.query("SELECT {now_ms}", {}, [&](const Row& row) { later = row.integer(0); });
    }));
    const auto here =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    EXPECT_LE(now, later);
    EXPECT_NEAR(static_cast<double>(now), static_cast<double>(here.count()), 60'000.0);
}

TEST_P(SessionContract, growing_keys_grow) {
    ok(write([](Session& session) -> Result<void> {
        if (auto made = session.execute("CREATE TABLE log (sequence {bigserial}, text TEXT)"); !made) return done(made);
        std::vector<std::int64_t> keys;
        for (int i = 0; i < 3; ++i) {
            auto added = session.query("INSERT INTO log (text) VALUES (?) RETURNING sequence", {std::string("x")},
                                       [&](const Row& row) { keys.push_back(row.integer(0)); });
            if (!added) return added;
        }
        EXPECT_EQ(keys.size(), 3U);
        EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
        return done(session.execute("DELETE FROM log"));
    }));
    std::int64_t key = 0;
    ok(write([&](Session& session) {
        return session.query("INSERT INTO log (text) VALUES ('y') RETURNING sequence", {},
                             [&](const Row& row) { key = row.integer(0); });
    }));
    EXPECT_GE(key, 4);  // never one that was given before
}

TEST_P(SessionContract, decodes_hexadecimal_bytes) {
    std::string bytes;
    ok(read([&](Session& session) {
        return session.query("SELECT decode(?, 'hex')", {std::string("2fFf00")},
                             [&](const Row& row) { bytes = row.bytes(0); });
    }));
    EXPECT_EQ(bytes, std::string("/\xff\x00", 3));
}

TEST_P(SessionContract, text_c_sorts_by_code_point) {
    std::string order;
    ok(write([&](Session& session) -> Result<void> {
        if (auto made = session.execute("CREATE TABLE names (name {text_c})"); !made) return done(made);
        auto added = session.execute("INSERT INTO names VALUES ('b'), ('B'), ('a'), ('é'), ('_')");
        if (!added) return done(added);
        return session.query("SELECT name FROM names ORDER BY name", {}, [&](const Row& row) { order += row.text(0); });
    }));
    EXPECT_EQ(order, "B_abé");
}

TEST_P(SessionContract, threads_share_the_sessions) {
    constexpr int threads = 8, each = 20;
    std::atomic<int> failures{0};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
        all.emplace_back([&, t] {
            for (int i = 0; i < each; ++i) {
                const auto id = static_cast<std::int64_t>(t) * each + i;
                if (!write([&](Session& session) { return session.transaction([&] { return add(session, id); }); }))
                    ++failures;
                if (!read([&](Session& session) {
                        return session.query("SELECT count(*) FROM things", {}, [](const Row&) {});
                    })) {
                    ++failures;
                }
            }
        });
    }
    for (auto& thread : all) thread.join();
    EXPECT_EQ(failures, 0);
    EXPECT_EQ(count(), threads * each);
}

TEST_P(SessionContract, more_statements_than_the_cache_holds_are_fine) {
    ok(read([&](Session& session) -> Result<void> {
        for (int i = 0; i < 600; ++i) {
            std::int64_t value = 0;
            auto looked = session.query("SELECT " + std::to_string(i) + " + ?", {std::int64_t{1}},
                                        [&](const Row& row) { value = row.integer(0); });
            if (!looked) return looked;
            EXPECT_EQ(value, i + 1);
        }
        return {};
    }));
}

TEST_P(SessionContract, a_kept_statement_survives_a_change_of_its_table) {
    ok(write([](Session& session) { return add(session, 7); }));
    const auto look = [&](Session& session) {
        std::int64_t id = 0;
        ok(session.query("SELECT * FROM things", {}, [&](const Row& row) { id = row.integer(0); }));
        EXPECT_EQ(id, 7);
    };
    ok(write([&](Session& session) -> Result<void> {
        look(session);
        if (auto changed = session.execute("ALTER TABLE things ADD COLUMN more TEXT"); !changed) return done(changed);
        look(session);
        if (auto changed = session.execute("ALTER TABLE things ADD COLUMN yet_more TEXT"); !changed)
            return done(changed);
        return session.transaction([&]() -> Result<void> {
            std::int64_t id = 0;
            auto looked = session.query("SELECT * FROM things", {}, [&](const Row& row) { id = row.integer(0); });
            EXPECT_EQ(id, looked ? 7 : 0);
            return looked;
        });
    }));
}

TEST_P(SessionContract, a_long_statement_is_given_up_when_asked_to_and_the_session_lives_on) {
    const std::string endless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    ok(write([&](Session& session) -> Result<void> {
        session.set_limit(core::Millis{60'000});
        int asked = 0;
        session.set_stop([&] { return ++asked == 2; });
        const auto stopped = session.query(endless, {}, [](const Row&) {});
        EXPECT_FALSE(stopped);
        if (stopped) return {};
        EXPECT_EQ(stopped.error().code, Errc::cancelled) << stopped.error().context;
        EXPECT_EQ(asked, 2);
        return add(session, 5);
    }));
    EXPECT_EQ(count("id = 5"), 1);
    // The next one to have the session is not asked for.
    const auto late = write([&](Session& session) -> Result<void> {
        int asked = 0;
        session.set_stop([&] { return ++asked > 0; });
        session.set_stop({});
        auto done_in_time = session.query(
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000000) SELECT count(*) FROM n",
            {}, [](const Row&) {});
        EXPECT_EQ(asked, 0);
        return done_in_time;
    });
    ok(late);
}

TEST_P(SessionContract, ping_answers) {
    ok(database_->ping());
}

}  // namespace understudy::testing
