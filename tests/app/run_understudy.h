// tests/app/run_understudy.h: the command line in this process, with what it printed. Used by the suites of the CLI.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "app/cli/cli.h"

namespace understudy::testing {

struct Outcome {
    int code = 0;
    std::string out, err;
};

inline Outcome run_understudy(const std::vector<std::string>& words) {
    std::vector<std::string> all{"understudy"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (auto& word : all) argv.push_back(word.data());
    std::ostringstream out, err;
    Outcome outcome;
    outcome.code = app::run_cli(static_cast<int>(argv.size()), argv.data(), out, err);
    outcome.out = out.str();
    outcome.err = err.str();
    return outcome;
}

}  // namespace understudy::testing
