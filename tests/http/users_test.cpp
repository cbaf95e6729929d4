// /Users, and what each of them did with items.
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

/// Where two people watch. Items: 1 a film of 90 minutes; 2 a series, 3 its season, 4 its episode; 5 a track.
struct Household : Shelf {
    Household() {
        add("Ann", 'a');
        add("Bo", 'b');
    }
    void add(const char* name, char digit) {
        users.rows.push_back({id_of<core::UserId>(digit), name, core::from_unix_ms(1'796'032'000'000)});
    }
    static std::string hex(char digit) { return std::string(32, digit); }
    static std::string as(char user) { return "userId=" + hex(user); }
    json::object data(char item, char user = 'a') {
        return parsed(get("/UserItems/" + hex(item) + "/UserData?" + as(user))).as_object();
    }
};

TEST(Users, are_listed_shown_added_and_removed) {
    Shelf house;
    EXPECT_EQ(house.get("/Users").body, "[]");
    const auto added = house.post("/Users/New", R"({"name":" Ann "})");
    ASSERT_EQ(added.status, 200) << added.body;
    const auto user = parsed(added);
    EXPECT_EQ(user.at("Name"), "Ann");
    EXPECT_EQ(user.at("HasPassword"), false);
    EXPECT_EQ(user.at("Policy").at("EnableMediaPlayback"), true);
    EXPECT_EQ(user.at("Policy").at("LoginAttemptsBeforeLockout"), -1);
    EXPECT_EQ(user.at("Configuration").at("SubtitleMode"), "Default");
    const std::string id(user.at("Id").as_string());
    EXPECT_EQ(parsed(house.get("/users/" + id)), user);
    EXPECT_EQ(parsed(house.get("/Users")).as_array().size(), 1U);
    EXPECT_EQ(house.get("/Users?isDisabled=true").body, "[]");
    EXPECT_EQ(house.get("/Users?isHidden=maybe").status, 400);
    EXPECT_EQ(house.ask(Method::del, "/Users/" + id).status, 204);
    EXPECT_EQ(house.ask(Method::del, "/Users/" + id).status, 404);
    EXPECT_EQ(house.get("/Users/" + id).status, 404);
    EXPECT_EQ(house.get("/Users/nonsense").status, 400);
}

TEST(Users, need_a_name_that_nobody_has_in_any_case) {
    Household house;
    struct Row {
        std::string body;
        int status;
        const char* says;
    };
    const Row rows[] = {
        {"", 400, "Name: missing"},
        {R"({"Name":"  "})", 400, "Name: missing"},
        {R"({"Name":7})", 400, "Name: 7 is not valid"},
        {R"({"Name":"a\u0007b"})", 400, "without control characters"},
        {R"({"Name":")" + std::string(201, 'x') + "\"}", 400, "at most 200 bytes"},
        {R"({"Name":"Cy","Password":7})", 400, "Password: 7 is not valid"},
        {R"({"Name":"Cy","Password":")" + std::string(1'025, 'x') + "\"}", 400, "Password: at most 1024 bytes"},
        {R"({"Name":"aNN"})", 409, "in use"},
        {R"({"Name":"Cy","Password":""})", 200, "Cy"},
    };
    for (const auto& row : rows) {
        const auto answer = house.post("/Users/New", row.body);
        EXPECT_EQ(answer.status, row.status) << row.body;
        EXPECT_THAT(answer.body, HasSubstr(row.says)) << row.body;
    }
    EXPECT_EQ(house.users.rows.size(), 3U);
}

TEST(Users, answer_501_where_nobody_keeps_them_and_503_where_the_database_is_away) {
    Household house;
    house.users.broken = core::Error{core::Errc::unavailable, "no database"};
    EXPECT_EQ(house.get("/Users").status, 503);
    house.services.users = {};
    EXPECT_EQ(house.get("/Users").status, 501);
    EXPECT_EQ(house.get("/Items?recursive=true&" + Household::as('a')).status, 501);
    EXPECT_EQ(house.get("/Items?recursive=true").status, 200);
}

