// Genres, studios, artists and years: in lists of their own, by name, by id, and in the items that have them.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/named_shelf.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::get;
using testing::NamedShelf;
using testing::post;
using Texts = std::vector<std::string>;

TEST(Names, are_listed_by_kind) {
    NamedShelf house;
    EXPECT_EQ(house.names("/Genres"), Texts{"Drama, slow"});
    EXPECT_EQ(house.names("/MusicGenres"), (Texts{"drama, SLOW", "Rock"}));
    EXPECT_EQ(house.names("/Studios"), Texts{"Foam & Co"});
    EXPECT_EQ(house.names("/Artists"), (Texts{"Guest", "the piers"}));
    EXPECT_EQ(house.names("/Artists/AlbumArtists"), Texts{"the piers"});
    EXPECT_EQ(house.names("/Years"), Texts{"1999"});
    EXPECT_EQ(house.names("/Genres?parentId=" + std::string(32, 'c')), (Texts{"drama, SLOW", "Rock"}))
        << "a library of music has genres of music alone";
}

TEST(Names, are_searched_cut_and_counted) {
    NamedShelf house;
    EXPECT_EQ(house.names("/MusicGenres?searchTerm=ROC"), Texts{"Rock"});
    EXPECT_EQ(house.names("/MusicGenres?nameStartsWith=D"), Texts{"drama, SLOW"});
    EXPECT_EQ(house.names("/MusicGenres?startIndex=1&limit=1"), Texts{"Rock"});
    EXPECT_EQ(house.asked("/MusicGenres?limit=1").at("TotalRecordCount"), 2);
    EXPECT_EQ(house.names("/MusicGenres?sortOrder=Descending"), (Texts{"Rock", "drama, SLOW"}));
    EXPECT_EQ(house.names("/MusicGenres?includeItemTypes=Movie"), Texts{});
    EXPECT_EQ(house.names("/Genres?includeItemTypes=Book"), Texts{});
    const auto genre = house.asked("/Genres?fields=ItemCounts").at("Items").at(0);
    EXPECT_EQ(genre.at("MovieCount"), 1);
    EXPECT_EQ(genre.at("SongCount"), 0);
    EXPECT_EQ(genre.at("Type"), "Genre");
    EXPECT_FALSE(house.asked("/Genres").at("Items").at(0).as_object().contains("MovieCount"));
    EXPECT_EQ(house.House::get("/Genres?limit=x").status, 400);
    (void)house.asked("/Genres?genres=Drama&years=1999&nameStartsWithOrGreater=C&nameLessThan=E");
    EXPECT_EQ(house.named.last_query.items.filters.years, std::vector{1999}) << "of the items";
    EXPECT_EQ(house.named.last_query.from, "C") << "of the name";
    EXPECT_EQ(house.named.last_query.before, "E");
    EXPECT_TRUE(house.named.last_query.items.filters.name_from.empty());
}

TEST(Names, have_one_id_in_lists_items_and_by_themselves) {
    NamedShelf house;
    const auto genre = house.asked("/Genres").at("Items").at(0);
    const std::string id(genre.at("Id").as_string());
    EXPECT_EQ(id, store::name_id(store::NameKind::genre, "drama, slow").str());
    const auto film = house.asked("/Items/" + std::string(32, '1'));
    EXPECT_EQ(film.at("GenreItems").at(0).at("Id"), genre.at("Id"));
    EXPECT_EQ(film.at("Studios").at(0).at("Id"), house.asked("/Studios").at("Items").at(0).at("Id"));
    EXPECT_EQ(house.asked("/Items/" + id).at("Name"), "Drama, slow");
    EXPECT_EQ(house.asked("/Genres/DRAMA,%20slow").at("Id"), genre.at("Id"));
    EXPECT_NE(house.asked("/MusicGenres/drama,%20slow").at("Id"), genre.at("Id"));
    const auto year = house.asked("/Years/1999");
    EXPECT_EQ(year.at("Type"), "Year");
    const std::string year_id(year.at("Id").as_string());
    EXPECT_EQ(house.asked("/Items/" + year_id).at("Name"), "1999");
    for (const char* unknown : {"/Genres/Farce", "/Studios/x", "/Artists/x", "/Years/1998", "/Years/x"})
        EXPECT_EQ(house.House::get(unknown).status, 404) << unknown;
}

