// Credits, sets and playlists that a scan finds, and that a scan that died does not lose.
#include <algorithm>

#include "core/bounded_text.h"
#include "core/random.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_people.h"
#include "unit/library/describe_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using testing::song;

class Companions : public DescribeTest {
protected:
    Companions() {
        people = std::make_unique<store::sql::SqlPeople>(*database, random);
        collections = std::make_unique<store::sql::SqlCollections>(*database, random);
        companions = {people.get(), collections.get()};
    }
    void film(const std::string& name, const std::string& inside) {
        tree.file("lib/" + name + "/" + name.substr(name.rfind('/') + 1) + ".mkv");
        nfo("lib/" + name + "/movie.nfo", "movie", inside);
    }
    /// `actor Name as Role`, in order.
    [[nodiscard]] std::vector<std::string> credits(core::ItemId item) const {
        std::vector<std::string> found;
        const auto all = people->credits({item});
        EXPECT_TRUE(all);
        if (!all || !all->contains(item)) return found;
        for (const auto& credit : all->at(item)) {
            found.push_back(std::string(model::to_string(credit.kind)) + " " + credit.name +
                            (credit.role.empty() ? "" : " as " + credit.role));
        }
        return found;
    }
    [[nodiscard]] std::map<std::string, std::vector<std::string>> lists(ItemKind kind) const {
        std::map<std::string, std::vector<std::string>> found;
        const auto all = collections->all(kind);
        EXPECT_TRUE(all);
        for (const auto& one : *all) {
            auto& list = found[one.name];
            const auto members = collections->members(one.id, 0, 0);
            EXPECT_TRUE(members);
            for (const auto& member : *members) {
                const auto item = tables->items.find(member.item);
                list.push_back(item == tables->items.end() ? "?" : item->second.name);
            }
        }
        return found;
    }
    [[nodiscard]] std::string failure(core::LibraryId library, const std::string& path) const {
        return tables->files.at(library).at(tree.path(path)).failure;
    }
    /// A scan that is killed at its commit number `at` (from 0).
    void scan_dies_at(int at) {
        run = std::make_unique<testing::FakeRun>("{}");
        run->on_commit = [this, at](int number) { run->fenced = number >= at; };
        EXPECT_FALSE(scan_as_set_up());
    }
    using Lists = std::map<std::string, std::vector<std::string>>;

    std::unique_ptr<store::People> people;
    std::unique_ptr<store::Collections> collections;
};

TEST_P(Companions, credits_come_from_nfo_files_and_go_with_them) {
    film("A (2001)",
         "<director>Dora</director><actor><name>Anna</name><role>One</role></actor><actor><name>Bert</name></actor>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto id = only(ItemKind::movie).id;
    EXPECT_THAT(credits(id), ::testing::UnorderedElementsAre("director Dora", "actor Anna as One", "actor Bert"));
    expect_quiet_scan();
    nfo("lib/A (2001)/movie.nfo", "movie", "<actor><name>Bert</name></actor>");
    scan();
    EXPECT_THAT(credits(id), ElementsAre("actor Bert"));
    tree.remove("lib/A (2001)/movie.nfo");
    scan();
    EXPECT_THAT(credits(id), IsEmpty());
}

TEST_P(Companions, credits_of_tracks_come_from_their_tags) {
    tree.file("lib/Artist/Album/01.flac");
    prober.say("01.flac", song("One", "Singer", "Album", 1));
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    EXPECT_THAT(credits(only(ItemKind::track).id), ElementsAre("artist Singer", "album_artist Singer"));
    expect_quiet_scan();
}

TEST_P(Companions, composers_of_tracks_come_from_their_tags) {
    tree.file("lib/Artist/Album/01.flac");
    auto one = song("One", "Singer", "Album", 1);
    one.tags.composers = {"Clara", "Singer"};
    prober.say("01.flac", one);
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    const std::vector<std::string> all{"artist Singer", "album_artist Singer", "composer Clara", "composer Singer"};
    EXPECT_THAT(credits(only(ItemKind::track).id), ElementsAreArray(all));
    expect_quiet_scan();
    // Not only where the file was just opened.
    tree.rename("lib/Artist/Album/01.flac", "lib/Artist/Album/02.flac");
    prober.say("02.flac", one);
    scan();
    EXPECT_THAT(credits(only(ItemKind::track).id), ElementsAreArray(all));
    tree.file("lib/Artist/Album/cover.jpg");
    tree.file("lib/Artist/Album/02.jpg");
    expect_scan_reads({});
    EXPECT_THAT(credits(only(ItemKind::track).id), ElementsAreArray(all));
}

TEST_P(Companions, a_scan_that_dies_between_items_and_credits_loses_none) {
    film("A (2001)", "<actor><name>Anna</name></actor><set><name>S</name></set>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan_dies_at(1);
    ASSERT_THAT(items(ItemKind::movie), SizeIs(1)) << "the items were committed";
    EXPECT_THAT(credits(only(ItemKind::movie).id), IsEmpty());
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_THAT(credits(only(ItemKind::movie).id), ElementsAre("actor Anna"));
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"S", {"A"}}}));
    expect_quiet_scan();
}

