// The fence: who may write, decided in the writing transaction.
#include <atomic>
#include <thread>

#include "contract/session/session_fixture.h"

namespace understudy::testing {

class FenceContract : public SessionFixture {
protected:
    void SetUp() override {
        SessionFixture::SetUp();
        ok(write([&](Session& session) -> Result<void> {
            // The columns of the ledger's table that the fence relies on.
            auto made = session.execute(
                "CREATE TABLE task_runs (run_id TEXT PRIMARY KEY, epoch BIGINT NOT NULL, state TEXT NOT NULL, "
                "cursor TEXT NOT NULL, cursor_seq BIGINT NOT NULL)");
            if (!made) return done(made);
            return done(session.execute("INSERT INTO task_runs VALUES (?, 5, 'running', 'a', 0)", {run_.str()}));
        }));
    }
    Result<void> write_behind(const core::Fence& fence, std::int64_t id) {
        return write([&](Session& session) {
            return session.transaction([&]() -> Result<void> {
                if (auto passed = pass_fence(session, fence); !passed) return passed;
                return add(session, id);
            });
        });
    }
    void set(const std::string& what) {
        ok(write([&](Session& session) { return done(session.execute("UPDATE task_runs SET " + what)); }));
    }
    std::string cursor() {
        std::string found;
        ok(read([&](Session& session) {
            return session.query("SELECT cursor || '@' || cursor_seq FROM task_runs", {},
                                 [&](const Row& row) { found = row.text(0); });
        }));
        return found;
    }

    core::RunId run_{core::IdBytes{1, 2, 3}};
};

TEST_P(FenceContract, lets_the_run_write_and_stores_its_cursor) {
    ok(write_behind({run_, 5, 0, "b"}, 1));
    EXPECT_EQ(cursor(), "b@1");
    ok(write_behind({run_, 5, 1, std::nullopt}, 2));
    EXPECT_EQ(cursor(), "b@2");
    ok(write_behind({run_, 5, 2, ""}, 3));
    EXPECT_EQ(cursor(), "@3");
    EXPECT_EQ(count(), 3);
}

TEST_P(FenceContract, refuses_whatever_differs) {
    struct Refused {
        const char* why;
        core::Fence fence;
    };
    const std::vector<Refused> all{{"an older epoch", {run_, 4, 0, {}}},
                                   {"a newer epoch", {run_, 6, 0, {}}},
                                   {"a copied process image that writes second", {run_, 5, 1, {}}},
                                   {"another run", {core::RunId{core::IdBytes{9}}, 5, 0, {}}}};
    for (const auto& refused : all) {
        SCOPED_TRACE(refused.why);
        const auto result = write_behind(refused.fence, 1);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, Errc::fenced);
    }
    EXPECT_EQ(cursor(), "a@0");
    EXPECT_EQ(count(), 0);
}

TEST_P(FenceContract, only_live_runs_may_write) {
    set("state = 'cancelling'");
    ok(write_behind({run_, 5, 0, {}}, 1));
    for (const char* state : {"aborted", "yielded", "completed", "failed", "cancelled"}) {
        SCOPED_TRACE(state);
        set("state = '" + std::string(state) + "'");
        const auto result = write_behind({run_, 5, 1, {}}, 2);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, Errc::fenced);
        EXPECT_NE(result.error().context.find(state), std::string::npos);
    }
}

TEST_P(FenceContract, of_two_copies_one_writes) {
    std::atomic<int> written{0}, fenced{0};
    std::vector<std::thread> copies;
    for (int i = 0; i < 4; ++i) {
        copies.emplace_back([&, i] {
            const auto result = write_behind({run_, 5, 0, "copy"}, i);
            if (result) ++written;
            if (!result && result.error().code == Errc::fenced) ++fenced;
        });
    }
    for (auto& copy : copies) copy.join();
    EXPECT_EQ(written, 1);
    EXPECT_EQ(fenced, 3);
    EXPECT_EQ(count(), 1);
}

INSTANTIATE_TEST_SUITE_P(databases, FenceContract, both_databases(), database_name);

}  // namespace understudy::testing
