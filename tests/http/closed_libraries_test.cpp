// What a user to whom a library is closed learns of it through collections, playlists, counts, marks and people:
// nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/login_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::get;
using ::testing::HasSubstr;
using testing::id_of;
using testing::LoginHouse;
using testing::post;

const std::string the_film(32, '1'), the_series(32, '2'), the_episode(32, '4');

json::value parsed(const Response& response) {
    EXPECT_EQ(response.status, 200) << response.body;
    return json::parse(response.body);
}

/// Kid sees Shows (b) alone. The collection and Ann's public playlist hold the film (1), which is closed to Kid, and of
/// Shows the series (2) and its episode (4); closed too is the album (6) of music.
struct ClosedHouse : LoginHouse {
    ClosedHouse() {
        catalog.rows.push_back(listed('6', model::ItemKind::album, "Coast", id_of<core::LibraryId>('c')));
        const auto id = add("Kid", "toy");
        (void)add("Ann", "sea");
        kid = log_in("Kid", "toy");
        ann = log_in("Ann", "sea");
        EXPECT_EQ(post("/Users/" + id + "/Policy",
                       R"({"EnableAllFolders":false,"EnabledFolders":[")" + shows.id.str() + "\"]}")
                      .status,
                  204);
        collection = made(post("/Collections?name=Sea&ids=" + the_film + "," + the_series));
        playlist = made(as(ann, Method::post, "/Playlists?name=Shared&ids=" + the_film + "," + the_episode));
    }
    std::string made(const Response& answer) { return std::string(parsed(answer).at("Id").as_string()); }
    json::value as_kid(const std::string& target) { return parsed(as(kid, Method::get, target)); }
    std::string items_of(const std::string& list) {
        return json::serialize(as_kid("/Playlists/" + list).at("ItemIds"));
    }

    std::string kid, ann, collection, playlist;
};

std::string ids(const std::string& one) {
    return "[\"" + one + "\"]";
}

TEST(ClosedLibraries, do_not_come_into_a_playlist_by_way_of_what_holds_their_items) {
    ClosedHouse house;
    const auto body = R"({"Name":"s","IsPublic":false,"Ids":[")" + house.collection + "\"]}";
    EXPECT_EQ(house.items_of(house.made(house.as(house.kid, post, "/Playlists", body))), ids(the_episode));
    const auto mine = house.made(house.as(house.kid, post, "/Playlists?name=t&ids=" + house.playlist));
    EXPECT_EQ(house.items_of(mine), ids(the_episode)) << "nor from a public playlist";
    EXPECT_EQ(house.as(house.kid, post, "/Playlists/" + mine, R"({"Ids":[]})").status, 204);
    EXPECT_EQ(house.as(house.kid, post, "/Playlists/" + mine + "/Items?ids=" + house.collection).status, 204);
    EXPECT_EQ(house.items_of(mine), ids(the_episode));
    const auto kept = house.collections.rows.at(*core::ItemId::parse(mine)).members.size();
    EXPECT_EQ(kept, 1U) << "not only unseen, but not there";
    const auto whole = house.made(house.as(house.ann, post, "/Playlists?name=u&ids=" + house.collection));
    EXPECT_EQ(house.collections.rows.at(*core::ItemId::parse(whole)).members.size(), 2U)
        << "for whom nothing is closed";
}

TEST(ClosedLibraries, of_a_policy_may_be_gone_and_open_nothing) {
    // Clients send the whole policy back, with libraries that were removed since: to refuse those would leave a user
    // nobody can edit.
    ClosedHouse house;
    const auto id = house.add("Tot", "dot");
    const std::string gone(32, 'e');
    EXPECT_EQ(house.post("/Users/" + id + "/Policy", R"({"EnableAllFolders":false,"EnabledFolders":[")" + gone + "\"]}")
                  .status,
              204);
    EXPECT_EQ(parsed(house.get("/Users/" + id)).at("Policy").at("EnabledFolders"), json::parse(ids(gone)));
    const auto tot = house.log_in("Tot", "dot");
    for (const auto& library : {house.films.id, house.shows.id})
        EXPECT_EQ(house.as(tot, Method::get, "/Items?parentId=" + library.str()).status, 404);
}

TEST(ClosedLibraries, are_neither_named_nor_counted_in_collections_and_playlists) {
    ClosedHouse house;
    EXPECT_EQ(house.items_of(house.playlist), ids(the_episode));
    for (const auto& target : {"/Playlists/" + house.playlist + "/Items", "/Items?parentId=" + house.playlist,
                               "/Items?parentId=" + house.collection}) {
        const std::string more = target.find('?') == std::string::npos ? "?" : "&";
        EXPECT_EQ(house.as_kid(target).at("TotalRecordCount"), 1) << target;
        EXPECT_EQ(house.as_kid(target).at("Items").as_array().size(), 1U) << target;
        EXPECT_EQ(house.as_kid(target + more + "limit=0").at("TotalRecordCount"), 1) << target;
        EXPECT_EQ(house.as_kid(target + more + "limit=1").at("Items").as_array().size(), 1U) << target;
        EXPECT_EQ(house.as_kid(target + more + "startIndex=1").at("Items").as_array().size(), 0U) << target;
        EXPECT_EQ(parsed(house.as(house.ann, get, target)).at("TotalRecordCount"), 2) << target;
    }
    const auto set = house.as_kid("/Items/" + house.collection);
    EXPECT_EQ(set.at("UserData").at("UnplayedItemCount"), 1);
    EXPECT_EQ(parsed(house.as(house.ann, get, "/Items/" + house.collection)).at("UserData").at("UnplayedItemCount"), 2);
    EXPECT_EQ(house.as_kid("/UserItems/" + house.playlist + "/UserData").at("UnplayedItemCount"), 1);
}

