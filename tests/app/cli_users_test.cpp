// users, library options, and a command line that knows several pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "app/terminal.h"
#include "http/login_house.h"

namespace understudy::app {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using testing::id_of;
using ::testing::Not;
using testing::run_understudy;
using ::testing::StartsWith;

struct CommandLine : testing::TerminalAtHouse {};

TEST_F(CommandLine, users_are_added_listed_and_removed_by_name_or_id) {
    EXPECT_THAT(type({"users", "list"}).out, HasSubstr("`understudy users add NAME`"));
    const auto added = type({"users", "add", "Ann"});
    EXPECT_EQ(added.code, 0) << added.err;
    EXPECT_THAT(added.out, StartsWith("user Ann added as "));
    EXPECT_EQ(json::parse(type({"users", "add", "Bo", "--json"}).out).at("Name"), "Bo");
    EXPECT_THAT(type({"users", "list"}).out, HasSubstr(house.users.rows[1].id.str()));
    EXPECT_EQ(json::parse(type({"users", "list", "--json"}).out).as_array().size(), 2U);
    const auto again = type({"users", "add", "ann"});
    EXPECT_EQ(again.code, 6);
    EXPECT_THAT(again.err, HasSubstr("in use"));
    EXPECT_EQ(type({"users", "add", " "}).code, 2);
    EXPECT_THAT(type({"users", "remove", "ANN"}).out, StartsWith("user Ann removed"));
    const auto unknown = type({"users", "remove", "Cy"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_THAT(unknown.err, HasSubstr("there is no user Cy. There are: Bo"));
    EXPECT_EQ(type({"users", "remove", house.users.rows[0].id.str(), "--json"}).code, 0);
    EXPECT_TRUE(house.users.rows.empty());
}

struct CommandLineWithLogins : ::testing::Test {
    CommandLineWithLogins() : port(house.serve()) {
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "password") << "deep sea\r\nsecond line\n";
    }
    ~CommandLineWithLogins() override { std::filesystem::remove_all(folder); }
    [[nodiscard]] testing::Outcome type(std::vector<std::string> words,
                                        const std::string& key = testing::admin_key) const {
        words.insert(words.end(), {"--url", "http://127.0.0.1:" + std::to_string(port), "--key", key});
        return run_understudy(words);
    }
    [[nodiscard]] std::string file() const { return (folder / "password").string(); }

    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("understudy-users-" + std::to_string(::getpid()));
    testing::LoginHouse house;
    std::uint16_t port;
};

TEST_F(CommandLineWithLogins, an_administrator_is_made_with_a_password_and_closes_the_wizard) {
    const auto refused = type({"users", "add", "Root", "--admin"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("an administrator needs a password"));
    EXPECT_THAT(type({"users", "add", "Root", "--password-file", "/nowhere"}).err,
                HasSubstr("/nowhere cannot be read"));
    EXPECT_THAT(type({"users", "list"}).out, HasSubstr("no users yet"));
    std::ofstream(folder / "empty") << "\nthe second line\n";
    std::ofstream(folder / "binary") << "deep\xff\n";
    std::ofstream(folder / "marked") << "\xEF\xBB\xBFmarked\n";
    struct Row {
        std::string file, words;
    };
    for (const auto& row : {Row{folder.string(), "is a folder"}, Row{(folder / "empty").string(), "empty first line"},
                            Row{(folder / "binary").string(), "no UTF-8"}, Row{"/dev/null", "empty first line"},
                            Row{"/dev/zero", "more than 1024 bytes"}}) {
        const auto refused_file = type({"users", "add", "Root", "--password-file", row.file});
        EXPECT_EQ(refused_file.code, 2) << row.file;
        EXPECT_THAT(refused_file.err, HasSubstr(row.words));
    }
    EXPECT_THAT(type({"users", "list"}).out, HasSubstr("no users yet"));
    EXPECT_EQ(type({"users", "add", "Mark", "--password-file", (folder / "marked").string()}).code, 0);
    EXPECT_EQ(house.try_login("Mark", "marked").status, 200);
    EXPECT_EQ(type({"users", "remove", "Mark"}).code, 0);
    const auto added = type({"users", "add", "Root", "--admin", "--password-file", file()});
    EXPECT_EQ(added.code, 0) << added.err;
    EXPECT_THAT(added.out, StartsWith("administrator Root added as "));
    EXPECT_THAT(added.out, Not(HasSubstr("deep")));
    EXPECT_EQ(house.as({}, http::Method::post, "/Startup/User").status, 401) << "the wizard is closed";
    EXPECT_EQ(house.try_login("Root", "deep sea").status, 200);
    EXPECT_THAT(type({"users", "add", "Kid"}).out, HasSubstr("without a password: anybody may log in as them"));
    const auto listed = type({"users", "list"});
    EXPECT_THAT(listed.out, HasSubstr("admin   set"));
    EXPECT_THAT(listed.out, HasSubstr("none      never"));
    EXPECT_THAT(listed.out, HasSubstr(" ago"));
    const auto last = type({"users", "remove", "Root"});
    EXPECT_THAT(last.err, HasSubstr("the only user who may administer"));
    EXPECT_EQ(last.code, 6) << "the key is good: it is refused in this state";
}

TEST_F(CommandLineWithLogins, who_is_no_administrator_removes_nobody_and_is_told_so) {
    house.add("Root", "deep", true);
    house.add("Ann", "sea");
    const auto token = house.log_in("Ann", "sea");
    for (const auto* name : {"Root", "Ann"}) {
        const auto refused = type({"users", "remove", name}, token);
        EXPECT_EQ(refused.code, 5) << name << ": " << refused.err;
    }
    EXPECT_EQ(type({"users", "remove", "Ann"}, "wrong").code, 5);
    EXPECT_EQ(type({"users", "remove", "Ann"}).code, 0);
}

TEST_F(CommandLineWithLogins, a_lost_password_is_replaced) {
    house.add("Ann", "sea");
    const auto token = house.log_in("Ann", "sea");
    EXPECT_THAT(type({"users", "password", "Ann"}).err, HasSubstr("give --password-file"));
    const auto set = type({"users", "password", "ann", "--password-file", file()});
    EXPECT_EQ(set.code, 0) << set.err;
    EXPECT_EQ(set.out, "password of Ann set; they are logged out everywhere\n");
    EXPECT_EQ(house.as(token, http::Method::get, "/Users/Me").status, 401);
    EXPECT_EQ(house.try_login("Ann", "deep sea").status, 200);
    const auto unknown = type({"users", "password", "Cy", "--password-file", file()});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_THAT(unknown.err, HasSubstr("there is no user Cy. There are: Ann"));
}

struct CommandLineWithFilms : testing::TerminalAtHouse {
    CommandLineWithFilms() {
        model::Library films;
        films.id = id_of<core::LibraryId>('1');
        films.name = "Films";
        films.paths = {"/mnt/films"};
        house.libraries.rows = {films};
    }
};

TEST_F(CommandLineWithFilms, library_options_are_shown_and_changed) {
    const auto shown = type({"library", "options", "films"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("EnableLUFSScan"));
    const auto changed =
        type({"library", "options", "Films", "--set", "EnableLUFSScan=false", "--set",
              "DisabledMediaSegmentProviders=[\"edl\"]", "--set", "SeasonZeroDisplayName=Extra", "--json"});
    EXPECT_EQ(changed.code, 0) << changed.err;
    EXPECT_EQ(
        json::parse(house.libraries.rows[0].options),
        json::parse(
            R"({"EnableLUFSScan":false,"SeasonZeroDisplayName":"Extra","DisabledMediaSegmentProviders":["edl"]})"));
    EXPECT_EQ(json::parse(changed.out).at("EnableLUFSScan"), false);
    EXPECT_EQ(type({"library", "options", "Films", "--set", "EnableLUFSScan=null"}).code, 0);
    EXPECT_THAT(house.libraries.rows[0].options, Not(HasSubstr("EnableLUFSScan")));
}

TEST_F(CommandLineWithFilms, library_options_that_cannot_be_are_refused_in_the_servers_words) {
    struct Row {
        std::vector<std::string> words;
        int code;
        const char* says;
    };
    const Row rows[] = {
        {{"library", "options", "Film"}, 4, "there is no library Film; did you mean Films? There are: Films"},
        {{"library", "options", "Films", "--set", "EnableLUFScan=true"}, 2, "did you mean EnableLUFSScan?"},
        {{"library", "options", "Films", "--set", "EnableLUFSScan=perhaps"}, 2, "use true or false"},
        {{"library", "options", "Films", "--set", "EnableLUFSScan"}, 2, "must be KEY=VALUE"},
        {{"library", "options", "Films", "--set", "RemoveMissingAfterDays=-1"}, 2, "use 0 to 3650"},
        {{"library", "options", "Films", "--set", "PathInfos=[]"}, 2, "folders of a library are not changed"},
    };
    for (const auto& row : rows) {
        const auto refused = type(row.words);
        EXPECT_EQ(refused.code, row.code) << row.says;
        EXPECT_THAT(refused.err, HasSubstr(row.says));
    }
    EXPECT_EQ(house.libraries.rows[0].options, model::Library{}.options);
}

TEST_F(CommandLine, library_add_says_how_the_library_is_set) {
    const auto folder = std::filesystem::temp_directory_path() / ("understudy-add-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const auto file = folder / "options.json";
    std::ofstream(file) << R"({"EnableLUFSScan":true,"EnablePhotos":false})";
    const auto add = [&](std::vector<std::string> more) {
        house.libraries.rows.clear();
        std::vector<std::string> words{"library", "add", "--kind", "movies", folder.string()};
        words.insert(words.end(), more.begin(), more.end());
        return type(words);
    };
    auto added = add({"--options", "@" + file.string(), "--no-loudness", "--chapter-images", "--no-segments",
                      "edl,fingerprint", "--remove-missing-after", "30"});
    ASSERT_EQ(added.code, 0) << added.err;
    EXPECT_EQ(json::parse(house.libraries.rows.at(0).options),
              json::parse(R"({"EnableLUFSScan":false,"EnablePhotos":false,"EnableChapterImageExtraction":true,)"
                          R"("DisabledMediaSegmentProviders":["edl","fingerprint"],"RemoveMissingAfterDays":30})"));
    EXPECT_EQ(add({}).code, 0);
    EXPECT_EQ(house.libraries.rows.at(0).options, "{}");
    struct Row {
        std::vector<std::string> words;
        const char* says;
    };
    const Row rows[] = {
        {{"--options", "{"}, "this is no JSON"},
        {{"--options", "[]"}, "this is JSON of another kind"},
        {{"--options", "@/nowhere"}, "/nowhere cannot be read"},
        {{"--options", R"({"EnableChapterImages":true})"}, "EnableChapterImages: is no option of a library"},
        {{"--no-segments", "edl,theme"}, "'theme' is no provider of segments. There are: chapters, edl, fingerprint"},
        {{"--remove-missing-after", "-3"}, "--remove-missing-after"},
    };
    for (const auto& row : rows) {
        const auto refused = add(row.words);
        EXPECT_EQ(refused.code, 2) << row.says;
        EXPECT_THAT(refused.err + refused.out, HasSubstr(row.says));
        EXPECT_TRUE(house.libraries.rows.empty());
    }
    std::filesystem::remove_all(folder);
}

TEST_F(CommandLine, the_first_pod_that_answers_is_asked_and_the_others_are_named) {
    house.tasks.add("RefreshLibrary");
    const std::string nobody = "http://127.0.0.1:1";
    const auto listed =
        run_understudy({"tasks", "list", "--url", nobody, "--url", origin(), "--key", testing::admin_key});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_THAT(listed.err, HasSubstr("no answer from " + nobody));
    EXPECT_THAT(listed.err, HasSubstr("going on at " + origin()));
    EXPECT_EQ(run_understudy({"tasks", "list", "--url", nobody + "," + origin(), "--key", testing::admin_key}).code, 0);
    const auto posted = run_understudy(
        {"tasks", "disable", "RefreshLibrary", "--url", nobody + " " + origin(), "--key", testing::admin_key});
    EXPECT_EQ(posted.code, 0) << "what never reached a pod may be asked of the next";
    const auto none = run_understudy({"tasks", "list", "--url", nobody, "--url", "http://127.0.0.1:2", "--key", "k"});
    EXPECT_EQ(none.code, 3);
    EXPECT_THAT(none.err, HasSubstr("Is the server running there?"));
    EXPECT_THAT(run_understudy({"tasks", "list", "--url", " , "}).err, HasSubstr("--url (UNDERSTUDY_URL) is empty"));
    EXPECT_EQ(run_understudy({"tasks", "list", "--url", "nonsense"}).code, 2);
}

TEST_F(CommandLine, a_run_that_is_waited_for_is_given_up_when_patience_ends) {
    house.tasks.add("RefreshLibrary");
    house.tasks.on_run = [&] { house.health.now.phase = http::HealthReport::Phase::starting; };
    const auto waited = type({"tasks", "run", "RefreshLibrary", "--wait", "--patience", "0"});
    EXPECT_EQ(waited.code, 6) << waited.out;
    EXPECT_THAT(waited.err, Not(HasSubstr("asking again")));
    house.health.now.phase = http::HealthReport::Phase::ready;
    const auto patient = type({"tasks", "run", "RefreshLibrary", "--wait", "--patience", "1"});
    EXPECT_EQ(patient.code, 6);
    EXPECT_THAT(patient.err, HasSubstr("asking again, the run goes on"));
}

TEST_F(CommandLine, a_pod_that_is_starting_is_passed_by_where_there_is_another) {
    testing::House starting;
    starting.health.now.phase = http::HealthReport::Phase::starting;
    const auto away = "http://127.0.0.1:" + std::to_string(starting.serve());
    EXPECT_EQ(run_understudy({"tasks", "list", "--url", away, "--key", testing::admin_key}).code, 6);
    const auto listed =
        run_understudy({"tasks", "list", "--url", away, "--url", origin(), "--key", testing::admin_key});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_THAT(listed.err, HasSubstr(away + " is not ready"));
}

}  // namespace
}  // namespace understudy::app
