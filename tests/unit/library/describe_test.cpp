// What NFO files beside media say becomes part of the items, and nothing is read twice.
#include <algorithm>

#include "library/patient_reader.h"
#include "unit/library/describe_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using model::LibraryKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::film;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::song;

class Describe : public DescribeTest {};

TEST_P(Describe, a_film_is_what_its_nfo_says) {
    tree.file("lib/A (2001)/A (2001).mkv");
    nfo("lib/A (2001)/movie.nfo", "movie",
        "<title>The A</title><originaltitle>Das A</originaltitle><sorttitle>Zed 01</sorttitle><year>2002</year>"
        "<plot>Much.</plot><tagline>Short.</tagline><mpaa>FSK-12</mpaa><genre>Drama</genre><studio>S</studio>"
        "<country>DE</country><tag>t</tag><premiered>2002-03-01</premiered><rating>7.5</rating>"
        "<uniqueid type=\"imdb\">tt0000001</uniqueid>");
    prober.say("A (2001).mkv", film(1080, std::chrono::minutes{100}));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto item = only(ItemKind::movie);
    EXPECT_EQ(item.name, "The A");
    EXPECT_EQ(item.sort_name, "zed 0000000001");
    EXPECT_EQ(item.year, 2002);
    EXPECT_THAT(item.genres, ElementsAre("Drama"));
    EXPECT_EQ(item.provider_ids.at("Imdb"), "tt0000001");
    EXPECT_EQ(item.about.original_title, "Das A");
    EXPECT_EQ(item.about.sort_title, "Zed 01");
    EXPECT_EQ(item.about.overview, "Much.");
    EXPECT_EQ(item.about.tagline, "Short.");
    EXPECT_EQ(item.about.official_rating, "FSK-12");
    EXPECT_EQ(item.about.community_rating, 7.5);
    EXPECT_THAT(item.about.studios, ElementsAre("S"));
    EXPECT_THAT(item.about.countries, ElementsAre("DE"));
    EXPECT_THAT(item.about.tags, ElementsAre("t"));
    ASSERT_TRUE(item.about.premiered);
    EXPECT_EQ(core::to_iso8601(*item.about.premiered).substr(0, 10), "2002-03-01");
    EXPECT_EQ(item.duration, std::chrono::minutes{100}) << "the file knows how long it is";
}

TEST_P(Describe, an_unchanged_tree_opens_nothing) {
    tree.file("lib/A (2001)/A (2001).mkv");
    nfo("lib/A (2001)/A (2001).nfo", "movie", "<title>The A</title>");
    tree.file("lib/A (2001)/poster.jpg");
    tree.file("lib/A (2001)/A (2001).de.srt");
    tree.file("lib/A (2001)/Subs/2_English.srt");
    tree.file("lib/A (2001)/extrafanart/1.jpg");
    tree.file("lib/list.m3u", "A (2001)/A (2001).mkv\n");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(only(ItemKind::movie).name, "The A");
    EXPECT_EQ(count("added"), 1);
    expect_quiet_scan();
    EXPECT_EQ(count("unchanged"), 1) << "media files are counted";
}

TEST_P(Describe, a_changed_nfo_describes_again_without_a_probe) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    nfo("lib/A (2001)/A (2001).nfo", "movie", "<title>One</title><genre>G</genre><plot>P</plot>");
    nfo("lib/B (2002)/B (2002).nfo", "movie", "<title>Other</title>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = named(ItemKind::movie, "One");
    nfo("lib/A (2001)/A (2001).nfo", "movie", "<title>Two</title><imdbid>tt0000007</imdbid>");
    expect_scan_reads({"lib/A (2001)/A (2001).nfo"});
    const auto after = named(ItemKind::movie, "Two");
    EXPECT_EQ(after.id, before.id);
    EXPECT_THAT(after.genres, IsEmpty());
    EXPECT_EQ(after.about.overview, "");
    EXPECT_EQ(after.provider_ids.at("Imdb"), "tt0000007");
    EXPECT_EQ(after.sources.at(0).info.streams.size(), before.sources.at(0).info.streams.size());
    EXPECT_EQ(after.duration, before.duration);
    EXPECT_EQ(count("described"), 1);
    EXPECT_EQ(count("changed"), 0);
    EXPECT_THAT(announced, SizeIs(2));
    EXPECT_THAT(announced.back(), HasSubstr(after.id.str()));
    expect_quiet_scan();
}

