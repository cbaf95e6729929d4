// bench/store: what the store costs: batches of a scan, streaming, pages of a list, removing a library, beside the raw
// libraries doing the least that could be called the same. Run: bench_store [items, default 20000]
#include <fmt/core.h>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/sql/sql_catalog.h"
#include "store/sql/sql_library_store.h"
#include "store/sql/sql_scan_store.h"
#include "support/databases.h"

namespace {

using namespace understudy;
using namespace std::chrono_literals;
using std::chrono::steady_clock;
using understudy::testing::DatabaseKind;

[[noreturn]] void stop(const std::string& why) {
    fmt::print(stderr, "bench_store: {}\n", why);
    std::exit(1);
}
template <class T>
void must(const core::Result<T>& result) {
    if (!result) stop(result.error().context);
}

double cpu_ms() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto ms = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
    };
    return ms(usage.ru_utime) + ms(usage.ru_stime);
}
double ms_since(steady_clock::time_point from) {
    return std::chrono::duration<double, std::milli>(steady_clock::now() - from).count();
}
double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}
double p95(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() * 95 / 100];
}

core::ItemId id_of(std::uint32_t number) {
    // Spread like random ids, so that B-trees are hit as in life.
    std::uint64_t x = number * 0x9e3779b97f4a7c15ULL + 1;
    core::IdBytes bytes{};
    for (auto& byte : bytes) {
        x ^= x >> 27;
        x *= 0x94d049bb133111ebULL;
        byte = static_cast<std::uint8_t>(x >> 56);
    }
    bytes[15] = static_cast<std::uint8_t>(number);
    bytes[14] = static_cast<std::uint8_t>(number >> 8);
    bytes[13] = static_cast<std::uint8_t>(number >> 16);
    return core::ItemId{bytes};
}
const core::LibraryId library{core::IdBytes{7}};

std::string path_of(std::uint32_t number) {
    return fmt::format("/srv/media/Films/Some Film With A Title {0:06} (1999)/Some Film With A Title {0:06} (1999).mkv",
                       number);
}

// 60 % tracks with tags, 40 % films with three streams.
model::Item item_of(std::uint32_t number) {
    model::Item item;
    item.id = id_of(number);
    item.library = library;
    item.name = item.sort_name = fmt::format("Some Film With A Title {:06}", number);
    item.original_key = item.name;
    item.year = 1999;
    item.created_at = core::from_unix_ms(1'700'000'000'000);
    model::MediaSource source;
    source.file = {path_of(number), 1'234'567, 1'600'000'000'000'000'000, number, 2049};
    source.info.content_sample = "0123456789abcdef0123456789abcdef";
    source.info.container = "matroska,webm";
    const bool track = number % 10 < 6;
    item.kind = track ? model::ItemKind::track : model::ItemKind::movie;
    if (track) {
        item.album = "An Album";
        item.album_artist = "An Artist";
        item.artists = {"An Artist"};
        item.genres = {"Rock"};
        item.track_number = 3;
        source.info.tags.title = item.name;
        source.info.tags.artists = item.artists;
        source.info.tags.album = item.album;
        source.info.tags.year = 1999;
        source.info.tags.track = 3;
    } else {
        item.provider_ids = {{"Imdb", "tt0133093"}, {"Tmdb", "603"}};
    }
    source.info.streams.resize(track ? 1 : 3);
    for (std::size_t n = 0; n < source.info.streams.size(); ++n) {
        auto& stream = source.info.streams[n];
        stream.kind = n == 0 && !track ? model::StreamKind::video : model::StreamKind::audio;
        stream.index = static_cast<int>(n);
        stream.codec = "h264";
        stream.profile = "High";
        stream.language = "eng";
        stream.pixel_format = "yuv420p";
        stream.channel_layout = "stereo";
    }
    item.sources.push_back(source);
    return item;
}

