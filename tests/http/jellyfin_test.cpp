// Jellyfin's surface: tasks, system information and libraries, as clients and scripts in the field know it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "http/house.h"

namespace understudy::http {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::House;
using testing::id_of;
using testing::parsed;

constexpr core::UtcTime at(std::int64_t second) {
    return core::from_unix_ms(1'796'032'000'000 + second * 1000);
}
constexpr const char* refresh_id = "7738148ffcd07979c7ceb148e06b3aed";

TEST(SystemInfo, tells_clients_what_they_insist_on) {
    House house;
    EXPECT_EQ(house.get("/System/Info/Public").body,
              R"({"LocalAddress":"http://media.example","ServerName":"Understudy","Version":"10.11.11",)"
              R"("ProductName":"Jellyfin Server","OperatingSystem":"Linux","Id":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",)"
              R"("StartupWizardCompleted":true})");
    EXPECT_EQ(house.get("/System/Ping").body, "\"Jellyfin Server\"");
    EXPECT_EQ(house.post("/System/Ping").body, "\"Jellyfin Server\"");
}

TEST(SystemInfo, believes_forwarded_addresses_only_of_trusted_proxies) {
    House house;
    const auto address_from = [&](const char* peer) {
        Request request;
        request.target = "/System/Info/Public";
        request.peer = peer;
        request.headers = {
            {"Host", "10.0.0.9:8096"}, {"X-Forwarded-Host", "jf.example"}, {"X-Forwarded-Proto", "https"}};
        return std::string(parsed(house.ask(request)).at("LocalAddress").as_string());
    };
    EXPECT_EQ(address_from("10.1.2.3"), "http://10.0.0.9:8096");
    house.services.info.trusted_proxies = {"10.0.0.0/8"};
    EXPECT_EQ(address_from("10.1.2.3"), "https://jf.example");
    EXPECT_EQ(address_from("11.1.2.3"), "http://10.0.0.9:8096");
    house.services.info.published_url = "https://media.example/jf/";
    EXPECT_EQ(address_from("11.1.2.3"), "https://media.example/jf");
}

TEST(ScheduledTasks, shows_an_idle_task_with_its_last_result) {
    House house;
    house.tasks.add("RefreshLibrary");
    auto& state = house.tasks.at("RefreshLibrary").state;
    tasks::RunRow last;
    last.started_at = at(0);
    last.ended_at = at(90);
    last.state = tasks::RunState::failed;
    last.error = "the database was away";
    state.last_result = last;
    state.triggers = {
        tasks::Trigger{
            .when = tasks::DailyTrigger{std::chrono::hours{2}}, .max_runtime = std::chrono::hours{4}, .created_at = {}},
        tasks::Trigger{
            .when = tasks::WeeklyTrigger{std::chrono::Sunday, core::Millis{1}}, .max_runtime = {}, .created_at = {}},
        tasks::Trigger{.when = tasks::IntervalTrigger{std::chrono::hours{12}}, .max_runtime = {}, .created_at = {}},
        tasks::Trigger{.when = tasks::StartupTrigger{}, .max_runtime = {}, .created_at = {}}};
    const auto* entry = tasks::find_task("RefreshLibrary");
    const std::string shown =
        "{\"Name\":\"" + std::string(entry->name) + "\",\"State\":\"Idle\",\"Id\":\"" + refresh_id +
        "\",\"LastExecutionResult\":{\"StartTimeUtc\":\"2026-11-30T09:46:40.0000000Z\",\"EndTimeUtc\":"
        "\"2026-11-30T09:48:10.0000000Z\",\"Status\":\"Failed\",\"Name\":\"" +
        std::string(entry->name) + "\",\"Key\":\"RefreshLibrary\",\"Id\":\"" + refresh_id +
        "\",\"ErrorMessage\":\"the database was away\"},\"Triggers\":["
        "{\"Type\":\"DailyTrigger\",\"TimeOfDayTicks\":72000000000,\"MaxRuntimeTicks\":144000000000},"
        "{\"Type\":\"WeeklyTrigger\",\"TimeOfDayTicks\":10000,\"DayOfWeek\":\"Sunday\"},"
        "{\"Type\":\"IntervalTrigger\",\"IntervalTicks\":432000000000},{\"Type\":\"StartupTrigger\"}],\"Description\":"
        "\"" +
        std::string(entry->description) + "\",\"Category\":\"Library\",\"IsHidden\":false,\"Key\":\"RefreshLibrary\"}";
    EXPECT_EQ(house.get("/ScheduledTasks").body, "[" + shown + "]");
    for (const char* id :
         {refresh_id, "7738148FFCD07979C7CEB148E06B3AED", "7738148f-fcd0-7979-c7ce-b148e06b3aed", "refreshlibrary"}) {
        EXPECT_EQ(house.get("/ScheduledTasks/" + std::string(id)).body, shown) << id;
    }
}

