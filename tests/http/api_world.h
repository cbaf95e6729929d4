// tests/http/api_world.h: a house in which every operation has something to answer, and that notes which query
// parameters handlers look for. Used by the test that drives every operation.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "http/api_house.h"
#include "http/openapi/document.h"
#include "media/keyframes.h"
#include "media/loudness.h"

namespace understudy::testing {

/// A good request of an operation.
struct ApiCall {
    std::string operation;
    std::string target;
    std::string body = {};
    int status = 200;
    bool logged_in = false;                  ///< as the administrator Root; else with the admin key
    std::vector<http::Header> headers = {};  ///< beside those
};

struct ApiWorld : ApiHouse {
    ApiWorld() {
        for (const auto* route : router.routes()) {
            auto copy = *route;
            auto& keys = asked[std::string(to_string(route->method)) + " " + route->path];
            copy.handler = [handler = route->handler, &keys](const http::Request& request) {
                auto own = request;
                own.query.report_to(keys);
                return handler(own);
            };
            watched.add(std::move(copy));
        }
        dispatcher = std::make_unique<http::Dispatcher>(http::DispatcherSettings{}, watched, identities, health,
                                                        counters, clock, log);
        document = http::openapi::api_document(router.routes(), {services.info.version, ""});
        run_tasks();
        put_media();
        put_music();
        put_people();
    }

    [[nodiscard]] static std::string hex(char digit) { return std::string(32, digit); }

    http::Response call(const ApiCall& wanted, http::Method method) {
        if (wanted.logged_in) return as(root_token, method, wanted.target, wanted.body);
        if (!wanted.headers.empty()) return ask_with(wanted, method);
        if (!is_open(wanted)) return ask(method, wanted.target, wanted.body);
        return as({}, method, wanted.target, wanted.body);
    }
    http::Response ask_with(const ApiCall& wanted, http::Method method) {
        http::Request request;
        request.method = method;
        request.target = wanted.target;
        request.headers = wanted.headers;
        request.headers.push_back({"Authorization", std::string("MediaBrowser Token=\"") + admin_key + "\""});
        request.body = wanted.body;
        request.peer = "127.0.0.1";
        return House::ask(std::move(request));
    }
    /// Logging in needs to say which client it is.
    static bool is_open(const ApiCall& wanted) { return wanted.operation.starts_with("Authenticate"); }

    /// Of music.
    static std::string genre_id(const char* name) {
        return store::name_id(store::NameKind::music_genre, core::CaseFolder().name_key(name)).str();
    }

