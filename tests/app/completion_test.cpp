// What may be typed next, and the manual: from the one tree of commands.
#include "app/cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>

#include "app/cli/command_tree.h"
#include "app/terminal.h"
#include "support/temp_folder.h"

namespace understudy::app {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Paths = Completion::Paths;

struct Tree {
    Tree() { add_command_tree(root, common, sets, chosen); }
    CommonOptions common;
    std::vector<std::string> sets;
    Action chosen;
    CLI::App root{"text", "understudy"};
};

struct Completing : ::testing::Test {
    std::vector<std::string> words_of(const std::vector<std::string>& typed) {
        const NameLookup lookup = [this](NameKind kind) {
            asked.push_back(kind);
            return std::vector<Candidate>{{"RefreshLibrary", "Scan"}, {"RefreshPeople", ""}};
        };
        last = complete(tree.root, typed, lookup);
        std::vector<std::string> words;
        for (const auto& one : last.candidates) words.push_back(one.word);
        return words;
    }
    Tree tree;
    std::vector<NameKind> asked;
    Completion last;
};

TEST_F(Completing, offers_commands_and_their_commands) {
    EXPECT_THAT(words_of({""}), AllOf(Contains("serve"), Contains("tasks"), Contains("exec"), Contains("completion")));
    EXPECT_THAT(words_of({"ta"}), ElementsAre("tasks"));
    EXPECT_EQ(last.candidates.front().description, "scheduled tasks: what runs where, what comes next");
    EXPECT_THAT(words_of({"tasks", "r"}), ElementsAre("run", "resume"));
    EXPECT_THAT(words_of({"--json", "--url", "http://x", "leader", "w"}), ElementsAre("watch"));
    EXPECT_THAT(words_of({"nonsense", "ta"}), ElementsAre("tasks"));
}

TEST_F(Completing, offers_options_of_the_command_and_those_of_all) {
    EXPECT_THAT(words_of({"tasks", "run", "--"}), AllOf(Contains("--wait"), Contains("--patience"), Contains("--url")));
    EXPECT_THAT(words_of({"tasks", "run", "--w"}), ElementsAre("--wait"));
    EXPECT_THAT(words_of({"exec", "--"}),
                AllOf(Contains("--lease"), Contains("--ttl"), Contains("--no-wait"), Contains("--kill-after")));
    EXPECT_THAT(words_of({"pods", "--wait"}), IsEmpty());
}

TEST_F(Completing, asks_a_server_for_names_where_one_may_stand) {
    EXPECT_THAT(words_of({"tasks", "run", ""}), ElementsAre("RefreshLibrary", "RefreshPeople"));
    EXPECT_THAT(words_of({"tasks", "run", "RefreshLibrary", "RefreshP"}), ElementsAre("RefreshPeople"))
        << "it takes several";
    EXPECT_THAT(words_of({"tasks", "cancel", "RefreshLibrary", ""}), IsEmpty()) << "and this one does not";
    EXPECT_THAT(asked, ElementsAre(NameKind::task, NameKind::task));
    asked.clear();
    (void)words_of({"library", "remove", ""});
    (void)words_of({"library", "problems", ""});
    (void)words_of({"users", "password", ""});
    EXPECT_THAT(asked, ElementsAre(NameKind::library, NameKind::library, NameKind::user));
    asked.clear();
    (void)words_of({"users", "add", ""});
    (void)words_of({"tasks", ""});
    EXPECT_THAT(asked, IsEmpty());
}

TEST_F(Completing, offers_choices_files_and_folders_as_values) {
    EXPECT_THAT(words_of({"library", "add", "--kind", "m"}), ElementsAre("movies", "music"));
    EXPECT_THAT(words_of({"library", "add", "--kind=t"}), ElementsAre("--kind=tvshows"));
    EXPECT_THAT(words_of({"completion", ""}), AllOf(Contains("bash"), Contains("zsh"), Contains("fish")));
    (void)words_of({"--config", ""});
    EXPECT_EQ(last.paths, Paths::files);
    (void)words_of({"serve", "--data-dir", ""});
    EXPECT_EQ(last.paths, Paths::folders);
    (void)words_of({"library", "add", ""});
    EXPECT_EQ(last.paths, Paths::folders);
    (void)words_of({"exec", "--lease", "x", "--", ""});
    EXPECT_EQ(last.paths, Paths::programs);
    (void)words_of({"exec", "--lease", "x", "--", "tar", "--"});
    EXPECT_EQ(last.paths, Paths::files) << "its options are not ours";
    EXPECT_THAT(last.candidates, IsEmpty());
}

TEST_F(Completing, goes_on_behind_each_comma_where_several_words_may_stand) {
    EXPECT_THAT(words_of({"items", "--types", "M"}), ElementsAre("Movie", "MusicArtist", "MusicAlbum"));
    EXPECT_THAT(words_of({"items", "--types", "Movie,M"}), ElementsAre("Movie,MusicArtist", "Movie,MusicAlbum"))
        << "none twice";
    EXPECT_THAT(words_of({"items", "--types=Movie,Episode,S"}),
                ElementsAre("--types=Movie,Episode,Series", "--types=Movie,Episode,Season"));
    EXPECT_THAT(words_of({"items", "--sort", "Runtime,"}), Contains("Runtime,Album"));
    EXPECT_THAT(words_of({"items", "--order", ""}), ElementsAre("Ascending", "Descending"));
    EXPECT_THAT(words_of({"items", "--order", "Ascending,"}), IsEmpty()) << "of these one alone";
}

/// Every command and option of the tree stands in the manual.
TEST(Manual, has_every_command_and_option) {
    const Tree tree;
    const auto page = manual_page(tree.root);
    const auto dashed = [](std::string text) {
        for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 2))
            text.insert(at, "\\");
        return text;
    };
    const std::function<void(const CLI::App&, const std::string&)> look = [&](const CLI::App& command,
                                                                              const std::string& before) {
        for (const auto* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
            const auto words = before + " " + sub->get_name();
            EXPECT_THAT(page, HasSubstr(".SS \"" + dashed(words) + "\""));
            for (const auto* option : sub->get_options()) {
                for (const auto& name : option->get_lnames()) {
                    if (name != "help") {
                        EXPECT_THAT(page, HasSubstr(dashed("--" + name))) << words;
                    }
                }
            }
            look(*sub, words);
        }
    };
    look(tree.root, "understudy");
    EXPECT_THAT(page, Not(HasSubstr("Options of all commands")));
    EXPECT_THAT(page, HasSubstr("UNDERSTUDY_LEASE_TOKEN"));
}

