// The lease store's contract on SQLite and PostgreSQL, and what only a row of a table can do.
#include "lease/database/database_lease_store.h"

#include <future>
#include <thread>

#include "contract/lease_store/lease_store_contract.h"
#include "support/databases.h"

namespace understudy::testing {
namespace {

using lease::DatabaseLeaseStore;
using lease::LeaseNoAnswer;
using lease::NoAnswer;
using store::sql::Access;
using store::sql::Session;

template <DatabaseKind kind>
struct DatabaseBackend {
    static constexpr bool has_notices = false;  // the app's event log carries them
    std::unique_ptr<TestDatabase> base = make_test_database(kind);
    std::unique_ptr<store::sql::Database> database = base->open();
    core::SystemClock clock;

    DatabaseBackend() {
        const auto migrated = store::sql::migrate(*database);
        if (!migrated) throw std::runtime_error(migrated.error().context);
    }
    std::unique_ptr<DatabaseLeaseStore> make(
        const std::string& label, core::Millis call_timeout = 10s, std::function<void()> on_released = [] {}) {
        DatabaseLeaseStore::Settings settings;
        settings.key = "jellyfin:scan-leader";
        settings.pod = label;
        settings.call_timeout = call_timeout;  // generous: most of these are not about timeouts
        settings.on_released = std::move(on_released);
        return std::make_unique<DatabaseLeaseStore>(std::move(settings), *database, clock);
    }
    std::unique_ptr<lease::LeaseStore> pod(const std::string& label) { return make(label); }
    void execute(const std::string& sql) {
        const auto done = database->with(Access::write, [&](Session& session) -> core::Result<void> {
            const auto touched = session.execute(sql);
            if (!touched) return tl::unexpected(touched.error());
            return {};
        });
        EXPECT_TRUE(done) << (done ? "" : done.error().context);
    }
    void forget_lease() { execute("DELETE FROM leases"); }
};
using OnSqlite = DatabaseBackend<DatabaseKind::sqlite>;
using OnPostgresql = DatabaseBackend<DatabaseKind::postgresql>;

INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, LeaseStoreContract, OnSqlite);
INSTANTIATE_TYPED_TEST_SUITE_P(Postgresql, LeaseStoreContract, OnPostgresql);

template <class Backend>
class DatabaseLease : public ::testing::Test {
protected:
    Backend backend;
    core::LeaseToken token = new_token(), other = new_token();
};
using Backends = ::testing::Types<OnSqlite, OnPostgresql>;
TYPED_TEST_SUITE(DatabaseLease, Backends);

TYPED_TEST(DatabaseLease, an_expired_row_is_as_none) {
    auto a = this->backend.make("a"), b = this->backend.make("b");
    ask(*a, Verb::acquire, this->token);
    this->backend.execute("UPDATE leases SET expires_at_ms = 1000");
    EXPECT_EQ(ask(*a, Verb::renew, this->token).verdict, Verdict::lost) << "a renewal does not wake the dead";
    EXPECT_EQ(ask(*b, Verb::acquire, this->other).verdict, Verdict::granted);
}

TYPED_TEST(DatabaseLease, a_row_that_a_stepped_clock_made_immortal_is_cut_back_to_its_ttl) {
    auto a = this->backend.make("a"), b = this->backend.make("b");
    ask(*a, Verb::acquire, this->token, 20s);
    this->backend.execute("UPDATE leases SET expires_at_ms = expires_at_ms + 3600000");
    const auto first = ask(*b, Verb::acquire, this->other);
    EXPECT_EQ(first.verdict, Verdict::held);
    EXPECT_TRUE(first.repaired_missing_ttl);
    EXPECT_LE(*first.ttl_left, 20s);
    EXPECT_FALSE(ask(*b, Verb::acquire, this->other).repaired_missing_ttl);
}

TYPED_TEST(DatabaseLease, leases_of_other_keys_do_not_touch) {
    auto a = this->backend.make("a");
    ask(*a, Verb::acquire, this->token);
    DatabaseLeaseStore::Settings settings{"another", "b", 10s};
    DatabaseLeaseStore b(std::move(settings), *this->backend.database, this->backend.clock);
    EXPECT_EQ(ask(b, Verb::acquire, this->other).verdict, Verdict::granted);
    EXPECT_EQ(ask(*a, Verb::renew, this->token).verdict, Verdict::granted);
}

TYPED_TEST(DatabaseLease, a_release_is_announced_once_it_is_committed_and_only_by_who_held) {
    std::promise<Verdict> found;
    auto b = this->backend.make("b");
    auto a = this->backend.make("a", 10s, [&] { found.set_value(ask(*b, Verb::acquire, this->other).verdict); });
    ask(*a, Verb::acquire, this->token);
    ask(*a, Verb::release, this->other);  // not the holder: a second announcement would break the promise
    ask(*a, Verb::release, this->token);
    EXPECT_EQ(found.get_future().get(), Verdict::granted);
}

TYPED_TEST(DatabaseLease, a_missing_table_is_a_wrong_configuration) {
    auto a = this->backend.make("a");
    this->backend.execute("DROP TABLE leases");
    const auto reply = a->ask({Verb::acquire, this->token, 60s});
    ASSERT_TRUE(std::holds_alternative<LeaseNoAnswer>(reply));
    EXPECT_EQ(std::get<LeaseNoAnswer>(reply).reason, NoAnswer::misconfigured);
    EXPECT_FALSE(std::get<LeaseNoAnswer>(reply).ambiguous);
}

TYPED_TEST(DatabaseLease, a_row_that_somebody_keeps_locked_costs_a_call_no_longer_than_its_timeout) {
    auto a = this->backend.make("a", 300ms);
    ask(*a, Verb::acquire, this->token);
    std::promise<void> locked, let_go;
    std::thread hog([&] {
        const auto done = this->backend.database->with(Access::write, [&](Session& session) {
            return session.transaction([&]() -> core::Result<void> {
                const auto touched = session.execute("UPDATE leases SET label = 'hog'");
                if (!touched) return tl::unexpected(touched.error());
                locked.set_value();
                let_go.get_future().wait();
                return {};
            });
        });
        EXPECT_TRUE(done);
    });
    locked.get_future().wait();
    const auto from = std::chrono::steady_clock::now();
    const auto reply = a->ask({Verb::renew, this->token, 60s});
    EXPECT_LT(std::chrono::steady_clock::now() - from, 5s);
    ASSERT_TRUE(std::holds_alternative<LeaseNoAnswer>(reply));
    EXPECT_EQ(std::get<LeaseNoAnswer>(reply).reason, NoAnswer::unreachable);
    let_go.set_value();
    hog.join();
    lease::LeaseReply next;
    const auto give_up = std::chrono::steady_clock::now() + 20s;
    do {
        next = a->ask({Verb::renew, this->token, 60s});
    } while (std::holds_alternative<LeaseNoAnswer>(next) && std::chrono::steady_clock::now() < give_up);
    ASSERT_TRUE(std::holds_alternative<lease::LeaseAnswer>(next));
    EXPECT_EQ(std::get<lease::LeaseAnswer>(next).verdict, Verdict::granted);
}

}  // namespace
}  // namespace understudy::testing