TEST_P(Companions, a_set_whose_name_is_longer_than_an_index_takes_harms_nothing) {
    core::SeededRandom chance(7);  // nothing that a database could press together
    std::string name;
    for (core::IdBytes bytes{}; name.size() < 6'000; name += core::id_to_hex(bytes)) chance.fill(bytes);
    film("A (2001)", "<set><name>" + name + "</name></set>");
    film("B (2002)", "<set><name>" + name + "</name></set>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{name.substr(0, core::longest_key), {"A", "B"}}}));
    expect_quiet_scan();
    film("B (2002)", "<title>B</title>");
    scan();
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{name.substr(0, core::longest_key), {"A"}}}));
}

TEST_P(Companions, a_scan_that_dies_between_tracks_and_credits_loses_none) {
    tree.file("lib/Artist/Album/01.flac");
    prober.say("01.flac", song("One", "Singer", "Album", 1));
    add_library(LibraryKind::music, {tree.path("lib")});
    scan_dies_at(1);
    ASSERT_THAT(items(ItemKind::track), SizeIs(1));
    EXPECT_THAT(credits(only(ItemKind::track).id), IsEmpty());
    prober.forget_opens();
    scan();
    EXPECT_EQ(prober.opens(), 0U);
    EXPECT_THAT(credits(only(ItemKind::track).id), ElementsAre("artist Singer", "album_artist Singer"));
    expect_quiet_scan();
}

TEST_P(Companions, a_scan_that_dies_at_any_commit_is_made_whole_by_the_next) {
    film("A (2001)", "<title>A</title><actor><name>Anna</name></actor><set><name>S</name></set>");
    film("B (2002)", "<title>B</title><actor><name>Bert</name></actor><set><name>S</name></set>");
    tree.file("lib/mix.m3u", "B (2002)/B (2002).mkv\nA (2001)/A (2001).mkv\n");
    settings.scanner.batch = 1;
    add_library(LibraryKind::movies, {tree.path("lib")});
    for (int at = 0; at < 8; ++at) scan_dies_at(at % 4);
    for (int at = 4; at < 12; ++at) {
        run = std::make_unique<testing::FakeRun>("{}");
        run->on_commit = [this, at](int number) { run->fenced = number >= at; };
        static_cast<void>(scan_as_set_up());
    }
    scan();
    const auto films = ids(ItemKind::movie);
    ASSERT_THAT(films, SizeIs(2));
    EXPECT_THAT(credits(films.at("A")), ElementsAre("actor Anna"));
    EXPECT_THAT(credits(films.at("B")), ElementsAre("actor Bert"));
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"S", {"A", "B"}}}));
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"B", "A"}}}));
    expect_quiet_scan();
}