TEST_P(Describe, a_removed_nfo_gives_back_what_the_name_says) {
    tree.file("lib/A (2001) [tmdbid-9]/A (2001).mkv");
    nfo("lib/A (2001) [tmdbid-9]/movie.nfo", "movie",
        "<title>Z</title><year>1999</year><plot>P</plot><genre>G</genre><uniqueid type=\"imdb\">tt1111111</uniqueid>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto id = named(ItemKind::movie, "Z").id;
    tree.remove("lib/A (2001) [tmdbid-9]/movie.nfo");
    expect_scan_reads({});
    const auto item = only(ItemKind::movie);
    EXPECT_EQ(item.id, id);
    EXPECT_EQ(item.name, "A");
    EXPECT_EQ(item.sort_name, "a");
    EXPECT_EQ(item.year, 2001);
    EXPECT_THAT(item.genres, IsEmpty());
    EXPECT_EQ(item.about, model::Description{});
    EXPECT_EQ(item.provider_ids, (std::map<std::string, std::string>{{"Tmdb", "9"}}));
    EXPECT_THAT(tables->files.begin()->second, SizeIs(1));
    expect_quiet_scan();
}

TEST_P(Describe, an_nfo_that_holds_a_url_gives_the_id) {
    tree.file("lib/A (2001).mkv");
    tree.file("lib/A (2001).nfo", "see https://www.imdb.com/title/tt0133093/ for more\n");
    tree.file("lib/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(named(ItemKind::movie, "A").provider_ids.at("Imdb"), "tt0133093");
    EXPECT_THAT(named(ItemKind::movie, "B").provider_ids, IsEmpty());
}

TEST_P(Describe, a_film_nfo_of_a_crowded_folder_is_only_its_own) {
    for (int i = 0; i < 30; ++i) tree.file("lib/F" + std::to_string(100 + i) + " (2001).mkv");
    nfo("lib/F110 (2001).nfo", "movie", "<title>Ten</title>");
    nfo("lib/movie.nfo", "movie", "<title>Nobody's</title>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), Contains("Ten"));
    EXPECT_THAT(names(ItemKind::movie), ::testing::Not(Contains("Nobody's")));
    nfo("lib/F111 (2001).nfo", "movie", "<title>Eleven</title>");
    expect_scan_reads({"lib/F111 (2001).nfo"});
    EXPECT_EQ(count("described"), 1) << "the others are left alone";
    EXPECT_THAT(names(ItemKind::movie), Contains("Eleven"));
}

TEST_P(Describe, a_show_its_seasons_and_episodes_are_what_their_nfo_files_say) {
    tree.file("lib/Show/Season 01/x.mkv");
    tree.file("lib/Show/Season 01/Show - S01E02 - Name.mkv");
    nfo("lib/Show/tvshow.nfo", "tvshow",
        "<title>The Show</title><status>Ended</status><namedseason number=\"1\">Book One</namedseason>");
    nfo("lib/Show/Season 01/x.nfo", "episodedetails",
        "<title>Seven</title><season>1</season><episode>7</episode><aired>2010-01-02</aired>");
    tree.file(
        "lib/Show/Season 01/Show - S01E02 - Name.nfo",
        "<episodedetails><title>A</title><season>1</season><episode>2</episode><plot>One</plot></episodedetails>"
        "<episodedetails><title>B</title><season>1</season><episode>3</episode><plot>Two</plot></episodedetails>");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    EXPECT_EQ(only(ItemKind::series).name, "The Show");
    EXPECT_EQ(only(ItemKind::series).about.status, "Ended");
    EXPECT_EQ(only(ItemKind::series).folder, tree.path("lib/Show"));
    EXPECT_EQ(only(ItemKind::season).name, "Book One");
    EXPECT_EQ(only(ItemKind::season).folder, tree.path("lib/Show/Season 01"));
    const auto episodes = items(ItemKind::episode);
    ASSERT_THAT(episodes, SizeIs(2));
    EXPECT_EQ(episodes[0].name, "A / B");
    EXPECT_EQ(episodes[0].episode_number, 2);
    EXPECT_EQ(episodes[0].episode_number_end, 3);
    EXPECT_EQ(episodes[0].about.overview, "One\n\nTwo");
    EXPECT_EQ(episodes[1].name, "Seven");
    EXPECT_EQ(episodes[1].episode_number, 7);
    EXPECT_EQ(episodes[1].year, 2010);
    expect_quiet_scan();

    const auto ids_before = ids(ItemKind::episode);
    tree.remove("lib/Show/tvshow.nfo");
    tree.remove("lib/Show/Season 01/x.nfo");
    tree.remove("lib/Show/Season 01/Show - S01E02 - Name.nfo");
    expect_scan_reads({});
    EXPECT_EQ(only(ItemKind::series).name, "Show");
    EXPECT_EQ(only(ItemKind::series).about.status, "");
    EXPECT_EQ(only(ItemKind::season).name, "Season 1");
    const auto after = items(ItemKind::episode);
    ASSERT_THAT(after, SizeIs(2));
    EXPECT_EQ(after[1].name, "Name");
    EXPECT_EQ(after[1].id, ids_before.at("A / B"));
    EXPECT_EQ(after[1].episode_number_end, std::nullopt);
    EXPECT_EQ(after[0].id, ids_before.at("Seven"));
    expect_quiet_scan();
}

TEST_P(Describe, an_episode_goes_to_the_season_its_nfo_names) {
    tree.file("lib/Show/Season 01/Show - S01E01.mkv");
    tree.file("lib/Show/Season 01/extra one.mkv");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::season), ElementsAre("Season 1"));
    nfo("lib/Show/Season 01/extra one.nfo", "episodedetails", "<season>0</season><episode>4</episode>");
    expect_scan_reads({"lib/Show/Season 01/extra one.nfo"});
    EXPECT_THAT(names(ItemKind::season), ElementsAre("Specials", "Season 1"));
    EXPECT_EQ(named(ItemKind::season, "Specials").folder, tree.path("lib/Show"));
    tree.remove("lib/Show/Season 01/extra one.nfo");
    scan();
    EXPECT_THAT(names(ItemKind::season), ElementsAre("Season 1")) << "the season that lost its last episode goes";
}

TEST_P(Describe, artists_and_albums_are_what_their_nfo_files_say) {
    tree.file("lib/Artist/Album/01.flac");
    tree.file("lib/Artist/Album/02.flac");
    prober.say("01.flac", song("One", "Artist", "Album", 1));
    prober.say("02.flac", song("Two", "Artist", "Album", 2));
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    nfo("lib/Artist/artist.nfo", "artist", "<name>The Artist</name><biography>Long.</biography>");
    nfo("lib/Artist/Album/album.nfo", "album",
        "<title>The Album</title><year>1999</year><genre>Jazz</genre>"
        "<musicbrainzalbumid>11111111-2222-3333-4444-555555555555</musicbrainzalbumid>");
    expect_scan_reads({"lib/Artist/artist.nfo", "lib/Artist/Album/album.nfo"});
    const auto album = only(ItemKind::album);
    EXPECT_EQ(album.name, "The Album");
    EXPECT_EQ(album.year, 1999);
    EXPECT_THAT(album.genres, ElementsAre("Jazz"));
    EXPECT_EQ(album.provider_ids.at("MusicBrainzAlbum"), "11111111-2222-3333-4444-555555555555");
    EXPECT_EQ(album.folder, tree.path("lib/Artist/Album"));
    EXPECT_EQ(only(ItemKind::artist).about.overview, "Long.");
    EXPECT_EQ(only(ItemKind::artist).folder, tree.path("lib/Artist"));
    EXPECT_THAT(items(ItemKind::track), SizeIs(2));
    tree.remove("lib/Artist/Album/album.nfo");
    expect_scan_reads({});
    EXPECT_EQ(only(ItemKind::album).name, "Album");
    EXPECT_EQ(only(ItemKind::album).id, album.id);
    EXPECT_THAT(only(ItemKind::album).provider_ids, IsEmpty());
    expect_quiet_scan();
}

TEST_P(Describe, an_album_nfo_names_the_album_artist_where_tags_do_not) {
    for (int i = 1; i <= 2; ++i) {
        const auto name = "0" + std::to_string(i) + ".mp3";
        tree.file("lib/Somebody/Hits/" + name);
        prober.say(name, song("Song " + std::to_string(i), "Artist " + std::to_string(i), "Hits", i));
    }
    nfo("lib/Somebody/Hits/album.nfo", "album", "<title>Hits</title><albumartist>The Band</albumartist>");
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::artist), ElementsAre("The Band"));
    EXPECT_THAT(items(ItemKind::track)[0].artists, ElementsAre("Artist 1"));
}

