// Memory of server and workers over 200,000 files.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/lone_server.h"
#include "core/processes.h"
#include "core/report.h"
#include "core/tracks.h"
#include "corpus/corpus.h"
#include "support/redis_server.h"

namespace understudy::bench {

void measure_memory(Bench& bench) {
    const std::size_t files = bench.quick ? 50'000 : 200'000;
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
    const auto megabytes = [](std::int64_t bytes) { return static_cast<double>(bytes) / 1e6; };
    const auto worst = std::max(most_in_first, most);
    bench.add(
        {.what = fmt::format("memory, {} tiny tracks (copies of three, each with its own names): server + workers, "
                             "most PSS of a first and a second scan",
                             files),
         .measured = fmt::format("{:.0f} MB (second scan {:.0f} MB)", megabytes(worst), megabytes(most)),
         .budget = "< 250 MB",
         .ok = worst < 250'000'000});
    bench.say(fmt::format("the server alone at the second scan's most: {:.0f} MB", megabytes(server_then)));
    bench.add({.what = fmt::format("first scan of those {} tracks", files),
               .measured = fmt::format("{:.1f} s (CPU {:.1f} s)", first.seconds, first.cpu_seconds),
               .ok = std::nullopt});
    bench.add({.what = fmt::format("scan of those {} tracks with nothing changed", files),
               .measured = fmt::format("{:.2f} s (CPU {:.2f} s)", again.seconds, again.cpu_seconds),
               .ok = std::nullopt});
    bench.add({.what = "resident memory of the server after those scans",
               .measured = fmt::format("{:.1f} MB", megabytes(resident_bytes(server.processes().back()))),
               .ok = std::nullopt});
    server.stop();
}

}  // namespace understudy::bench