TEST_P(Companions, what_hung_on_a_film_goes_though_the_scan_that_took_it_died) {
    film("A (2001)", "<title>A</title><set>S</set>");
    tree.file("lib/A (2001)/extras/making of.mkv");
    film("B (2002)", "<title>B</title>");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    ASSERT_THAT(items(ItemKind::extra), SizeIs(1));
    tree.remove("lib/A (2001)/A (2001).mkv");
    scan_dies_at(1);
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("B"));
    ASSERT_THAT(items(ItemKind::extra), SizeIs(1)) << "the scan died in between";
    scan();
    EXPECT_THAT(items(ItemKind::extra), IsEmpty());
    EXPECT_THAT(lists(ItemKind::box_set), IsEmpty());
    EXPECT_TRUE(tables->files.at(library).at(tree.path("lib/A (2001)/extras/making of.mkv")).item.empty());
    expect_quiet_scan();
}

TEST_P(Companions, a_film_that_is_alone_no_more_is_told_so_though_the_scan_died) {
    tree.file("lib/Cat Movie (2001)/Cat.mkv");
    tree.file("lib/Cat Movie (2001)/poster.jpg");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    ASSERT_THAT(only(ItemKind::movie).images, SizeIs(1));
    settings.scanner.batch = 1;
    tree.file("lib/Cat Movie (2001)/Ant.mkv");
    scan_dies_at(1);
    ASSERT_THAT(items(ItemKind::movie), SizeIs(2)) << "the new one was committed";
    ASSERT_THAT(named(ItemKind::movie, "Cat Movie").images, SizeIs(1)) << "the scan died in between";
    scan();
    EXPECT_THAT(named(ItemKind::movie, "Cat").images, IsEmpty());
    expect_quiet_scan();
}

TEST_P(Companions, an_extra_does_not_follow_its_film_though_the_scan_died) {
    film("A (2001)", "<title>A</title>");
    tree.file("lib/A (2001)/extras/making of.mkv");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    ASSERT_THAT(items(ItemKind::extra), SizeIs(1));
    settings.scanner.batch = 1;
    tree.rename("lib/A (2001)/A (2001).mkv", "lib/A (2001).mkv");
    scan_dies_at(2);
    ASSERT_THAT(items(ItemKind::extra), SizeIs(1)) << "the scan died in between";
    ASSERT_TRUE(tables->files.at(library).contains(tree.path("lib/A (2001).mkv")));
    scan();
    EXPECT_THAT(items(ItemKind::extra), IsEmpty());
    EXPECT_TRUE(tables->files.at(library).at(tree.path("lib/A (2001)/extras/making of.mkv")).item.empty());
    expect_quiet_scan();
}

TEST_P(Companions, films_that_name_a_set_are_one_box_set_and_the_last_takes_it_along) {
    film("B (2002)", "<title>B</title><set><name>The Set</name></set>");
    film("A (2001)", "<title>A</title><set>The Set</set>");
    film("C (2003)", "<title>C</title>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"The Set", {"A", "B"}}})) << "in the order they came out";
    expect_quiet_scan();
    nfo("lib/C (2003)/movie.nfo", "movie", "<title>C</title><set><name>The Set</name></set>");
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>A</title><set><name>Other</name></set>");
    scan();
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"Other", {"A"}}, {"The Set", {"B", "C"}}}));
    tree.remove("lib/A (2001)");
    nfo("lib/B (2002)/movie.nfo", "movie", "<title>B</title>");
    scan();
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"The Set", {"C"}}}));
    tree.remove("lib/C (2003)/movie.nfo");
    scan();
    EXPECT_THAT(lists(ItemKind::box_set), IsEmpty());
}

