// bench/core/report.h: the one table that the figures of the core end in. Used by all of bench/core.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace understudy::bench {

struct Figure {
    std::string what, measured, limit, ratio, budget;
    std::optional<bool> ok;  ///< nullopt: for information
};

/// What a figure is made with. The table is printed when all are done; `say` goes to stderr while they are.
struct Bench {
    std::filesystem::path build;  ///< the build folder
    bool quick = false;
    std::vector<Figure> table;

    void say(const std::string& line) const;
    void add(Figure figure);
};

/// Machine, system, versions, date; lines of a Markdown list.
[[nodiscard]] std::string describe_run(const Bench& bench);
[[nodiscard]] std::string table_text(const std::vector<Figure>& table);

[[nodiscard]] double median(std::vector<double> values);
/// The smallest value that `share` of all do not exceed.
[[nodiscard]] double quantile(std::vector<double> values, double share);

// The figures. Each throws std::runtime_error where it cannot be taken.
void measure_hand_over(Bench& bench);
void measure_short_lease(Bench& bench);          ///< kill -9 at T = 3 s
void measure_idle_and_long_lease(Bench& bench);  ///< idle cost, then kill -9, both at T = 15 s
void measure_scans(Bench& bench);                ///< first scan, scan with nothing changed, start
void measure_peers(Bench& bench);                ///< first scan, against MPD and minidlna
void measure_memory(Bench& bench);
void measure_million(Bench& bench);  ///< the same over 1,000,000 files: a quarter of an hour and 7 GB

}  // namespace understudy::bench
