// bench/store: what is kept beside items costs: pending files by anti-join, clean-ups of user data and memberships
// beside one set-based statement, credits, blobs. Run: bench_kept [sources, default 200000] [rows of user data, default
// 1000000]
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/store/bench_database.h"
#include "core/random.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_blobs.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_people.h"
#include "store/sql/sql_scan_store.h"
#include "store/sql/sql_user_data.h"

namespace {

using namespace understudy;
using bench::DatabaseKind;
using bench::id_of;
using bench::must;
using std::chrono::steady_clock;

core::ItemId item_id(std::uint32_t number) {
    return id_of<core::ItemId>(1, number);
}
store::ContentKey content_of(std::uint32_t number) {
    return {core::id_to_hex(id_of<core::ItemId>(2, number).bytes()), 1'600'000'000'000'000'000 + number};
}

class Bench : public bench::BenchDatabase {
public:
    explicit Bench(DatabaseKind kind) : BenchDatabase(kind, model::LibraryKind::movies) {}

    template <class Step>
    std::int64_t steps(const Step& one) {
        std::int64_t removed = 0;
        std::string cursor;
        do {
            const auto step = one(cursor, fence());
            must(step);
            passed();
            removed += step->removed;
            cursor = step->cursor;
        } while (!cursor.empty());
        return removed;
    }
};

// A quarter films with two streams, the rest tracks.
void fill_items(Bench& bench, std::uint32_t sources) {
    store::sql::SqlScanStore scans(bench.database());
    for (std::uint32_t from = 0; from < sources; from += 500) {
        store::ScanBatch batch;
        batch.library = bench.library();
        for (std::uint32_t n = from; n < std::min(sources, from + 500); ++n) {
            model::Item item;
            item.id = item_id(n);
            item.library = bench.library();
            const bool film = n % 4 == 0;
            item.kind = film ? model::ItemKind::movie : model::ItemKind::track;
            item.name = item.sort_name = "Name " + std::to_string(n);
            model::MediaSource source;
            source.file = {fmt::format("/media/Artist {}/Album {}/Track {}.flac", n / 100, n / 10, n), 30'000'000,
                           content_of(n).mtime_ns, n, 7};
            source.info.container = "flac";
            source.info.duration = std::chrono::minutes{4};
            source.info.content_sample = content_of(n).sample;
            source.info.tags.title = item.name;
            model::MediaStream stream;
            stream.kind = model::StreamKind::audio;
            stream.codec = "flac";
            source.info.streams.push_back(stream);
            stream.kind = model::StreamKind::video;
            if (film) source.info.streams.push_back(stream);
            item.sources.push_back(std::move(source));
            batch.upsert_items.push_back(std::move(item));
        }
        must(scans.apply(batch, bench.fence()));
        bench.passed();
    }
    if (!bench.sqlite()) bench.sql("ANALYZE");
}

void bench_analyses(Bench& bench, std::uint32_t sources) {
    store::sql::SqlAnalyses analyses(bench.database());
    const auto totals = [&](const std::string& kind, const store::SourceFilter& filter) {
        return must(analyses.totals(kind, store::AnalysisState::pending, filter))->files;
    };
    store::SourceFilter tracks, films;
    tracks.kinds = {model::ItemKind::track};
    tracks.streams = model::StreamKind::audio;
    films.kinds = {model::ItemKind::movie, model::ItemKind::episode};
    films.streams = model::StreamKind::video;
    bench.time("all pending: stream the tracks", [&] {
        std::int64_t count = 0;
        must(analyses.sources("loudness", store::AnalysisState::pending, tracks, [&](store::AnalysableSource&&) {
            ++count;
            return true;
        }));
        return count;
    });
    bench.time("put an analysis of 1 KiB of each source, 500 a batch", [&] {
        const std::string payload(1'024, 'p');
        for (std::uint32_t from = 0; from < sources; from += 500) {
            std::vector<store::Analysis> rows;
            for (std::uint32_t n = from; n < std::min(sources, from + 500); ++n) {
                rows.push_back({"loudness", content_of(n), 30'000'000, "AudioNormalization", payload, "", {}});
            }
            must(analyses.put(rows, bench.fence()));
            bench.passed();
        }
        return std::int64_t{sources};
    });
    if (!bench.sqlite()) bench.sql("ANALYZE");
    for (int i = 0; i < 3; ++i) {
        bench.time("all done: what is pending of all sources", [&] { return totals("loudness", {}); });
    }
    bench.time("all done: pending tracks with audio", [&] { return totals("loudness", tracks); });
    bench.time("all done: pending films with video", [&] { return totals("loudness", films); });
    bench.time("none done: films with video to sum up", [&] { return totals("keyframes", films); });
    bench.time("none done: stream the films", [&] {
        std::int64_t count = 0;
        must(analyses.sources("keyframes", store::AnalysisState::pending, films, [&](store::AnalysableSource&&) {
            ++count;
            return true;
        }));
        return count;
    });
    bench.time("purge with nothing to purge", [&] {
        return bench.steps([&](const std::string& cursor, const core::Fence& fence) {
            return analyses.purge_unreferenced(cursor, fence);
        });
    });
}

std::string numbers(const Bench& bench, std::int64_t count) {
    if (!bench.sqlite()) return fmt::format("WITH n(x) AS (SELECT generate_series(0, {})) ", count - 1);
    return fmt::format("WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < {}) ", count - 1);
}
// 16 bytes of `text`, in no order.
std::string key(const Bench& bench, const std::string& number) {
    if (bench.sqlite()) {
        return "CAST(substr('0123456789abcdef' || ((" + number + ") * 7919 % 1000003), -16) AS BLOB)";
    }
    return "convert_to(right('0123456789abcdef' || ((" + number + ") * 7919 % 1000003), 16), 'UTF8')";
}

void fill_user_data(Bench& bench, std::int64_t rows) {
    bench.sql("DELETE FROM user_data");
    bench.sql("DELETE FROM vanished_items");
    bench.sql(numbers(bench, rows) + "INSERT INTO user_data SELECT " + key(bench, "x % 10") + ", " +
              key(bench, "x / 10") + ", 1, 1, 0, 0, NULL, 5, NULL, NULL FROM n");
    bench.sql("INSERT INTO vanished_items SELECT DISTINCT item_id, 1000 FROM user_data");
    if (!bench.sqlite()) bench.sql("ANALYZE user_data");
}

void bench_user_data(Bench& bench, std::int64_t rows) {
    store::sql::SqlUserData data(bench.database());
    const auto late = core::from_unix_ms(5'000);
    fill_user_data(bench, rows);
    const auto set_based = bench.time("user data: one set-based statement", [&] {
        return bench.sql(
            "DELETE FROM user_data WHERE item_id IN (SELECT item_id FROM vanished_items WHERE vanished_at_ms < 5000)");
    });
    fill_user_data(bench, rows);
    double longest = 0;
    const auto stepped = bench.time("user data: in steps, under the fence", [&] {
        return bench.steps([&](const std::string& cursor, const core::Fence& fence) {
            const auto from = steady_clock::now();
            auto step = data.remove_detached(late, cursor, fence);
            longest = std::max(longest, std::chrono::duration<double, std::milli>(steady_clock::now() - from).count());
            return step;
        });
    });
    fmt::print("           x {:.2f} of one statement, longest step {:.0f} ms\n", stepped / set_based, longest);
    bench.time("user data: nothing to do", [&] {
        return bench.steps([&](const std::string& cursor, const core::Fence& fence) {
            return data.remove_detached(late, cursor, fence);
        });
    });
}

void bench_members(Bench& bench, std::uint32_t sources) {
    core::SystemRandom random;
    store::sql::SqlCollections collections(bench.database(), random);
    constexpr std::uint32_t members = 200'000, each = 2'000;
    bench.time("200,000 members: add, 2,000 a collection", [&] {
        for (std::uint32_t from = 0; from < members; from += each) {
            store::Collection made;
            made.id = id_of<core::ItemId>(7, from);
            made.name = "Collection " + std::to_string(from);
            std::vector<core::ItemId> items;
            for (std::uint32_t n = from; n < from + each; ++n) items.push_back(item_id(n % sources));
            must(collections.create(made, items));
        }
        return std::int64_t{members};
    });
    const auto clean = [&] {
        return bench.steps([&](const std::string& cursor, const core::Fence& fence) {
            return collections.drop_gone_members(cursor, {}, fence);
        });
    };
    bench.time("200,000 members: nothing to do", clean);
    store::sql::SqlScanStore scans(bench.database());
    store::ScanBatch batch;
    batch.library = bench.library();
    batch.roots = std::vector<model::RootState>{{"/media", true, "", {}, 1}};
    must(scans.apply(batch, bench.fence()));
    bench.passed();
    bench.time("remove 10,000 items that are members, 500 a batch", [&] {
        for (std::uint32_t from = 0; from < 10'000; from += 500) {
            store::ScanBatch gone;
            gone.library = bench.library();
            for (std::uint32_t n = from; n < from + 500; ++n) gone.remove_items.push_back(item_id(n));
            must(scans.apply(gone, bench.fence()));
            bench.passed();
        }
        return std::int64_t{10'000};
    });
    bench.time("200,000 members: drop those of 10,000 items", clean);
}

void bench_people(Bench& bench, std::uint32_t sources) {
    core::SystemRandom random;
    store::sql::SqlPeople people(bench.database(), random);
    const auto films = std::min<std::uint32_t>(sources / 4, 20'000);
    bench.time("credits: 20 each of up to 20,000 films, 500 a batch", [&] {
        std::vector<store::ItemCredits> batch;
        std::int64_t count = 0;
        for (std::uint32_t n = 0; n < films; ++n) {
            store::ItemCredits one{item_id(20'000 + n), {}};
            for (std::uint32_t c = 0; c < 20; ++c) {
                one.credits.push_back(
                    {"Person " + std::to_string((n * 31 + c * c * 97) % 60'000), {}, model::CreditKind::actor, "role"});
            }
            batch.push_back(std::move(one));
            if (batch.size() < 500 && n + 1 < films) continue;
            must(people.put_credits(batch, bench.fence()));
            bench.passed();
            count += static_cast<std::int64_t>(batch.size()) * 20;
            batch.clear();
        }
        return count;
    });
    bench.time("people: merge and remove, nothing to do", [&] {
        const auto merged = bench.steps([&](const std::string& cursor, const core::Fence& fence) {
            return people.merge_duplicates(cursor, fence);
        });
        return merged + bench.steps([&](const std::string& cursor, const core::Fence& fence) {
            return people.remove_without_credits(cursor, fence);
        });
    });
}

void bench_blobs(Bench& bench) {
    store::sql::SqlBlobs blobs(bench.database());
    bench.time("blobs in the database: put 1,000 of 50 kB", [&] {
        std::string bytes(50'000, 'b');
        for (int i = 0; i < 1'000; ++i) {
            bytes[0] = static_cast<char>(i);
            bytes[1] = static_cast<char>(i / 256);
            must(blobs.put(bytes));
        }
        return must(blobs.totals())->blobs;
    });
}

}  // namespace

int main(int argc, char** argv) {
    const auto sources = bench::count_argument(argc, argv, 1, 200'000);
    const auto rows = bench::count_argument(argc, argv, 2, 1'000'000);
    for (const auto kind : {DatabaseKind::sqlite, DatabaseKind::postgresql}) {
        Bench bench(kind);
        bench.time("write the items and sources", [&] {
            fill_items(bench, sources);
            return std::int64_t{sources};
        });
        bench_analyses(bench, sources);
        bench_user_data(bench, rows);
        bench_members(bench, sources);
        bench_people(bench, sources);
        bench_blobs(bench);
    }
}
