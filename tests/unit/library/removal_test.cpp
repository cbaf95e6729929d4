// Rule 1: removal needs proof.
#include <cerrno>

#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::film;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Removal : public ScanTest {
protected:
    void make_films(const std::string& folder, int count) {
        for (int i = 0; i < count; ++i) {
            const auto name = "Film " + std::to_string(i) + " of " + folder + " (2001)";
            tree.file("lib/" + folder + "/" + name + "/" + name + ".mkv");
        }
    }
};

TEST_P(Removal, a_deleted_file_goes_with_its_item) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B"));
    tree.remove("lib/A (2001)");
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("B"));
    EXPECT_EQ(count("removed"), 1);
    EXPECT_EQ(tables->files.begin()->second.size(), 1U);
    EXPECT_THAT(announced.back(), HasSubstr("\"removed\":["));
}

TEST_P(Removal, an_empty_root_keeps_everything_and_it_comes_back_as_it_was) {
    make_films("x", 20);
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = all();
    ASSERT_EQ(before.size(), 20U);
    tree.rename("lib", "away");
    tree.folder("lib/lost+found");
    scan();
    EXPECT_EQ(all().size(), 20U);
    for (const auto& [id, item] : all()) EXPECT_FALSE(item.available);
    EXPECT_EQ(count("removed"), 0);
    EXPECT_EQ(count("kept_offline"), 20);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("offline (empty): 20 known files are kept")));
    ASSERT_EQ(tables->roots[library].size(), 1U);
    EXPECT_FALSE(tables->roots[library][0].online);
    EXPECT_EQ(tables->roots[library][0].reason, "empty");

    const auto since = tables->roots[library][0].since;
    clock.advance(std::chrono::hours{24 * 31});
    scan();
    EXPECT_EQ(all().size(), 20U);
    EXPECT_EQ(tables->roots[library][0].since, since) << "offline since the first scan that saw it";

    tree.remove("lib");
    tree.rename("away", "lib");
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_EQ(all().size(), 20U);
    for (const auto& [id, item] : all()) {
        EXPECT_TRUE(item.available);
        EXPECT_TRUE(before.contains(id));
    }
    EXPECT_TRUE(tables->roots[library][0].online);
}

TEST_P(Removal, a_missing_or_forbidden_root_keeps_everything) {
    make_films("x", 3);
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.rename("lib", "away");
    scan();
    EXPECT_EQ(all().size(), 3U);
    EXPECT_EQ(tables->roots[library][0].reason, "missing");
    tree.rename("away", "lib");
    files->fail_open(tree.path("lib"), EACCES);
    scan();
    EXPECT_EQ(all().size(), 3U);
    EXPECT_EQ(tables->roots[library][0].reason, "Permission denied");
    files->fail_open(tree.path("lib"), 0);
    scan();
    for (const auto& [id, item] : all()) EXPECT_TRUE(item.available);
}

TEST_P(Removal, an_emptied_root_is_believed_only_after_the_grace_that_the_library_sets) {
    make_films("x", 2);
    const auto id = add_library(LibraryKind::movies, {tree.path("lib")});
    auto library = tables->libraries[id];
    library.remove_missing_after = std::chrono::hours{48};
    ASSERT_TRUE(library_store->update(library));
    scan();
    tree.remove("lib/x");
    scan();
    clock.advance(std::chrono::hours{47});
    scan();
    EXPECT_EQ(all().size(), 2U);
    clock.advance(std::chrono::hours{2});
    scan();
    EXPECT_EQ(all().size(), 0U);
}