TEST(ClosedLibraries, are_not_marked_with_a_collection) {
    ClosedHouse house;
    EXPECT_EQ(parsed(house.as(house.kid, post, "/UserPlayedItems/" + house.collection)).at("Played"), true);
    ASSERT_EQ(house.user_data.rows.size(), 1U);
    EXPECT_EQ(house.user_data.rows.begin()->first.second.str(), the_episode);
    EXPECT_EQ(house.as(house.kid, Method::del, "/UserPlayedItems/" + house.collection).status, 200);
    EXPECT_EQ(house.user_data.rows.size(), 1U);
}

TEST(ClosedLibraries, are_as_unknown_as_an_id_that_is_none) {
    ClosedHouse house;
    for (const auto& id : {the_film, std::string(32, '6'), house.films.id.str(), std::string(32, 'e')}) {
        for (const auto* more : {"", "&recursive=true", "&limit=0"}) {
            const auto answer = house.as(house.kid, get, "/Items?parentId=" + id + more);
            EXPECT_EQ(answer.status, 404) << id << more;
            EXPECT_THAT(answer.body, HasSubstr("There is no item " + id));
        }
    }
    EXPECT_EQ(house.as_kid("/Items?parentId=" + the_episode).at("TotalRecordCount"), 0) << "there, and empty";
    EXPECT_EQ(parsed(house.as(house.ann, get, "/Items?parentId=" + the_film)).at("TotalRecordCount"), 0);
}

TEST(ClosedLibraries, hide_who_made_only_what_is_in_them) {
    ClosedHouse house;
    house.people.library_of[id_of<core::ItemId>('1')] = house.films.id;
    EXPECT_EQ(house.as_kid("/Persons").at("Items").as_array().size(), 0U);
    EXPECT_EQ(house.as_kid("/Persons?appearsInItemId=" + the_film).at("Items").as_array().size(), 0U);
    EXPECT_EQ(house.as(house.kid, get, "/Persons/Ann%20Lee").status, 404);
    EXPECT_EQ(house.as(house.kid, get, "/Items/" + std::string(32, 'd')).status, 404);
    EXPECT_EQ(parsed(house.as(house.ann, get, "/Persons")).at("Items").as_array().size(), 2U);
    EXPECT_EQ(parsed(house.as(house.ann, get, "/Persons?appearsInItemId=" + the_film)).at("Items").as_array().size(),
              2U);
    house.people.by_item[id_of<core::ItemId>('2')].push_back(house.people.by_item[id_of<core::ItemId>('1')].at(0));
    house.people.library_of[id_of<core::ItemId>('2')] = house.shows.id;
    EXPECT_EQ(json::serialize(house.as_kid("/Persons")), json::serialize(house.as_kid("/Persons?searchTerm=bo")));
    EXPECT_EQ(house.as_kid("/Persons").at("Items").at(0).at("Name"), "Bo Lee") << "did something that is open too";
}

TEST(CanDelete, says_what_the_caller_may_remove) {
    ClosedHouse house;
    store::Collection found;
    found.id = id_of<core::ItemId>('f');
    found.name = "Found";
    found.origin = "/m/shows/found.m3u";
    (void)house.collections.create(found, {id_of<core::ItemId>('4')});
    const auto own = house.made(house.as(house.kid, post, "/Playlists?name=own&ids=" + the_episode));
    (void)house.add("Root", "top", true);
    const auto root = house.log_in("Root", "top");
    struct Row {
        const std::string& token;
        const std::string& id;
        bool may;
        int status;
    };
    const auto from_file = found.id.str();
    const Row rows[] = {{house.kid, house.collection, false, 403}, {house.kid, house.playlist, false, 403},
                        {house.kid, from_file, false, 403},        {root, from_file, false, 409},
                        {root, the_episode, false, 403},           {house.kid, own, true, 204},
                        {root, house.collection, true, 204},       {house.ann, house.playlist, true, 204}};
    for (const auto& row : rows) {
        const auto said = parsed(house.as(row.token, get, "/Items/" + row.id));
        EXPECT_EQ(said.at("CanDelete"), row.may) << row.id;
        const auto list = parsed(house.as(row.token, get, "/Items?fields=CanDelete&ids=" + row.id));
        EXPECT_EQ(list.at("Items").at(0).at("CanDelete"), row.may) << row.id;
        EXPECT_EQ(house.as(row.token, Method::del, "/Items/" + row.id).status, row.status) << row.id;
    }
}

}  // namespace
}  // namespace understudy::http