TEST(UserData, is_of_the_user_that_is_named_or_of_the_only_one) {
    Shelf house;
    const auto target = "/UserItems/" + std::string(32, '1') + "/UserData";
    auto answer = house.get(target);
    EXPECT_EQ(answer.status, 400);
    EXPECT_THAT(answer.body, HasSubstr("understudy users add NAME"));
    house.users.rows.push_back({id_of<core::UserId>('a'), "Ann", {}});
    EXPECT_EQ(house.get(target).status, 200);
    house.users.rows.push_back({id_of<core::UserId>('b'), "Bo", {}});
    answer = house.get(target);
    EXPECT_EQ(answer.status, 400);
    EXPECT_THAT(answer.body, HasSubstr("there are 2 users; say which one"));
    EXPECT_EQ(house.get(target + "?USERID=" + std::string(32, 'B')).status, 200);
    EXPECT_EQ(house.get(target + "?userId=" + std::string(32, 'c')).status, 404);
    EXPECT_EQ(house.get(target + "?userId=me").status, 400);
    EXPECT_EQ(house.get("/UserItems/" + std::string(32, '9') + "/UserData?userId=" + std::string(32, 'a')).status, 404);
    EXPECT_EQ(house.get("/UserItems/nonsense/UserData?userId=" + std::string(32, 'a')).status, 400);
}

TEST(UserData, is_empty_for_what_nobody_touched) {
    Household house;
    EXPECT_EQ(house.get("/UserItems/" + Household::hex('1') + "/UserData?" + Household::as('a')).body,
              R"({"PlaybackPositionTicks":0,"PlayCount":0,"IsFavorite":false,"Played":false,)"
              R"("Key":"11111111111111111111111111111111","ItemId":"11111111111111111111111111111111"})");
}

TEST(UserData, changes_what_is_said_and_leaves_the_rest) {
    Household house;
    const auto target = "/UserItems/" + Household::hex('1') + "/UserData?" + Household::as('a');
    const auto answer = house.post(target, R"({"playbackPositionTicks":"13500000000","PlayCount":2,"IsFavorite":true,)"
                                           R"("Rating":7.5,"LastPlayedDate":"2026-11-30T08:00:00.5Z","Key":"x"})");
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.body,
              R"({"Rating":7.5,"PlayedPercentage":25,"PlaybackPositionTicks":13500000000,"PlayCount":2,)"
              R"("IsFavorite":true,"Likes":true,"LastPlayedDate":"2026-11-30T08:00:00.5000000Z","Played":false,)"
              R"("Key":"11111111111111111111111111111111","ItemId":"11111111111111111111111111111111"})");
    EXPECT_EQ(parsed(house.post(target, R"({"Likes":false,"Rating":null,"Played":true})")).at("Rating"), 1);
    const auto data = house.data('1');
    EXPECT_EQ(data.at("Likes"), false);
    EXPECT_EQ(data.at("Played"), true);
    EXPECT_EQ(data.at("PlayCount"), 2);
    EXPECT_EQ(house.data('1', 'b').at("Played"), false) << "another user's";
    EXPECT_EQ(house.post(target).status, 200) << "nothing said";
}

TEST(UserData, names_the_field_that_is_out_of_range) {
    Household house;
    struct Row {
        const char *body, *says;
    };
    const Row rows[] = {
        {R"({"PlaybackPositionTicks":-1})", "PlaybackPositionTicks: -1 is out of range"},
        {R"({"PlaybackPositionTicks":999999999999999999})",
         "PlaybackPositionTicks: 999999999999999999 is out of range"},
        {R"({"PlayCount":-2})", "PlayCount: -2 is out of range"},
        {R"({"PlayCount":1.5})", "PlayCount: 1.5"},
        {R"({"Rating":10.5})", "Rating: 10.5 is out of range; use 0 to 10"},
        {R"({"Rating":"good"})", "Rating: "},
        {R"({"Played":"perhaps"})", "Played: "},
        {R"({"LastPlayedDate":"yesterday"})", "LastPlayedDate: 'yesterday' is no time"},
        {"[]", "the body must be a JSON object"},
    };
    for (const auto& row : rows) {
        const auto answer =
            house.post("/UserItems/" + Household::hex('1') + "/UserData?" + Household::as('a'), row.body);
        EXPECT_EQ(answer.status, 400) << row.body;
        EXPECT_THAT(std::string(parsed(answer).at("detail").as_string()), HasSubstr(row.says));
    }
    EXPECT_TRUE(house.user_data.rows.empty());
}

