// bench/store: which albums and films are due for a picture out of their files: what a scan pays where there is nothing
// to do. Run: bench_covers [tracks, default 200000]
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/sql/sql_analyses.h"
#include "store/sql/sql_covers.h"
#include "store/sql/sql_library_store.h"
#include "store/sql/sql_scan_store.h"
#include "support/databases.h"

namespace {

using namespace understudy;
using std::chrono::steady_clock;
using store::sql::Session;
using understudy::testing::DatabaseKind;

constexpr std::uint32_t tracks_of_album = 12;

template <class T>
const core::Result<T>& must(const core::Result<T>& result) {
    if (!result) {
        fmt::print(stderr, "bench_covers: {}\n", result.error().context);
        std::exit(1);
    }
    return result;
}

template <class Id>
Id id_of(std::uint8_t kind, std::uint32_t number) {
    // Spread over the whole range, as random ids are.
    core::IdBytes bytes{};
    const std::uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(mixed >> (8 * i));
    bytes[8] = kind;
    for (std::size_t i = 0; i < 4; ++i) bytes[12 + i] = static_cast<std::uint8_t>(number >> (8 * i));
    return Id{bytes};
}
core::ItemId track_id(std::uint32_t number) {
    return id_of<core::ItemId>(1, number);
}
core::ItemId album_id(std::uint32_t number) {
    return id_of<core::ItemId>(3, number);
}
store::ContentKey content_of(std::uint32_t number) {
    return {core::id_to_hex(id_of<core::ItemId>(2, number).bytes()), 1'600'000'000'000'000'000 + number};
}

class Bench {
public:
    Bench(DatabaseKind kind, std::uint32_t tracks)
        : kind_(kind),
          tracks_(tracks),
          base_(understudy::testing::make_test_database(kind)),
          database_(base_->open()),
          covers_(*database_) {
        must(store::sql::migrate(*database_));
        sql("INSERT INTO task_runs (run_id, task, scope, kind, options, pod, boot_id, epoch, state, progress, cursor, "
            "cursor_seq, start_cursor, attempts, stuck_takeovers, cancel_requested, cancel_reason, started_at, beat, "
            "error, counts, warnings) VALUES ('" +
            fence_.run.str() +
            "', 'T', 'cluster', 'manual', '{}', 'a', '', 3, 'running', 0, '', 0, '', 1, 0, 0, '', 0, 0, '', '{}', "
            "'[]')");
        model::Library library;
        library.id = library_ = id_of<core::LibraryId>(9, 1);
        library.name = "Library";
        library.kind = model::LibraryKind::music;
        library.paths = {"/media"};
        must(store::sql::SqlLibraryStore(*database_).add(library));
    }

    void run() {
        time("write albums and tracks, each with a picture", [&] { return fill(); });
        analyse();
        for (int i = 0; i < 3; ++i) time("every album is due", [&] { return due(); });
        time("put the pictures of all albums, 100 a batch", [&] { return put(); });
        analyse();
        for (int i = 0; i < 3; ++i) time("nothing is due: every album shows one", [&] { return due(); });
        sql("DELETE FROM item_covers");
        time("all pictures are known, none shown", [&] { return due(); });
        sql("DELETE FROM covers");
        fail_all();
        analyse();
        for (int i = 0; i < 3; ++i) time("nothing is due: every picture is broken", [&] { return due(); });
        sql("UPDATE media_sources SET has_embedded_picture = 0");
        analyse();
        for (int i = 0; i < 3; ++i) time("nothing is due: no file has a picture", [&] { return due(); });
    }

private:
    void sql(const std::string& text) {
        must(database_->with(store::sql::Access::write, [&](Session& session) -> core::Result<void> {
            session.set_limit(std::chrono::minutes{10});
            return session.transaction([&]() -> core::Result<void> {
                auto done = session.execute(text);
                if (!done) return tl::unexpected(done.error());
                return {};
            });
        }));
    }
    void analyse() {
        if (kind_ == DatabaseKind::postgresql) sql("ANALYZE");
    }
    void time(const std::string& what, const std::function<std::int64_t()>& work) {
        const auto from = steady_clock::now();
        const auto count = work();
        const auto ms = std::chrono::duration<double, std::milli>(steady_clock::now() - from).count();
        fmt::print("{:<10} {:<58} {:>9.0f} ms {:>9}\n", kind_ == DatabaseKind::sqlite ? "SQLite" : "PostgreSQL", what,
                   ms, count);
        std::fflush(stdout);
    }
    std::int64_t due() { return static_cast<std::int64_t>(must(covers_.due({library_}))->size()); }
    std::uint32_t albums() const { return (tracks_ + tracks_of_album - 1) / tracks_of_album; }