TEST_P(Companions, the_name_of_a_set_is_one_in_any_case) {
    film("A (2001)", "<title>A</title><set><name>Ötzi Saga</name></set>");
    film("B (2002)", "<title>B</title><set><name>ötzi SAGA</name></set>");
    film("C (2003)", "<title>C</title><set><name>Otzi Saga</name></set>");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"Otzi Saga", {"C"}}, {"Ötzi Saga", {"A", "B"}}}));
    expect_quiet_scan();
    // Two sets of a version that took them for two.
    const auto films = ids(ItemKind::movie);
    const std::vector<store::FoundCollection> two{
        {core::ItemId::make(random), ItemKind::box_set, "Ötzi Saga", "set:Ötzi Saga", {films.at("A")}},
        {core::ItemId::make(random), ItemKind::box_set, "ötzi SAGA", "set:ötzi SAGA", {films.at("B")}}};
    ASSERT_TRUE(run->commit(std::nullopt, [&](const core::Fence& fence) -> core::Result<void> {
        const auto put = collections->put_found(library, two, fence);
        return put ? core::Result<void>{} : tl::unexpected(put.error());
    }));
    ASSERT_THAT(lists(ItemKind::box_set), SizeIs(3));
    film("D (2004)", "<title>D</title>");
    scan();
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"Otzi Saga", {"C"}}, {"Ötzi Saga", {"A", "B"}}}));
    expect_quiet_scan();
}

TEST_P(Companions, a_collection_nfo_makes_a_set_of_the_films_below_it) {
    film("Saga/A (2001)", "<title>A</title>");
    film("Saga/B (2002)", "<title>B</title>");
    film("C (2003)", "<title>C</title>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(lists(ItemKind::box_set), IsEmpty());
    nfo("lib/Saga/collection.nfo", "collection", "<title>The Saga</title>");
    scan();
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"The Saga", {"A", "B"}}}));
    expect_quiet_scan();
    tree.remove("lib/Saga/collection.nfo");
    scan();
    EXPECT_THAT(lists(ItemKind::box_set), IsEmpty());
}

TEST_P(Companions, a_playlist_file_is_a_playlist_and_goes_with_its_file) {
    tree.file("lib/A (2001).mkv");
    tree.file("lib/B (2002).mkv");
    tree.file("lib/mix.m3u8", "#EXTM3U\nB (2002).mkv\nmix.m3u8\nC (2003).mkv\nA (2001).mkv\nB (2002).mkv\n");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"B", "A", "B"}}})) << "not itself, nor what is not there";
    expect_quiet_scan();
    tree.file("lib/C (2003).mkv");  // an entry that was missing
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"B", "C", "A", "B"}}}));
    tree.file("lib/mix.m3u8", "A (2001).mkv\n");
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"A"}}}));
    expect_quiet_scan();
    tree.remove("lib/mix.m3u8");
    scan();
    EXPECT_THAT(lists(ItemKind::playlist), IsEmpty());
    expect_quiet_scan();
}

TEST_P(Companions, a_playlist_may_name_what_lies_in_another_library) {
    tree.file("music/Artist/Album/01.flac");
    prober.say("01.flac", song("One", "Singer", "Album", 1));
    prober.say("02.flac", song("Two", "Singer", "Album", 2));
    tree.file("lists/mix.m3u", "../music/Artist/Album/02.flac\n../music/Artist/Album/01.flac\n/etc/passwd\n");
    tree.file("lists/Clip.mkv");  // so that the folder is never empty
    add_library(LibraryKind::movies, {tree.path("lists")});
    const auto music = add_library(LibraryKind::music, {tree.path("music")});
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"One"}}}));
    const auto list = collections->all(ItemKind::playlist)->front();
    EXPECT_EQ(collections->members(list.id, 0, 0)->at(0).library, music) << "for whoever may not see it";
    files->forget();
    scan();
    EXPECT_THAT(files->files_read(), IsEmpty());
    EXPECT_EQ(run->commits, 2) << "each library's roots and the time";
    // What was missing comes, in a scan of that library alone that is killed before it tells of it.
    tree.file("music/Artist/Album/02.flac");
    scan_dies_at(1);
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"One"}}}));
    scan("{\"libraries\":[\"" + music.str() + "\"]}");
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"Two", "One"}}}));
    tree.rename("music/Artist/Album/01.flac", "music/Artist/Album/03.flac");
    prober.say("03.flac", song("One", "Singer", "Album", 1));
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"Two", "One"}}})) << "it only moved";
    EXPECT_EQ(collections->all(ItemKind::playlist)->front().id, list.id);
    tree.remove("lists/mix.m3u");
    scan();
    EXPECT_THAT(lists(ItemKind::playlist), IsEmpty());
}

