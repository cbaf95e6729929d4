// /Collections, /Playlists, and what may be changed of /Items/{id}.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/shelf.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using testing::id_of;
using testing::parsed;
using testing::Shelf;

using Names = std::vector<std::string>;

std::string hex(char digit) {
    return std::string(32, digit);
}
/// One user, Ann (a). Items: 1 a film; 2 a series, 3 its season, 4 its episode; 5 a track.
struct Living : Shelf {
    Living() { users.rows.push_back({id_of<core::UserId>('a'), "Ann", {}}); }

    std::string made(const Response& answer) {
        EXPECT_EQ(answer.status, 200) << answer.body;
        return std::string(parsed(answer).at("Id").as_string());
    }
    std::string collection(const std::string& query) { return made(post("/Collections?" + query)); }
    std::string playlist(const std::string& query) { return made(post("/Playlists?" + query)); }
    std::string from_file(model::ItemKind kind, const char* origin) {
        store::Collection found;
        found.id = id_of<core::ItemId>('f');
        found.kind = kind;
        found.name = "Found";
        found.origin = origin;
        (void)collections.create(found, {id_of<core::ItemId>('1')});
        return found.id.str();
    }
    Names entries(const std::string& id, const std::string& query = {}) {
        Names found;
        const auto page = parsed(get("/Playlists/" + id + "/Items?" + query));
        for (const auto& item : page.at("Items").as_array()) found.emplace_back(item.at("Name").as_string());
        return found;
    }
    /// PlaylistItemId of the nth entry.
    std::string entry(const std::string& id, std::size_t n) {
        const auto page = parsed(get("/Playlists/" + id + "/Items"));
        return std::string(page.at("Items").as_array().at(n).at("PlaylistItemId").as_string());
    }
    Response del(const std::string& target) { return ask(Method::del, target); }
};

TEST(Collections, are_made_filled_emptied_and_removed) {
    Living house;
    const auto id = house.collection("Name=Sea&ids=" + hex('2') + "," + hex('1') + "&isLocked=true");
    EXPECT_EQ(house.names("parentId=" + id), (Names{"Harbour", "Tide \"Pool\""})) << "in the collection's order";
    EXPECT_EQ(house.names("recursive=true&includeItemTypes=BoxSet"), Names{"Sea"});
    EXPECT_EQ(house.post("/Collections/" + id + "/Items?ids=" + hex('5') + "&ids=" + hex('4')).status, 204);
    EXPECT_EQ(house.names("parentId=" + id).size(), 4U);
    EXPECT_EQ(house.del("/Collections/" + id + "/Items?ids=" + hex('2') + "," + hex('9')).status, 204);
    EXPECT_EQ(house.names("parentId=" + id), (Names{"Tide \"Pool\"", "Swell", "Fog"}));
    EXPECT_EQ(house.del("/Items/" + id).status, 204);
    EXPECT_EQ(house.del("/Items/" + id).status, 404);
    EXPECT_EQ(house.get("/Items?parentId=" + id).status, 404);
    Names changes;
    for (const auto& [kind, payload] : house.events.published) {
        EXPECT_EQ(kind, "library.changed");
        EXPECT_EQ(std::string(json::parse(payload).at("item").as_string()), id);
        changes.emplace_back(json::parse(payload).at("change").as_string());
    }
    EXPECT_EQ(changes, (Names{"added", "updated", "updated", "removed"}));
}