struct Ran {
    int code = -1;
    std::string out;
};
Ran shell(const std::string& script) {
    Ran ran;
    FILE* pipe = ::popen(script.c_str(), "r");  // NOLINT(cert-env33-c)
    if (pipe == nullptr) return ran;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = ::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        ran.out.append(buffer.data(), got);
    const int status = ::pclose(pipe);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

TEST(Manual, is_clean_roff) {
    const auto formatted = shell("'" UNDERSTUDY_BINARY "' man | groff -man -ww -Tutf8 -rLL=80n 2>&1 >/dev/null");
    EXPECT_EQ(formatted.code, 0);
    EXPECT_EQ(formatted.out, "") << "warnings";
    const auto text = shell("'" UNDERSTUDY_BINARY "' man | groff -man -Tascii -P-cbou 2>/dev/null");
    EXPECT_THAT(text.out, AllOf(HasSubstr("understudy exec"), HasSubstr("--kill-after"),
                                HasSubstr("understudy exec --lease nightly --no-wait -- /usr/local/bin/backup --all")));
}

struct Bash : testing::TerminalAtHouse {
    /// What TAB offers at the end of `line`.
    [[nodiscard]] std::string tab(const std::string& line, const std::string& url = {}) const {
        const testing::TempFolder folder;
        const auto script = folder.write("tab.sh", R"(
. <("$UNDERSTUDY" completion bash)
complete -p understudy >/dev/null || exit 3
COMP_LINE=$1 COMP_POINT=${#1}
read -ra COMP_WORDS <<<"$1"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_understudy
printf '%s\n' "${COMPREPLY[@]}"
)");
        return shell("cd '" + folder.path().string() + "' && PATH=\"$(dirname '" UNDERSTUDY_BINARY "'):$PATH\" " +
                     "UNDERSTUDY='" UNDERSTUDY_BINARY "' UNDERSTUDY_URL='" + (url.empty() ? origin() : url) +
                     "' UNDERSTUDY_KEY='" + testing::admin_key + "' bash --norc --noprofile '" + script.string() +
                     "' '" + line + "' 2>&1")
            .out;
    }
};

TEST_F(Bash, completes_commands_options_and_task_keys_of_the_server) {
    house.tasks.add("RefreshLibrary");
    house.tasks.add("RefreshPeople");
    house.tasks.add("OptimizeDatabaseTask");
    EXPECT_EQ(tab("understudy tas"), "tasks\n");
    EXPECT_EQ(tab("understudy tasks ca"), "cancel\n");
    EXPECT_EQ(tab("understudy tasks run --pat"), "--patience\n");
    const auto keys = tab("understudy tasks run Refresh");
    EXPECT_THAT(keys, AllOf(HasSubstr("RefreshLibrary\n"), HasSubstr("RefreshPeople\n")));
    EXPECT_THAT(keys, Not(HasSubstr("Optimize")));
    EXPECT_EQ(tab("understudy tasks run O"), "OptimizeDatabaseTask\n");
    EXPECT_EQ(tab("understudy tasks run --url " + origin() + " O", "http://127.0.0.1:1"), "OptimizeDatabaseTask\n")
        << "the words typed so far go before the environment";
}

TEST_F(Bash, is_silent_where_no_server_answers) {
    EXPECT_EQ(tab("understudy tasks run R", "http://127.0.0.1:1"), "\n");
    EXPECT_EQ(tab("understudy tasks run --wai", "http://127.0.0.1:1"), "--wait\n");
}

}  // namespace
}  // namespace understudy::app