TEST(Artists, are_items_where_there_are_such) {
    NamedShelf house;
    const auto track = house.asked("/Items/" + std::string(32, '5'));
    EXPECT_EQ(track.at("ArtistItems").at(0).at("Id"), json::string(std::string(32, '6')));
    EXPECT_EQ(track.at("AlbumArtists").at(0).at("Id"), json::string(std::string(32, '6')));
    const std::string guest(track.at("ArtistItems").at(1).at("Id").as_string());
    EXPECT_EQ(guest, store::name_id(store::NameKind::artist, "guest").str());
    EXPECT_EQ(house.asked("/Items/" + guest).at("Type"), "MusicArtist");
    const auto artists = house.asked("/Artists?fields=ItemCounts&userId=").at("Items");
    EXPECT_EQ(artists.at(0).at("Id"), json::string(guest));
    EXPECT_EQ(artists.at(0).at("SongCount"), 1);
    EXPECT_EQ(artists.at(1).at("Id"), json::string(std::string(32, '6')));
    EXPECT_EQ(artists.at(1).at("Type"), "MusicArtist");
    EXPECT_EQ(house.asked("/Artists/The%20Piers").at("Id"), json::string(std::string(32, '6')));
}

TEST(Facets, are_what_the_items_have) {
    NamedShelf house;
    const auto legacy = house.asked("/Items/Filters");
    EXPECT_EQ(json::serialize(legacy.at("Genres")), R"(["Drama, slow","drama, SLOW","Rock"])");
    EXPECT_EQ(json::serialize(legacy.at("Tags")), R"(["sea"])");
    EXPECT_EQ(json::serialize(legacy.at("OfficialRatings")), R"(["FSK-6"])");
    EXPECT_EQ(json::serialize(legacy.at("Years")), "[1999]");
    const auto films = house.asked("/Items/Filters2?includeItemTypes=Movie&parentId=" + std::string(32, 'a'));
    EXPECT_EQ(films.at("Genres").as_array().size(), 1U);
    EXPECT_EQ(films.at("Genres").at(0).at("Id"), house.asked("/Genres").at("Items").at(0).at("Id"));
    EXPECT_EQ(json::serialize(house.asked("/Items/Filters?includeItemTypes=Book")),
              R"({"Genres":[],"Tags":[],"OfficialRatings":[],"Years":[]})");
}

TEST(ClosedLibraries, hide_names_that_only_they_have) {
    NamedShelf house;
    const auto id = house.add("Kid", "toy");
    const auto kid = house.log_in("Kid", "toy");
    ASSERT_EQ(house
                  .post("/Users/" + id + "/Policy",
                        R"({"EnableAllFolders":false,"EnabledFolders":[")" + house.shows.id.str() + "\"]}")
                  .status,
              204);
    const auto genre = store::name_id(store::NameKind::genre, "drama, slow").str();
    const auto year = store::name_id(store::NameKind::year, "1999").str();
    for (const std::string list :
         {"/Genres", "/MusicGenres", "/Studios", "/Artists", "/Artists/AlbumArtists", "/Years"}) {
        const auto page = json::parse(house.as(kid, get, list).body);
        EXPECT_EQ(page.at("TotalRecordCount"), 0) << list;
        EXPECT_TRUE(page.at("Items").as_array().empty()) << list;
    }
    for (const std::string one : {"/Genres/Drama,%20slow", "/Studios/Foam%20%26%20Co", "/Artists/Guest", "/Years/1999"})
        EXPECT_EQ(house.as(kid, get, one).status, 404) << one;
    EXPECT_EQ(house.as(kid, get, "/Items/" + genre).status, 404);
    EXPECT_EQ(house.as(kid, get, "/Items/" + year).status, 404);
    EXPECT_EQ(house.as(kid, get, "/Items/Filters").body, R"({"Genres":[],"Tags":[],"OfficialRatings":[],"Years":[]})");
    EXPECT_EQ(house.asked("/Genres").at("TotalRecordCount"), 1) << "they are there";
}

TEST(People, are_filtered_by_what_they_are_credited_as) {
    NamedShelf house;
    EXPECT_EQ(house.names("/Persons?personTypes=Director"), Texts{"Bo Lee"});
    EXPECT_EQ(house.names("/Persons?excludePersonTypes=Director,GuestStar"), Texts{"Ann Lee"});
    const auto film = std::string(32, '1');
    EXPECT_EQ(house.names("/Persons?personTypes=Actor&appearsInItemId=" + film), Texts{"Ann Lee"});
    EXPECT_EQ(house.names("/Persons?excludePersonTypes=actor&appearsInItemId=" + film), Texts{"Bo Lee"});
    const auto user = house.add("Ann", "sea");
    house.people.favourites = {house.people.rows[1].id};
    EXPECT_EQ(house.names("/Persons?isFavorite=true&userId=" + user), Texts{"Bo Lee"});
    EXPECT_EQ(house.names("/Persons?filters=IsFavorite&userId=" + user), Texts{"Bo Lee"});
}

}  // namespace
}  // namespace understudy::http