TEST_P(Describe, an_album_nfo_that_comes_later_takes_the_whole_album_along) {
    for (int i = 1; i <= 3; ++i) {
        const auto name = "0" + std::to_string(i) + ".mp3";
        tree.file("lib/Hits/" + name);
        prober.say(name, song("Song " + std::to_string(i), "Artist " + std::to_string(i), "Hits", i));
    }
    add_library(LibraryKind::music, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::artist), ElementsAre("Various Artists"));
    const auto album = only(ItemKind::album).id;
    nfo("lib/Hits/album.nfo", "album", "<title>Hits</title><albumartist>The Band</albumartist>");
    expect_scan_reads({"lib/Hits/album.nfo"});
    EXPECT_THAT(names(ItemKind::artist), ElementsAre("The Band"));
    EXPECT_EQ(only(ItemKind::album).id, album);
    for (const auto& track : items(ItemKind::track)) EXPECT_EQ(track.parent, album);
    expect_quiet_scan();
    tree.append("lib/Hits/album.nfo", " ");
    files->fail_file(tree.path("lib/Hits/album.nfo"), EIO);
    scan();
    EXPECT_THAT(names(ItemKind::artist), ElementsAre("The Band")) << "nobody said otherwise";
    EXPECT_EQ(only(ItemKind::album).id, album);
}

