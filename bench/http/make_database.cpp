// bench/http: a SQLite database of films, shows and music as scans of described libraries leave it, for the load on a
// server: bench_http_database FILE ITEMS; one that is there stays as it is. `host=… dbname=…` for FILE is PostgreSQL's.
// With --filters it is then asked with each filter of a list, and says how long that took.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/sql/item_rows.h"
#include "store/sql/sql_catalog.h"
#include "store/sql/sql_library_store.h"
#include "store/sql/sql_names.h"

namespace {

using namespace understudy;
using model::ItemKind;
using std::chrono::steady_clock;

[[noreturn]] void stop(const std::string& why) {
    fmt::print(stderr, "bench_http_database: {}\n", why);
    std::exit(1);
}
template <class T>
const T& must(const core::Result<T>& result) {
    if (!result) stop(result.error().context);
    return *result;
}
void must(const core::Result<void>& result) {
    if (!result) stop(result.error().context);
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
    for (std::size_t i = 0; i < 4; ++i) bytes[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return core::ItemId{bytes};
}
const core::LibraryId films{core::IdBytes{1}}, shows{core::IdBytes{2}}, music{core::IdBytes{3}};

class Maker {
public:
    explicit Maker(std::uint32_t items) : items_(items) {}

    /// The next items, parents before children; none at the end.
    std::vector<model::Item> next() {
        std::vector<model::Item> made;
        while (made.size() < 400 && number_ < items_) {
            const auto kind = number_ * 10 / items_;  // 4 in 10 films, 2 episodes, 4 music
            if (kind < 4)
                film(made);
            else if (kind < 6)
                season(made);
            else
                album(made);
        }
        return made;
    }

private:
    model::Item item(ItemKind kind, core::LibraryId library, std::string name, core::ItemId parent = {}) {
        model::Item made;
        made.id = id_of(++number_);
        made.kind = kind;
        made.library = library;
        made.parent = parent;
        made.name = made.sort_name = std::move(name);
        made.original_key = fmt::format("{}", number_);
        made.created_at = core::from_unix_ms(1'700'000'000'000 + number_ * 1'000);
        return made;
    }
    void source(model::Item& item, bool video) {
        model::MediaSource source;
        source.file = {fmt::format("/srv/media/{0}/{0}.{1}", item.name, video ? "mkv" : "flac"), 1'234'567,
                       1'600'000'000'000'000'000, number_, 2'049};
        source.info.container = video ? "matroska,webm" : "flac";
        source.info.duration = item.duration = std::chrono::minutes{video ? 90 : 4};
        source.info.content_sample = item.id.str();
        source.info.streams.resize(video ? 3 : 1);
        for (std::size_t n = 0; n < source.info.streams.size(); ++n) {
            auto& stream = source.info.streams[n];
            stream.index = static_cast<int>(n);
            stream.kind = video && n == 0   ? model::StreamKind::video
                          : video && n == 2 ? model::StreamKind::subtitle
                                            : model::StreamKind::audio;
            stream.codec = video && n == 0 ? "h264" : "aac";
            stream.language = "eng";
            stream.width = stream.kind == model::StreamKind::video ? 1'920 : 0;
        }
        item.sources.push_back(std::move(source));
    }
    void describe(model::Item& item) {
        item.about.overview = std::string(300, 'o');
        item.about.community_rating = static_cast<double>(number_ % 100) / 10.0;
        item.about.official_rating = number_ % 3 == 0 ? "PG-13" : "FSK-6";
        item.about.premiered = core::from_unix_ms(std::int64_t{number_} * 86'400'000);
        item.about.studios = {fmt::format("Studio {}", number_ % 300)};
        item.about.tags = {fmt::format("tag {}", number_ % 1'000)};
        item.genres = {fmt::format("Genre {}", number_ % 20), fmt::format("Genre {}", number_ % 7)};
        item.year = 1'950 + static_cast<int>(number_ % 75);
        for (const auto kind : {model::ImageKind::primary, model::ImageKind::backdrop})
            item.images.push_back({kind, "/srv/media/" + item.name + ".jpg", 100'000, 1'600'000'000'000'000'000});
    }
    void film(std::vector<model::Item>& made) {
        auto one = item(ItemKind::movie, films, fmt::format("Some Film With A Title {:06}", number_));
        one.provider_ids = {{"Imdb", fmt::format("tt{:07}", number_)}, {"Tmdb", fmt::format("{}", number_)}};
        source(one, true);
        describe(one);
        made.push_back(std::move(one));
    }
    void season(std::vector<model::Item>& made) {
        auto series = item(ItemKind::series, shows, fmt::format("A Show {:05}", number_));
        describe(series);
        series.about.status = "Ended";
        auto season = item(ItemKind::season, shows, "Season 1", series.id);
        season.season_number = 1;
        const auto parent = season.id;
        made.push_back(std::move(series));
        made.push_back(std::move(season));
        for (int n = 1; n <= 10; ++n) {
            auto episode = item(ItemKind::episode, shows, fmt::format("Episode {:06}", number_), parent);
            episode.season_number = 1;
            episode.episode_number = n;
            source(episode, true);
            made.push_back(std::move(episode));
        }
    }
    void album(std::vector<model::Item>& made) {
        auto artist = item(ItemKind::artist, music, fmt::format("Artist {:05}", number_));
        auto album = item(ItemKind::album, music, fmt::format("Album {:06}", number_), artist.id);
        album.year = 1'990;
        const auto by = artist.name, on = album.name;
        const auto parent = album.id;
        made.push_back(std::move(artist));
        made.push_back(std::move(album));
        for (int n = 1; n <= 12; ++n) {
            auto track = item(ItemKind::track, music, fmt::format("Track {:06}", number_), parent);
            track.track_number = n;
            track.album = on;
            track.album_artist = by;
            track.artists = {by};
            if (n == 3) track.artists.push_back(fmt::format("Guest {}", number_ % 500));
            track.genres = {fmt::format("Music {}", number_ % 30)};
            source(track, false);
            made.push_back(std::move(track));
        }
    }

    std::uint32_t items_, number_ = 0;
};

void fill(store::sql::Database& database, std::uint32_t items) {
    must(store::sql::migrate(database));
    store::sql::SqlLibraryStore libraries(database);
    struct Library {
        core::LibraryId id;
        const char* name;
        model::LibraryKind kind;
    };
    for (const auto& [id, name, kind] :
         {Library{films, "Films", model::LibraryKind::movies}, Library{shows, "Shows", model::LibraryKind::tvshows},
          Library{music, "Music", model::LibraryKind::music}}) {
        model::Library library;
        library.id = id;
        library.name = name;
        library.kind = kind;
        library.paths = {std::string("/nonexistent/understudy-bench/") + name};
        must(libraries.add(library));
    }
    const core::CaseFolder folder;
    Maker maker(items);
    for (auto batch = maker.next(); !batch.empty(); batch = maker.next()) {
        must(database.with(store::sql::Access::write, [&](store::sql::Session& session) {
            return session.transaction([&] { return store::sql::write_items(session, batch, folder); });
        }));
    }
}

struct Case {
    const char* name;
    std::function<void(store::ItemQuery&)> set;
};

const std::vector<Case>& cases() {
    using F = store::ItemQuery;
    using Sort = store::ItemSort;
    static const std::vector<Case> all{
        {"nothing", [](F&) {}},
        {"genre", [](F& q) { q.filters.genres = {"genre 3"}; }},
        {"tag", [](F& q) { q.filters.tags = {"tag 7"}; }},
        {"studio", [](F& q) { q.filters.studios = {"studio 9"}; }},
        {"year", [](F& q) { q.filters.years = {1'990}; }},
        {"rating word", [](F& q) { q.filters.official_ratings = {"PG-13"}; }},
        {"rating", [](F& q) { q.filters.least_rating = 9.5; }},
        {"premiere", [](F& q) { q.filters.premiered_since = core::from_unix_ms(5'000'000'000); }},
        {"artist", [](F& q) { q.filters.artists = {"guest 5"}; }},
        {"not artist",
         [](F& q) { q.filters.excluded_artist_ids = {store::name_id(store::NameKind::artist, "guest 12")}; }},
        {"album", [](F& q) { q.filters.albums = {"album 015000"}; }},
        {"name from", [](F& q) { q.filters.name_from = "track"; }},
        {"name prefix", [](F& q) { q.filters.name_prefix = "a"; }},
        {"overview", [](F& q) { q.filters.has_overview = true; }},
        {"no overview", [](F& q) { q.filters.has_overview = false; }},
        {"hd", [](F& q) { q.filters.hd = true; }},
        {"not hd", [](F& q) { q.filters.hd = false; }},
        {"subtitles", [](F& q) { q.filters.has_subtitles = true; }},
        {"no subtitles", [](F& q) { q.filters.has_subtitles = false; }},
        {"picture", [](F& q) { q.filters.images = {model::ImageKind::primary}; }},
        {"trailer",
         [](F& q) {
             q.filters.extras = {{"trailer", true}};
         }},
        {"provider id",
         [](F& q) {
             q.filters.provider_ids = {{"imdb", "tt0000007"}};
         }},
        {"saved since", [](F& q) { q.filters.saved_since = core::from_unix_ms(1'700'000'000'000); }},
        {"index number", [](F& q) { q.filters.index_number = 3; }},
        {"adjacent", [](F& q) { q.filters.adjacent_to = id_of(77); }},
        {"search", [](F& q) { q.search = "0077"; }},
        {"by rating",
         [](F& q) {
             q.sort_by = {Sort::community_rating, Sort::name};
             q.descending = true;
         }},
        {"by premiere", [](F& q) { q.sort_by = {Sort::premiere_date}; }},
        {"by artist", [](F& q) { q.sort_by = {Sort::artist}; }},
        {"by studio", [](F& q) { q.sort_by = {Sort::studio}; }},
        {"by series",
         [](F& q) {
             q.sort_by = {Sort::series_name, Sort::parent_index, Sort::own_index};
         }},
        {"by content", [](F& q) { q.sort_by = {Sort::date_content_added}; }},
        {"at random", [](F& q) { q.sort_by = {Sort::random}; }},
    };
    return all;
}

double ms_since(steady_clock::time_point from) {
    return std::chrono::duration<double, std::milli>(steady_clock::now() - from).count();
}

void time_filters(store::sql::Database& database) {
    store::sql::SqlCatalog catalog(database);
    store::sql::SqlNames names(database);
    const auto time = [](const std::string& name, const std::function<std::size_t()>& ask) {
        const auto from = steady_clock::now();
        const auto cpu = std::clock();  // SQLite works in this process: what it costs on a machine that has other work
        const auto total = ask();
        const auto cpu_ms = 1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
        fmt::print("{:<30} {:>8} found {:>9.1f} ms, {:>9.1f} ms CPU\n", name, total, ms_since(from), cpu_ms);
    };
    for (const auto& each : cases()) {
        store::ItemQuery query;
        query.recursive = true;
        each.set(query);
        time(each.name, [&] { return must(catalog.list(query)).total; });
    }
    store::NameQuery query;
    query.items.recursive = true;
    for (const auto kind : {store::NameKind::genre, store::NameKind::music_genre, store::NameKind::studio,
                            store::NameKind::artist, store::NameKind::tag}) {
        const std::string name(to_string(kind));
        query.kinds = {kind};
        time(name + " list", [&] { return must(names.list(query)).total; });
        auto counted = query;
        counted.with_counts = true;
        counted.items.library = music;
        time(name + " list, music, counts", [&] { return must(names.list(counted)).total; });
    }
    time("years", [&] { return must(names.years(query.items)).size(); });
    time("filters", [&] { return must(names.facets(query.items)).genres.size(); });
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) stop("usage: bench_http_database FILE ITEMS [--filters [there]]");
    const std::string file = words[1];
    const bool filters = count > 3 && std::string_view(words[3]) == "--filters";
    const bool postgresql = file.find('=') != std::string::npos;
    const bool made = postgresql ? count > 4 : std::filesystem::exists(file);
    const auto database = postgresql ? store::sql::open_postgresql(file) : store::sql::open_sqlite(file);
    const auto from = steady_clock::now();
    if (!made) {
        fill(*database, static_cast<std::uint32_t>(std::strtoul(words[2], nullptr, 10)));
        fmt::print("{} items in {:.1f} s\n", words[2], ms_since(from) / 1e3);
    }
    if (filters) time_filters(*database);
    return 0;
}
