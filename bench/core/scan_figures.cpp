// First scan, scan with nothing changed, and the start over 20,000 known items: one server alone.
extern "C" {
#include <libavformat/avformat.h>
}
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "core/lone_server.h"
#include "core/processes.h"
#include "core/report.h"
#include "corpus/corpus.h"
#include "support/postgres_server.h"
#include "support/redis_server.h"

namespace understudy::bench {
namespace {

constexpr std::size_t files = 20'000;

std::vector<std::filesystem::path> media_of(const Corpus& corpus) {
    auto all = corpus.videos;
    all.insert(all.end(), corpus.tracks.begin(), corpus.tracks.end());
    return all;
}

// What a scan is measured against: open and stream info on each file, by two threads that take them in turn.
Cost bare_loop(const std::vector<std::filesystem::path>& media) {
    const auto begun = std::chrono::steady_clock::now();
    const auto used = cpu_seconds(::getpid());
    std::atomic<std::size_t> next{0}, failed{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < media.size(); i = next++) {
            AVFormatContext* context = nullptr;
            if (avformat_open_input(&context, media[i].c_str(), nullptr, nullptr) < 0 ||
                avformat_find_stream_info(context, nullptr) < 0) {
                ++failed;
            }
            avformat_close_input(&context);
        }
    };
    {
        const std::jthread other(work);
        work();
    }
    if (failed > 0)
        throw std::runtime_error(fmt::format("libavformat cannot read {} files of the corpus", failed.load()));
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(),
            cpu_seconds(::getpid()) - used};
}

void add_libraries(LoneServer& server, const Corpus& corpus) {
    server.add_library("Films", "movies", corpus.films);
    server.add_library("Series", "tvshows", corpus.series);
    server.add_library("Music", "music", corpus.music);
}

ScanResult first_scan(LoneServer& server, const Corpus& corpus) {
    server.start();
    add_libraries(server, corpus);
    auto result = server.scan();
    if (result.counts["added"] != static_cast<std::int64_t>(files) || server.items() != files) {
        throw std::runtime_error(
            fmt::format("{} files added, {} items, not {}", result.counts["added"], server.items(), files));
    }
    return result;
}

/// Runs in turn, A B A B …
struct Series {
    std::vector<double> limit, limit_cpu, ours, cpu;
    void add(const Cost& a, const ScanResult& b) {
        limit.push_back(a.seconds), limit_cpu.push_back(a.cpu_seconds);
        ours.push_back(b.seconds), cpu.push_back(b.cpu_seconds);
    }
    [[nodiscard]] double ratio() const { return median(ours) / median(limit); }
    [[nodiscard]] double cpu_ratio() const { return median(cpu) / median(limit_cpu); }
};

void add_ratio(Bench& bench, const std::string& what, const Series& series, const std::string& limit, double budget) {
    bench.add(
        {.what = what,
         .measured = fmt::format("{:.2f} s (CPU {:.2f} s)", median(series.ours), median(series.cpu)),
         .limit = fmt::format("{}: {:.2f} s (CPU {:.2f} s)", limit, median(series.limit), median(series.limit_cpu)),
         .ratio =
             fmt::format("{:.2f}, CPU {:.2f} (medians of {})", series.ratio(), series.cpu_ratio(), series.ours.size()),
         .budget = fmt::format("<= {:.1f} x", budget),
         .ok = series.ratio() <= budget});
}

/// The server that the last pair leaves behind knows all items.
std::unique_ptr<LoneServer> measure_first(Bench& bench, const Corpus& corpus, const testing::TempFolder& folder) {
    const auto media = media_of(corpus);
    (void)bare_loop(media);  // into the page cache
    const int pairs = bench.quick ? 2 : 5;
    testing::PostgresServer postgres({"fsync=on", "full_page_writes=on"});
    Series sqlite, other;
    std::unique_ptr<LoneServer> server;
    for (int pair = 0; pair < pairs; ++pair) {
        if (server) server->stop();
        const auto bare = bare_loop(media);
        server = std::make_unique<LoneServer>(folder.path() / fmt::format("sqlite-{}", pair));
        const auto scan = first_scan(*server, corpus);
        sqlite.add(bare, scan);
        LoneServer second(folder.path() / fmt::format("postgresql-{}", pair),
                          {{"Jellyfin:Database:Provider", "PostgreSQL"},
                           {"Jellyfin:Database:ConnectionString", postgres.make_database()}});
        const auto on_postgres = first_scan(second, corpus);
        second.stop();
        other.add(bare, on_postgres);
        bench.say(fmt::format("first scan, pair {}: bare loop {:.2f} s, scan {:.2f} s, on PostgreSQL {:.2f} s",
                              pair + 1, bare.seconds, scan.seconds, on_postgres.seconds));
    }
    const std::string limit = "open + stream info, a bare loop of two threads";
    add_ratio(bench, fmt::format("first scan of {} small files, SQLite", files), sqlite, limit, 1.5);
    add_ratio(bench, "the same on PostgreSQL (CPU without the database's)", other, limit, 2.0);
    return server;
}

/// What a scan leaves behind: not the idle figure, but nothing that may grow.
void tell_memory_after(Bench& bench, const LoneServer& server, const std::string& when) {
    bench.add(
        {.what = "resident memory of the server after " + when,
         .measured = fmt::format("{:.1f} MB", static_cast<double>(resident_bytes(server.processes().back())) / 1e6),
         .ok = std::nullopt});
}

void measure_unchanged(Bench& bench, LoneServer& server, const Corpus& corpus) {
    const auto find = fmt::format("find '{}' '{}' '{}' -printf '%p %s %T@\\n' >/dev/null", corpus.films.string(),
                                  corpus.series.string(), corpus.music.string());
    (void)cost_of(find);
    (void)server.scan();
    Series series;
    for (int pair = 0; pair < (bench.quick ? 3 : 5); ++pair) {
        const auto listed = cost_of(find);
        const auto scan = server.scan();
        series.add(listed, scan);
        if (auto counts = scan.counts; counts["unchanged"] != static_cast<std::int64_t>(files)) {
            throw std::runtime_error(fmt::format("{} files unchanged, not {}", counts["unchanged"], files));
        }
    }
    add_ratio(bench, fmt::format("scan with nothing changed, {} files, SQLite", files), series, "find -printf", 2.5);
}

void measure_start(Bench& bench, LoneServer& server) {
    std::vector<double> seconds;
    for (int round = 0; round < (bench.quick ? 5 : 11); ++round) {
        server.stop();
        seconds.push_back(server.start_timed());
    }
    const auto worst = quantile(seconds, 1);
    bench.add({.what = fmt::format("start to ready on SQLite, {} items known", server.items()),
               .measured = fmt::format("worst of {}: {:.0f} ms (median {:.0f} ms)", seconds.size(), 1000 * worst,
                                       1000 * median(seconds)),
               .budget = "< 500 ms",
               .ok = worst < 0.5});
}

}  // namespace

void measure_scans(Bench& bench) {
    av_log_set_level(AV_LOG_QUIET);
    bench.say("the corpus is made where it is not there yet: a minute, 2 GB");
    const auto corpus = make_corpus(corpus_folder(bench.build, files), files);
    const testing::TempFolder folder("scans");
    const auto server = measure_first(bench, corpus, folder);
    tell_memory_after(bench, *server, "the first scan");
    measure_unchanged(bench, *server, corpus);
    tell_memory_after(bench, *server, "the scans with nothing changed");
    measure_start(bench, *server);
    server->stop();
}

}  // namespace understudy::bench