TEST_P(Describe, an_episode_stays_where_it_is_while_its_nfo_cannot_be_read) {
    tree.file("lib/Show/Season 01/x.mkv");
    nfo("lib/Show/Season 01/x.nfo", "episodedetails", "<title>T</title><season>2</season><episode>7</episode>");
    add_library(LibraryKind::tvshows, {tree.path("lib")});
    scan();
    const auto before = only(ItemKind::episode);
    EXPECT_EQ(before.season_number, 2);
    tree.append("lib/Show/Season 01/x.nfo", " ");
    files->fail_file(tree.path("lib/Show/Season 01/x.nfo"), EIO);
    scan();
    EXPECT_EQ(only(ItemKind::episode).id, before.id);
    EXPECT_EQ(only(ItemKind::episode).parent, before.parent);
    EXPECT_EQ(only(ItemKind::episode).name, "T");
    EXPECT_EQ(only(ItemKind::episode).episode_number, 7);
}

TEST_P(Describe, a_broken_nfo_is_named_once_and_not_read_again) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/A (2001)/movie.nfo", "<movie><title>Half</title><plot>no end");
    const auto library = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(only(ItemKind::movie).name, "A") << "what the name says";
    EXPECT_THAT(run->warnings, Contains(HasSubstr("movie.nfo")));
    const auto& stored = tables->files.at(library).at(tree.path("lib/A (2001)/movie.nfo"));
    EXPECT_THAT(stored.failure, HasSubstr("line"));
    EXPECT_TRUE(stored.available);
    expect_quiet_scan();
    EXPECT_THAT(run->warnings, IsEmpty());
    tree.file("lib/A (2001)/poster.jpg");  // what is beside it is described again without reading it
    expect_scan_reads({});
    EXPECT_THAT(run->warnings, IsEmpty());
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>Whole</title>");
    scan();
    EXPECT_EQ(only(ItemKind::movie).name, "Whole");
    EXPECT_EQ(tables->files.at(library).at(tree.path("lib/A (2001)/movie.nfo")).failure, "");
}

