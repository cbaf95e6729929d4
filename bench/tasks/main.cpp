// bench_tasks BUILD_FOLDER [keyframes] [loudness]: what the heavy jobs cost against what people use today, on files
// that it makes itself, in the same run. Prints a table for each; ends with 1 if a ratio is over budget.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>
#include <vector>

#include "tasks/cost.h"

namespace {

using namespace understudy::bench;

struct Part {
    std::string_view name;
    bool (*run)(const std::filesystem::path& build);
};

constexpr Part parts[] = {{"keyframes", keyframes_bench}, {"loudness", loudness_bench}};

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) {
        std::fputs("usage: bench_tasks BUILD_FOLDER [PART…]\n", stderr);
        return 2;
    }
    const std::vector<std::string_view> wanted(argv + 2, argv + argc);
    bool good = true;
    for (const auto& part : parts) {
        bool asked = wanted.empty();
        for (const auto& name : wanted) asked |= name == part.name;
        if (asked) good &= part.run(std::filesystem::absolute(argv[1]));
    }
    return good ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_tasks: %s\n", error.what());
    return 1;
}