TEST_P(Removal, a_nested_mount_that_went_away_keeps_its_items_while_the_rest_goes_on) {
    make_films("diskA", 10);
    make_films("diskB", 10);
    files->set_device(tree.path("lib/diskB"), 77);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    ASSERT_EQ(all().size(), 20U);
    // Unmounted: the folder is empty and belongs to the device below. Meanwhile disk A changes.
    tree.rename("lib/diskB", "unmounted");
    tree.folder("lib/diskB");
    files->clear_device(tree.path("lib/diskB"));
    tree.remove("lib/diskA/Film 0 of diskA (2001)");
    for (int round = 0; round < 2; ++round) {  // a second scan still knows what the folder was
        scan();
        EXPECT_EQ(all().size(), 19U);
        int away = 0;
        for (const auto& [id, item] : all()) away += item.available ? 0 : 1;
        EXPECT_EQ(away, 10);
        EXPECT_THAT(run->warnings, Contains(HasSubstr("nothing is mounted there")));
    }
    tree.remove("lib/diskB");
    tree.rename("unmounted", "lib/diskB");
    files->set_device(tree.path("lib/diskB"), 78);
    scan();
    EXPECT_EQ(all().size(), 19U);
    for (const auto& [id, item] : all()) EXPECT_TRUE(item.available);
}

constexpr auto taken_for_away =
    "another device than before and none of what was known is there: taken for a disc that is away";

TEST_P(Removal, a_root_whose_mount_point_holds_a_stray_file_keeps_everything) {
    for (const std::string stray : {"note.nfo", "Stray (1999).mp4"}) {
        SCOPED_TRACE(stray);
        const auto lib = stray.substr(0, 4);
        for (int i = 0; i < 3; ++i) {
            const auto name = lib + " " + std::to_string(i) + " (2001)";
            tree.file(lib + "/" + name + "/" + name + ".mkv");
        }
        files->set_device(tree.path(lib), 77);
        const auto library = add_library(LibraryKind::movies, {tree.path(lib)});
        const auto options = R"({"libraries":[")" + library.str() + R"("]})";
        scan(options);
        const auto before = tables->files[library];
        ASSERT_EQ(before.size(), 3U);
        tree.rename(lib, "disc");
        tree.file(lib + "/" + stray);
        files->set_device(tree.path(lib), 5);
        for (int round = 0; round < 3; ++round) {  // a stray film is known after the first: no witness all the same
            scan(options);
            EXPECT_EQ(count("removed"), 0);
            EXPECT_EQ(count("kept_offline"), 3);
            for (const auto& [path, file] : before) {
                ASSERT_TRUE(tables->files[library].contains(path));
                EXPECT_FALSE(tables->items[file.item].available);
            }
            EXPECT_THAT(run->warnings, Contains(tree.path(lib) + ": " + taken_for_away));
            EXPECT_FALSE(tables->roots[library][0].online);
            EXPECT_EQ(tables->roots[library][0].device, 77U);
            EXPECT_EQ(tables->directories[library].at(tree.path(lib)).device, 77U);
        }
        const bool counts = stray.ends_with(".mp4") || stray.ends_with(".nfo");
        EXPECT_EQ(tables->files[library].size(), counts ? 4U : 3U) << "what is new is added";
        // The disc is back, as another device than it was.
        tree.remove(lib);
        tree.rename("disc", lib);
        files->set_device(tree.path(lib), 78);
        scan(options);
        EXPECT_THAT(run->warnings, IsEmpty());
        EXPECT_EQ(tables->files[library].size(), 3U);
        for (const auto& [path, file] : before) EXPECT_TRUE(tables->items[file.item].available);
        EXPECT_TRUE(tables->roots[library][0].online);
        EXPECT_EQ(tables->directories[library].at(tree.path(lib)).device, 78U);
    }
}

TEST_P(Removal, a_disc_replaced_for_good_is_accepted_once_a_person_has_removed_what_is_missing) {
    make_films("old", 3);
    files->set_device(tree.path("lib"), 77);
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.remove("lib");
    make_films("new", 2);
    files->set_device(tree.path("lib"), 78);
    scan();
    EXPECT_EQ(count("added"), 2);
    EXPECT_EQ(all().size(), 5U);
    const auto removed = scan_store->remove_missing(library);
    ASSERT_TRUE(removed);
    EXPECT_EQ(*removed, 3);
    scan();
    EXPECT_THAT(run->warnings, IsEmpty());
    EXPECT_EQ(all().size(), 2U);
    EXPECT_TRUE(tables->roots[library][0].online);
    EXPECT_EQ(tables->directories[library].at(tree.path("lib")).device, 78U);
}

