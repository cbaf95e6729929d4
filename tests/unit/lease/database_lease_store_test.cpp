// The call timeout and the classes of failure of the database lease, on a database that does as it is told. The SQL is
// tested on real databases: tests/contract/lease_database.
#include "lease/database/database_lease_store.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "machine_bench.h"
#include "support/manual_clock.h"

namespace understudy::lease {
namespace {

using core::Errc;
using core::Result;
using store::sql::Access;
using store::sql::Row;
using store::sql::Session;
using store::sql::Value;

/// Answers as an empty table would, or one with a single row, or fails at a chosen point, or hangs there.
class TroubledDatabase final : public store::sql::Database, private Session {
public:
    enum class At { never, connecting, statement, commit };

    void fail(At at, Errc code) {
        const std::lock_guard lock(mutex_);
        at_ = at;
        code_ = code;
    }
    void hang(bool hang) {
        const std::lock_guard lock(mutex_);
        hang_ = hang;
        changed_.notify_all();
    }
    void put(core::LeaseToken holder) { holder_ = holder; }
    void await_call() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return in_call_; });
    }

    [[nodiscard]] store::sql::Dialect dialect() const noexcept override { return store::sql::Dialect::postgresql; }
    [[nodiscard]] Result<void> with(Access, const std::function<Result<void>(Session&)>& work) override {
        {
            std::unique_lock lock(mutex_);
            in_call_ = true;
            changed_.notify_all();
            changed_.wait(lock, [&] { return !hang_; });
            in_call_ = false;
        }
        if (at_ == At::connecting) return core::fail(code_, "no connection");
        return work(*this);
    }
    [[nodiscard]] Result<void> ping() override { return {}; }

private:
    Result<std::int64_t> execute(std::string_view sql, const std::vector<Value>&) override {
        if (at_ == At::statement) return core::fail(code_, "statement refused");
        return sql.starts_with("SET") ? 0 : 1;
    }
    Result<void> query(std::string_view sql, const std::vector<Value>&,
                       const std::function<void(const Row&)>& each) override {
        struct Now : Row {
            bool is_null(std::size_t) const override { return false; }
            std::int64_t integer(std::size_t) const override { return 1'000'000; }
            double real(std::size_t) const override { return 0; }
            std::string text(std::size_t) const override { return {}; }
            std::string bytes(std::size_t) const override { return {}; }
        };
        struct Held final : Now {
            explicit Held(core::LeaseToken token) : token_(token) {}
            std::string text(std::size_t) const override { return token_.str(); }
            core::LeaseToken token_;
        };
        if (sql == "SELECT {now_ms}") each(Now{});
        if (holder_ && sql.starts_with("SELECT token")) each(Held(*holder_));
        return {};
    }
    Result<void> transaction(const std::function<Result<void>()>& work) override {
        const auto done = work();
        if (done && at_ == At::commit) return core::fail(code_, "reply to COMMIT lost");
        return done;
    }
    Result<void> snapshot(const std::function<Result<void>()>& work) override { return work(); }

    std::mutex mutex_;
    std::condition_variable changed_;
    At at_ = At::never;
    Errc code_ = Errc::unavailable;
    bool hang_ = false, in_call_ = false;
    std::optional<core::LeaseToken> holder_;
};
using At = TroubledDatabase::At;

struct DatabaseLease : ::testing::Test {
    testing::ManualClock clock;
    TroubledDatabase database;
    DatabaseLeaseStore store{{"key", "a", 2s, [] {}, "see The:Setting"}, database, clock};
    LeaseRequest acquire{Verb::acquire, token_of(1), 15s};

    LeaseNoAnswer failure() {
        const auto reply = store.ask(acquire);
        if (const auto* none = std::get_if<LeaseNoAnswer>(&reply)) return *none;
        ADD_FAILURE() << "answered";
        return {};
    }
};

TEST_F(DatabaseLease, knows_of_no_restarts) {
    const auto connected = store.connect();
    ASSERT_TRUE(connected);
    EXPECT_FALSE(*connected);
    EXPECT_EQ(store.provider(), "database");
}