TEST(Collections, refuse_what_they_cannot_hold_and_say_why) {
    Living house;
    const auto id = house.collection("name=Sea");
    const auto list = house.playlist("name=Songs");
    struct Row {
        Method method;
        std::string target;
        int status;
        const char* says;
    };
    const Row rows[] = {
        {Method::post, "/Collections", 400, "name: missing"},
        {Method::post, "/Collections?name=%07", 400, "control characters"},
        {Method::post, "/Collections?name=x&isLocked=2", 400, "isLocked"},
        {Method::post, "/Collections?name=x&ids=zz", 400, "ids: 'zz' is no id"},
        {Method::post, "/Collections?name=x&ids=" + hex('1') + "," + hex('9'), 404, "There is no item 9999"},
        {Method::post, "/Collections/" + id + "/Items", 400, "ids: missing"},
        {Method::post, "/Collections/" + id + "/Items?ids=" + id, 400, "ids: 'it' cannot hold itself"},
        {Method::post, "/Collections/" + id + "/Items?ids=" + hex('9'), 404, "There is no item 9999"},
        {Method::del, "/Collections/" + id + "/Items?ids=", 400, "ids: missing"},
        {Method::post, "/Collections/" + hex('9') + "/Items?ids=" + hex('1'), 404, "There is no collection 9999"},
        {Method::post, "/Collections/x/Items?ids=" + hex('1'), 400, "id: 'x' is no id"},
        {Method::del, "/Items?ids=x", 400, "ids: 'x' is no id"},
        {Method::post, "/Collections/" + list + "/Items?ids=" + hex('1'), 404, "There is no collection"},
        {Method::get, "/Playlists/" + id, 404, "There is no playlist"},
    };
    for (const auto& row : rows) {
        const auto answer = house.ask(row.method, row.target);
        EXPECT_EQ(answer.status, row.status) << row.target;
        EXPECT_THAT(answer.body, HasSubstr(row.says)) << row.target;
    }
    EXPECT_EQ(house.collections.rows.size(), 2U);
}

TEST(Collections, no_request_deletes_or_renames_what_comes_from_files) {
    Living house;
    const auto film = house.del("/Items/" + hex('1'));
    EXPECT_EQ(film.status, 403);
    EXPECT_THAT(film.body, HasSubstr("never deletes files"));
    EXPECT_EQ(house.post("/Items/" + hex('1'), R"({"Name":"Other"})").status, 403);
    const auto library = house.del("/Items/" + hex('a'));
    EXPECT_EQ(library.status, 403);
    EXPECT_THAT(library.body, HasSubstr("DELETE /Library/VirtualFolders"));
    EXPECT_EQ(house.del("/Items/" + hex('9')).status, 404);
    const auto id = house.collection("name=Sea");
    EXPECT_EQ(house.del("/Items?ids=" + id + "," + hex('1')).status, 403);
    EXPECT_EQ(house.collections.rows.size(), 1U) << "all are looked at before the first one goes";
    EXPECT_EQ(house.del("/Items").status, 400);
    EXPECT_EQ(house.del("/Items?ids=" + id).status, 204);
    EXPECT_TRUE(house.collections.rows.empty());
}

TEST(Collections, are_renamed) {
    Living house;
    const auto id = house.collection("name=Sea");
    EXPECT_EQ(house.post("/Items/" + id, R"({"Name":"Shore","Overview":"not kept"})").status, 204);
    EXPECT_EQ(house.collections.rows.at(*core::ItemId::parse(id)).collection.name, "Shore");
    EXPECT_EQ(house.post("/Items/" + id, "{}").status, 400);
    EXPECT_EQ(house.post("/Items/" + hex('9'), R"({"Name":"x"})").status, 404);
}

TEST(Collections, show_members_as_asked_and_leave_out_what_is_gone) {
    Living house;
    const auto id = house.collection("name=Sea&ids=" + hex('5') + "," + hex('4') + "," + hex('2') + "," + hex('1'));
    const auto list = "parentId=" + id;
    EXPECT_EQ(house.names(list + "&startIndex=1&limit=2"), (Names{"Fog", "Harbour"})) << "an offline one stays";
    EXPECT_EQ(house.names(list + "&includeItemTypes=Movie,Audio"), (Names{"Swell", "Tide \"Pool\""}));
    EXPECT_EQ(house.names(list + "&searchTerm=o"), (Names{"Fog", "Harbour", "Tide \"Pool\""}));
    EXPECT_EQ(house.names(list + "&ids=" + hex('1') + "," + hex('3')), Names{"Tide \"Pool\""});
    EXPECT_EQ(house.names(list + "&ids=" + hex('3')), Names{});
    EXPECT_EQ(house.names(list + "&sortBy=SortName").size(), 4U);
    EXPECT_EQ(house.catalog.last_query.ids.size(), 4U) << "the catalogue sorts";
    EXPECT_EQ(house.names(list + "&startIndex=9"), Names{});
    EXPECT_EQ(parsed(house.get("/Items?limit=0&" + list)).at("TotalRecordCount"), 4);
    for (auto& member : house.collections.rows.at(*core::ItemId::parse(id)).members) {
        if (member.item == id_of<core::ItemId>('4')) member.there = false;
    }
    const auto page = parsed(house.get("/Items?" + list));
    EXPECT_EQ(page.at("TotalRecordCount"), 3);
    EXPECT_EQ(house.names("parentId=" + house.collection("name=Empty")), Names{});
}