TEST_P(Removal, a_nested_mount_point_that_holds_a_stray_file_keeps_its_items) {
    make_films("diskA", 3);
    make_films("diskB", 3);
    files->set_device(tree.path("lib"), 5);
    files->set_device(tree.path("lib/diskB"), 77);
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    ASSERT_EQ(all().size(), 6U);
    tree.rename("lib/diskB", "unmounted");
    tree.file("lib/diskB/Stray (1999).mp4");
    files->clear_device(tree.path("lib/diskB"));
    tree.remove("lib/diskA/Film 0 of diskA (2001)");
    for (int round = 0; round < 3; ++round) {
        scan();
        EXPECT_EQ(count("removed"), round == 0 ? 1 : 0);
        EXPECT_EQ(count("kept_offline"), 3);
        EXPECT_EQ(all().size(), 6U);
        int gone = 0;
        for (const auto& [id, item] : all()) gone += item.available ? 0 : 1;
        EXPECT_EQ(gone, 3);
        EXPECT_THAT(run->warnings, ElementsAre(tree.path("lib/diskB") + ": " + taken_for_away));
        EXPECT_TRUE(tables->roots[library][0].online);
        EXPECT_EQ(tables->directories[library].at(tree.path("lib/diskB")).device, 77U);
    }
    tree.remove("lib/diskB");
    tree.rename("unmounted", "lib/diskB");
    files->set_device(tree.path("lib/diskB"), 77);
    scan();
    EXPECT_EQ(all().size(), 5U);
    for (const auto& [id, item] : all()) EXPECT_TRUE(item.available);
}

TEST_P(Removal, another_device_with_something_known_on_it_is_the_disc_under_a_new_number) {
    make_films("", 4);
    tree.file("lib/diskB/B (2002)/B (2002).mkv");
    tree.file("lib/diskB/C (2003)/C (2003).mkv");
    files->set_device(tree.path("lib"), 77);
    files->set_device(tree.path("lib/diskB"), 87);
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    files->set_device(tree.path("lib"), 78);
    files->set_device(tree.path("lib/diskB"), 88);
    tree.remove("lib/Film 0 of  (2001)");
    tree.remove("lib/diskB/B (2002)");
    scan();
    EXPECT_EQ(count("removed"), 2);
    EXPECT_EQ(count("kept_offline"), 0);
    EXPECT_EQ(all().size(), 4U);
    EXPECT_THAT(run->warnings, IsEmpty());
    EXPECT_TRUE(tables->roots[library][0].online);
    EXPECT_EQ(tables->roots[library][0].device, 78U);
    EXPECT_EQ(tables->directories[library].at(tree.path("lib")).device, 78U);
    EXPECT_EQ(tables->directories[library].at(tree.path("lib/diskB")).device, 88U);
}

TEST_P(Removal, a_scan_of_one_folder_on_a_disc_with_a_new_number_does_not_take_it_for_away) {
    make_films("", 3);
    files->set_device(tree.path("lib"), 77);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    files->set_device(tree.path("lib"), 78);
    tree.file("lib/New (2020)/New (2020).mkv");
    scan(R"({"paths":[")" + tree.path("lib/New (2020)") + R"("]})");
    EXPECT_EQ(count("added"), 1);
    EXPECT_THAT(run->warnings, IsEmpty());
}

TEST_P(Removal, a_disc_that_leaves_its_mount_point_during_the_scan_is_no_proof_any_more) {
    make_films("", 3);
    tree.file("lib/diskB/B (2002)/B (2002).mkv");
    tree.file("lib/diskB/C (2003)/C (2003).mkv");
    files->set_device(tree.path("lib/diskB"), 87);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.remove("lib/diskB/B (2002)");
    tree.file("lib/New (2020)/New (2020).mkv");
    prober.on_probe([&](const std::string&) { files->clear_device(tree.path("lib/diskB")); });
    scan();
    EXPECT_EQ(count("removed"), 0);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("diskB went offline during the scan")));
}