// What an NFO file, three pictures and a subtitle file beside a film add.
void describe(model::Item& item) {
    if (item.kind != model::ItemKind::movie) return;
    item.about.overview = std::string(400, 'o');
    item.about.original_title = item.about.tagline = item.name;
    item.about.community_rating = 7.5;
    item.about.premiered = item.created_at;
    item.about.studios = item.about.countries = {"Somebody", "Somebody Else"};
    const auto& path = item.sources[0].file.path;
    for (const auto kind : {model::ImageKind::primary, model::ImageKind::backdrop, model::ImageKind::logo})
        item.images.push_back({kind, path + ".jpg", 100'000, 1'600'000'000'000'000'000});
    model::ExternalStream subtitles;
    subtitles.path = path + ".srt";
    subtitles.stream.kind = model::StreamKind::subtitle;
    item.sources[0].external.push_back(subtitles);
}

store::ScanBatch batch_of(std::uint32_t from, std::uint32_t count, bool described = false) {
    store::ScanBatch batch;
    batch.library = library;
    for (std::uint32_t i = from; i < from + count; ++i) {
        batch.upsert_items.push_back(item_of(i));
        if (described) describe(batch.upsert_items.back());
        store::StoredFile file;
        file.file = batch.upsert_items.back().sources[0].file;
        file.item = batch.upsert_items.back().id;
        file.content_sample = "0123456789abcdef0123456789abcdef";
        batch.upsert_files.push_back(file);
    }
    return batch;
}

// CPU of the server's sessions with our database so far; 0 on SQLite.
double server_cpu_ms(store::sql::Database& database) {
    if (database.dialect() == store::sql::Dialect::sqlite) return 0;
    double ticks = 0;
    must(database.with(store::sql::Access::read, [&](store::sql::Session& session) {
        return session.query("SELECT CAST(pid AS BIGINT) FROM pg_stat_activity WHERE datname = current_database()", {},
                             [&](const store::sql::Row& row) {
                                 std::ifstream stat(fmt::format("/proc/{}/stat", row.integer(0)));
                                 std::string word;
                                 for (int i = 0; i < 13; ++i) stat >> word;  // its name is one word: (postgres)
                                 double user = 0, system = 0;
                                 stat >> user >> system;
                                 ticks += user + system;
                             });
    }));
    return ticks * 1000.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

struct Store {
    explicit Store(DatabaseKind kind) : base(understudy::testing::make_test_database(kind)), database(base->open(8)) {
        must(store::sql::migrate(*database));
        must(database->with(store::sql::Access::write, [&](store::sql::Session& session) -> core::Result<void> {
            auto done = session.execute(
                "INSERT INTO task_runs (run_id, task, scope, kind, options, pod, boot_id, epoch, state, progress, "
                "cursor, "
                "cursor_seq, start_cursor, attempts, stuck_takeovers, cancel_requested, cancel_reason, started_at, "
                "beat, "
                "error, counts, warnings) VALUES (?, 'RefreshLibrary', 'cluster', 'manual', '{}', 'a', '', 1, "
                "'running', 0, "
                "'', 0, '', 1, 0, 0, '', 0, 0, '', '{}', '[]')",
                {fence.run.str()});
            if (!done) return tl::unexpected(done.error());
            return {};
        }));
        model::Library made;
        made.id = library;
        made.name = "Films";
        made.paths = {"/srv/media"};
        must(libraries.add(made));
    }
    std::unique_ptr<understudy::testing::TestDatabase> base;
    std::unique_ptr<store::sql::Database> database;
    store::sql::SqlLibraryStore libraries{*database};
    store::sql::SqlScanStore scans{*database};
    store::sql::SqlCatalog catalog{*database};
    core::Fence fence{core::RunId{core::IdBytes{1}}, 1, 0, std::string{"cursor"}};
};

void run(DatabaseKind kind, std::uint32_t items) {
    const std::string name = kind == DatabaseKind::sqlite ? "sqlite" : "postgresql";
    Store store(kind);
    const auto line = [&](const std::string& what, const std::string& figure) {
        fmt::print("{:<11}{:<52}{}\n", name, what, figure);
    };

    const auto scan = [&](const std::string& what, bool described) {
        std::vector<double> times;
        const double server_cpu = server_cpu_ms(*store.database);
        const double cpu = cpu_ms();
        const auto from = steady_clock::now();
        double building = 0;
        for (std::uint32_t i = 0; i < items; i += 500) {
            const double built = cpu_ms();
            const auto batch = batch_of(i, 500, described);
            building += cpu_ms() - built;
            const auto start = steady_clock::now();
            must(store.scans.apply(batch, store.fence));
            times.push_back(ms_since(start));
            ++store.fence.cursor_seq;
        }
        line(what,
             fmt::format("{:.1f} ms a batch (p95 {:.1f}); CPU a batch: ours {:.1f}, server {:.1f} ms; {:.0f} ms in all",
                         median(times), p95(times), (cpu_ms() - cpu - building) / static_cast<double>(times.size()),
                         (server_cpu_ms(*store.database) - server_cpu) / static_cast<double>(times.size()),
                         ms_since(from) - building));
    };
    scan("first scan, batches of 500 items", false);
    scan("the same batches again", false);
    const auto vacuum = [&] {  // PostgreSQL's autovacuum would do it within a minute
        if (kind == DatabaseKind::sqlite) return;
        must(store.database->with(store::sql::Access::write, [](store::sql::Session& session) -> core::Result<void> {
            auto done = session.execute("VACUUM (ANALYZE)");
            if (!done) return tl::unexpected(done.error());
            return {};
        }));
    };
    vacuum();
    {
        const double cpu = cpu_ms();
        const auto from = steady_clock::now();
        std::size_t seen = 0;
        must(store.scans.files(library, [&](store::StoredFile&&) { ++seen; }));
        line(fmt::format("stream {} files", seen),
             fmt::format("{:.0f} ms, {:.0f} ms of our CPU", ms_since(from), cpu_ms() - cpu));
    }
    {
        const auto from = steady_clock::now();
        std::size_t seen = 0;
        must(store.scans.items(library, [&](store::StoredItem&&) { ++seen; }));
        line(fmt::format("stream {} items", seen), fmt::format("{:.0f} ms", ms_since(from)));
    }
    const auto list = [&](const std::string& what, const store::ItemQuery& query) {
        std::vector<double> times;
        std::size_t total = 0;
        for (int i = 0; i < 30; ++i) {
            const auto start = steady_clock::now();
            const auto page = store.catalog.list(query);
            must(page);
            total = page->total;
            times.push_back(ms_since(start));
        }
        line(fmt::format("page of {} of {}: {}", query.limit, total, what),
             fmt::format("{:.2f} ms (p95 {:.2f})", median(times), p95(times)));
    };
    store::ItemQuery query;
    query.library = library;
    query.recursive = true;
    query.kinds = {model::ItemKind::movie};
    list("films by name", query);
    query.with_sources = true;
    list("films by name with sources", query);
    query.with_sources = false;
    query.kinds = {};
    list("everything by name", query);
    query.search = "title 0001";
    list("search", query);
    query.search.clear();
    {
        std::vector<double> times;
        std::atomic<bool> stop_reading{false};
        std::thread writer([&] {
            for (std::uint32_t i = 0; i < items; i += 500) {
                must(store.scans.apply(batch_of(i, 500), store.fence));
                ++store.fence.cursor_seq;
            }
            stop_reading = true;
        });
        query.kinds = {model::ItemKind::movie};
        while (!stop_reading) {
            const auto start = steady_clock::now();
            must(store.catalog.list(query));
            times.push_back(ms_since(start));
            std::this_thread::sleep_for(5ms);
        }
        writer.join();
        line("films by name while batches are written",
             fmt::format("{:.2f} ms (p95 {:.2f})", median(times), p95(times)));
    }
    scan("the films described (200 a batch)", true);
    scan("the same batches again", true);
    vacuum();
    list("described films by name", query);
    query.with_sources = true;
    list("described films by name with sources", query);
    {
        std::vector<double> times;
        std::atomic<bool> stop_reading{false};
        double removing = 0;
        std::thread remover([&] {
            const auto from = steady_clock::now();
            must(store.libraries.remove(library));
            removing = ms_since(from);
            stop_reading = true;
        });
        while (!stop_reading) {
            const auto start = steady_clock::now();
            must(
                store.database->with(store::sql::Access::write, [](store::sql::Session& session) -> core::Result<void> {
                    auto beat = session.execute("UPDATE task_runs SET beat = beat + 1");
                    if (!beat) return tl::unexpected(beat.error());
                    return {};
                }));
            times.push_back(ms_since(start));
            std::this_thread::sleep_for(2ms);
        }
        remover.join();
        line("remove the library", fmt::format("{:.0f} ms; another writer waits {:.1f} ms (longest {:.1f})", removing,
                                               median(times), *std::max_element(times.begin(), times.end())));
    }
}

// 20,000 rows of five columns through Session and through the bare library.
void read_rows() {
    constexpr int rows = 20'000, rounds = 7;
    const std::string make = "CREATE TABLE plain (id BIGINT PRIMARY KEY, a TEXT, b TEXT, c BIGINT, d BIGINT)";
    const std::string select = "SELECT id, a, b, c, d FROM plain";
    for (const auto kind : {DatabaseKind::sqlite, DatabaseKind::postgresql}) {
        const bool sqlite = kind == DatabaseKind::sqlite;
        const auto base = understudy::testing::make_test_database(kind);
        const auto database = base->open(2);
        must(database->with(store::sql::Access::write, [&](store::sql::Session& session) -> core::Result<void> {
            if (auto made = session.execute(make); !made) return tl::unexpected(made.error());
            auto filled = session.execute(
                sqlite
                    ? "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO "
                      "plain "
                      "SELECT i, 'name of ' || i, 'a longer text in column b, number ' || i, i * 1000000007, -i FROM n"
                    : "INSERT INTO plain SELECT i, 'name of ' || i, 'a longer text in column b, number ' || i, i * "
                      "1000000007, -i FROM generate_series(1::bigint, 20000) AS i");
            if (!filled) return tl::unexpected(filled.error());
            return {};
        }));
        std::vector<double> ours, raw;
        std::size_t bytes = 0;
        for (int round = 0; round < rounds; ++round) {
            auto start = steady_clock::now();
            must(database->with(store::sql::Access::read, [&](store::sql::Session& session) {
                return session.query(select, {}, [&](const store::sql::Row& row) {
                    bytes += row.text(1).size() + row.text(2).size() +
                             static_cast<std::size_t>((row.integer(0) + row.integer(3) + row.integer(4)) & 1);
                });
            }));
            ours.push_back(ms_since(start));
            if (sqlite) {
                sqlite3* connection = nullptr;
                sqlite3_open(base->file().c_str(), &connection);
                sqlite3_stmt* statement = nullptr;
                sqlite3_prepare_v2(connection, select.c_str(), -1, &statement, nullptr);
                start = steady_clock::now();
                while (sqlite3_step(statement) == SQLITE_ROW) {
                    const std::string a(reinterpret_cast<const char*>(sqlite3_column_text(statement, 1)));
                    const std::string b(reinterpret_cast<const char*>(sqlite3_column_text(statement, 2)));
                    bytes += a.size() + b.size() + static_cast<std::size_t>(sqlite3_column_int64(statement, 3) & 1);
                }
                raw.push_back(ms_since(start));
                sqlite3_finalize(statement);
                sqlite3_close(connection);
            } else {
                PGconn* connection = PQconnectdb(base->conninfo().c_str());
                start = steady_clock::now();
                PGresult* result = PQexec(connection, select.c_str());
                for (int i = 0; i < PQntuples(result); ++i) {
                    const std::string a(PQgetvalue(result, i, 1)), b(PQgetvalue(result, i, 2));
                    bytes += a.size() + b.size() + static_cast<std::size_t>(std::atoll(PQgetvalue(result, i, 3)) & 1);
                }
                raw.push_back(ms_since(start));
                PQclear(result);
                PQfinish(connection);
            }
        }
        fmt::print("{:<11}{:<52}{:.1f} ms; the bare library {:.1f} ms (x {:.2f}) [{}]\n",
                   sqlite ? "sqlite" : "postgresql", fmt::format("read {} rows of 5 columns", rows), median(ours),
                   median(raw), median(ours) / median(raw), bytes % 10);
    }
}

}  // namespace

int main(int count, char** arguments) {
    const auto items = count > 1 ? static_cast<std::uint32_t>(std::strtoul(arguments[1], nullptr, 10)) : 20'000U;
    if (items == 0 || items % 500 != 0) stop("the number of items must be a multiple of 500");
    fmt::print("SQLite {}, libpq {}\n", sqlite3_libversion(), PQlibVersion());
    read_rows();
    run(DatabaseKind::sqlite, items);
    run(DatabaseKind::postgresql, items);
    return 0;
}