TEST(ScheduledTasks, shows_running_and_cancelling_with_progress) {
    House house;
    house.tasks.add("RefreshLibrary");
    auto& state = house.tasks.at("RefreshLibrary").state;
    tasks::RunRow live;
    live.progress = 41.5;
    state.live = live;
    auto task = parsed(house.get("/ScheduledTasks/RefreshLibrary"));
    EXPECT_EQ(task.at("State"), "Running");
    EXPECT_EQ(task.at("CurrentProgressPercentage"), 41.5);
    EXPECT_FALSE(task.as_object().contains("LastExecutionResult"));
    state.live->cancel_requested = true;
    EXPECT_EQ(parsed(house.get("/ScheduledTasks/RefreshLibrary")).at("State"), "Cancelling");
}

TEST(ScheduledTasks, shows_every_end_as_one_of_the_four_that_clients_know) {
    struct Row {
        tasks::RunState state;
        const char* shown;
    };
    for (const auto& row : {Row{tasks::RunState::completed, "Completed"}, Row{tasks::RunState::failed, "Failed"},
                            Row{tasks::RunState::cancelled, "Cancelled"}, Row{tasks::RunState::aborted, "Aborted"},
                            Row{tasks::RunState::yielded, "Aborted"}}) {
        House house;
        house.tasks.add("RefreshLibrary");
        tasks::RunRow last;
        last.state = row.state;
        house.tasks.at("RefreshLibrary").state.last_result = last;
        EXPECT_EQ(parsed(house.get("/ScheduledTasks/RefreshLibrary")).at("LastExecutionResult").at("Status"),
                  row.shown);
    }
}

TEST(ScheduledTasks, are_sorted_by_name_and_filtered) {
    House house;
    for (const char* key : {"RefreshPeople", "RefreshLibrary", "OptimizeDatabaseTask", "CleanLogFiles"})
        house.tasks.add(key);
    house.tasks.at("RefreshPeople").state.enabled = false;
    const auto all = parsed(house.get("/ScheduledTasks"));
    ASSERT_EQ(all.as_array().size(), 4U);
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_LT(to_lower(std::string(all.as_array()[i - 1].at("Name").as_string())),
                  to_lower(std::string(all.as_array()[i].at("Name").as_string())));
    }
    EXPECT_EQ(parsed(house.get("/ScheduledTasks?isEnabled=true")).as_array().size(), 3U);
    EXPECT_EQ(parsed(house.get("/ScheduledTasks?isEnabled=false&isHidden=false")).as_array().size(), 1U);
    EXPECT_EQ(house.get("/ScheduledTasks?isHidden=true").body, "[]");
}

