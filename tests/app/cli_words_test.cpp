// What a person is told who typed something wrong: each error names the way out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/terminal.h"

namespace understudy::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::id_of;
using ::testing::Not;
using testing::run_understudy;
using ::testing::StartsWith;

struct WrongWords : testing::TerminalAtHouse {
    void add_library(char id, const std::string& name) {
        model::Library library;
        library.id = id_of<core::LibraryId>(id);
        library.name = name;
        library.paths = {"/mnt/" + name};
        house.libraries.rows.push_back(library);
    }
};

TEST_F(WrongWords, an_unknown_option_is_named_with_the_nearest_one_and_where_all_are_listed) {
    struct Row {
        std::vector<std::string> words;
        const char* says;
    };
    const Row rows[] = {
        {{"tasks", "list", "--urll", "x"}, "'--urll' is no option of `understudy tasks list`; did you mean --url?"},
        {{"items", "--type", "Movie"}, "'--type' is no option of `understudy items`; did you mean --types?"},
        {{"items", "--type=Movie"}, "'--type' is no option of `understudy items`; did you mean --types?"},
        {{"tasks", "run", "X", "--patients", "3"}, "did you mean --patience?"},
        {{"--jsn", "pods"}, "did you mean --json?"},
        {{"library", "list", "--frobnicate"}, "'--frobnicate' is no option of `understudy library list`."},
        {{"tasks", "list", "more"}, "'more' is one word too many for `understudy tasks list`."},
        {{"tasks", "history", "--limit", "0"}, "`understudy tasks history`: --limit: Value 0 not in range 1 to 1000"},
        {{"users", "add"}, "`understudy users add`: NAME is required"},
        {{"users"}, "`understudy users`: A subcommand is required. There are: list, add, password, remove"},
        {{"tasks", "lsit", "--nope"}, "did you mean `understudy tasks list`?"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.says);
        const auto refused = run_understudy(row.words);
        EXPECT_EQ(refused.code, 2);
        EXPECT_THAT(refused.err,
                    AllOf(StartsWith("understudy: "), HasSubstr(row.says), HasSubstr(" --help` says more")));
    }
}

TEST_F(WrongWords, a_setting_that_is_unknown_or_given_twice_is_refused_by_every_command) {
    const auto unknown = type({"tasks", "list", "--set", "Jellyfin:Log:Levle=debug"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("Jellyfin:Log:Levle (command line): unknown setting, did you mean "
                                       "Jellyfin:Log:Level?"));
    for (const auto* second :
         {"--set=Jellyfin:DataDir=/b", "--set=jellyfin:datadir=/b", "--Jellyfin:DataDir=/b", "--data-dir=/b"}) {
        const auto twice = type({"tasks", "list", "--set", "Jellyfin:DataDir=/a", second});
        EXPECT_EQ(twice.code, 2) << second;
        EXPECT_THAT(twice.err, AllOf(HasSubstr("given twice"), HasSubstr("'/a'"), HasSubstr("'/b'"))) << second;
    }
    const auto secret = type({"pods", "--set", "Jellyfin:Api:BootstrapKey=first-secret-of-two", "--set",
                              "Jellyfin:Api:BootstrapKey=second-secret-of-two"});
    EXPECT_EQ(secret.code, 2);
    EXPECT_THAT(secret.err, AllOf(HasSubstr("given twice"), Not(HasSubstr("secret-of-two"))));
    EXPECT_EQ(type({"pods", "--set", "Jellyfin:Log:Level=debug"}).code, 0);
}

TEST_F(WrongWords, a_librarys_option_that_is_given_twice_is_refused_with_both) {
    add_library('1', "Films");
    const auto twice =
        type({"library", "options", "Films", "--set", "EnableLUFSScan=false", "--set", "enablelufsscan=true"});
    EXPECT_EQ(twice.code, 2);
    EXPECT_THAT(twice.err, AllOf(HasSubstr("'enablelufsscan=true'"), HasSubstr("given twice"),
                                 HasSubstr("'EnableLUFSScan=false'")));
    EXPECT_EQ(house.libraries.rows[0].options, model::Library{}.options);
}

TEST_F(WrongWords, an_unknown_library_task_or_user_is_answered_with_those_there_are) {
    EXPECT_THAT(type({"library", "remove", "nope"}).err, HasSubstr("'nope'; there is none at all yet"));
    add_library('1', "Music");
    add_library('2', "Films");
    for (const auto* command : {"remove", "problems", "options"}) {
        const auto slip = type({"library", command, "Flims"});
        EXPECT_EQ(slip.code, 4) << command;
        EXPECT_THAT(slip.err, HasSubstr("; did you mean Films? There are: Music, Films")) << command;
        EXPECT_THAT(type({"library", command, "nope"}).err, HasSubstr(". There are: Music, Films")) << command;
    }
    EXPECT_EQ(type({"users", "add", "Ann"}).code, 0);
    EXPECT_THAT(type({"users", "remove", "An"}).err,
                HasSubstr("there is no user An; did you mean Ann? There are: Ann"));
    const auto task = type({"tasks", "history", "RefreshLibary"});
    EXPECT_EQ(task.code, 4);
}

TEST_F(WrongWords, a_run_that_is_waited_for_is_given_up_with_how_long_and_whom_it_last_heard) {
    house.tasks.add("RefreshLibrary");
    house.tasks.on_run = [&] { house.health.now.phase = http::HealthReport::Phase::starting; };
    const auto waited = type({"tasks", "run", "RefreshLibrary", "--wait", "--patience", "0"});
    EXPECT_EQ(waited.code, 6);
    EXPECT_THAT(waited.err, AllOf(HasSubstr("The server is starting"), HasSubstr("Given up after asking for "),
                                  HasSubstr("(--patience 0)"), HasSubstr("last heard from " + origin() + " 0.0 s ago"),
                                  HasSubstr("`understudy tasks list`")));
}

TEST_F(WrongWords, the_help_of_a_command_says_where_the_common_options_are) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"tasks", "run"}, {"library", "remove"}, {"config", "show"}, {"pods"}}) {
        auto asked = words;
        asked.push_back("--help");
        const auto help = run_understudy(asked);
        EXPECT_EQ(help.code, 0);
        EXPECT_THAT(help.out, HasSubstr("--url"));
    }
}

}  // namespace
}  // namespace understudy::app