    std::int64_t fill() {
        store::sql::SqlScanStore scans(*database_);
        store::ScanBatch batch;
        batch.library = library_;
        for (std::uint32_t n = 0; n < tracks_; ++n) {
            model::Item item;
            item.library = library_;
            if (n % tracks_of_album == 0) {
                item.id = album_id(n / tracks_of_album);
                item.kind = model::ItemKind::album;
                item.name = item.sort_name = fmt::format("Album {}", n / tracks_of_album);
                batch.upsert_items.push_back(item);
            }
            item.id = track_id(n);
            item.parent = album_id(n / tracks_of_album);
            item.kind = model::ItemKind::track;
            item.name = item.sort_name = fmt::format("Track {}", n);
            item.track_number = static_cast<int>(n % tracks_of_album) + 1;
            model::MediaSource source;
            source.file = {fmt::format("/media/Artist {}/Album {}/Track {}.flac", n / 100, n / tracks_of_album, n),
                           30'000'000, content_of(n).mtime_ns, n, 7};
            source.info.container = "flac";
            source.info.content_sample = content_of(n).sample;
            source.info.has_embedded_picture = true;
            item.sources.push_back(std::move(source));
            batch.upsert_items.push_back(std::move(item));
            if (batch.upsert_items.size() < 480 && n + 1 < tracks_) continue;
            must(scans.apply(batch, fence_));
            ++fence_.cursor_seq;
            batch.upsert_items.clear();
        }
        return tracks_;
    }
    std::int64_t put() {
        std::vector<store::FoundCover> found;
        for (std::uint32_t album = 0; album < albums(); ++album) {
            store::Cover cover{{}, 100'000, 500, 500};
            for (std::size_t i = 0; i < 4; ++i) cover.blob.bytes[i] = static_cast<std::uint8_t>(album >> (8 * i));
            found.push_back({album_id(album), content_of(album * tracks_of_album), cover});
            if (found.size() < 100 && album + 1 < albums()) continue;
            must(covers_.put(found, fence_));
            ++fence_.cursor_seq;
            found.clear();
        }
        return albums();
    }
    void fail_all() {
        store::sql::SqlAnalyses analyses(*database_);
        for (std::uint32_t from = 0; from < tracks_; from += 500) {
            std::vector<store::Analysis> rows;
            for (std::uint32_t n = from; n < std::min(tracks_, from + 500); ++n)
                rows.push_back({store::cover_kind, content_of(n), 30'000'000, "T", "", "broken", {}});
            must(analyses.put(rows, fence_));
            ++fence_.cursor_seq;
        }
    }

    DatabaseKind kind_;
    std::uint32_t tracks_;
    std::unique_ptr<understudy::testing::TestDatabase> base_;
    std::unique_ptr<store::sql::Database> database_;
    store::sql::SqlCovers covers_;
    core::Fence fence_{core::RunId{core::IdBytes{1}}, 3, 0, std::nullopt};
    core::LibraryId library_;
};

}  // namespace

int main(int argc, char** argv) {
    const auto tracks = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 200'000U;
    for (const auto kind : {DatabaseKind::sqlite, DatabaseKind::postgresql}) Bench(kind, tracks).run();
}