TEST(ScheduledTasks, starts_a_task_or_joins_its_run) {
    House house;
    house.tasks.add("RefreshLibrary");
    const auto started = house.post("/ScheduledTasks/Running/" + std::string(refresh_id));
    EXPECT_EQ(started.status, 204);
    EXPECT_EQ(started.header("X-Understudy-Run"), std::string(32, 'a'));
    EXPECT_EQ(started.header("X-Understudy-Pod"), "a");
    EXPECT_EQ(started.header("X-Understudy-Beat-Age"), "");
    house.tasks.live_elsewhere = true;
    const auto joined = house.post("/ScheduledTasks/Running/" + std::string(refresh_id), "ignored");
    EXPECT_EQ(joined.status, 204);
    EXPECT_EQ(joined.header("X-Understudy-Pod"), "b");
    EXPECT_EQ(joined.header("X-Understudy-Beat-Age"), "3");
    house.tasks.start_refused = core::Error{core::Errc::conflict, "kept: waiting for OptimizeDatabaseTask"};
    const auto kept = house.post("/ScheduledTasks/Running/" + std::string(refresh_id));
    EXPECT_EQ(kept.status, 204);
    EXPECT_EQ(kept.header("X-Understudy-Run"), "");
    EXPECT_EQ(kept.header("X-Understudy-Waiting"), "kept: waiting for OptimizeDatabaseTask");
    EXPECT_EQ(house.post("/ScheduledTasks/Running/" + std::string(32, '0')).status, 404);
}

TEST(ScheduledTasks, stops_a_task_and_takes_the_stop_of_an_idle_one) {
    House house;
    house.tasks.add("RefreshLibrary");
    EXPECT_EQ(house.ask(Method::del, "/ScheduledTasks/Running/" + std::string(refresh_id)).status, 204);
    EXPECT_EQ(house.ask(Method::del, "/ScheduledTasks/Running/" + std::string(32, '0')).status, 404);
    EXPECT_EQ(house.tasks.calls, std::vector<std::string>{"cancel RefreshLibrary"});
}

TEST(ScheduledTasks, stores_good_triggers_and_names_the_field_of_bad_ones) {
    House house;
    house.tasks.add("RefreshLibrary");
    const auto set = [&](const std::string& body) {
        return house.post("/ScheduledTasks/" + std::string(refresh_id) + "/Triggers", body);
    };
    EXPECT_EQ(set(R"([{"type":"IntervalTrigger","IntervalTicks":"36000000000"}])").status, 204);
    const auto stored = house.tasks.at("RefreshLibrary").state.triggers;
    ASSERT_EQ(stored.size(), 1U);
    EXPECT_EQ(std::get<tasks::IntervalTrigger>(stored[0].when).every, std::chrono::hours{1});
    struct Row {
        const char* body;
        const char* named;
    };
    for (const auto& row :
         {Row{R"([{"Type":"IntervalTrigger","IntervalTicks":36000000000,"MaxRuntimeMs":5}])", "MaxRuntimeMs"},
          Row{R"([{"Type":"WeeklyTrigger","TimeOfDayTicks":0}])", "DayOfWeek"},
          Row{R"([{"Type":"IntervalTrigger","IntervalTicks":1}])", "IntervalTicks"},
          Row{R"([{"Type":"MonthlyTrigger"}])", "MonthlyTrigger"}, Row{"", "triggers"}}) {
        const auto refused = set(row.body);
        EXPECT_EQ(refused.status, 400) << row.body;
        EXPECT_EQ(refused.content_type, "application/problem+json; charset=utf-8");
        EXPECT_NE(refused.body.find(row.named), std::string::npos) << refused.body;
    }
    for (const char* body : {"{", "3", "[3]", "{\"Type\":\"StartupTrigger\"}"})
        EXPECT_EQ(set(body).status, 400) << body;
    EXPECT_EQ(house.tasks.at("RefreshLibrary").state.triggers, stored);  // what was refused changed nothing
    EXPECT_EQ(set("[]").status, 204);
    EXPECT_TRUE(house.tasks.at("RefreshLibrary").state.triggers.empty());
    EXPECT_EQ(house.post("/ScheduledTasks/nonsense/Triggers", "[]").status, 404);
}

