// tests/app/terminal.h: the command line at a real server over fakes. Used by the suites of the CLI.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "app/run_understudy.h"
#include "http/house.h"

namespace understudy::testing {

struct TerminalAtHouse : ::testing::Test {
    explicit TerminalAtHouse(http::DispatcherSettings settings = {})
        : house(std::move(settings)), port(house.serve()) {}

    [[nodiscard]] std::string origin() const { return "http://127.0.0.1:" + std::to_string(port); }
    [[nodiscard]] Outcome type(std::vector<std::string> words, const std::string& path = {}) const {
        words.insert(words.end(), {"--url", origin() + path, "--key", admin_key});
        return run_understudy(words);
    }

    House house;
    std::uint16_t port;
};

}  // namespace understudy::testing