TEST_P(Removal, the_loss_of_all_of_many_files_is_said_before_they_go) {
    make_films("few", 9);
    make_films("many", 10);
    add_library(LibraryKind::movies, {tree.path("lib/few"), tree.path("lib/many")});
    scan();
    for (const std::string folder : {"few", "many"}) {
        tree.remove("lib/" + folder);
        tree.file("lib/" + folder + "/note.nfo");
    }
    scan();
    EXPECT_EQ(count("removed"), 19);
    EXPECT_THAT(run->warnings, ElementsAre(tree.path("lib/many") + ": all 10 known files are gone; they are removed "
                                                                   "as its folders were listed completely"));
}

TEST_P(Removal, a_folder_emptied_on_its_own_device_is_proof) {
    make_films("a", 2);
    make_films("b", 2);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.remove("lib/b");
    tree.folder("lib/b");
    scan();
    EXPECT_EQ(all().size(), 2U);
}

TEST_P(Removal, an_unreadable_folder_and_file_keep_what_was_known_and_stop_nothing) {
    make_films("", 10);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    ASSERT_EQ(all().size(), 10U);
    for (const int error : {EACCES, EIO, ESTALE, ENOTCONN}) {
        SCOPED_TRACE(error);
        files->fail_open(tree.path("lib/Film 3 of  (2001)"), error);
        files->fail_status(tree.path("lib/Film 4 of  (2001)/Film 4 of  (2001).mkv"), error);
        scan();
        EXPECT_EQ(all().size(), 10U);
        EXPECT_EQ(count("kept_offline"), 2);
        EXPECT_EQ(count("unchanged"), 8);
        EXPECT_THAT(run->warnings, Contains(HasSubstr("Film 3 of  (2001): " + error_text(error))));
        EXPECT_THAT(run->warnings, Contains(HasSubstr("Film 4 of  (2001).mkv: " + error_text(error))));
        int away = 0;
        for (const auto& [id, item] : all()) away += item.available ? 0 : 1;
        EXPECT_EQ(away, 2);
    }
    files->fail_open(tree.path("lib/Film 3 of  (2001)"), 0);
    files->fail_status(tree.path("lib/Film 4 of  (2001)/Film 4 of  (2001).mkv"), 0);
    scan();
    for (const auto& [id, item] : all()) EXPECT_TRUE(item.available);
    EXPECT_THAT(run->warnings, IsEmpty());
}

TEST_P(Removal, a_listing_that_breaks_off_proves_nothing) {
    make_films("", 5);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    files->fail_read(tree.path("lib"), EIO);
    scan();
    EXPECT_EQ(all().size(), 5U);
    EXPECT_EQ(count("removed"), 0);
}

TEST_P(Removal, what_can_really_not_be_read_by_another_user_is_kept) {
    // The same without injected faults: as a user whom chmod does stop.
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
    make_films("", 3);
    ASSERT_EQ(::chmod(tree.root().c_str(), 0755), 0);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    ASSERT_EQ(::chmod(tree.path("lib/Film 1 of  (2001)").c_str(), 0), 0);
    if (GetParam() != StoreKind::memory) GTEST_SKIP() << "a database file belongs to the user who made it";
    ASSERT_EQ(::seteuid(65534), 0);
    scan();
    ASSERT_EQ(::seteuid(0), 0);
    EXPECT_EQ(all().size(), 3U);
    EXPECT_EQ(count("kept_offline"), 1);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("Permission denied")));
}

TEST_P(Removal, a_path_taken_out_of_the_library_takes_its_items_along) {
    make_films("one", 2);
    make_films("two", 2);
    const auto first = add_library(LibraryKind::movies, {tree.path("lib/one"), tree.path("lib/two")});
    tree.file("other/C (2003)/C (2003).mkv");
    add_library(LibraryKind::movies, {tree.path("other")});
    scan();
    ASSERT_EQ(all().size(), 5U);
    auto library = tables->libraries[first];
    library.paths = {tree.path("lib/one")};
    ASSERT_TRUE(library_store->update(library));
    scan();
    EXPECT_EQ(all().size(), 3U);
    EXPECT_THAT(names(ItemKind::movie), Contains("C"));
    EXPECT_TRUE(tables->directories[first].contains(tree.path("lib/one")));
    EXPECT_FALSE(tables->directories[first].contains(tree.path("lib/two")));
}