/// Real folders, below the test's own temporary one.
class LibraryFolders : public ::testing::Test {
protected:
    LibraryFolders() : root(fs::path(::testing::TempDir()) / ("library_folders_" + std::to_string(::getpid()))) {
        fs::remove_all(root);
        for (const char* each : {"films/old", "series", "music, live", "data/cache"})
            fs::create_directories(root / each);
        std::ofstream(root / "file.mkv") << "x";
        fs::create_directory_symlink(root / "films", root / "link");
        fs::create_directory_symlink("/proc", root / "kernel");
        house.services.info.data_dir = root / "data";
        house.tasks.add("RefreshLibrary");
    }
    ~LibraryFolders() override { fs::remove_all(root); }
    LibraryFolders(const LibraryFolders&) = delete;
    LibraryFolders& operator=(const LibraryFolders&) = delete;

    Response add(const std::string& query, const std::string& body = {}) {
        return house.post("/Library/VirtualFolders?" + query, body);
    }
    std::string path(const char* name) const { return (root / name).string(); }

    fs::path root;
    House house;
};

TEST_F(LibraryFolders, are_added_listed_and_removed) {
    EXPECT_EQ(add("name=Films&collectionType=movies&paths=" + path("films/") + "&refreshLibrary=true").status, 204);
    ASSERT_EQ(house.libraries.rows.size(), 1U);
    const auto& library = house.libraries.rows[0];
    EXPECT_EQ(library.name, "Films");
    EXPECT_EQ(library.kind, model::LibraryKind::movies);
    EXPECT_EQ(library.paths, std::vector<std::string>{path("films")});
    EXPECT_FALSE(library.id.empty());
    EXPECT_EQ(house.tasks.calls, std::vector<std::string>{"queue RefreshLibrary"});
    EXPECT_EQ(house.events.published.at(0).first, "library.changed");

    const auto list = parsed(house.get("/Library/VirtualFolders")).as_array();
    ASSERT_EQ(list.size(), 1U);
    const auto& shown = list[0].as_object();
    EXPECT_EQ(shown.at("Name"), "Films");
    EXPECT_EQ(shown.at("CollectionType"), "movies");
    EXPECT_EQ(shown.at("ItemId").as_string(), library.id.str());
    EXPECT_EQ(shown.at("RefreshStatus"), "Idle");
    EXPECT_EQ(shown.at("LibraryOptions").at("PathInfos").as_array().at(0).at("Path").as_string(), path("films"));

    EXPECT_EQ(house.ask(Method::del, "/Library/VirtualFolders?name=nothing").status, 404);
    EXPECT_EQ(house.ask(Method::del, "/Library/VirtualFolders").status, 400);
    EXPECT_EQ(house.ask(Method::del, "/Library/VirtualFolders?name=films").status, 204);
    EXPECT_TRUE(house.libraries.rows.empty());
}

