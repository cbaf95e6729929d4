#include "core/report.h"

extern "C" {
#include <libavformat/avformat.h>
}
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace understudy::bench {
namespace {

// The first line that a command prints; what is measured is not ours alone, so its versions belong to the figure.
std::string line_of(const std::string& command) {
    const auto close = [](std::FILE* pipe) { ::pclose(pipe); };
    const std::unique_ptr<std::FILE, decltype(close)> pipe(::popen((command + " 2>/dev/null").c_str(), "r"), close);
    std::array<char, 256> text{};
    if (!pipe || std::fgets(text.data(), text.size(), pipe.get()) == nullptr) return "?";
    std::string line(text.data());
    while (!line.empty() && line.back() == '\n') line.pop_back();
    return line;
}

std::string line_in(const std::string& file, std::string_view name) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(name)) continue;
        const auto colon = line.find(':');
        const auto begin = line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? "?" : line.substr(begin);
    }
    return "?";
}

}  // namespace

void Bench::say(const std::string& line) const {
    std::fprintf(stderr, "bench: %s\n", line.c_str());
}

void Bench::add(Figure figure) {
    say(fmt::format("{}: {}{}", figure.what, figure.measured, figure.ok && !*figure.ok ? "  OVER BUDGET" : ""));
    table.push_back(std::move(figure));
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values.at(std::max<std::size_t>(rank, 1) - 1);
}

double median(std::vector<double> values) {
    return quantile(std::move(values), 0.5);
}

std::string describe_run(const Bench& bench) {
    utsname system{};
    ::uname(&system);
    const auto now = std::time(nullptr);
    const char* commit = std::getenv("UNDERSTUDY_BENCH_COMMIT");
    const auto version = avformat_version();
    std::string text;
    text += fmt::format("- {:%Y-%m-%d %H:%M} UTC, commit {}{}\n", fmt::gmtime(now), commit != nullptr ? commit : "?",
                        bench.quick ? ", --quick" : "");
    text += fmt::format("- {} x {}, {} memory, Linux {}\n", std::thread::hardware_concurrency(),
                        line_in("/proc/cpuinfo", "model name"), line_in("/proc/meminfo", "MemTotal"), system.release);
    std::array<double, 3> load{};
    if (::getloadavg(load.data(), 3) == 3) {
        text += fmt::format(
            "- load average at the end: {:.1f} (1 min), {:.1f} (15 min); more than the bench's own "
            "means that others used the machine\n",
            load[0], load[2]);
    }
    text += fmt::format("- libavformat {}.{}.{}; {}; {}; SQLite {}; {}\n", version >> 16, (version >> 8) & 255,
                        version & 255, line_of("redis-server --version | cut -d' ' -f1-3"),
                        line_of("$(ls /usr/lib/postgresql/*/bin/postgres | tail -1) --version"),
                        line_of("sqlite3 --version | cut -d' ' -f1"), line_of("find --version | head -1"));
    return text;
}

std::string table_text(const std::vector<Figure>& table) {
    std::string text =
        "| what | measured | peer or limit in the same run | ratio | budget | ok |\n|---|---|---|---|---|---|\n";
    const auto cell = [](const std::string& value) { return value.empty() ? std::string("–") : value; };
    for (const auto& row : table) {
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.what, cell(row.measured), cell(row.limit),
                            cell(row.ratio), cell(row.budget),
                            !row.ok   ? "(information)"
                            : *row.ok ? "yes"
                                      : "NO");
    }
    return text;
}

}  // namespace understudy::bench
