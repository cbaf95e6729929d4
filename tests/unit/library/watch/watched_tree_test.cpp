#include "library/watch/watched_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "support/library/faulty_file_system.h"
#include "support/library/media_tree.h"
#include "support/library/tricky_notifier.h"

namespace understudy::library {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using State = WatchedTree::State;

struct Tree : ::testing::Test {
    Tree() {
        tree.file("lib/Show/Season 01/Show S01E01.mkv");
        tree.file("lib/Show/Season 02/Show S02E01.mkv");
        tree.file("lib/Film (2001).mkv");
    }
    /// All that the kernel has told by now; a change before this call is told already.
    std::set<std::string> heard() {
        changed.clear();
        for (auto events = notifier.wait(0ms); !events.empty(); events = notifier.wait(0ms)) {
            for (const auto& event : events) state = watched.on_event(event);
        }
        std::set<std::string> below;
        for (const auto& path : changed) below.insert(path.substr(tree.root().size() + 1));
        return below;
    }
    void read_everything() const {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(tree.path("lib"))) {
            if (!entry.is_regular_file()) continue;
            std::ifstream in(entry.path());
            std::string text((std::istreambuf_iterator<char>(in)), {});
        }
    }

    testing::MediaTree tree;
    testing::FaultyFileSystem files;
    std::shared_ptr<testing::Tricks> tricks = std::make_shared<testing::Tricks>();
    testing::TrickyNotifier notifier{tricks};
    std::set<std::string> changed, network;
    std::vector<std::string> unreadable;
    State state = State::watching;
    WatchedTree watched{
        tree.path("lib"),
        model::LibraryKind::tvshows,
        {notifier, files, [] { return false; }, [this](const std::string& path) { return network.contains(path); },
         [this](const std::string& path) { changed.insert(path); },
         [this](const std::string& path, int) { unreadable.push_back(path); }}};
};

TEST_F(Tree, a_file_that_is_written_reports_the_folder_that_holds_it) {
    ASSERT_EQ(watched.survey(), State::watching);
    EXPECT_EQ(watched.folders(), 4U);
    EXPECT_THAT(heard(), IsEmpty());
    tree.file("lib/Show/Season 02/Show S02E02.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 02"));
    tree.append("lib/Show/Season 01/Show S01E01.mkv", "more");
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 01"));
    tree.remove("lib/Show/Season 01/Show S01E01.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 01"));
    tree.rename("lib/Show/Season 02/Show S02E02.mkv", "lib/Show/Season 01/Show S01E02.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 01", "lib/Show/Season 02"));
}

TEST_F(Tree, at_the_top_each_entry_is_reported_by_itself) {
    ASSERT_EQ(watched.survey(), State::watching);
    tree.file("lib/New (2002).mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/New (2002).mkv"));
    tree.remove("lib/Film (2001).mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Film (2001).mkv"));
}

TEST_F(Tree, reading_files_and_listing_folders_reports_nothing) {
    ASSERT_EQ(watched.survey(), State::watching);
    read_everything();
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(Tree, names_that_no_scan_cares_about_report_nothing) {
    ASSERT_EQ(watched.survey(), State::watching);
    tree.file("lib/Show/Season 02/Show S02E02.mkv.part");
    tree.file("lib/Show/Season 02/.Show S02E02.mkv.Xy12");
    tree.file("lib/Show/.hidden/x.mkv");
    tree.file("lib/Show/Thumbs.db");
    EXPECT_THAT(heard(), IsEmpty());
    tree.rename("lib/Show/Season 02/Show S02E02.mkv.part", "lib/Show/Season 02/Show S02E02.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 02")) << "the download is done";
}

TEST_F(Tree, a_file_that_is_still_open_is_reported_when_it_is_closed) {
    ASSERT_EQ(watched.survey(), State::watching);
    std::ofstream out(tree.path("lib/Show/Season 02/Show S02E02.mkv"));
    out << "half" << std::flush;
    EXPECT_THAT(heard(), IsEmpty());
    out.close();
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 02"));
}

TEST_F(Tree, hard_and_symbolic_links_are_whole_at_once) {
    tree.file("downloads/Show S02E02.mkv");
    ASSERT_EQ(watched.survey(), State::watching);
    std::filesystem::create_hard_link(tree.path("downloads/Show S02E02.mkv"),
                                      tree.path("lib/Show/Season 02/Show S02E02.mkv"));
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 02"));
    tree.link("lib/Show/Season 01/Show S01E03.mkv", tree.path("downloads/Show S02E02.mkv"));
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 01"));
}

TEST_F(Tree, new_folders_are_reported_and_watched_with_all_below) {
    ASSERT_EQ(watched.survey(), State::watching);
    tree.file("lib/Other/Season 01/Other S01E01.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Other")) << "its file may have come before the watch";
    EXPECT_EQ(watched.folders(), 6U);
    tree.file("lib/Other/Season 01/Other S01E02.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Other/Season 01"));
}

