// Rule 1: which entries prove that a disc is there, and which only look like it.
#include <cerrno>

#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::uint64_t ground = 5, disc = 77;

// Two films at lib/mount, on a disc: the library's root itself or a mount below it.
class Away : public ScanTest {
protected:
    void start(const std::string& mount) {
        mount_ = mount;
        tree.file("lib/G (2000)/G (2000).mkv");
        tree.file(mount + "/A (2001)/A (2001).mkv");
        tree.file(mount + "/B (2002)/B (2002).mkv");
        files->set_device(tree.path("lib"), ground);
        files->set_device(tree.path("elsewhere"), 9);
        files->set_device(tree.path(mount), disc);
        library_ = add_library(LibraryKind::movies, {tree.path("lib")});
        scan();
        before_ = tables->files[library_];
        ASSERT_EQ(before_.size(), 3U);
    }
    void unmount() {
        tree.rename(mount_, "disc");
        tree.folder(mount_);
        files->set_device(tree.path(mount_), ground);
    }
    void mount_again(std::uint64_t device) {
        tree.remove(mount_);
        tree.rename("disc", mount_);
        files->set_device(tree.path(mount_), device);
    }
    // Three scans: what the first of them adds on the ground is known to the next.
    void expect_all_kept() {
        for (int round = 0; round < 3; ++round) {
            SCOPED_TRACE(round);
            scan();
            EXPECT_EQ(count("removed"), 0);
            for (const auto& [path, file] : before_) {
                ASSERT_TRUE(tables->files[library_].contains(path)) << path;
                ASSERT_TRUE(tables->items.contains(file.item));
            }
            EXPECT_THAT(run->warnings, Contains(HasSubstr(tree.path(mount_) + ": another device than before")));
            EXPECT_EQ(tables->directories[library_].at(tree.path(mount_)).device, disc);
        }
        mount_again(disc + 1);
        scan();
        for (const auto& [path, file] : before_) EXPECT_TRUE(tables->items.at(file.item).available) << path;
        EXPECT_THAT(run->warnings, Not(Contains(HasSubstr("another device"))));
    }

    std::string mount_;
    core::LibraryId library_;
    std::map<std::string, store::StoredFile> before_;
};

TEST_P(Away, a_link_on_the_mount_point_is_no_witness) {
    for (const std::string mount : {"lib", "lib/usb"}) {
        SCOPED_TRACE(mount);
        tree.remove("lib");
        start(mount);
        tree.file("elsewhere/Far (1990)/Far (1990).mkv");
        unmount();
        tree.link(mount + "/Stray (1999).mkv", tree.path("elsewhere/Far (1990)/Far (1990).mkv"));
        tree.link(mount + "/Far (1990)", tree.path("elsewhere/Far (1990)"));
        tree.link(mount + "/dangling.mkv", "/nope");
        expect_all_kept();
        ASSERT_TRUE(library_store->remove(library_));
    }
}

TEST_P(Away, a_link_to_a_copy_of_a_known_file_is_no_witness) {
    start("lib/usb");
    tree.copy("lib/usb/A (2001)/A (2001).mkv", "backup/A (2001)/A (2001).mkv");
    files->set_device(tree.path("backup"), ground);
    unmount();
    tree.link("lib/usb/A (2001)", tree.path("backup/A (2001)"));
    expect_all_kept();
}

TEST_P(Away, a_known_folder_made_anew_on_the_ground_is_no_witness) {
    // A downloader found the mount point empty and went on as if it were the disc.
    start("lib/usb");
    tree.file("lib/usb/Box/C (2003)/C (2003).mkv");
    scan();
    before_ = tables->files[library_];
    unmount();
    tree.file("lib/usb/Box/N (2020)/N (2020).mkv");
    expect_all_kept();
}

TEST_P(Away, a_file_that_replaced_a_known_one_on_the_ground_is_no_witness) {
    start("lib/usb");
    unmount();
    tree.file("lib/usb/A (2001)/A (2001).mkv");
    scan();
    EXPECT_EQ(count("removed"), 0);
    EXPECT_THAT(names(ItemKind::movie), Contains("B"));
}

TEST_P(Away, an_ignore_file_on_the_mount_point_speaks_not_for_the_disc) {
    start("lib/usb");
    unmount();
    tree.file("lib/usb/.ignore", " ");
    expect_all_kept();
}

TEST_P(Away, an_ignore_file_below_the_mount_point_speaks_not_for_the_disc) {
    start("lib/usb");
    unmount();
    tree.file("lib/usb/A (2001)/.ignore", " ");
    expect_all_kept();
}

TEST_P(Away, a_disc_mounted_below_one_that_is_away_is_no_witness_for_it) {
    start("lib/usb");
    tree.file("lib/usb/inner/I (2003)/I (2003).mkv");
    files->set_device(tree.path("lib/usb/inner"), 88);
    scan();
    before_ = tables->files[library_];
    ASSERT_EQ(before_.size(), 4U);
    tree.rename("lib/usb/inner", "inner");
    unmount();
    tree.rename("inner", "lib/usb/inner");
    files->set_device(tree.path("lib/usb/inner"), 88);
    scan();
    EXPECT_EQ(count("removed"), 0);
    EXPECT_EQ(count("kept_offline"), 2) << "A and B; the inner disc is there";
    tree.remove("lib/usb/inner/I (2003)");
    tree.file("lib/usb/inner/J (2004)/J (2004).mkv");
    scan();
    EXPECT_EQ(count("removed"), 1) << "and proves what is gone from it";
}

TEST_P(Away, hidden_and_system_names_are_nothing) {
    start("lib/usb");
    unmount();
    tree.folder("lib/usb/lost+found");
    tree.file("lib/usb/.hidden", "x");
    scan();
    EXPECT_EQ(count("kept_offline"), 2);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("nothing is mounted there")));
}

TEST_P(Away, a_scan_that_dies_leaves_the_next_one_its_witness) {
    start("lib/usb");
    tree.remove("lib/usb/B (2002)");
    files->set_device(tree.path("lib/usb"), disc + 1);
    run = std::make_unique<testing::FakeRun>("{}");
    run->on_commit = [&](int number) { run->fenced = number == 1; };
    EXPECT_FALSE(scan_as_set_up()) << "A has taken over the number, B is not yet removed";
    scan();
    EXPECT_THAT(names(ItemKind::movie), Not(Contains("B")));
    EXPECT_THAT(run->warnings, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(stores, Away, all_stores(), store_name);

}  // namespace
}  // namespace understudy::library
