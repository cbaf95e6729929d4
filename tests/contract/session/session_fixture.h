// tests/contract/session/session_fixture.h: a database with one table, for the suites beside this file.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/sql/session.h"
#include "support/databases.h"

namespace understudy::testing {

using namespace understudy::store::sql;
using core::Errc;
using core::Result;

class SessionFixture : public ::testing::TestWithParam<DatabaseKind> {
protected:
    void SetUp() override {
        base_ = make_test_database(GetParam());
        database_ = base_->open();
        ok(write([](Session& session) -> Result<void> {
            return done(
                session.execute("CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT, size BIGINT, weight DOUBLE "
                                "PRECISION, path {bytes})"));
        }));
    }

    static Result<void> done(const Result<std::int64_t>& result) {
        if (!result) return tl::unexpected(result.error());
        return {};
    }
    static void ok(const Result<void>& result) {
        ASSERT_TRUE(result) << to_string(result.error().code) << ": " << result.error().context;
    }
    Result<void> write(const std::function<Result<void>(Session&)>& work) {
        return database_->with(Access::write, work);
    }
    Result<void> read(const std::function<Result<void>(Session&)>& work) { return database_->with(Access::read, work); }
    std::int64_t count(const std::string& where = "1 = 1") {
        std::int64_t found = -1;
        ok(read([&](Session& session) {
            return session.query("SELECT count(*) FROM things WHERE " + where, {},
                                 [&](const Row& row) { found = row.integer(0); });
        }));
        return found;
    }
    static Result<void> add(Session& session, std::int64_t id) {
        return done(session.execute("INSERT INTO things (id) VALUES (?)", {id}));
    }

    std::unique_ptr<TestDatabase> base_;
    std::unique_ptr<Database> database_;
};

}  // namespace understudy::testing