TEST_P(Removal, a_root_that_goes_offline_during_the_scan_is_no_proof_any_more) {
    make_films("", 3);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.remove("lib/Film 0 of  (2001)");
    tree.file("lib/New (2020)/New (2020).mkv");
    prober.on_probe([&](const std::string&) { files->fail_open(tree.path("lib"), ENOTCONN); });
    scan();
    EXPECT_EQ(count("removed"), 0);
    EXPECT_THAT(names(ItemKind::movie), Contains("Film 0 of"));
    EXPECT_THAT(run->warnings, Contains(HasSubstr("went offline during the scan")));
    files->fail_open(tree.path("lib"), 0);
    prober.on_probe({});
    scan();
    EXPECT_EQ(count("removed"), 1);
}

TEST_P(Removal, a_file_that_is_there_again_before_the_end_is_not_removed) {
    tree.file("lib/A (2001)/A (2001).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto id = only(ItemKind::movie).id;
    tree.rename("lib/A (2001)/A (2001).mkv", "aside.mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    prober.on_probe([&](const std::string& path) {
        if (path.ends_with("B (2002).mkv")) tree.rename("aside.mkv", "lib/A (2001)/A (2001).mkv");
    });
    scan();
    EXPECT_EQ(count("removed"), 0);
    EXPECT_TRUE(tables->items.contains(id));
    prober.on_probe({});
    scan();
    EXPECT_TRUE(tables->items.contains(id));
    EXPECT_TRUE(tables->items[id].available);
    EXPECT_TRUE(tables->files.begin()->second.at(tree.path("lib/A (2001)/A (2001).mkv")).failure.empty());
}

TEST_P(Removal, a_series_goes_with_its_last_episode_and_not_before) {
    tree.file("lib/Show/Season 01/Show S01E01.mkv");
    tree.file("lib/Show/Season 02/Show S02E01.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::season), ElementsAre("Season 1", "Season 2"));
    tree.remove("lib/Show/Season 02");
    scan();
    EXPECT_THAT(names(ItemKind::season), ElementsAre("Season 1"));
    EXPECT_THAT(names(ItemKind::series), ElementsAre("Show"));
    tree.remove("lib/Show");
    tree.file("lib/Other/Other S01E01.mkv");
    scan();
    EXPECT_THAT(names(ItemKind::series), ElementsAre("Other"));
}

TEST_P(Removal, a_show_whose_disc_is_away_is_marked_with_all_below_it) {
    tree.file("lib/Show/Season 01/Show S01E01.mkv");
    tree.file("lib/Show/Season 02/Show S02E01.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    files->fail_open(tree.path("lib/Show/Season 02"), EIO);
    scan();
    for (const auto& [id, item] : all()) EXPECT_EQ(item.available, item.season_number != 2) << item.name;
    files->fail_open(tree.path("lib/Show"), EIO);
    scan();
    for (const auto& [id, item] : all()) EXPECT_FALSE(item.available) << item.name;
}

TEST_P(Removal, an_ignore_file_excludes_exactly_its_sub_tree) {
    make_films("keep", 2);
    make_films("drop", 2);
    tree.file("lib/drop/deeper/D (2004)/D (2004).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    tree.file("lib/drop/.ignore", " ");
    scan();
    EXPECT_EQ(all().size(), 2U);
    tree.remove("lib/drop/.ignore");
    scan();
    EXPECT_EQ(all().size(), 5U);
    tree.file("lib/drop/.ignore", " ");
    scan();
    EXPECT_EQ(all().size(), 2U) << "a person's own word is proof";
}

INSTANTIATE_TEST_SUITE_P(stores, Removal, all_stores(), store_name);

}  // namespace
}  // namespace understudy::library