TEST_F(LibraryFolders, take_their_options_in_any_spelling_and_show_all_that_typed_clients_need) {
    const auto body = R"({"libraryOptions":{"enableLUFSScan":"true","AutomaticRefreshIntervalDays":"30","Unknown":1,
        "PathInfos":[{"Path":")" +
                      path("series") + R"("}],"RemoveMissingAfterDays":7,"MetadataSavers":null,
        "typeOptions":[{"type":"Series","metadataFetchers":["A"],"imageOptions":[{"type":"Primary","limit":"1"}]}]}})";
    ASSERT_EQ(add("name=Shows&collectionType=TvShows", body).status, 204);
    EXPECT_EQ(house.libraries.rows[0].remove_missing_after, std::chrono::days{7});
    EXPECT_EQ(house.libraries.rows[0].paths, std::vector<std::string>{path("series")});
    const auto options = parsed(house.get("/Library/VirtualFolders")).as_array()[0].at("LibraryOptions").as_object();
    EXPECT_EQ(options.at("EnableLUFSScan"), true);
    EXPECT_EQ(options.at("AutomaticRefreshIntervalDays"), 30);
    EXPECT_EQ(options.at("SeasonZeroDisplayName"), "Specials");
    EXPECT_EQ(options.at("TypeOptions").as_array().at(0).at("ImageOptions").as_array().at(0).at("Limit"), 1);
    EXPECT_FALSE(options.contains("Unknown"));
    EXPECT_FALSE(options.contains("MetadataSavers"));
    for (const char* name :
         {"Enabled", "EnablePhotos", "EnableRealtimeMonitor", "EnableChapterImageExtraction", "SaveLocalMetadata",
          "DisabledLocalMetadataReaders", "SubtitleFetcherOrder", "SaveTrickplayWithMedia", "CustomTagDelimiters",
          "DelimiterWhitelist", "AllowEmbeddedSubtitles", "DisabledLyricFetchers"}) {
        EXPECT_TRUE(options.contains(name)) << name;  // not nullable in the contract
    }
    for (const char* bad :
         {R"({"LibraryOptions":{"EnablePhotos":3}})", R"({"LibraryOptions":[]})",
          R"({"LibraryOptions":{"MetadataSavers":"x"}})", R"({"LibraryOptions":{"RemoveMissingAfterDays":-1}})"}) {
        EXPECT_EQ(add("name=Other&collectionType=movies&paths=" + path("films"), bad).status, 400) << bad;
    }
}

TEST_F(LibraryFolders, split_paths_only_where_the_key_occurs_once) {
    EXPECT_EQ(add("name=A&collectionType=movies&paths=" + path("films") + "," + path("series")).status, 204);
    EXPECT_EQ(house.libraries.rows[0].paths, (std::vector<std::string>{path("films"), path("series")}));
    house.libraries.rows.clear();
    EXPECT_EQ(add("name=A&collectionType=music&paths=" + path("music%2C%20live") + "&paths=" + path("series")).status,
              204);
    EXPECT_EQ(house.libraries.rows[0].paths, (std::vector<std::string>{path("music, live"), path("series")}));
}

