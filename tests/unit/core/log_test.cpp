#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>

#include "core/spdlog_log.h"

namespace understudy::core {
namespace {

std::string write_one(LogFormat format) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / ("log_test_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    {
        SpdlogLog log({.format = format, .pod = "a", .directory = folder});
        log.info("run started", {{"task", "RefreshLibrary"}, {"path", "with \"quotes\"\nand lines"}});
    }
    std::stringstream text;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) text << std::ifstream(entry.path()).rdbuf();
    std::filesystem::remove_all(folder);
    return text.str();
}

TEST(SpdlogLog, writes_one_json_object_a_line) {
    const auto line = write_one(LogFormat::json);
    const auto entry = boost::json::parse(line).as_object();
    EXPECT_EQ(entry.at("message").as_string(), "run started");
    EXPECT_EQ(entry.at("task").as_string(), "RefreshLibrary");
    EXPECT_EQ(entry.at("path").as_string(), "with \"quotes\"\nand lines");
    EXPECT_EQ(entry.at("pod").as_string(), "a");
}

TEST(SpdlogLog, keeps_text_on_one_line) {
    const auto line = write_one(LogFormat::text);
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    EXPECT_NE(line.find("task=RefreshLibrary"), std::string::npos);
    EXPECT_NE(line.find(R"(path="with \"quotes\"\nand lines")"), std::string::npos);
}

}  // namespace
}  // namespace understudy::core