    void run_tasks() {
        const auto at = [](std::int64_t second) { return core::from_unix_ms(1'796'032'000'000 + second * 1000); };
        for (const char* task : {"RefreshLibrary", "RefreshPeople", "OptimizeDatabaseTask"}) tasks.add(task);
        tasks::RunRow run;
        run.id = id_of<core::RunId>('a');
        run.task = {"RefreshLibrary", "cluster"};
        run.kind = tasks::RunKind::timer;
        run.slot = at(0);
        run.pod = "a";
        run.boot = services.info.boot;
        run.epoch = 7;
        run.state = tasks::RunState::running;
        run.progress = 12.5;
        run.started_at = at(1);
        run.heartbeat_at = at(2);
        run.counts = {{"added", 12}};
        run.warnings = {"one folder"};
        run.pace.unit = "files";
        run.pace.per_second = 2.5;
        run.pace.left = core::Millis{1'000};
        auto& state = tasks.at("RefreshLibrary").state;
        state.live = run;
        auto ended = run;
        ended.id = id_of<core::RunId>('b');
        ended.state = tasks::RunState::failed;
        ended.error = "the disc is full";
        ended.ended_at = at(3);
        ended.resumed_from = id_of<core::RunId>('c');
        state.last_result = ended;
        tasks::RunRow waiting;
        waiting.task = {"RefreshPeople", "cluster"};
        waiting.kind = tasks::RunKind::manual;
        waiting.waiting_for = "RefreshLibrary";
        waiting.not_before = at(4);
        ledger.rows = {waiting, run, ended};
        ledger.skip_rows = {{"RefreshLibrary", at(0), "a", at(1), "not_leader", "b"},
                            {"RefreshPeople", at(0), "a", at(1), "paused", ""}};
        ledger.view.now = at(0);
        tasks::TaskStateRow due;
        due.task = {"RefreshLibrary", "cluster"};
        due.triggers = state.triggers;
        due.next_slot = at(100);
        due.next_trigger = 0;
        ledger.view.tasks = {due};
        cluster::PodInfo pod;
        pod.label = "a";
        pod.boot = services.info.boot;
        pod.version = "0.1.0";
        pod.standing = "leader";
        pods.rows = {pod, pod};
        pods.rows[1].boot = id_of<core::BootId>('2');
        lease.seen.standing = lease::Standing::leader;
        lease.seen.provider = "redis";
        lease.seen.holder = {"a", at(0)};
        lease.seen.ttl_left = core::Millis{20'000};
        lease.seen.outage = {at(0), lease::NoAnswer::unreachable, "redis:6379 refused the connection"};
        leads.leads = {{"a", services.info.boot, 2, at(10), at(20), {}},
                       {"b", id_of<core::BootId>('2'), 1, at(0), at(5), at(5)}};
        services.system.settings = {
            {"Jellyfin:Http:Listen", "0.0.0.0:8096", "default", "0.0.0.0:8096", "Where.", false},
            {"Jellyfin:Http:AdminKey", {}, "environment", "", "Who may.", true}};
        health.now.degradations = {{"media", "/m/films is not mounted"}};
        catalog.problem_rows = {{"/m/films/x.mkv", films.id, "RefreshLibrary", "corrupt: no moov", at(0)}};
    }

    void put_media() {
        auto& film = catalog.rows[0].item;
        film.sources.front().info.content_sample = "5a";
        film.sources.front().file.mtime_ns = 7;
        findings.analyses.push_back({.kind = "keyframes", .content = {"5a", 7}});
        findings.analyses.back().payload =
            media::encode(media::Keyframes{std::chrono::seconds{4}, {std::chrono::seconds{0}}});
        findings.analyses.push_back({.kind = "loudness:truepeak", .content = {"5a", 7}});
        findings.analyses.back().payload = media::encode(media::Loudness{.sample_peak = 0.9, .true_peak = 1.0});
        findings.row = {.item = film.id, .lufs = -20.0, .peak = 1.0, .gain_db = 2.0};
        findings.segment = {"chapters", {model::SegmentKind::intro, std::chrono::seconds{1}, std::chrono::seconds{3}}};
        findings.picture = {.number = 0, .width = 4, .height = 3, .format = "jpeg"};
        findings.picture.blob.bytes[0] = 0xab;
        blobs.rows[findings.picture.blob] = png_header(320, 180, "chapter");
        blobs.rows[people.rows.front().image] = png_header(200, 300, "somebody");
        folder.write("understudy-a.log", "it began\n");
        const std::string gif("GIF89a\x02\x00\x03\x00\x00\x00\x00", 13);
        for (const char* name : {"poster.gif", "backdrop.gif"}) pictures.write(name, gif);
        film.images = {{model::ImageKind::primary, pictures / "poster.gif", 13, 1},
                       {model::ImageKind::backdrop, pictures / "backdrop.gif", 13, 1}};
        libraries.rows[0].options =
            R"({"TypeOptions":[{"Type":"Movie","ImageOptions":[{"Type":"Primary","Limit":1,"MinWidth":0}]}],)"
            R"("RemoveMissingAfterDays":7})";
    }

    /// An artist with an album of one track; an episode after the one there is, and what looks for either finds.
    void put_music() {
        model::Library music;
        music.id = id_of<core::LibraryId>('c');
        music.name = "Music";
        music.kind = model::LibraryKind::music;
        music.paths = {"/m/music"};
        libraries.rows.push_back(music);
        auto band = listed('0', model::ItemKind::artist, "The Piers", music.id);
        band.item.id = *core::ItemId::parse(artist);
        auto record = listed('6', model::ItemKind::album, "Coast", music.id);
        record.item.parent = band.item.id;
        record.item.album_artist = "The Piers";
        record.item.genres = {"Folk"};
        auto reel = extra('e', "Reel", "theme_video");
        auto& swell = catalog.rows[4].item;
        swell.parent = record.item.id;
        swell.genres = {"Folk"};
        auto tow = episode();
        tow.item.id = *core::ItemId::parse(next_episode);
        tow.item.name = tow.item.sort_name = "Tow";
        tow.item.episode_number = 4;
        tow.item.episode_number_end.reset();
        tow.item.about.premiered = clock.utc_now();
        for (auto& row : {band, record, tow, reel}) catalog.rows.push_back(row);
        const auto film = id_of<core::ItemId>('1'), harbour = id_of<core::ItemId>('2');
        discovery.latest_items = {{harbour, 3}, {film, 0}};
        discovery.similar_items = {harbour, film, record.item.id, band.item.id};
        discovery.mixed = {swell.id};
        discovery.found_hints.found.push_back({{}, people.rows.front().id});
        for (const auto& row : catalog.rows) {
            if (row.item.kind != model::ItemKind::extra) discovery.found_hints.found.push_back({row.item.id, {}});
        }
        discovery.found_hints.total = discovery.found_hints.found.size();
    }

    void put_people() {
        root = add("Root", "deep", true);
        kid = add("Kid", "sea");
        EXPECT_EQ(post("/Users/" + kid + "/Policy", R"({"IsHidden":false})").status, 204);
        root_token = log_in("Root", "deep");
        kid_token = log_in("Kid", "sea", "phone");
        EXPECT_EQ(post("/Auth/Keys?app=Sonarr").status, 204);
        const auto keys = boost::json::parse(get("/Auth/Keys").body);
        key = keys.at("Items").at(0).at("AccessToken").as_string();
        collection = id_in(post("/Collections?name=Sea&ids=" + hex('1')));
        playlist = id_in(post("/Playlists?name=Songs&userId=" + root + "&ids=" + hex('5') + "," + hex('1')));
        const auto entries = boost::json::parse(get("/Playlists/" + playlist + "/Items").body);
        entry = entries.at("Items").at(0).at("PlaylistItemId").as_string();
        EXPECT_EQ(post("/UserItems/" + hex('1') + "/UserData?userId=" + root,
                       R"({"PlaybackPositionTicks":600000000,"Rating":8,"LastPlayedDate":"2026-11-30T10:00:00Z"})")
                      .status,
                  200);
        EXPECT_EQ(post("/UserPlayedItems/" + hex('4') + "?userId=" + root).status, 200);
        EXPECT_EQ(post("/UserFavoriteItems/" + hex('1') + "?userId=" + root).status, 200);
        const auto logins = boost::json::parse(as(root_token, http::Method::get, "/Sessions").body);
        for (const auto& login : logins.as_array())
            (login.at("UserId").as_string() == root.c_str() ? session : kid_session) = login.at("Id").as_string();
        EXPECT_TRUE(open_sockets.change(services.info.boot, {*store::SessionId::parse(session)}, {}));
        for (auto& [route, keys_of_it] : asked) keys_of_it.clear();
    }
    static std::string id_in(const http::Response& answer) {
        EXPECT_EQ(answer.status, 200) << answer.body;
        return std::string(boost::json::parse(answer.body).at("Id").as_string());
    }

    std::map<std::string, std::set<std::string>> asked;  ///< by method and path of the route
    http::Router watched;
    std::string document;
    const std::string artist = "e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6", next_episode = "e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2";
    TempFolder pictures{"understudy-api"};
    std::string root, root_token, kid_token, key, collection, playlist, entry, session, kid_session;
};

}  // namespace understudy::testing
