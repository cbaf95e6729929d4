#include "contract/cluster/events_contract.h"
#include "support/postgres_server.h"

namespace understudy::testing {

INSTANTIATE_TEST_SUITE_P(adapters, EventsContract, all_cluster_kinds(), cluster_kind_name);

class DatabaseEvents : public EventsContract {
protected:
    std::int64_t rows() {
        std::int64_t found = -1;
        EXPECT_TRUE(database_->with(store::sql::Access::read, [&](store::sql::Session& session) {
            return session.query("SELECT count(*) FROM events", {},
                                 [&](const store::sql::Row& row) { found = row.integer(0); });
        }));
        return found;
    }
};

TEST_P(DatabaseEvents, what_is_older_than_the_start_is_not_replayed) {
    const auto before = make_log("a");
    publish(*before, "old");
    const auto log = make_log("b");
    Ear ear(*log);
    publish(*before, "new");
    const auto events = ear.wait_for(1);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, "new");
    EXPECT_EQ(events[0].pod, "a");
}

TEST_P(DatabaseEvents, old_rows_go) {
    cluster::DatabaseEventLog::Settings settings;
    settings.conninfo = base_->conninfo();
    settings.keep = -1ms;  // everything is old
    {
        cluster::DatabaseEventLog log(settings, *database_, log_);
        publish(log, "one");
        publish(log, "two");
        EXPECT_EQ(rows(), 2);
    }
    cluster::DatabaseEventLog log(settings, *database_, log_);
    publish(log, "three");
    EXPECT_EQ(rows(), 1);
}

INSTANTIATE_TEST_SUITE_P(adapters, DatabaseEvents, ::testing::Values(ClusterKind::sqlite, ClusterKind::postgresql),
                         cluster_kind_name);

class PostgreSqlEvents : public ::testing::Test {
protected:
    void SetUp() override {
        const auto migrated = store::sql::migrate(*database_);
        ASSERT_TRUE(migrated) << migrated.error().context;
    }
    cluster::DatabaseEventLog::Settings settings(const std::string& pod) {
        cluster::DatabaseEventLog::Settings settings;
        settings.pod = pod;
        settings.conninfo = conninfo_;
        return settings;
    }
    PostgresServer server_;
    std::string conninfo_ = server_.make_database();
    std::unique_ptr<store::sql::Database> database_ = store::sql::open_postgresql(conninfo_, 4);
    core::NullLog log_;
};

TEST_F(PostgreSqlEvents, are_caught_up_on_after_the_server_was_away) {
    cluster::DatabaseEventLog a(settings("a"), *database_, log_), b(settings("b"), *database_, log_);
    a.start();
    b.start();
    Ear ear(b);
    ASSERT_TRUE(a.publish("before", "{}"));
    ASSERT_EQ(ear.wait_for(1).size(), 1U);
    server_.restart();
    ASSERT_TRUE(a.publish("after", "{}"));
    const auto events = ear.wait_for(2);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].kind, "after");
    EXPECT_TRUE(ear.await_caught_up()) << "whoever keeps something in memory looks at all of it again";
}

TEST_F(PostgreSqlEvents, are_polled_where_listening_fails) {
    auto deaf = settings("b");
    deaf.conninfo = "host=127.0.0.1 port=1 dbname=x user=x";
    deaf.poll = 50ms;
    cluster::DatabaseEventLog a(settings("a"), *database_, log_), b(deaf, *database_, log_);
    a.start();
    b.start();
    Ear ear(b);
    ASSERT_TRUE(a.publish("heard all the same", "{}"));
    EXPECT_EQ(ear.wait_for(1).size(), 1U);
}

TEST_F(PostgreSqlEvents, arrive_at_once_and_not_with_the_next_look) {
    auto patient = settings("b");
    patient.look_again = patient.poll = 60s;
    cluster::DatabaseEventLog a(settings("a"), *database_, log_), b(patient, *database_, log_);
    a.start();
    b.start();
    Ear ear(b);
    ASSERT_TRUE(a.publish("now", "{}"));
    EXPECT_EQ(ear.wait_for(1, 10s).size(), 1U);
}

TEST_F(PostgreSqlEvents, a_log_made_while_the_server_is_away_starts_when_it_is_back) {
    server_.stop();
    cluster::DatabaseEventLog log(settings("a"), *database_, log_);
    log.start();
    Ear ear(log);
    EXPECT_FALSE(log.publish("lost", "{}"));
    server_.start();
    // Its position is where the log stood at the first answer: publish until one is heard.
    for (int i = 0; i < 200 && ear.wait_for(1, 1s).empty(); ++i) ASSERT_TRUE(log.publish("found", "{}"));
    EXPECT_FALSE(ear.wait_for(1).empty());
}

}  // namespace understudy::testing