TEST(UserData, a_mark_counts_once_and_a_reported_play_each_time) {
    Household house;
    const auto target = "/UserPlayedItems/" + Household::hex('1') + "?" + Household::as('a');
    house.post("/UserItems/" + Household::hex('1') + "/UserData?" + Household::as('a'),
               R"({"PlaybackPositionTicks":600000000})");
    EXPECT_EQ(parsed(house.post(target)).at("PlayCount"), 1);
    EXPECT_EQ(parsed(house.post(target)).at("PlayCount"), 1);
    auto data = house.data('1');
    EXPECT_EQ(data.at("Played"), true);
    EXPECT_EQ(data.at("PlaybackPositionTicks"), 0);
    EXPECT_EQ(data.at("LastPlayedDate"), "2026-11-30T09:59:20.0000000Z") << "the server's clock";
    const auto played = parsed(house.post(target + "&datePlayed=20261101203000"));
    EXPECT_EQ(played.at("PlayCount"), 2);
    EXPECT_EQ(played.at("LastPlayedDate"), "2026-11-01T20:30:00.0000000Z");
    EXPECT_EQ(parsed(house.post(target + "&DatePlayed=2026-11-02T20:30:00Z")).at("PlayCount"), 3);
    EXPECT_EQ(house.post(target + "&datePlayed=lately").status, 400);
    EXPECT_EQ(house.post(target + "&datePlayed=0000-01-01T00:00:00Z").status, 400);
    const auto unplayed = parsed(house.ask(Method::del, target)).as_object();
    EXPECT_EQ(unplayed.at("PlayCount"), 0);
    EXPECT_EQ(unplayed.at("Played"), false);
    EXPECT_FALSE(unplayed.contains("LastPlayedDate"));
}

