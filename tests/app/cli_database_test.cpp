// understudy db …: exit codes as docs/cli.md has them, and whose eyes may read what it makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "app/run_understudy.h"

namespace understudy::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_understudy;

struct DatabaseCommands : ::testing::Test {
    DatabaseCommands() : folder(fs::path(::testing::TempDir()) / ("cli_database_" + std::to_string(::getpid()))) {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    ~DatabaseCommands() override { fs::remove_all(folder); }
    DatabaseCommands(const DatabaseCommands&) = delete;
    DatabaseCommands& operator=(const DatabaseCommands&) = delete;

    [[nodiscard]] Outcome db(std::vector<std::string> words, const fs::path& data) const {
        words.insert(words.begin(), "db");
        words.insert(words.end(), {"--data-dir", data.string()});
        return run_understudy(words);
    }
    fs::path folder;
};

TEST_F(DatabaseCommands, backup_says_what_is_missing_and_leaves_with_the_documented_code) {
    const auto data = folder / "data", copy = folder / "copy.db";
    auto outcome = db({"backup", copy.string()}, data);
    EXPECT_EQ(outcome.code, 4);
    EXPECT_THAT(outcome.err, HasSubstr("there is no data folder " + data.string()));
    EXPECT_FALSE(fs::exists(data)) << "a backup makes no folder";
    fs::create_directories(data);
    outcome = db({"backup", copy.string()}, data);
    EXPECT_EQ(outcome.code, 4);
    EXPECT_THAT(outcome.err, HasSubstr("there is no database " + (data / "understudy.db").string()));

    ASSERT_EQ(db({"migrate"}, data).code, 0);
    outcome = db({"backup", copy.string()}, data);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(fs::exists(copy));
    outcome = db({"backup", copy.string()}, data);
    EXPECT_EQ(outcome.code, 6);
    EXPECT_THAT(outcome.err, HasSubstr(copy.string() + " exists already"));
    outcome = db({"backup", (folder / "nowhere" / "copy.db").string()}, data);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("cannot be written: there is no folder " + (folder / "nowhere").string()));
    outcome = db({"backup", "/proc/copy.db"}, data);  // a folder that even root may not write
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("/proc/copy.db"));
    const auto told = db({"backup", (folder / "other.db").string(), "--json"}, data);
    EXPECT_EQ(std::string(boost::json::parse(told.out).at("file").as_string()), (folder / "other.db").string());
}

TEST_F(DatabaseCommands, what_it_makes_is_for_its_owner_and_the_group_reads) {
    const auto data = folder / "data";
    const auto mistyped = db({"migrate"}, data);
    EXPECT_EQ(mistyped.code, 4);
    EXPECT_THAT(mistyped.err, HasSubstr("there is no data folder " + data.string()));
    ASSERT_FALSE(fs::exists(data)) << "a mistyped folder is not made";
    fs::create_directories(data);
    ASSERT_EQ(db({"migrate"}, data).code, 0);
    EXPECT_EQ(fs::status(data / "understudy.db").permissions(), fs::perms{0640});
    fs::permissions(data, fs::perms{0755});
    ASSERT_EQ(db({"migrate"}, data).code, 0);
    EXPECT_EQ(fs::status(data).permissions(), fs::perms{0755}) << "what is there stays as it is";
}

}  // namespace
}  // namespace understudy::app
