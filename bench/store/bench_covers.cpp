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

#include "bench/store/bench_database.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_covers.h"
#include "store/sql/sql_scan_store.h"

namespace {

using namespace understudy;
using bench::DatabaseKind;
using bench::id_of;
using bench::must;

constexpr std::uint32_t tracks_of_album = 12;

core::ItemId track_id(std::uint32_t number) {
    return id_of<core::ItemId>(1, number);
}
core::ItemId album_id(std::uint32_t number) {
    return id_of<core::ItemId>(3, number);
}
store::ContentKey content_of(std::uint32_t number) {
    return {core::id_to_hex(id_of<core::ItemId>(2, number).bytes()), 1'600'000'000'000'000'000 + number};
}

class Bench : bench::BenchDatabase {
public:
    Bench(DatabaseKind kind, std::uint32_t tracks)
        : BenchDatabase(kind, model::LibraryKind::music), tracks_(tracks), covers_(database()) {}

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
    std::int64_t due() { return static_cast<std::int64_t>(must(covers_.due({library()}))->size()); }
    std::uint32_t albums() const { return (tracks_ + tracks_of_album - 1) / tracks_of_album; }

    std::int64_t fill() {
        store::sql::SqlScanStore scans(database());
        store::ScanBatch batch;
        batch.library = library();
        for (std::uint32_t n = 0; n < tracks_; ++n) {
            model::Item item;
            item.library = library();
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
            must(scans.apply(batch, fence()));
            passed();
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
            must(covers_.put(found, fence()));
            passed();
            found.clear();
        }
        return albums();
    }
    void fail_all() {
        store::sql::SqlAnalyses analyses(database());
        for (std::uint32_t from = 0; from < tracks_; from += 500) {
            std::vector<store::Analysis> rows;
            for (std::uint32_t n = from; n < std::min(tracks_, from + 500); ++n)
                rows.push_back({store::cover_kind, content_of(n), 30'000'000, "T", "", "broken", {}});
            must(analyses.put(rows, fence()));
            passed();
        }
    }

    std::uint32_t tracks_;
    store::sql::SqlCovers covers_;
};

}  // namespace

int main(int argc, char** argv) {
    const auto tracks = bench::count_argument(argc, argv, 1, 200'000);
    for (const auto kind : {DatabaseKind::sqlite, DatabaseKind::postgresql}) Bench(kind, tracks).run();
}