TEST(Collections, are_the_items_of_a_library_of_their_own) {
    Living house;
    house.collection("name=Sea");
    EXPECT_EQ(house.names("parentId=" + store::collections_library.str()), Names{"Sea"});
}

TEST(Playlists, are_made_from_a_body_or_a_query) {
    Living house;
    const auto answer =
        house.post("/Playlists", R"({"Name":"Songs","Ids":[")" + hex('5') + R"("],"UserId":")" + hex('a') +
                                     R"(","MediaType":"Audio","Users":[],"IsPublic":false})");
    const auto id = house.made(answer);
    EXPECT_EQ(answer.body, "{\"Id\":\"" + id + "\"}");
    const auto& made = house.collections.rows.at(*core::ItemId::parse(id)).collection;
    EXPECT_EQ(made.owner, id_of<core::UserId>('a'));
    EXPECT_FALSE(made.is_public);
    EXPECT_EQ(house.get("/Playlists/" + id).body,
              R"({"OpenAccess":false,"Shares":[],"ItemIds":["55555555555555555555555555555555"]})");
    const auto other = house.playlist("name=More&ids=" + hex('1') + "," + hex('5') + "&userId=" + hex('a'));
    EXPECT_EQ(house.entries(other), (Names{"Tide \"Pool\"", "Swell"}));
    EXPECT_EQ(house.names("recursive=true&includeItemTypes=Playlist"), (Names{"Songs", "More"}));
    struct Row {
        const char* body;
        int status;
        const char* says;
    };
    const Row rows[] = {
        {"{}", 400, "Name: missing"},
        {R"({"Name":"x","Ids":"5"})", 400, "Ids: "},
        {R"({"Name":"x","Ids":["99999999999999999999999999999999"]})", 404, "There is no item 9999"},
        {R"({"Name":"x","UserId":"99999999999999999999999999999999"})", 404, "There is no user 9999"},
        {R"({"Name":"x","Users":[{"UserId":"aa","CanEdit":true}]})", 400, "cannot be shared with single users yet"},
        {R"({"Name":"x")", 400, "no valid JSON"},
    };
    for (const auto& row : rows) {
        const auto refused = house.post("/Playlists", row.body);
        EXPECT_EQ(refused.status, row.status) << row.body;
        EXPECT_THAT(refused.body, HasSubstr(row.says)) << row.body;
    }
}

TEST(Playlists, take_what_can_be_played_of_a_folder) {
    Living house;
    const auto id = house.playlist("name=Evening&ids=" + hex('2') + "," + hex('5'));
    EXPECT_EQ(house.entries(id), (Names{"Fog", "Swell"}));
    const auto sea = house.collection("name=Sea&ids=" + hex('1') + "," + hex('3'));
    EXPECT_EQ(house.post("/Playlists/" + id + "/Items?position=1&ids=" + sea + "&userId=" + hex('a')).status, 204);
    EXPECT_EQ(house.entries(id).size(), 4U);
    EXPECT_EQ(house.entries(id).front(), "Fog");
    EXPECT_EQ(house.entries(id).back(), "Swell");
}