TEST_P(Companions, a_playlist_that_is_broken_gives_what_can_be_read_and_is_named_until_it_changes) {
    tree.file("lib/A (2001).mkv");
    tree.file("lib/mix.xspf",
              "<playlist version=\"1\"><trackList><track><location>A%20(2001).mkv</location></track><track>");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(run->warnings, Contains(HasSubstr("mix.xspf")));
    expect_quiet_scan();
    EXPECT_THAT(failure(library, "lib/mix.xspf"), Not(IsEmpty()));
    tree.file("lib/B (2002).mkv");  // playlists are looked at again, and nothing is forgotten
    scan();
    EXPECT_THAT(failure(library, "lib/mix.xspf"), Not(IsEmpty()));
    tree.file("lib/mix.xspf",
              "<playlist version=\"1\"><trackList><track><location>A%20(2001).mkv</location></track>"
              "</trackList></playlist>");
    scan();
    EXPECT_EQ(failure(library, "lib/mix.xspf"), "");
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"A"}}}));
    expect_quiet_scan();
}

TEST_P(Companions, a_playlist_keeps_what_moved_away_from_its_path) {
    tree.file("lib/A (2001).mkv");
    tree.file("lib/B (2002).mkv");
    tree.file("lib/mix.m3u", "B (2002).mkv\nA (2001).mkv\n");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    tree.rename("lib/B (2002).mkv", "lib/sorted/B (2002).mkv");
    scan();
    EXPECT_EQ(count("moved"), 1);
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"B", "A"}}}));
    tree.remove("lib/A (2001).mkv");
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"B"}}}));
}

TEST_P(Companions, a_library_that_is_away_keeps_its_playlists_sets_and_credits) {
    film("A (2001)", "<title>A</title><actor><name>Anna</name></actor><set><name>S</name></set>");
    tree.file("lib/mix.m3u", "A (2001)/A (2001).mkv\n");
    tree.file("other/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("lib"), tree.path("other")});
    scan();
    tree.rename("lib", "away");
    tree.folder("lib");
    tree.file("other/C (2003).mkv");
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"A"}}}));
    EXPECT_EQ(lists(ItemKind::box_set), (Lists{{"S", {"A"}}}));
    EXPECT_THAT(credits(named(ItemKind::movie, "A").id), ElementsAre("actor Anna"));
    tree.remove("lib");
    tree.rename("away", "lib");
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"A"}}}));
    expect_quiet_scan();
}

TEST_P(Companions, a_playlist_that_cannot_be_read_now_stays_as_it_was) {
    tree.file("lib/A (2001).mkv");
    tree.file("lib/mix.m3u", "A (2001).mkv\n");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    files->fail_file(tree.path("lib/mix.m3u"), EIO);
    tree.file("lib/B (2002).mkv");
    scan();
    EXPECT_EQ(lists(ItemKind::playlist), (Lists{{"mix", {"A"}}}));
}

INSTANTIATE_TEST_SUITE_P(Stores, Companions, ::testing::Values(StoreKind::sqlite, StoreKind::postgresql), store_name);

}  // namespace
}  // namespace understudy::library
