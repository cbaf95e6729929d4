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

#include "bench/store/bench_database.h"
#include "store/sql/sql_discovery.h"
#include "store/sql/sql_scan_store.h"
#include "store/sql/sql_shows.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"

namespace {

using namespace understudy;
using bench::DatabaseKind;
using bench::id_of;
using bench::must;

constexpr std::uint32_t of_season = 20, of_series = 100;
constexpr std::uint32_t begun_series = 500, watched_of_series = 40;

core::ItemId episode_id(std::uint32_t number) {
    return id_of<core::ItemId>(1, number);
}
core::ItemId season_id(std::uint32_t number) {
    return id_of<core::ItemId>(2, number);
}
core::ItemId series_id(std::uint32_t number) {
    return id_of<core::ItemId>(3, number);
}

class Bench : bench::BenchDatabase {
public:
    Bench(DatabaseKind kind, std::uint32_t episodes)
        : BenchDatabase(kind, model::LibraryKind::tvshows),
          episodes_(episodes),
          shows_(database()),
          discovery_(database()) {
        must(store::sql::SqlUsers(database()).add({user_, "Ann", {}}));
    }

    void run() {
        time("write the episodes of all series", [&] { return fill(); });
        watch();
        analyse();
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
    void put(store::ScanBatch& batch, model::Item item, bool last) {
        item.library = library();
        item.sort_name = item.name;
        item.original_key = item.name;
        batch.upsert_items.push_back(std::move(item));
        if (batch.upsert_items.size() < 480 && !last) return;
        must(store::sql::SqlScanStore(database()).apply(batch, fence()));
        passed();
        batch.upsert_items.clear();
    }
    std::int64_t fill() {
        store::ScanBatch batch;
        batch.library = library();
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
        store::sql::SqlUserData data(database());
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
    std::int64_t next_up(std::size_t series) {
        const auto begun = must(shows_.begun(user_, {}));
        std::size_t found = 0;
        for (std::size_t from = 0; from < std::min(series, begun->size()); from += 100) {
            std::vector<core::ItemId> ids;
            for (auto i = from; i < std::min({from + 100, series, begun->size()}); ++i)
                ids.push_back((*begun)[i].series);
            found += must(shows_.episodes(user_, ids, std::nullopt))->size();
        }
        return static_cast<std::int64_t>(found);
    }
    std::int64_t latest(std::optional<bool> played) {
        store::LatestQuery query;
        query.places = {{library(), {model::ItemKind::episode}, played}};
        query.user = user_;
        query.limit = played == true ? begun_series : 20;
        return std::ssize(*must(discovery_.latest(query)));
    }
    std::int64_t similar() {
        store::SimilarQuery query;
        query.to = series_id(7);
        return std::ssize(*must(discovery_.similar(query)));
    }
    std::int64_t hints() {
        store::HintQuery query;
        query.term = "sode 1999";
        query.kinds = {model::ItemKind::series, model::ItemKind::episode};
        return static_cast<std::int64_t>(must(discovery_.hints(query))->total);
    }

    std::uint32_t episodes_;
    store::sql::SqlShows shows_;
    store::sql::SqlDiscovery discovery_;
    core::UserId user_{core::IdBytes{0xcc, 1}};
};

}  // namespace

int main(int argc, char** argv) {
    const auto episodes = bench::count_argument(argc, argv, 1, 200'000);
    for (const auto kind : {DatabaseKind::sqlite, DatabaseKind::postgresql}) Bench(kind, episodes).run();
}