TEST(UserData, marking_a_folder_marks_what_is_below_in_bounded_batches) {
    Household house;
    for (int i = 0; i < 2'500; ++i) {
        auto row = Shelf::listed('0', model::ItemKind::episode, "E", house.shows.id);
        core::IdBytes bytes{0x77};
        bytes[14] = static_cast<std::uint8_t>(i >> 8);
        bytes[15] = static_cast<std::uint8_t>(i & 0xff);
        row.item.id = core::ItemId{bytes};
        row.item.parent = id_of<core::ItemId>('3');
        house.catalog.rows.push_back(row);
    }
    const auto series = "/UserPlayedItems/" + Household::hex('2') + "?" + Household::as('a');
    const auto before = house.data('2');
    EXPECT_EQ(before.at("UnplayedItemCount"), 2'501);
    EXPECT_EQ(before.at("PlayedPercentage"), 0);
    const auto marked = parsed(house.post(series));
    EXPECT_EQ(house.user_data.batches, (std::vector<std::size_t>{1'000, 1'000, 501}));
    EXPECT_EQ(marked.at("Played"), true);
    EXPECT_EQ(marked.at("UnplayedItemCount"), 0);
    EXPECT_EQ(marked.at("PlayedPercentage"), 100);
    EXPECT_EQ(house.data('4').at("Played"), true);
    house.ask(Method::del, "/UserPlayedItems/" + Household::hex('4') + "?" + Household::as('a'));
    EXPECT_EQ(house.data('3').at("Played"), false);
    EXPECT_EQ(house.data('3').at("UnplayedItemCount"), 1);
    EXPECT_EQ(parsed(house.ask(Method::del, series)).at("UnplayedItemCount"), 2'501);
}

TEST(UserData, favourites_and_ratings_are_set_and_taken_back) {
    Household house;
    const auto favourite = "/UserFavoriteItems/" + Household::hex('2') + "?" + Household::as('a');
    EXPECT_EQ(parsed(house.post(favourite)).at("IsFavorite"), true);
    EXPECT_EQ(parsed(house.ask(Method::del, favourite)).at("IsFavorite"), false);
    const auto rating = "/UserItems/" + Household::hex('1') + "/Rating?" + Household::as('a');
    EXPECT_EQ(parsed(house.post(rating + "&likes=True")).at("Rating"), 10);
    EXPECT_EQ(parsed(house.post(rating + "&likes=false")).at("Likes"), false);
    EXPECT_EQ(house.post(rating + "&likes=much").status, 400);
    EXPECT_FALSE(parsed(house.ask(Method::del, rating)).as_object().contains("Likes"));
}

TEST(UserData, is_reached_by_the_paths_of_old_clients) {
    Household house;
    const auto user = "/Users/" + Household::hex('b');
    const auto film = Household::hex('1');
    EXPECT_EQ(parsed(house.post(user + "/FavoriteItems/" + film)).at("IsFavorite"), true);
    EXPECT_EQ(parsed(house.post(user + "/PlayedItems/" + film)).at("Played"), true);
    EXPECT_EQ(parsed(house.post(user + "/Items/" + film + "/Rating?likes=true")).at("Likes"), true);
    EXPECT_EQ(parsed(house.get(user + "/Items/" + film + "/UserData")).at("PlayCount"), 1);
    EXPECT_EQ(parsed(house.get(user + "/Items/" + film)).at("UserData").at("IsFavorite"), true);
    EXPECT_EQ(
        parsed(house.get(user + "/Items?recursive=true&ids=" + film)).at("Items").at(0).at("UserData").at("Played"),
        true);
    EXPECT_EQ(house.get(user + "/Items/Resume").status, 200);
    EXPECT_EQ(house.ask(Method::del, user + "/FavoriteItems/" + film).status, 200);
    EXPECT_EQ(house.ask(Method::del, user + "/PlayedItems/" + film).status, 200);
    EXPECT_EQ(house.ask(Method::del, user + "/Items/" + film + "/Rating").status, 200);
    EXPECT_EQ(house.post(user + "/Items/" + film + "/UserData", "{}").status, 200);
    EXPECT_EQ(house.get("/Users/" + Household::hex('9') + "/Items").status, 404);
}

TEST(UserData, comes_with_items_where_a_user_is_named_in_two_looks_a_page) {
    Household house;
    house.post("/UserPlayedItems/" + Household::hex('4') + "?" + Household::as('a'));
    house.user_data.looks = 0;
    const auto page = parsed(house.get("/Items?recursive=true&" + Household::as('a'))).at("Items").as_array();
    EXPECT_EQ(house.user_data.looks, 2);
    ASSERT_EQ(page.size(), 5U);
    EXPECT_EQ(page.at(0).at("UserData").at("Played"), false);
    EXPECT_EQ(page.at(1).at("UserData").at("UnplayedItemCount"), 0);
    EXPECT_EQ(page.at(3).at("UserData").at("Played"), true);
    for (const auto* query :
         {"recursive=true", "recursive=true&enableUserData=false&userId=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
        EXPECT_EQ(house.get("/Items?" + std::string(query)).body.find("UserData"), std::string::npos) << query;
    EXPECT_EQ(house.get("/Items?enableUserData=2").status, 400);
    const auto item = parsed(house.get("/Items/" + Household::hex('2') + "?" + Household::as('a')));
    EXPECT_EQ(item.at("UserData").at("PlayedPercentage"), 100);
    house.user_data.broken = core::Error{core::Errc::unavailable, "no database"};
    EXPECT_EQ(house.get("/Items?recursive=true&" + Household::as('a')).status, 503);
}

TEST(UserData, filters_reach_the_catalogue_with_their_user) {
    Household house;
    const auto query = [&](const std::string& text) {
        EXPECT_EQ(house.get("/Items?recursive=true&" + Household::as('b') + "&" + text).status, 200) << text;
        return house.catalog.last_query;
    };
    EXPECT_EQ(query("isPlayed=true").played, true);
    EXPECT_EQ(query("isPlayed=true").user, id_of<core::UserId>('b'));
    EXPECT_EQ(query("isFavorite=False").favourite, false);
    EXPECT_EQ(query("filters=IsUnplayed,IsFavorite").played, false);
    EXPECT_EQ(query("filters=IsUnplayed,IsFavorite").favourite, true);
    EXPECT_EQ(query("filters=isplayed&filters=IsResumable").played, true);
    EXPECT_TRUE(query("filters=IsResumable").in_progress);
    EXPECT_EQ(query("filters=IsPlayed&isPlayed=false").played, false);
    EXPECT_EQ(query("sortBy=DatePlayed,PlayCount").sort_by,
              (std::vector{store::ItemSort::date_played, store::ItemSort::play_count}));
    EXPECT_EQ(house.get("/Items?isPlayed=maybe").status, 400);
    const auto whose = house.get("/Items?recursive=true&isPlayed=true");
    EXPECT_EQ(whose.status, 400);
    EXPECT_THAT(whose.body, HasSubstr("say which one"));
}

TEST(UserData, what_is_in_progress_comes_last_played_first) {
    Household house;
    const auto page = parsed(house.get("/UserItems/Resume?limit=1&parentId=" + Household::hex('A') +
                                       "&mediaTypes=Video&" + Household::as('a')));
    const auto& query = house.catalog.last_query;
    EXPECT_TRUE(query.in_progress);
    EXPECT_TRUE(query.recursive);
    EXPECT_TRUE(query.descending);
    EXPECT_EQ(query.sort_by, std::vector{store::ItemSort::date_played});
    EXPECT_EQ(query.library, house.films.id);
    EXPECT_EQ(query.limit, 1U);
    EXPECT_EQ(query.kinds, (std::vector{model::ItemKind::movie, model::ItemKind::episode}));
    EXPECT_EQ(page.at("Items").as_array().size(), 1U);
    EXPECT_TRUE(page.at("Items").at(0).as_object().contains("UserData"));
    EXPECT_EQ(house.get("/UserItems/Resume").status, 400) << "whose?";
    EXPECT_EQ(house.get("/UserItems/Resume?limit=x&" + Household::as('a')).status, 400);
}

}  // namespace
}  // namespace understudy::http