TEST_P(Describe, an_nfo_that_cannot_be_read_now_leaves_what_it_said) {
    tree.file("lib/A (2001)/A (2001).mkv");
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>One</title><plot>P</plot>");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>Two</title>");
    files->fail_file(tree.path("lib/A (2001)/movie.nfo"), EIO);
    scan();
    EXPECT_EQ(only(ItemKind::movie).name, "One");
    EXPECT_EQ(only(ItemKind::movie).about.overview, "P");
    EXPECT_THAT(run->warnings, Contains(HasSubstr("movie.nfo")));
    files->fail_file(tree.path("lib/A (2001)/movie.nfo"), 0);
    scan();
    EXPECT_EQ(only(ItemKind::movie).name, "Two");
    expect_quiet_scan();
}

TEST_P(Describe, an_nfo_that_was_there_first_and_cannot_be_read_is_tried_again) {
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>One</title>");
    tree.file("lib/B (2002)/B (2002).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    files->fail_file(tree.path("lib/A (2001)/movie.nfo"), EIO);
    tree.file("lib/A (2001)/A (2001).mkv");
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "B"));
    files->fail_file(tree.path("lib/A (2001)/movie.nfo"), 0);
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("B", "One"));
    expect_quiet_scan();
}

TEST_P(Describe, a_share_that_hangs_while_an_nfo_is_read_does_not_hold_the_scan_up) {
    settings.scanner.walk_patience = core::Millis{500};
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>One</title>");
    nfo("lib/B (2002)/movie.nfo", "movie", "<title>Two</title>");
    files->hang(tree.path("lib/A (2001)/movie.nfo"));
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("A", "Two"));
    files->release();
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("One", "Two"));
}

TEST_P(Describe, nfo_files_are_read_ahead_and_none_that_nobody_asks_for) {
    constexpr int count_of_films = 30;
    for (int i = 0; i < count_of_films; ++i) {
        const auto name = "Film " + std::to_string(i) + " (2001)";
        tree.file("lib/" + name + "/" + name + ".mkv");
        nfo("lib/" + name + "/" + name + ".nfo", "movie", "<title>T" + std::to_string(i) + "</title>");
        tree.file("lib/" + name + "/group-release.nfo", "greetings");
    }
    files->meet(PatientReader::most_at_once);
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_THAT(items(ItemKind::movie), SizeIs(count_of_films));
    for (const auto& item : items(ItemKind::movie)) EXPECT_TRUE(item.name.starts_with("T")) << item.name;
    EXPECT_THAT(files->files_read(), SizeIs(count_of_films));
    EXPECT_GE(files->most_read_at_once(), PatientReader::most_at_once);
    expect_quiet_scan();
}

TEST_P(Describe, nfo_files_of_shows_and_albums_are_read_once_each) {
    std::vector<std::string> wanted;
    const auto say = [&](const std::string& path, const std::string& root) {
        nfo(path, root, "<title>T</title>");
        wanted.push_back(path);
    };
    say("tv/Show/tvshow.nfo", "tvshow");
    for (int season = 1; season <= 3; ++season) {
        const auto folder = "tv/Show/Season " + std::to_string(season) + "/";
        say(folder + "season.nfo", "season");
        for (int i = 1; i <= 5; ++i) {
            const auto name = "Show.S0" + std::to_string(season) + "E0" + std::to_string(i);
            tree.file(folder + name + ".mkv");
            say(folder + name + ".nfo", "episodedetails");
        }
    }
    add_library(LibraryKind::tvshows, {tree.path("tv")});
    files->meet(2);
    scan();
    std::vector<std::string> read;
    for (const auto& path : files->files_read()) read.push_back(path.substr(tree.root().size() + 1));
    EXPECT_THAT(read, ::testing::UnorderedElementsAreArray(wanted));
    tree.file("tv/Show/Season 2/Show.S02E06.mkv");
    files->forget();
    scan();
    EXPECT_THAT(files->files_read(), ::testing::IsEmpty()) << "what describes the folders did not change";
}

