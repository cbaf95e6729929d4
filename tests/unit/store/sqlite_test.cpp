// What is SQLite's own: durability, one writer, the file, its backup.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "store/sql/session.h"
#include "support/temp_folder.h"

namespace understudy::testing {

using namespace understudy::store::sql;
using core::Errc;
using core::Result;

namespace {

Result<void> run(Database& database, const std::string& sql) {
    return database.with(Access::write, [&](Session& session) -> Result<void> {
        auto done = session.execute(sql);
        if (!done) return tl::unexpected(done.error());
        return {};
    });
}

std::string ask(Database& database, const std::string& sql, Access access = Access::read) {
    std::string answer;
    const auto asked = database.with(access, [&](Session& session) {
        return session.query("SELECT CAST((" + sql + ") AS TEXT)", {}, [&](const Row& row) { answer = row.text(0); });
    });
    EXPECT_TRUE(asked) << asked.error().context;
    return answer;
}

}  // namespace

TEST(Sqlite, makes_its_folder_and_file_with_a_durable_wal) {
    const TempFolder folder;
    const auto database = open_sqlite(folder / "deep/er/x.db");
    std::string journal;
    std::int64_t synchronous = 0, keys = 0;
    ASSERT_TRUE(database->with(Access::write, [&](Session& session) -> Result<void> {
        auto done = session.query("PRAGMA journal_mode", {}, [&](const Row& row) { journal = row.text(0); });
        if (!done) return done;
        done = session.query("PRAGMA synchronous", {}, [&](const Row& row) { synchronous = row.integer(0); });
        if (!done) return done;
        return session.query("PRAGMA foreign_keys", {}, [&](const Row& row) { keys = row.integer(0); });
    }));
    EXPECT_EQ(journal, "wal");
    EXPECT_EQ(synchronous, 2);  // FULL: a commit outlives the power
    EXPECT_EQ(keys, 1);
}

TEST(Sqlite, a_file_that_is_no_database_is_said_by_name) {
    const TempFolder folder;
    std::ofstream(folder / "x.db") << std::string(5'000, 'x');
    try {
        (void)open_sqlite(folder / "x.db");
        FAIL();
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("x.db"), std::string::npos) << error.what();
    }
    EXPECT_THROW((void)open_sqlite("/proc/nowhere/x.db"), std::runtime_error);
}

TEST(Sqlite, readers_cannot_write) {
    const TempFolder folder;
    const auto database = open_sqlite(folder / "x.db");
    ASSERT_TRUE(run(*database, "CREATE TABLE a (x BIGINT)"));
    const auto plain = database->with(Access::read, [](Session& session) -> Result<void> {
        auto done = session.execute("INSERT INTO a VALUES (1)");
        if (!done) return tl::unexpected(done.error());
        return {};
    });
    EXPECT_FALSE(plain);
    const auto transaction = database->with(
        Access::read, [](Session& session) { return session.transaction([]() -> Result<void> { return {}; }); });
    ASSERT_FALSE(transaction);
    EXPECT_NE(transaction.error().context.find("Access::write"), std::string::npos);
    EXPECT_EQ(ask(*database, "SELECT count(*) FROM a"), "0");
}

TEST(Sqlite, what_was_committed_outlives_a_kill) {
    const TempFolder folder;
    const auto file = folder / "x.db";
    int ready[2] = {-1, -1};
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto database = open_sqlite(file);
        (void)run(*database, "CREATE TABLE a (x BIGINT)");
        (void)run(*database, "INSERT INTO a VALUES (1)");
        (void)database->with(Access::write, [&](Session& session) {
            return session.transaction([&]() -> Result<void> {
                (void)session.execute("INSERT INTO a VALUES (2)");
                (void)!::write(ready[1], "x", 1);
                ::pause();
                return {};
            });
        });
        ::_exit(0);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    const auto database = open_sqlite(file);
    EXPECT_EQ(ask(*database, "SELECT max(x) FROM a"), "1");
    ASSERT_TRUE(run(*database, "INSERT INTO a VALUES (3)"));
}

TEST(Sqlite, readers_are_answered_while_another_process_writes) {
    const TempFolder folder;
    const auto one = open_sqlite(folder / "x.db"), two = open_sqlite(folder / "x.db");
    ASSERT_TRUE(run(*one, "CREATE TABLE a (x BIGINT)"));
    std::string seen;
    ASSERT_TRUE(one->with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> Result<void> {
            auto added = session.execute("INSERT INTO a VALUES (1)");
            if (!added) return tl::unexpected(added.error());
            std::thread other([&] { seen = ask(*two, "SELECT count(*) FROM a"); });
            other.join();
            return {};
        });
    }));
    EXPECT_EQ(seen, "0");
    EXPECT_EQ(ask(*two, "SELECT count(*) FROM a"), "1");
}

TEST(SqliteBackup, copies_a_live_database) {
    const TempFolder folder;
    const auto database = open_sqlite(folder / "x.db");
    ASSERT_TRUE(run(*database, "CREATE TABLE a (x BIGINT)"));
    ASSERT_TRUE(run(*database, "INSERT INTO a VALUES (7)"));
    const auto copied = backup_sqlite(folder / "x.db", folder / "copy.db");
    ASSERT_TRUE(copied) << copied.error().context;
    ASSERT_TRUE(run(*database, "INSERT INTO a VALUES (8)"));
    const auto copy = open_sqlite(folder / "copy.db");
    EXPECT_EQ(ask(*copy, "SELECT max(x) FROM a"), "7");
    std::size_t others = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        if (entry.path().filename().string().find(".tmp.") != std::string::npos) ++others;
    }
    EXPECT_EQ(others, 0U);
}

TEST(SqliteBackup, overwrites_nothing_and_says_what_is_missing) {
    const TempFolder folder;
    const auto database = open_sqlite(folder / "x.db");
    std::ofstream(folder / "there") << "precious";
    EXPECT_EQ(backup_sqlite(folder / "x.db", folder / "there").error().code, Errc::conflict);
    EXPECT_EQ(backup_sqlite(folder / "none.db", folder / "copy").error().code, Errc::not_found);
    EXPECT_EQ(backup_sqlite(folder / "x.db", folder / "no/such/folder").error().code, Errc::invalid);
    std::string kept;
    std::getline(std::ifstream(folder / "there"), kept);
    EXPECT_EQ(kept, "precious");
}

}  // namespace understudy::testing