TEST_F(Tree, moved_folders_are_followed_and_removed_ones_forgotten) {
    ASSERT_EQ(watched.survey(), State::watching);
    tree.rename("lib/Show", "lib/Show (2001)");
    EXPECT_THAT(heard(), ElementsAre("lib/Show", "lib/Show (2001)"));
    tree.file("lib/Show (2001)/Season 02/Show S02E02.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Show (2001)/Season 02")) << "by its new name";
    tree.rename("lib/Show (2001)", "outside");
    EXPECT_THAT(heard(), ElementsAre("lib/Show (2001)"));
    EXPECT_EQ(watched.folders(), 1U);
    tree.file("outside/Season 02/Show S02E03.mkv");
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(Tree, links_to_folders_are_watched_and_loops_are_not) {
    tree.file("elsewhere/Show B/x.mkv");
    tree.link("lib/Linked", tree.path("elsewhere/Show B"));
    tree.link("lib/Show/loop", tree.path("lib"));
    ASSERT_EQ(watched.survey(), State::watching);
    EXPECT_EQ(watched.folders(), 5U);
    tree.file("elsewhere/Show B/y.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Linked"));
    tree.link("lib/Linked later", tree.path("elsewhere/Show B"));
    EXPECT_THAT(heard(), ElementsAre("lib/Linked later"));
    tree.file("elsewhere/Show B/z.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Linked", "lib/Linked later")) << "one folder by two names";
    tree.remove("lib/Linked");
    EXPECT_THAT(heard(), ElementsAre("lib/Linked"));
    tree.file("elsewhere/Show B/a.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Linked later"));
}

TEST_F(Tree, an_ignore_file_takes_its_sub_tree_out_and_gives_it_back) {
    tree.file("lib/Kept out/.ignore", "x");
    tree.file("lib/Kept out/below/x.mkv");
    ASSERT_EQ(watched.survey(), State::watching);
    EXPECT_EQ(watched.folders(), 5U);
    tree.file("lib/Kept out/y.mkv");
    EXPECT_THAT(heard(), IsEmpty());
    tree.remove("lib/Kept out/.ignore");
    EXPECT_THAT(heard(), ElementsAre("lib/Kept out"));
    tree.file("lib/Kept out/below/y.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Kept out/below"));
    tree.file("lib/Show/.ignore", "x");
    EXPECT_THAT(heard(), ElementsAre("lib/Show"));
    tree.file("lib/Show/Season 02/Show S02E09.mkv");
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(Tree, one_forbidden_folder_is_told_of_once_and_the_rest_goes_on) {  // C8
    tricks->forbidden.insert(tree.path("lib/Show/Season 01"));
    ASSERT_EQ(watched.survey(), State::watching);
    EXPECT_THAT(unreadable, ElementsAre(tree.path("lib/Show/Season 01")));
    tree.file("lib/Show/Season 02/Show S02E02.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 02"));
    EXPECT_EQ(watched.look_again(), State::watching);
    EXPECT_EQ(unreadable.size(), 1U);
    tricks->forbidden.clear();
    EXPECT_EQ(watched.look_again(), State::watching);
    EXPECT_THAT(changed, ::testing::Contains(tree.path("lib/Show/Season 01"))) << "what came meanwhile is looked for";
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    EXPECT_THAT(heard(), ElementsAre("lib/Show/Season 01"));
}

TEST_F(Tree, watches_that_run_out_are_counted_on_so_that_the_need_is_known) {
    tricks->watches_left = 2;
    EXPECT_EQ(watched.survey(), State::exhausted);
    EXPECT_EQ(watched.needed(), 4U);
}

TEST_F(Tree, dropped_events_and_a_root_that_is_replaced_mean_looking_at_all_of_it) {
    ASSERT_EQ(watched.survey(), State::watching);
    EXPECT_EQ(watched.on_event({.kind = NotifyEvent::Kind::overflow, .name = {}}), State::lost);
    EXPECT_EQ(watched.overflows(), 1U);
    EXPECT_EQ(watched.look_again(), State::watching);
    tree.rename("lib", "old");
    (void)heard();
    EXPECT_EQ(state, State::lost);
    tree.folder("lib");
    EXPECT_EQ(watched.look_again(), State::lost) << "another folder by the same name";
}

TEST_F(Tree, a_network_mount_below_a_local_root_is_left_to_polling) {
    files.set_device(tree.path("lib/Show"), 4711);
    network.insert(tree.path("lib/Show"));
    ASSERT_EQ(watched.survey(), State::watching);
    EXPECT_THAT(watched.shares(), ElementsAre(tree.path("lib/Show")));
    EXPECT_EQ(watched.folders(), 1U);
}

TEST_F(Tree, a_root_that_is_not_there_is_lost) {
    tree.rename("lib", "old");
    EXPECT_EQ(watched.survey(), State::lost);
}

TEST_F(Tree, reports_at_the_survey_what_changed_lately) {
    for (const char* folder : {"lib", "lib/Show", "lib/Show/Season 01"}) tree.set_mtime(folder, 1'000'000'000);
    ASSERT_EQ(watched.survey(2'000'000'000), State::watching);
    EXPECT_THAT(changed, ElementsAre(tree.path("lib/Show/Season 02")));
}

}  // namespace
}  // namespace understudy::library