TEST_F(LibraryFolders, are_refused_with_the_reason) {
    model::Library films;
    films.id = id_of<core::LibraryId>('f');
    films.name = "Films";
    films.paths = {path("films")};
    house.libraries.rows = {films};
    struct Row {
        std::string query;
        int status;
        std::string reason;
    };
    const Row rows[] = {
        {"collectionType=movies&paths=/", 400, "name: missing"},
        {"name=X&paths=" + path("series"), 400, "collectionType: missing; use movies, tvshows or music"},
        {"name=X&collectionType=books&paths=" + path("series"), 400, "'books' is not served yet"},
        {"name=X&collectionType=vinyl&paths=" + path("series"), 400, "'vinyl' is not known"},
        {"name=X&collectionType=movies", 400, "paths: missing"},
        {"name=X&collectionType=movies&paths=series", 400, "is not absolute"},
        {"name=X&collectionType=movies&paths=/" + std::string(2'000, 'x'), 400, "is longer than 2000 bytes"},
        {"name=X&collectionType=movies&paths=/proc", 400, "the kernel's own"},
        {"name=X&collectionType=movies&paths=/tmp/../sys/kernel", 400, "the kernel's own"},
        {"name=X&collectionType=movies&paths=" + path("kernel"), 400, "the kernel's own"},
        {"name=X&collectionType=movies&paths=" + path("nowhere"), 400, "does not exist on this pod"},
        {"name=X&collectionType=movies&paths=" + path("file.mkv"), 400, "is no directory"},
        {"name=X&collectionType=movies&paths=" + path("data/cache"), 400, "overlaps the data folder"},
        {"name=X&collectionType=movies&paths=" + root.string(), 400, "overlaps the data folder"},
        {"name=X&collectionType=movies&paths=" + path("films/old"), 409, "of library 'Films'"},
        {"name=X&collectionType=movies&paths=" + path("link"), 409, "of library 'Films'"},
        {"name=X&collectionType=movies&paths=" + path("series/../films"), 409, "of library 'Films'"},
        {"name=X&collectionType=movies&paths=" + path("series") + "&paths=" + path("series"), 400,
         "of the same library"},
        {"name=fILMS&collectionType=movies&paths=" + path("series"), 409, "There is a library 'Films' already"},
        {"name=X&collectionType=movies&refreshLibrary=now&paths=" + path("series"), 400, "refreshLibrary"},
    };
    for (const auto& row : rows) {
        const auto answer = add(row.query);
        EXPECT_EQ(answer.status, row.status) << row.query;
        EXPECT_NE(answer.body.find(row.reason), std::string::npos) << answer.body;
    }
    EXPECT_EQ(house.libraries.rows.size(), 1U);
    EXPECT_TRUE(house.tasks.calls.empty());
}

TEST_F(LibraryFolders, stand_though_their_refresh_cannot_be_queued) {
    house.tasks.broken = core::Error{core::Errc::unavailable, "the ledger is away"};
    EXPECT_EQ(add("name=Films&collectionType=movies&refreshLibrary=true&paths=" + path("films")).status, 204);
    EXPECT_EQ(house.log.count("warning the library refresh asked for was not queued cause=the ledger is away"), 1U);
    EXPECT_EQ(parsed(house.get("/Library/VirtualFolders")).as_array().size(), 1U);
}

TEST_F(LibraryFolders, show_a_refresh_under_way) {
    ASSERT_EQ(add("name=Films&collectionType=movies&paths=" + path("films")).status, 204);
    tasks::RunRow live;
    live.progress = 30;
    house.tasks.at("RefreshLibrary").state.live = live;
    const auto shown = parsed(house.get("/Library/VirtualFolders")).as_array()[0].as_object();
    EXPECT_EQ(shown.at("RefreshStatus"), "Active");
    EXPECT_EQ(shown.at("RefreshProgress"), 30);
}

TEST(LibraryRefresh, is_queued) {
    House house;
    EXPECT_EQ(house.post("/Library/Refresh").status, 404);  // a server without the task says so
    house.tasks.add("RefreshLibrary");
    EXPECT_EQ(house.post("/Library/Refresh").status, 204);
    EXPECT_EQ(house.tasks.calls, std::vector<std::string>{"queue RefreshLibrary"});
}

TEST_F(LibraryFolders, scan_what_another_program_changed) {
    ASSERT_EQ(add("name=Films&collectionType=movies&paths=" + path("films")).status, 204);
    const auto report = [&](const std::string& changed) {
        return house
            .post("/Library/Media/Updated", R"({"Updates":[{"Path":")" + changed + R"(","UpdateType":"Created"}]})")
            .status;
    };
    EXPECT_EQ(report(path("films") + "/A/"), 204);
    EXPECT_EQ(house.tasks.queued_options, R"({"paths":[")" + path("films") + R"(/A"]})");
    EXPECT_EQ(report(path("films") + "/B"), 204);
    EXPECT_EQ(house.tasks.queued_options, R"({"paths":[")" + path("films") + R"(/B"]})") << "the queue joins them";

    house.tasks.calls.clear();
    EXPECT_EQ(report("/data/elsewhere"), 204);
    EXPECT_TRUE(house.tasks.calls.empty());
    EXPECT_EQ(house.log.count("/data/elsewhere"), 1U);
    EXPECT_EQ(house.post("/Library/Media/Updated", "{}").status, 204);
    EXPECT_EQ(house.post("/Library/Media/Updated", "[").status, 400);
}

}  // namespace
}  // namespace understudy::http
