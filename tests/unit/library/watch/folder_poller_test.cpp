#include "library/watch/folder_poller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "support/library/faulty_file_system.h"
#include "support/library/media_tree.h"

namespace understudy::library {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Poller : ::testing::Test {
    Poller() {
        tree.file("lib/Show/Season 01/Show S01E01.mkv");
        tree.file("lib/Show/Season 02/Show S02E01.mkv");
        tree.file("lib/Film (2001).mkv");
        for (const char* folder : {"lib", "lib/Show", "lib/Show/Season 01", "lib/Show/Season 02"}) touch(folder);
    }
    /// Folder times of their own: what happens within one tick of the kernel's clock looks alike.
    void touch(const std::string& folder) { tree.set_mtime(folder, (1'000'000 + ++changes) * 1'000'000'000LL); }
    std::set<std::string> look() {
        changed.clear();
        EXPECT_TRUE(poller.look());
        std::set<std::string> below;
        for (const auto& path : changed) below.insert(path.substr(tree.root().size() + 1));
        return below;
    }

    testing::MediaTree tree;
    testing::FaultyFileSystem files;
    std::set<std::string> changed;
    std::map<std::string, int> unreadable;
    bool stop = false;
    std::int64_t changes = 0;
    FolderPoller poller{tree.path("lib"),
                        model::LibraryKind::tvshows,
                        {files, [this] { return stop; }, [this](const std::string& path) { changed.insert(path); },
                         [this](const std::string& path, int error) { unreadable[path] = error; }}};
};

TEST_F(Poller, remembers_at_the_first_look_and_reports_what_changed_since) {
    EXPECT_THAT(look(), IsEmpty());
    EXPECT_EQ(poller.folders(), 4U);
    EXPECT_THAT(look(), IsEmpty());
    tree.file("lib/Show/Season 02/Show S02E02.mkv");
    touch("lib/Show/Season 02");
    EXPECT_THAT(look(), ElementsAre("lib/Show/Season 02"));
    EXPECT_THAT(look(), IsEmpty());
}

TEST_F(Poller, costs_one_stat_a_folder_and_lists_only_what_changed) {
    (void)look();
    files.forget();
    EXPECT_THAT(look(), IsEmpty());
    EXPECT_THAT(files.folders_opened(), IsEmpty());
    touch("lib/Show/Season 01");
    (void)look();
    EXPECT_THAT(files.folders_opened(), ElementsAre(tree.path("lib/Show/Season 01")));
}

TEST_F(Poller, reports_what_came_and_went_at_the_top_by_itself) {
    (void)look();
    tree.file("lib/New (2002).mkv");
    tree.file("lib/half.mkv.part");
    tree.file("lib/Other/Season 01/Other S01E01.mkv");
    tree.remove("lib/Film (2001).mkv");
    touch("lib");
    EXPECT_THAT(look(), ElementsAre("lib/Film (2001).mkv", "lib/New (2002).mkv", "lib/Other"));
    tree.remove("lib/half.mkv.part");
    touch("lib");
    EXPECT_THAT(look(), IsEmpty()) << "a download under way came and went";
    tree.file("lib/Other/Season 01/Other S01E02.mkv");
    touch("lib/Other/Season 01");
    EXPECT_THAT(look(), ElementsAre("lib/Other/Season 01")) << "new folders are looked at too";
}

TEST_F(Poller, follows_folders_that_are_moved_or_removed) {
    (void)look();
    tree.rename("lib/Show/Season 02", "lib/Show/Season 03");
    touch("lib/Show");
    EXPECT_THAT(look(), ElementsAre("lib/Show"));
    EXPECT_EQ(poller.folders(), 4U);
    tree.remove("lib/Show");
    touch("lib");
    EXPECT_THAT(look(), ElementsAre("lib/Show"));
    EXPECT_EQ(poller.folders(), 1U);
}

TEST_F(Poller, goes_where_a_walk_goes) {
    tree.file("lib/.hidden/x.mkv");
    tree.file("lib/@eaDir/x.mkv");
    tree.file("lib/Kept out/.ignore", "x");
    tree.file("lib/Kept out/below/x.mkv");
    tree.file("elsewhere/Show B/x.mkv");
    tree.link("lib/Linked", tree.path("elsewhere/Show B"));
    tree.link("lib/Show/loop", tree.path("lib"));
    (void)look();
    EXPECT_EQ(poller.folders(), 6U) << "Show, two seasons, Kept out, Linked, the root";
    tree.file("elsewhere/Show B/y.mkv");
    touch("elsewhere/Show B");
    EXPECT_THAT(look(), ElementsAre("lib/Linked"));
    tree.file("lib/Kept out/y.mkv");
    touch("lib/Kept out");
    EXPECT_THAT(look(), IsEmpty());
    tree.remove("lib/Kept out/.ignore");
    touch("lib/Kept out");
    EXPECT_THAT(look(), ElementsAre("lib/Kept out"));
    EXPECT_EQ(poller.folders(), 7U);
}

TEST_F(Poller, one_folder_that_cannot_be_read_stops_nothing) {
    files.fail_open(tree.path("lib/Show/Season 01"), EACCES);
    (void)look();
    EXPECT_THAT(unreadable, ElementsAre(std::pair(tree.path("lib/Show/Season 01"), EACCES)));
    tree.file("lib/Show/Season 02/Show S02E02.mkv");
    touch("lib/Show/Season 02");
    EXPECT_THAT(look(), ElementsAre("lib/Show/Season 02"));
    files.fail_open(tree.path("lib/Show/Season 01"), 0);
    EXPECT_THAT(look(), ElementsAre("lib/Show/Season 01")) << "it can be read now";
}

TEST_F(Poller, a_root_that_is_away_is_said_so_and_forgotten) {
    (void)look();
    tree.rename("lib", "gone");
    EXPECT_FALSE(poller.look());
    EXPECT_EQ(poller.folders(), 0U);
    tree.rename("gone", "lib");
    EXPECT_THAT(look(), IsEmpty()) << "the caller reports the whole root";
    EXPECT_EQ(poller.folders(), 4U);
}

TEST_F(Poller, reports_at_the_first_look_what_changed_lately) {
    tree.set_mtime("lib/Show/Season 02", 2'000'000'000'000'000'000);
    EXPECT_TRUE(poller.look(1'900'000'000'000'000'000));
    EXPECT_THAT(changed, ElementsAre(tree.path("lib/Show/Season 02")));
}

TEST_F(Poller, stops_when_it_is_told_to) {
    (void)look();
    stop = true;
    EXPECT_FALSE(poller.look());
}

}  // namespace
}  // namespace understudy::library