TEST_F(DatabaseLease, sorts_failures_into_the_classes_of_the_election) {
    struct Sorted {
        Errc code;
        NoAnswer reason;
    };
    for (const auto& [code, reason] :
         {Sorted{Errc::unavailable, NoAnswer::unreachable}, Sorted{Errc::timed_out, NoAnswer::unreachable},
          Sorted{Errc::conflict, NoAnswer::transient}, Sorted{Errc::corrupt, NoAnswer::misconfigured}}) {
        SCOPED_TRACE(core::to_string(code));
        database.fail(At::statement, code);
        const auto none = failure();
        EXPECT_EQ(none.reason, reason);
        EXPECT_EQ(none.detail, "statement refused: see The:Setting");
    }
}

TEST_F(DatabaseLease, only_a_lost_reply_to_the_commit_is_ambiguous) {
    database.fail(At::connecting, Errc::unavailable);
    EXPECT_FALSE(failure().ambiguous);
    database.fail(At::statement, Errc::unavailable);
    EXPECT_FALSE(failure().ambiguous);
    database.fail(At::commit, Errc::unavailable);
    EXPECT_TRUE(failure().ambiguous);
    database.fail(At::never, Errc::unavailable);
    EXPECT_TRUE(std::holds_alternative<LeaseAnswer>(store.ask(acquire)));
}

TEST_F(DatabaseLease, gives_a_call_up_at_its_timeout_and_never_hands_out_its_late_answer) {
    database.hang(true);
    std::optional<LeaseNoAnswer> first;
    std::thread lease_thread([&] { first = failure(); });
    database.await_call();
    clock.await_waiters(1);
    clock.advance(2s);
    lease_thread.join();
    EXPECT_EQ(first->reason, NoAnswer::unreachable);
    EXPECT_TRUE(first->ambiguous) << "it may still be applied";

    std::optional<LeaseNoAnswer> second;
    std::thread again([&] { second = failure(); });
    clock.await_waiters(1);
    clock.advance(2s);
    again.join();
    EXPECT_FALSE(second->ambiguous) << "this one was never sent";

    database.hang(false);
    LeaseRequest renew{Verb::renew, token_of(1), 15s};
    const auto reply = store.ask(renew);
    ASSERT_TRUE(std::holds_alternative<LeaseAnswer>(reply));
    EXPECT_EQ(std::get<LeaseAnswer>(reply).verdict, Verdict::lost) << "its own answer, not the late grant";
}

TEST_F(DatabaseLease, the_next_call_waits_for_a_slow_announcement_of_the_release_and_no_longer) {
    std::promise<void> announcing, go_on;
    DatabaseLeaseStore::Settings settings{"key", "a", 2s, [&] {
                                              announcing.set_value();
                                              go_on.get_future().wait();
                                          }};
    DatabaseLeaseStore slow(std::move(settings), database, clock);
    database.put(token_of(1));
    const auto released = slow.ask({Verb::release, token_of(1), 15s});
    EXPECT_TRUE(std::holds_alternative<LeaseAnswer>(released)) << "the answer does not wait for the announcement";
    announcing.get_future().wait();
    std::optional<LeaseReply> next;
    std::thread lease_thread([&] { next = slow.ask(acquire); });
    clock.await_waiters(1);
    go_on.set_value();
    lease_thread.join();
    EXPECT_TRUE(std::holds_alternative<LeaseAnswer>(*next)) << "without the clock having moved";
}

TEST_F(DatabaseLease, a_notice_or_an_interrupt_ends_a_wait_the_interrupt_first) {
    store.notify();
    store.interrupt();
    EXPECT_EQ(store.wait(1h), LeaseStore::Wake::interrupted);
    EXPECT_EQ(store.wait(1h), LeaseStore::Wake::notice);
    std::thread waiting([&] { EXPECT_EQ(store.wait(5s), LeaseStore::Wake::timeout); });
    clock.await_waiters(1);
    clock.advance(5s);
    waiting.join();
}

}  // namespace
}  // namespace understudy::lease