TEST(Playlists, show_pages_of_entries_also_of_an_item_that_stands_there_twice) {
    Living house;
    const auto id = house.playlist("name=L&ids=" + hex('5') + "," + hex('1') + "," + hex('5'));
    EXPECT_EQ(house.entries(id), (Names{"Swell", "Tide \"Pool\"", "Swell"}));
    EXPECT_NE(house.entry(id, 0), house.entry(id, 2));
    const auto page = parsed(house.get("/Playlists/" + id + "/Items?startIndex=1&limit=1&userId=" + hex('a')));
    EXPECT_EQ(page.at("TotalRecordCount"), 3);
    EXPECT_EQ(page.at("StartIndex"), 1);
    ASSERT_EQ(page.at("Items").as_array().size(), 1U);
    EXPECT_EQ(page.at("Items").at(0).at("UserData").at("Played"), false);
    EXPECT_EQ(house.names("parentId=" + id).size(), 3U) << "the same by /Items";
    EXPECT_EQ(house.get("/Playlists/" + id + "/Items?limit=-1").status, 400);
    EXPECT_EQ(house.get("/Playlists/" + hex('9') + "/Items").status, 404);
}

TEST(Playlists, entries_move_and_go) {
    Living house;
    const auto id = house.playlist("name=L&ids=" + hex('5') + "," + hex('1') + "," + hex('4'));
    const auto move = "/Playlists/" + id + "/Items/" + house.entry(id, 0) + "/Move/";
    EXPECT_EQ(house.post(move + "1").status, 204);
    EXPECT_EQ(house.entries(id), (Names{"Tide \"Pool\"", "Swell", "Fog"}));
    EXPECT_EQ(house.post(move + "99").status, 204);
    EXPECT_EQ(house.entries(id).back(), "Swell");
    EXPECT_EQ(house.post(move + "-1").status, 400);
    EXPECT_EQ(house.post(move + "x").status, 400);
    EXPECT_EQ(house.post("/Playlists/" + id + "/Items/" + hex('5') + "/Move/0").status, 404) << "an item is no entry";
    EXPECT_EQ(house.post("/Playlists/" + id + "/Items/x/Move/0").status, 400);
    const auto gone = house.entry(id, 0) + "," + house.entry(id, 1);
    EXPECT_EQ(house.del("/Playlists/" + id + "/Items?EntryIds=" + gone).status, 204);
    EXPECT_EQ(house.entries(id), Names{"Swell"});
    EXPECT_EQ(house.del("/Playlists/" + id + "/Items?entryIds=" + gone).status, 204) << "gone already";
    EXPECT_EQ(house.del("/Playlists/" + id + "/Items").status, 400);
    EXPECT_EQ(house.post("/Playlists/" + id + "/Items").status, 400);
    EXPECT_EQ(house.post("/Playlists/" + id + "/Items?position=-1&ids=" + hex('1')).status, 400);
    EXPECT_EQ(house.post("/Playlists/" + id + "/Items?ids=" + hex('9')).status, 404);
}

TEST(Playlists, are_changed_as_far_as_it_is_said) {
    Living house;
    const auto id = house.playlist("name=L&ids=" + hex('5'));
    const auto target = "/Playlists/" + id;
    EXPECT_EQ(house.post(target, R"({"Name":"M","IsPublic":false})").status, 204);
    EXPECT_EQ(house.entries(id), Names{"Swell"});
    EXPECT_EQ(house.post(target, R"({"Ids":[")" + hex('1') + R"(",")" + hex('5') + R"("]})").status, 204);
    EXPECT_EQ(house.entries(id), (Names{"Tide \"Pool\"", "Swell"}));
    const auto& now = house.collections.rows.at(*core::ItemId::parse(id)).collection;
    EXPECT_EQ(now.name, "M");
    EXPECT_FALSE(now.is_public);
    EXPECT_EQ(house.post(target, R"({"Ids":[]})").status, 204);
    EXPECT_EQ(house.entries(id), Names{});
    EXPECT_EQ(house.post(target, R"({"Name":" "})").status, 400);
    EXPECT_EQ(house.post(target, R"({"Users":[{"UserId":"a"}]})").status, 400);
    EXPECT_EQ(house.post(target, R"({"Ids":["99999999999999999999999999999999"]})").status, 404);
    const auto half = house.post(target, R"({"Ids":[")" + hex('1') + R"(","zz"]})");
    EXPECT_EQ(half.status, 400) << "what cannot be read must not fall out of the list";
    EXPECT_NE(half.body.find("'zz' is no id"), std::string::npos) << half.body;
    EXPECT_EQ(house.post("/Playlists/" + hex('9'), "{}").status, 404);
}