TEST_P(Describe, a_library_without_nfo_readers_reads_none_and_a_switch_takes_effect) {
    tree.file("lib/A (2001)/A (2001).mkv");
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>One</title>");
    tree.file("lib/A (2001)/poster.jpg");
    const auto id = add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    EXPECT_EQ(only(ItemKind::movie).name, "One");
    auto library = tables->libraries.at(id);
    library.options = R"({"DisabledLocalMetadataReaders":["Nfo"]})";
    ASSERT_TRUE(library_store->update(library));
    expect_scan_reads({});
    EXPECT_EQ(only(ItemKind::movie).name, "A");
    EXPECT_THAT(only(ItemKind::movie).images, SizeIs(1)) << "pictures are no NFO";
    expect_quiet_scan();
    library.options = "{}";
    ASSERT_TRUE(library_store->update(library));
    expect_scan_reads({"lib/A (2001)/movie.nfo"});
    EXPECT_EQ(only(ItemKind::movie).name, "One");
    expect_quiet_scan();
}

TEST_P(Describe, a_scan_that_died_before_its_nfo_files_were_seen_describes_again) {
    for (const auto* name : {"A (2001)", "B (2002)", "C (2003)"}) {
        tree.file(std::string("lib/") + name + "/" + name + ".mkv");
        nfo(std::string("lib/") + name + "/movie.nfo", "movie", "<title>Of " + std::string(1, name[0]) + "</title>");
    }
    settings.scanner.batch = 1;
    add_library(LibraryKind::movies, {tree.path("lib")});
    run = std::make_unique<testing::FakeRun>("{}");
    run->on_commit = [this](int number) { run->fenced = number >= 2; };
    EXPECT_FALSE(scan_as_set_up());
    prober.forget_opens();
    scan();
    EXPECT_THAT(names(ItemKind::movie), ElementsAre("Of A", "Of B", "Of C"));
    EXPECT_LT(prober.opens(), 3U) << "what was committed is not probed again";
    expect_quiet_scan();
}

TEST_P(Describe, a_scan_of_one_file_takes_up_what_lies_beside_it) {
    tree.file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv");
    tree.file("lib/Other Name/C (2003).mkv");
    add_library(LibraryKind::movies, {tree.path("lib")});
    scan();
    const auto before = ids(ItemKind::movie);
    nfo("lib/A (2001)/movie.nfo", "movie", "<title>One</title>");
    nfo("lib/B (2002)/movie.nfo", "movie", "<title>Two</title>");
    scan(R"({"paths":[")" + tree.path("lib/A (2001)/movie.nfo") + R"("]})");
    EXPECT_THAT(names(ItemKind::movie), ::testing::UnorderedElementsAre("B", "C", "One"));
    tree.file("lib/Other Name/Subs/C (2003).de.srt");
    scan(R"({"paths":[")" + tree.path("lib/Other Name/Subs") + R"("]})");
    const auto film = named(ItemKind::movie, "C");
    EXPECT_EQ(film.id, before.at("C"));
    EXPECT_THAT(film.sources.at(0).external, SizeIs(1));
    scan();
    EXPECT_THAT(names(ItemKind::movie), ::testing::UnorderedElementsAre("C", "One", "Two"));
    expect_quiet_scan();
}

INSTANTIATE_TEST_SUITE_P(Stores, Describe, all_stores(), store_name);

}  // namespace
}  // namespace understudy::library
