// bench_core BUILD_FOLDER [--quick] [--only NAME]…: takes the figures of the core and prints one table. Ends with 1
// where a budget is missed or a figure could not be taken.
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/report.h"

namespace {

using namespace understudy::bench;

struct Section {
    std::string_view name, about;
    void (*measure)(Bench&);
    bool by_name_only = false;  ///< too long for a round
};

constexpr Section sections[] = {
    {"hand-over", "SIGTERM and resign to the next leader", measure_hand_over},
    {"kill", "kill -9 to the next leader, T = 3 s", measure_short_lease},
    {"idle", "cost of an idle pod, and kill -9 at T = 15 s", measure_idle_and_long_lease},
    {"scan", "first scan, nothing changed, start to ready", measure_scans},
    {"peers", "first scan against MPD and minidlna", measure_peers},
    {"memory", "200,000 files, and a scan of them with nothing changed", measure_memory},
    {"million", "1,000,000 files (only with --only: a quarter of an hour, 7 GB)", measure_million, true},
};

int usage() {
    std::fputs("usage: bench_core BUILD_FOLDER [--quick] [--only NAME]...\n", stderr);
    for (const auto& section : sections)
        std::fprintf(stderr, "  %-10s %s\n", section.name.data(), section.about.data());
    return 2;
}

// The goals are for two cores; what is started inherits it.
void keep_to_two_cores() {
    cpu_set_t all, two;
    CPU_ZERO(&all);
    CPU_ZERO(&two);
    if (::sched_getaffinity(0, sizeof all, &all) != 0) return;
    int taken = 0;
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE && taken < 2; ++cpu) {
        if (!CPU_ISSET(static_cast<std::size_t>(cpu), &all)) continue;
        CPU_SET(static_cast<std::size_t>(cpu), &two);
        ++taken;
    }
    (void)::sched_setaffinity(0, sizeof two, &two);
}

}  // namespace

int main(int argc, char** argv) {
    Bench bench;
    std::vector<std::string_view> only;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word(argv[i]);
        if (word == "--quick") {
            bench.quick = true;
        } else if (word == "--only" && i + 1 < argc) {
            only.emplace_back(argv[++i]);
        } else if (bench.build.empty() && !word.starts_with("-")) {
            bench.build = std::filesystem::absolute(word);
        } else {
            return usage();
        }
    }
    const auto known = [](std::string_view name) {
        return std::ranges::any_of(sections, [&](const Section& section) { return section.name == name; });
    };
    if (bench.build.empty() || !std::ranges::all_of(only, known)) return usage();
    keep_to_two_cores();
    for (const auto& section : sections) {
        const bool named = std::ranges::find(only, section.name) != only.end();
        if (!named && (!only.empty() || section.by_name_only)) continue;
        bench.say(fmt::format("{}: {}", section.name, section.about));
        try {
            section.measure(bench);
        } catch (const std::exception& error) {
            bench.add(
                {.what = std::string(section.name), .measured = std::string("failed: ") + error.what(), .ok = false});
        }
    }
    std::printf("\n%s\n%s", describe_run(bench).c_str(), table_text(bench.table).c_str());
    const bool missed = std::ranges::any_of(bench.table, [](const Figure& figure) { return figure.ok && !*figure.ok; });
    if (missed) std::printf("\nA budget is missed.\n");
    return missed ? 1 : 0;
}