TEST(Playlists, made_from_a_file_follow_the_file_alone) {
    Living house;
    const auto id = house.from_file(model::ItemKind::playlist, "/m/music/best.m3u");
    const auto target = "/Playlists/" + id;
    struct Row {
        Method method;
        std::string target, body;
    };
    const Row rows[] = {
        {Method::post, target, R"({"Name":"x"})"},
        {Method::post, target, R"({"Ids":[]})"},
        {Method::post, target + "/Items?ids=" + hex('1'), ""},
        {Method::del, target + "/Items?entryIds=" + house.entry(id, 0), ""},
        {Method::post, target + "/Items/" + house.entry(id, 0) + "/Move/0", ""},
        {Method::del, "/Items/" + id, ""},
        {Method::post, "/Items/" + id, R"({"Name":"x"})"},
    };
    for (const auto& row : rows) {
        const auto answer = house.ask(row.method, row.target, row.body);
        EXPECT_EQ(answer.status, 409) << row.target;
        EXPECT_THAT(answer.body, HasSubstr("/m/music/best.m3u")) << row.target;
    }
    EXPECT_EQ(house.post(target, R"({"IsPublic":false})").status, 204) << "who sees it is not the file's to say";
    EXPECT_EQ(house.entries(id).size(), 1U);
}

TEST(Collections, of_a_set_that_nfo_files_name_follow_those) {
    Living house;
    const auto id = house.from_file(model::ItemKind::box_set, "set:The Sea");
    for (const auto method : {Method::post, Method::del}) {
        const auto answer = house.ask(method, "/Collections/" + id + "/Items?ids=" + hex('1'));
        EXPECT_EQ(answer.status, 409);
        EXPECT_THAT(answer.body, HasSubstr("'The Sea'"));
    }
}

TEST(Playlists, say_who_may_edit_them) {
    Living house;
    house.users.rows.push_back({id_of<core::UserId>('b'), "Bo", {}});
    const auto id = house.playlist("name=L&userId=" + hex('a'));
    const auto target = "/Playlists/" + id + "/Users";
    EXPECT_EQ(house.get(target).body, "[]");
    EXPECT_EQ(house.get(target + "/" + hex('a')).body, "{\"UserId\":\"" + hex('a') + "\",\"CanEdit\":true}");
    EXPECT_EQ(house.get(target + "/" + hex('b')).body, "{\"UserId\":\"" + hex('b') + "\",\"CanEdit\":false}");
    EXPECT_EQ(house.get(target + "/" + hex('c')).status, 404);
    house.post("/Playlists/" + id, R"({"IsPublic":false})");
    EXPECT_EQ(house.get(target + "/" + hex('b')).status, 404);
    EXPECT_EQ(house.get("/Playlists/" + hex('9') + "/Users").status, 404);
    EXPECT_EQ(house.post("/Playlists?name=whose").status, 400) << "two users, none named";
}

TEST(Collections, need_an_administrator_and_playlists_a_user) {
    Living house;
    struct Row {
        Method method;
        std::string target;
        int guests;
    };
    const auto nothing = hex('9');
    const Row rows[] = {
        {Method::post, "/Collections?name=x", 403},
        {Method::post, "/Collections/" + nothing + "/Items?ids=" + nothing, 403},
        {Method::del, "/Collections/" + nothing + "/Items?ids=" + nothing, 403},
        {Method::post, "/Items/" + nothing, 403},
        {Method::get, "/Users", 200},
        {Method::get, "/Playlists/" + nothing, 404},
        {Method::get, "/Playlists/" + nothing + "/Items", 404},
    };
    for (const auto& row : rows) {
        Request request;
        request.method = row.method;
        request.target = row.target;
        EXPECT_EQ(house.ask(request).status, 401) << row.target;
        request.headers = {{"X-Emby-Token", testing::guest_key}};
        EXPECT_EQ(house.ask(request).status, row.guests) << row.target;
    }
}

}  // namespace
}  // namespace understudy::http
