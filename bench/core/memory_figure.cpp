// Memory of server and workers over very many files, and a scan of them with nothing changed.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/lone_server.h"
#include "core/processes.h"
#include "core/report.h"
#include "core/tracks.h"
#include "corpus/corpus.h"
#include "support/redis_server.h"

namespace understudy::bench {

namespace {

/// Against `find`, in turn; memory is looked at elsewhere, which would slow the scan down.
void measure_unchanged_many(Bench& bench, LoneServer& server, const std::filesystem::path& tracks, std::size_t files) {
    const auto find = fmt::format("find '{}' -printf '%p %s %T@\\n' >/dev/null", tracks.string());
    (void)cost_of(find);
    std::vector<double> listed, listed_cpu, ours, cpu;
    for (int pair = 0; pair < (bench.quick ? 3 : 5); ++pair) {
        const auto limit = cost_of(find);
        auto scan = server.scan();
        if (scan.counts["unchanged"] != static_cast<std::int64_t>(files)) {
            throw std::runtime_error(fmt::format("{} files unchanged, not {}", scan.counts["unchanged"], files));
        }
        listed.push_back(limit.seconds), listed_cpu.push_back(limit.cpu_seconds);
        ours.push_back(scan.seconds), cpu.push_back(scan.cpu_seconds);
    }
    const double ratio = median(ours) / median(listed);
    bench.add({.what = fmt::format("scan with nothing changed, {} files, SQLite", files),
               .measured = fmt::format("{:.2f} s (CPU {:.2f} s)", median(ours), median(cpu)),
               .limit = fmt::format("find -printf: {:.2f} s (CPU {:.2f} s)", median(listed), median(listed_cpu)),
               .ratio = fmt::format("{:.2f}, CPU {:.2f} (medians of {})", ratio, median(cpu) / median(listed_cpu),
                                    ours.size()),
               .budget = files == 200'000 ? "<= 1.6 x" : "",
               .ok = files == 200'000 ? std::optional(ratio <= 1.6) : std::nullopt});
}

void measure_memory_of(Bench& bench, std::size_t files, std::int64_t budget_bytes) {
    const auto tracks = corpus_folder(bench.build, files).parent_path() / fmt::format("tracks-{}", files);
    bench.say(fmt::format("{} tracks are made where they are not there yet", files));
    make_tracks(tracks, files);
    const testing::TempFolder folder("memory");
    LoneServer server(folder.path());
    server.start();
    server.add_library("Music", "music", tracks);

    std::int64_t most = 0, server_then = 0;
    const auto look = [&] {
        const auto all = server.processes();
        const auto sum = pss_bytes(all);
        if (sum <= most) return;
        most = sum;
        server_then = pss_bytes({all.back()});
    };
    auto first = server.scan(look);
    if (first.counts["added"] != static_cast<std::int64_t>(files)) {
        throw std::runtime_error(fmt::format("{} files added, not {}", first.counts["added"], files));
    }
    const auto most_in_first = most;
    most = 0;
    const auto again = server.scan(look);
    measure_unchanged_many(bench, server, tracks, files);
    const auto megabytes = [](std::int64_t bytes) { return static_cast<double>(bytes) / 1e6; };
    const auto worst = std::max(most_in_first, most);
    bench.add(
        {.what = fmt::format("memory, {} tiny tracks (copies of three, each with its own names): server + workers, "
                             "most PSS of a first and a second scan",
                             files),
         .measured = fmt::format("{:.0f} MB (second scan {:.0f} MB)", megabytes(worst), megabytes(most)),
         .budget = fmt::format("< {:.0f} MB", megabytes(budget_bytes)),
         .ok = worst < budget_bytes});
    bench.say(fmt::format("the server alone at the second scan's most: {:.0f} MB", megabytes(server_then)));
    bench.add({.what = fmt::format("first scan of those {} tracks", files),
               .measured = fmt::format("{:.1f} s (CPU {:.1f} s)", first.seconds, first.cpu_seconds),
               .ok = std::nullopt});
    bench.add({.what = "resident memory of the server after those scans",
               .measured = fmt::format("{:.1f} MB", megabytes(resident_bytes(server.processes().back()))),
               .ok = std::nullopt});
    server.stop();
}

}  // namespace

void measure_memory(Bench& bench) {
    measure_memory_of(bench, bench.quick ? 50'000 : 200'000, 250'000'000);
}

void measure_million(Bench& bench) {
    measure_memory_of(bench, 1'000'000, 400'000'000);
}

}  // namespace understudy::bench
