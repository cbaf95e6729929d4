// Names and people as favourites: told in their lists, by themselves and on the event socket; nothing of closed ones.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/named_shelf.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::get;
using testing::NamedShelf;
using testing::post;
constexpr auto del = Method::del;

struct Favourites : NamedShelf {
    Favourites() {
        ann = add("Ann", "sea");
        token = log_in("Ann", "sea");
    }
    json::value mine(const std::string& target) {
        const auto answer = as(token, Method::get, target);
        EXPECT_EQ(answer.status, 200) << target << ": " << answer.body;
        return json::parse(answer.body);
    }
    std::string id_in(const std::string& list, std::size_t at = 0) {
        return std::string(mine(list).at("Items").at(at).at("Id").as_string());
    }
    json::value data_in(const std::string& list, std::size_t at = 0) {
        return mine(list).at("Items").at(at).at("UserData");
    }
    std::string ann, token;
};

TEST(Favourites, may_be_genres_studios_artists_years_and_people) {
    Favourites house;
    const std::string lists[] = {"/Genres", "/MusicGenres", "/Studios", "/Artists", "/Years", "/Persons"};
    for (const auto& list : lists) {
        const auto id = house.id_in(list);
        EXPECT_EQ(house.data_in(list).at("IsFavorite"), false) << list;
        const auto answer = house.as(house.token, post, "/UserFavoriteItems/" + id);
        ASSERT_EQ(answer.status, 200) << list << answer.body;
        const auto said = json::parse(answer.body);
        EXPECT_EQ(said.at("IsFavorite"), true) << list;
        EXPECT_EQ(said.at("ItemId"), json::string(id)) << list;
        EXPECT_EQ(house.data_in(list), said) << list;
        EXPECT_EQ(house.mine("/Items/" + id).at("UserData"), said) << list;
        EXPECT_EQ(house.mine("/UserItems/" + id + "/UserData"), said) << list;
        EXPECT_EQ(house.as(house.token, del, "/Users/" + house.ann + "/FavoriteItems/" + id).status, 200) << list;
        EXPECT_EQ(house.data_in(list).at("IsFavorite"), false) << list;
        EXPECT_FALSE(house.mine(list + "?enableUserData=false").at("Items").at(0).as_object().contains("UserData"))
            << list;
    }
    for (const std::string one :
         {"/Genres/Drama,%20slow", "/Studios/Foam%20%26%20Co", "/Artists/Guest", "/Years/1999", "/Persons/Ann%20Lee"})
        EXPECT_EQ(house.mine(one).at("UserData").at("IsFavorite"), false) << one;
    EXPECT_FALSE(house.asked("/Genres?userId=").at("Items").at(0).as_object().contains("UserData")) << "nobody's";
}

TEST(Favourites, of_an_artist_that_is_an_item_are_the_items) {
    Favourites house;
    const auto name = store::name_id(store::NameKind::artist, "the piers").str();
    const auto said = json::parse(house.as(house.token, post, "/UserFavoriteItems/" + name).body);
    EXPECT_EQ(said.at("ItemId"), json::string(std::string(32, '6')));
    EXPECT_EQ(house.data_in("/Artists", 1).at("IsFavorite"), true);
    EXPECT_EQ(house.mine("/Items/" + std::string(32, '6')).at("UserData").at("IsFavorite"), true);
}

TEST(Favourites, have_ratings_and_marks_as_items_do) {
    Favourites house;
    const auto id = house.id_in("/Genres");
    EXPECT_EQ(house.as(house.token, post, "/UserItems/" + id + "/Rating?likes=true").status, 200);
    EXPECT_EQ(house.data_in("/Genres").at("Likes"), true);
    EXPECT_EQ(house.as(house.token, post, "/UserItems/" + id + "/UserData", R"({"Rating":3.5,"PlayCount":2})").status,
              200);
    EXPECT_EQ(house.data_in("/Genres").at("Rating"), 3.5);
    EXPECT_EQ(house.as(house.token, post, "/UserPlayedItems/" + id).status, 200);
    EXPECT_EQ(house.data_in("/Genres").at("Played"), true) << "the genre itself, nothing that has it";
    EXPECT_EQ(house.user_data.rows.size(), 1U);
}

TEST(Favourites, are_what_lists_of_names_are_narrowed_by) {
    Favourites house;
    for (const std::string word : {"isFavorite=true", "filters=IsFavorite"}) {
        (void)house.mine("/Genres?" + word);
        EXPECT_EQ(house.named.last_query.favourite, true) << word;
        EXPECT_EQ(house.named.last_query.items.user.str(), house.ann) << word;
        EXPECT_EQ(house.mine("/Years?" + word).at("TotalRecordCount"), 0) << word;
    }
    EXPECT_EQ(house.as(house.token, post, "/UserFavoriteItems/" + house.id_in("/Years")).status, 200);
    EXPECT_EQ(house.mine("/Years?isFavorite=true").at("TotalRecordCount"), 1);
    EXPECT_EQ(house.mine("/Years?isFavorite=false").at("TotalRecordCount"), 0);
}

TEST(Favourites, narrow_the_people_of_one_item_too) {
    Favourites house;
    const std::string cast = "/Persons?appearsInItemId=" + std::string(32, '1');
    ASSERT_EQ(house.mine(cast).at("TotalRecordCount"), 2);
    EXPECT_EQ(house.mine(cast + "&isFavorite=true").at("TotalRecordCount"), 0);
    EXPECT_EQ(house.mine(cast + "&isFavorite=false").at("TotalRecordCount"), 2);
    const auto liked = std::string(house.mine(cast).at("Items").at(1).at("Id").as_string());
    EXPECT_EQ(house.as(house.token, post, "/UserFavoriteItems/" + liked).status, 200);
    for (const std::string word : {"&isFavorite=true", "&filters=IsFavorite", "&isFavorite=true&limit=1"}) {
        const auto found = house.mine(cast + word).at("Items").as_array();
        ASSERT_EQ(found.size(), 1U) << word;
        EXPECT_EQ(found[0].at("Id"), json::string(liked)) << word;
    }
}

TEST(ClosedLibraries, hide_names_and_people_from_those_who_would_like_them) {
    Favourites house;
    const auto id = house.add("Kid", "toy");
    const auto kid = house.log_in("Kid", "toy");
    ASSERT_EQ(house
                  .post("/Users/" + id + "/Policy",
                        R"({"EnableAllFolders":false,"EnabledFolders":[")" + house.shows.id.str() + "\"]}")
                  .status,
              204);
    for (const std::string list : {"/Genres", "/MusicGenres", "/Studios", "/Artists", "/Years", "/Persons"}) {
        const auto name = house.id_in(list);
        EXPECT_EQ(house.as(kid, post, "/UserFavoriteItems/" + name).status, 404) << list;
        EXPECT_EQ(house.as(kid, get, "/UserItems/" + name + "/UserData").status, 404) << list;
        EXPECT_EQ(house.as(kid, post, "/UserItems/" + name + "/Rating?likes=true").status, 404) << list;
    }
    EXPECT_EQ(house.as(house.token, post, "/UserFavoriteItems/" + std::string(32, '0') + "").status, 404);
    EXPECT_TRUE(house.user_data.rows.empty());
}

}  // namespace
}  // namespace understudy::http
