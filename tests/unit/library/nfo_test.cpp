// NFO files as Kodi, Jellyfin and their tools write them, and those that are broken or meant to hurt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "library/nfo/parse.h"
#include "library/nfo/xml.h"

namespace understudy::library::nfo {
namespace {

using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

Description one(std::string_view bytes) {
    auto parsed = parse(bytes);
    EXPECT_THAT(parsed.items, SizeIs(1));
    return parsed.items.empty() ? Description{} : parsed.items.front();
}

TEST(Nfo, describes_a_film_with_all_that_people_write) {
    const auto film = one(R"(<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>
<movie>
  <title>The Matrix</title><originaltitle>Matrix</originaltitle><sorttitle>Matrix 1</sorttitle>
  <plot>Line one.
Line two.</plot><outline>Short</outline><tagline>Free your mind</tagline>
  <ratings><rating name="imdb" max="10" default="true"><value>8.7</value><votes>1900000</votes></rating>
    <rating name="rt" max="100"><value>88</value></rating><rating name="bad"><value>n/a</value></rating></ratings>
  <userrating>9</userrating><criticrating>83</criticrating><mpaa>Rated R</mpaa><runtime>136</runtime>
  <premiered>1999-03-31</premiered><genre>Action / Science Fiction</genre><genre>Action</genre>
  <studio>Warner Bros.</studio><tag>cyberpunk</tag><country>USA</country>
  <set tmdbcolid="2344"><name>The Matrix Collection</name><overview>All of them</overview></set>
  <uniqueid type="imdb" default="true">tt0133093</uniqueid><uniqueid type="tmdb">603</uniqueid><uniqueid type="x">a b</uniqueid>
  <actor><name>Keanu Reeves</name><role>Neo</role><order>1</order><thumb>http://h/k.jpg</thumb><tmdbid>6384</tmdbid></actor>
  <actor><name>Carrie-Anne Moss</name><role>Trinity</role><order>0</order></actor>
  <actor><role>nobody</role></actor>
  <director tmdbid="9339">Lana Wachowski</director><credits>Lilly Wachowski</credits>
  <thumb aspect="poster" preview="p">http://h/p.jpg</thumb><thumb aspect="clearlogo">http://h/l.png</thumb>
  <fanart><thumb>http://h/f1.jpg</thumb><thumb>http://h/f2.jpg</thumb></fanart>
  <art><poster>/m/poster.jpg</poster></art><trailer>plugin://x</trailer>
  <lockdata>true</lockdata><lockedfields>Name|Genres</lockedfields><dateadded>2020-01-02 03:04:05</dateadded>
  <watched>true</watched><playcount>3</playcount><lastplayed>2024-03-01</lastplayed>
  <resume><position>12.5</position><total>8160</total></resume>
  <fileinfo><streamdetails><video><codec>h264</codec></video></streamdetails></fileinfo><unknown>x</unknown>
</movie>)");
    EXPECT_EQ(film.subject, Subject::movie);
    EXPECT_EQ(film.title, "The Matrix");
    EXPECT_EQ(film.original_title, "Matrix");
    EXPECT_EQ(film.sort_title, "Matrix 1");
    EXPECT_EQ(film.plot, "Line one.\nLine two.");
    EXPECT_EQ(film.outline, "Short");
    EXPECT_EQ(film.tagline, "Free your mind");
    ASSERT_THAT(film.ratings, SizeIs(3));
    EXPECT_EQ(film.ratings[0].source, "imdb");
    EXPECT_DOUBLE_EQ(film.ratings[0].value, 8.7);
    EXPECT_EQ(film.ratings[0].votes, 1'900'000);
    EXPECT_TRUE(film.ratings[0].is_default);
    EXPECT_DOUBLE_EQ(film.ratings[1].maximum, 100);
    EXPECT_EQ(film.ratings[2].source, "critics");
    EXPECT_EQ(film.certification, "Rated R");
    EXPECT_EQ(film.runtime, minutes{136});
    EXPECT_EQ(film.premiered, "1999-03-31");
    EXPECT_EQ(film.year, 1999);
    EXPECT_THAT(film.genres, ElementsAre("Action", "Science Fiction"));
    EXPECT_THAT(film.studios, ElementsAre("Warner Bros."));
    EXPECT_THAT(film.tags, ElementsAre("cyberpunk"));
    EXPECT_THAT(film.countries, ElementsAre("USA"));
    ASSERT_THAT(film.collections, SizeIs(1));
    EXPECT_EQ(film.collections[0].name, "The Matrix Collection");
    EXPECT_EQ(film.collections[0].overview, "All of them");
    EXPECT_EQ(film.collections[0].tmdb_id, "2344");
    EXPECT_EQ(film.provider_ids, (std::map<std::string, std::string>{{"Imdb", "tt0133093"}, {"Tmdb", "603"}}));
    ASSERT_THAT(film.people, SizeIs(4));
    EXPECT_EQ(film.people[0].name, "Carrie-Anne Moss") << "by their order";
    EXPECT_EQ(film.people[1].role, "Neo");
    EXPECT_EQ(film.people[1].thumb, "http://h/k.jpg");
    EXPECT_EQ(film.people[1].provider_ids.at("Tmdb"), "6384");
    EXPECT_EQ(film.people[2].kind, PersonKind::director);
    EXPECT_EQ(film.people[2].name, "Lana Wachowski");
    EXPECT_EQ(film.people[2].provider_ids.at("Tmdb"), "9339");
    EXPECT_EQ(film.people[3].kind, PersonKind::writer);
    ASSERT_THAT(film.artwork, SizeIs(5));
    EXPECT_EQ(film.artwork[1].kind, "clearlogo");
    EXPECT_EQ(film.artwork[3].url, "http://h/f2.jpg");
    EXPECT_EQ(film.artwork[4].url, "/m/poster.jpg");
    EXPECT_TRUE(film.locked);
    EXPECT_THAT(film.locked_fields, ElementsAre("Name", "Genres"));
    EXPECT_EQ(film.date_added, "2020-01-02");
    EXPECT_EQ(film.user.watched, true);
    EXPECT_EQ(film.user.play_count, 3);
    EXPECT_EQ(film.user.last_played, "2024-03-01");
    EXPECT_EQ(film.user.resume_position, core::Millis{12'500});
    EXPECT_EQ(film.user.user_rating, 9.0);
}

TEST(Nfo, describes_series_seasons_and_episodes) {
    const auto series =
        one(R"(<tvshow><title>Show</title><id>77</id><status>Ended</status><premiered>2010-01-02</premiered>
<namedseason number="1">Book One</namedseason><thumb aspect="poster" type="season" season="2">http://h/s2.jpg</thumb>
<imdb_id>tt1234567</imdb_id><enddate>2015-05-06</enddate></tvshow>)");
    EXPECT_EQ(series.subject, Subject::series);
    EXPECT_EQ(series.provider_ids.at("Tvdb"), "77");
    EXPECT_EQ(series.provider_ids.at("Imdb"), "tt1234567");
    EXPECT_EQ(series.status, "Ended");
    EXPECT_EQ(series.ended, "2015-05-06");
    EXPECT_EQ(series.season_names.at(1), "Book One");
    EXPECT_EQ(series.artwork.at(0).season, 2);
    EXPECT_EQ(one("<season><seasonnumber>2</seasonnumber><title>Two</title></season>").season_number, 2);

    const auto both = parse(R"(<?xml version="1.0"?>
<episodedetails><title>One</title><season>1</season><episode>1</episode><aired>2010-01-02</aired></episodedetails>
<?xml version="1.0"?>
<episodedetails><title>Two</title><season>1</season><episode>2</episode><displayseason>1</displayseason>
<displayepisode>5</displayepisode><actor><name>G</name><type>GuestStar</type></actor></episodedetails>)");
    ASSERT_THAT(both.items, SizeIs(2));
    EXPECT_EQ(both.fault, "");
    EXPECT_EQ(both.items[0].premiered, "2010-01-02");
    EXPECT_EQ(both.items[1].episode_number, 2);
    EXPECT_EQ(both.items[1].display_episode, 5);
    EXPECT_EQ(one("<episodedetails><airsafter_season>3</airsafter_season></episodedetails>").after_season, 3);
    EXPECT_EQ(both.items[1].people.at(0).kind, PersonKind::guest_star);
    EXPECT_EQ(one("<episodedetails><episode>1</episode><episodenumberend>2</episodenumberend></episodedetails>")
                  .episode_number_end,
              2);
    EXPECT_FALSE(one("<episodedetails><episode>3</episode><episodenumberend>2</episodenumberend></episodedetails>")
                     .episode_number_end);
    EXPECT_THAT(parse("<xbmcmultiepisode><episodedetails/><episodedetails/></xbmcmultiepisode>").items, SizeIs(2));
}

TEST(Nfo, describes_albums_and_artists) {
    const auto album = one(R"(<album><title>Album</title><musicbrainzalbumid>b1</musicbrainzalbumid>
<albumArtistCredits><artist>Artist</artist><musicBrainzArtistID>a1</musicBrainzArtistID></albumArtistCredits>
<artist>Artist</artist><style>Rock</style><label>L</label><releasedate>2001-02-03</releasedate><compilation>false</compilation>
<review>Good</review><track><position>1</position><title>Song</title><duration>3:05</duration></track></album>)");
    EXPECT_EQ(album.subject, Subject::album);
    EXPECT_EQ(album.provider_ids.at("MusicBrainzAlbum"), "b1");
    EXPECT_EQ(album.provider_ids.at("MusicBrainzAlbumArtist"), "a1");
    EXPECT_THAT(album.album_artists, ElementsAre("Artist"));
    EXPECT_THAT(album.studios, ElementsAre("L"));
    EXPECT_EQ(album.plot, "Good");
    EXPECT_EQ(album.year, 2001);
    EXPECT_EQ(album.compilation, false);
    ASSERT_THAT(album.tracks, SizeIs(1));
    EXPECT_EQ(album.tracks[0].duration, std::chrono::seconds{185});
    const auto artist =
        one("<artist><name>X</name><sortname>Y</sortname><biography>B</biography><born>1950-01-01</born></artist>");
    EXPECT_EQ(artist.subject, Subject::artist);
    EXPECT_EQ(artist.title, "X");
    EXPECT_EQ(artist.sort_title, "Y");
    EXPECT_EQ(artist.plot, "B");
}

TEST(Nfo, reads_old_ids_and_leaves_out_what_cannot_be_one) {
    EXPECT_EQ(one("<movie><id>tt0133093</id></movie>").provider_ids.at("Imdb"), "tt0133093");
    EXPECT_EQ(one("<movie><id>603</id></movie>").provider_ids.at("Tmdb"), "603");
    EXPECT_EQ(one("<movie><id moviedb=\"imdb\">tt1</id></movie>").provider_ids.at("Imdb"), "tt1");
    const auto both = one("<movie><id IMDB=\"tt2\" TMDB=\"5\">7</id></movie>").provider_ids;
    EXPECT_EQ(both.at("Imdb"), "tt2");
    EXPECT_EQ(both.at("Tmdb"), "5");
    EXPECT_THAT(one("<movie><id>-1</id><tmdbid>0</tmdbid><imdbid>603</imdbid><uniqueid type=\"\">5</uniqueid></movie>")
                    .provider_ids,
                IsEmpty());
    EXPECT_EQ(one("<movie><tmdbid>1</tmdbid><uniqueid type=\"tmdb\">2</uniqueid></movie>").provider_ids.at("Tmdb"), "2")
        << "the newer form wins";
}

TEST(Nfo, reads_values_in_the_forms_people_use_and_leaves_out_nonsense) {
    struct Row {
        const char* runtime;
        int minutes;
    };
    constexpr Row rows[] = {{"136", 136}, {"136 min", 136}, {"2h 16m", 136}, {"02:16:00", 136}, {"2 h", 120},
                            {"", 0},      {"n/a", 0},       {"-5", 0},       {"99999999", 0},   {"1:x", 0}};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.runtime);
        EXPECT_EQ(one("<movie><runtime>" + std::string(row.runtime) + "</runtime></movie>").runtime,
                  minutes{row.minutes});
    }
    EXPECT_FALSE(one("<movie><year>99999</year></movie>").year);
    EXPECT_EQ(one("<movie><premiered>31.12.1999</premiered></movie>").premiered, "1999-12-31");
    EXPECT_EQ(one("<movie><premiered>1895-12-28T00:00:00</premiered></movie>").premiered, "1895-12-28");
    EXPECT_EQ(one("<movie><premiered>0000-00-00</premiered></movie>").premiered, "");
    EXPECT_DOUBLE_EQ(one("<movie><rating>7,5</rating></movie>").ratings.at(0).value, 7.5);
    EXPECT_THAT(one("<movie><rating>inf</rating><rating>11</rating><rating>-1</rating></movie>").ratings, IsEmpty());
    EXPECT_EQ(one("<movie><TITLE>Big</TITLE></movie>").title, "Big");
    EXPECT_EQ(one("<movie><plot><![CDATA[a <b> & c]]></plot></movie>").plot, "a <b> & c");
    EXPECT_EQ(one("<movie><set>Old Form</set><set/></movie>").collections.at(0).name, "Old Form");
    EXPECT_THAT(one("<movie><set><name/></set></movie>").collections, IsEmpty());
}

TEST(Nfo, takes_ids_of_addresses_alone_or_behind_the_xml) {
    const auto alone = one("https://www.imdb.com/title/tt0133093/\r\nhttps://www.themoviedb.org/movie/603-the-matrix");
    EXPECT_EQ(alone.subject, Subject::unknown);
    EXPECT_EQ(alone.provider_ids, (std::map<std::string, std::string>{{"Imdb", "tt0133093"}, {"Tmdb", "603"}}));
    const auto behind = parse("<movie><title>X</title></movie>\nhttps://www.themoviedb.org/movie/603?a=1&b=2\n");
    EXPECT_EQ(behind.fault, "");
    ASSERT_THAT(behind.items, SizeIs(1));
    EXPECT_EQ(behind.items[0].title, "X");
    EXPECT_EQ(behind.items[0].provider_ids.at("Tmdb"), "603");
    EXPECT_EQ(ids_in_urls("http://thetvdb.com/?tab=series&id=77").at("Tvdb"), "77");
    EXPECT_EQ(ids_in_urls("http://musicbrainz.org/artist/f27ec8db-af05-4f36-916e-3d57f91ecf5e").at("MusicBrainzArtist"),
              "f27ec8db-af05-4f36-916e-3d57f91ecf5e");
    EXPECT_THAT(ids_in_urls("http://evil.example/title/tt1 imdb.com/title/tt1 http://musicbrainz.org/artist/x"),
                IsEmpty());
    EXPECT_THAT(parse("nothing of use").fault, StartsWith("line 1:"));
    EXPECT_THAT(parse("").items, IsEmpty());
}

TEST(Nfo, reads_every_encoding) {
    const std::string expected = "Caf\xC3\xA9 \xE2\x82\xAC";
    const auto title = [](std::string_view bytes) { return one(bytes).title; };
    EXPECT_EQ(title("\xEF\xBB\xBF<movie><title>Caf\xC3\xA9 \xE2\x82\xAC</title></movie>"), expected);
    EXPECT_EQ(title("<?xml version='1.0' encoding='ISO-8859-1'?><movie><title>Caf\xE9 \x80</title></movie>"), expected);
    EXPECT_EQ(title("<movie><title>Caf\xE9 \x80</title></movie>"), expected) << "nothing declared";
    EXPECT_EQ(
        title("<?xml version='1.0' encoding='ISO-8859-1'?><movie><title>Caf\xC3\xA9 \xE2\x82\xAC</title></movie>"),
        expected)
        << "declared wrongly";
    EXPECT_EQ(title("<?xml version=\"1.0\" encoding=\"windows-1251\"?><movie><title>\xCC\xE8\xF0</title></movie>"),
              "Мир");
    EXPECT_EQ(title("<movie><title>Caf&eacute; &euro;</title></movie>"), expected);
    EXPECT_EQ(title("<movie><title>a &amp;eacute; &lt; &nosuch; & b</title></movie>"), "a &eacute; < &nosuch; & b");
    EXPECT_EQ(title("<movie><title>a&#0;&#1;&#x1F;b\x01"
                    "c</title></movie>")
                  .find('\x01'),
              std::string::npos);
    for (const bool big : {false, true}) {
        for (const bool mark : {false, true}) {
            std::string bytes = mark ? (big ? "\xFE\xFF" : "\xFF\xFE") : "";
            for (const char32_t sign : std::u32string_view(U"<movie><title>Café €</title></movie>")) {
                const char high = static_cast<char>(sign >> 8), low = static_cast<char>(sign & 0xFF);
                bytes += big ? high : low;
                bytes += big ? low : high;
            }
            EXPECT_EQ(title(bytes), expected) << big << mark;
        }
    }
}

TEST(Nfo, keeps_what_stood_before_a_fault_and_names_its_line) {
    const auto parsed = parse("<movie>\n<title>X</title>\n<plot>cut off</plot>\n<genre>A</gen></movie>");
    ASSERT_THAT(parsed.items, SizeIs(1));
    EXPECT_EQ(parsed.items[0].title, "X");
    EXPECT_EQ(parsed.items[0].plot, "cut off");
    EXPECT_THAT(parsed.fault, StartsWith("line 4:"));
    EXPECT_EQ(parse("<movie>\n<title>X").items.at(0).title, "X");
    EXPECT_NE(parse("<movie>\n<title>X").fault, "");
    EXPECT_THAT(parse("<html><body/></html>").items, IsEmpty());
}

TEST(Nfo, expands_no_entities_and_is_bounded) {
    std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY a \"ha\">";
    for (char c = 'b'; c <= 'z'; ++c) {
        bomb += std::string("<!ENTITY ") + c + " \"";
        for (int i = 0; i < 10; ++i) bomb += std::string("&") + static_cast<char>(c - 1) + ";";
        bomb += "\">";
    }
    bomb += "<!ENTITY file SYSTEM \"file:///etc/passwd\">]><movie><title>x&z;&file;</title></movie>";
    EXPECT_EQ(one(bomb).title, "x&z;&file;");

    std::string huge = "<movie><title>X</title>";
    while (huge.size() <= longest_file) huge += "<tag>" + std::to_string(huge.size()) + "</tag>";
    const auto parsed = parse(huge);
    EXPECT_EQ(parsed.items.at(0).title, "X");
    EXPECT_THAT(parsed.items.at(0).tags, SizeIs(1000));
    EXPECT_THAT(parsed.fault, HasSubstr("4 MiB"));

    std::string deep = "<movie><title>X</title>";
    for (int i = 0; i < 200'000; ++i) deep += "<plot>";
    EXPECT_EQ(parse(deep).items.at(0).title, "X");
    EXPECT_LE(one("<movie><plot>" + std::string(1'000'000, 'x') + "</plot></movie>").plot.size(), 65'536U);
}

TEST(Xml, hides_its_tree_behind_elements_that_answer_with_nothing_when_empty) {
    const Element none;
    EXPECT_FALSE(none);
    EXPECT_EQ(none.text(), "");
    EXPECT_EQ(none.attribute("x"), "");
    EXPECT_FALSE(none.child("x"));
    EXPECT_FALSE(none.first_child().next());
    const Document document("<a x='1'>t<b>u</b><!-- no --><c/></a>");
    EXPECT_EQ(document.first().text(), "t u");
    EXPECT_EQ(document.first().attribute("X"), "1");
    EXPECT_EQ(document.first().first_child().next().name(), "c");
}

}  // namespace
}  // namespace understudy::library::nfo
