// bench/store: what home screens cost: next up, latest, search hints and what is alike, with many series of which
// somebody watches some. Run: bench_home [episodes, default 200000]
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/sql/sql_discovery.h"
#include "store/sql/sql_library_store.h"
#include "store/sql/sql_scan_store.h"
#include "store/sql/sql_shows.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"
#include "support/databases.h"

namespace {

using namespace understudy;
using std::chrono::steady_clock;
using store::sql::Session;
using understudy::testing::DatabaseKind;

constexpr std::uint32_t of_season = 20, of_series = 100;
constexpr std::uint32_t begun_series = 500, watched_of_series = 40;

template <class T>
const core::Result<T>& must(const core::Result<T>& result) {
    if (!result) {
        fmt::print(stderr, "bench_home: {}\n", result.error().context);
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
core::ItemId episode_id(std::uint32_t number) {
    return id_of<core::ItemId>(1, number);
}
core::ItemId season_id(std::uint32_t number) {
    return id_of<core::ItemId>(2, number);
}
core::ItemId series_id(std::uint32_t number) {
    return id_of<core::ItemId>(3, number);
}

class Bench {
public:
    Bench(DatabaseKind kind, std::uint32_t episodes)
        : kind_(kind),
          episodes_(episodes),
          base_(understudy::testing::make_test_database(kind)),
          database_(base_->open()),
          shows_(*database_),
          discovery_(*database_) {
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
        library.kind = model::LibraryKind::tvshows;
        library.paths = {"/media"};
        must(store::sql::SqlLibraryStore(*database_).add(library));
        must(store::sql::SqlUsers(*database_).add({user_, "Ann", {}}));
    }

    void run() {
        time("write the episodes of all series", [&] { return fill(); });
        watch();
        sql(kind_ == DatabaseKind::postgresql ? "ANALYZE" : "PRAGMA optimize");
        for (int i = 0; i < 3; ++i)
            time("next up, a page: series begun, episodes of 100", [&] { return next_up(100); });
        for (int i = 0; i < 3; ++i)
            time("next up, counted: episodes of all that are begun", [&] { return next_up(begun_series); });
        for (int i = 0; i < 3; ++i) time("latest, 20 series", [&] { return latest(std::nullopt); });
        for (int i = 0; i < 3; ++i) time("latest that was not watched, 20 series", [&] { return latest(false); });
        for (int i = 0; i < 3; ++i) time("latest that was watched: the bound is reached", [&] { return latest(true); });
        for (int i = 0; i < 3; ++i) time("what is like a series", [&] { return similar(); });
        for (int i = 0; i < 3; ++i) time("search hints", [&] { return hints(); });
    }

private:
    void sql(const std::string& text) {
        must(database_->with(store::sql::Access::write, [&](Session& session) -> core::Result<void> {
            session.set_limit(std::chrono::minutes{10});
            auto done = session.execute(text);
            if (!done) return tl::unexpected(done.error());
            return {};
        }));
    }
    void time(const std::string& what, const std::function<std::size_t()>& work) {
        const auto from = steady_clock::now();
        const auto count = work();
        const auto ms = std::chrono::duration<double, std::milli>(steady_clock::now() - from).count();
        fmt::print("{:<10} {:<58} {:>9.1f} ms {:>9}\n", kind_ == DatabaseKind::sqlite ? "SQLite" : "PostgreSQL", what,
                   ms, count);
        std::fflush(stdout);
    }
    void put(store::ScanBatch& batch, model::Item item, bool last) {
        item.library = library_;
        item.sort_name = item.name;
        item.original_key = item.name;
        batch.upsert_items.push_back(std::move(item));
        if (batch.upsert_items.size() < 480 && !last) return;
        must(store::sql::SqlScanStore(*database_).apply(batch, fence_));
        ++fence_.cursor_seq;
        batch.upsert_items.clear();
    }
    std::size_t fill() {
        store::ScanBatch batch;
        batch.library = library_;
        for (std::uint32_t n = 0; n < episodes_; ++n) {
            model::Item item;
            item.created_at = core::from_unix_ms(1'700'000'000'000 + n / of_season);
            if (n % of_series == 0) {
                item.id = series_id(n / of_series);
                item.kind = model::ItemKind::series;
                item.name = fmt::format("Series {}", n / of_series);
                item.genres = {fmt::format("Genre {}", n / of_series % 20), "Drama"};
                item.year = 1990 + static_cast<int>(n / of_series % 30);
                put(batch, item, false);
                item = {};
            }
            const int season = static_cast<int>(n % of_series / of_season) + 1;
            item.created_at = core::from_unix_ms(1'700'000'000'000 + n / of_season);
            item.season_number = season;
            if (n % of_season == 0) {
                item.id = season_id(n / of_season);
                item.parent = series_id(n / of_series);
                item.kind = model::ItemKind::season;
                item.name = fmt::format("Season {}", season);
                put(batch, item, false);
            }
            item.id = episode_id(n);
            item.parent = season_id(n / of_season);
            item.kind = model::ItemKind::episode;
            item.name = fmt::format("Episode {}", n);
            item.episode_number = static_cast<int>(n % of_season) + 1;
            put(batch, std::move(item), n + 1 == episodes_);
        }
        return episodes_;
    }
    /// The first 40 episodes of each fourth series, at most 500 of them.
    void watch() {
        store::sql::SqlUserData data(*database_);
        std::vector<store::UserItemRow> rows;
        for (std::uint32_t series = 0; series < std::min(begun_series, episodes_ / of_series / 4); ++series) {
            for (std::uint32_t n = 0; n < watched_of_series; ++n) {
                store::UserItemData watched;
                watched.played = true;
                watched.last_played_at = core::from_unix_ms(1'750'000'000'000 + series * 1'000 + n);
                rows.push_back({user_, episode_id(series * 4 * of_series + n), watched});
            }
            if (rows.size() < 960) continue;
            must(data.put(rows));
            rows.clear();
        }
        if (!rows.empty()) must(data.put(rows));
    }
    std::size_t next_up(std::size_t series) {
        const auto begun = must(shows_.begun(user_, {}));
        std::size_t found = 0;
        for (std::size_t from = 0; from < std::min(series, begun->size()); from += 100) {
            std::vector<core::ItemId> ids;
            for (auto i = from; i < std::min({from + 100, series, begun->size()}); ++i)
                ids.push_back((*begun)[i].series);
            found += must(shows_.episodes(user_, ids, std::nullopt))->size();
        }
        return found;
    }
    std::size_t latest(std::optional<bool> played) {
        store::LatestQuery query;
        query.places = {{library_, {model::ItemKind::episode}, played}};
        query.user = user_;
        query.limit = played == true ? begun_series : 20;
        return must(discovery_.latest(query))->size();
    }
    std::size_t similar() {
        store::SimilarQuery query;
        query.to = series_id(7);
        return must(discovery_.similar(query))->size();
    }
    std::size_t hints() {
        store::HintQuery query;
        query.term = "sode 1999";
        query.kinds = {model::ItemKind::series, model::ItemKind::episode};
        return must(discovery_.hints(query))->total;
    }

    DatabaseKind kind_;
    std::uint32_t episodes_;
    std::unique_ptr<understudy::testing::TestDatabase> base_;
    std::unique_ptr<store::sql::Database> database_;
    store::sql::SqlShows shows_;
    store::sql::SqlDiscovery discovery_;
    core::Fence fence_{core::RunId{core::IdBytes{1}}, 3, 0, std::nullopt};
    core::LibraryId library_;
    core::UserId user_{core::IdBytes{0xcc, 1}};
};

}  // namespace

int main(int argc, char** argv) {
    const auto episodes = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 200'000U;
    for (const auto kind : {DatabaseKind::sqlite, DatabaseKind::postgresql}) Bench(kind, episodes).run();
}
