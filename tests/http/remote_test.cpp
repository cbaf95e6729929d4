// Commands to sessions: who may send them, that they come through, and an honest answer where nobody hears.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/socket_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::get;
using ::testing::HasSubstr;
using testing::post;
using testing::SocketHouse;

const std::string the_film(32, '1'), the_series(32, '2'), the_episode(32, '4');

struct RemoteHouse : SocketHouse {
    RemoteHouse() {
        ann_id = add("Ann", "sea");
        bo_id = add("Bo", "bay");
        ann = log_in("Ann", "sea");
        bo = log_in("Bo", "bay", "phone");
        session = std::string(testing::parsed(as(ann, testing::get, "/Sessions")).at(0).at("Id").as_string());
        EXPECT_EQ(
            as(ann, testing::post, "/Sessions/Capabilities?supportsMediaControl=true&supportedCommands=GoHome").status,
            204);
    }
    std::string command(const std::string& rest) const { return "/Sessions/" + session + rest; }
    std::string ann_id, bo_id, ann, bo, session;
};

TEST(Remote, commands_come_through_as_the_reference_sends_them) {
    RemoteHouse house;
    const auto socket = house.open_known(house.ann);
    struct Row {
        std::string target, body, type, data;
    };
    const std::string nobody(32, '0');
    const std::vector<Row> rows{
        {"/Command/gohome", "", "GeneralCommand",
         R"({"Name":"GoHome","ControllingUserId":")" + nobody + R"(","Arguments":{}})"},
        {"/System/Mute", "", "GeneralCommand",
         R"({"Name":"Mute","ControllingUserId":")" + nobody + R"(","Arguments":{}})"},
        {"/Command", R"({"Name":"SetVolume","Arguments":{"Volume":"40","X":null}})", "GeneralCommand",
         R"({"Name":"SetVolume","ControllingUserId":")" + nobody + R"(","Arguments":{"Volume":"40","X":null}})"},
        {"/Message", R"({"Header":"Hi","Text":"there","TimeoutMs":500})", "GeneralCommand",
         R"({"Name":"DisplayMessage","ControllingUserId":")" + nobody +
             R"(","Arguments":{"Header":"Hi","Text":"there","TimeoutMs":"500"}})"},
        {"/Viewing?itemType=Movie&itemName=Tide&itemId=" + the_film, "", "GeneralCommand",
         R"({"Name":"DisplayContent","ControllingUserId":")" + nobody + R"(","Arguments":{"ItemId":")" + the_film +
             R"(","ItemName":"Tide","ItemType":"Movie"}})"},
        {"/Playing/seek?seekPositionTicks=70", "", "Playstate",
         R"({"Command":"Seek","SeekPositionTicks":70,"ControllingUserId":")" + nobody + "\"}"},
        {"/Playing?playCommand=PlayNow&itemIds=" + the_film + "&startPositionTicks=5&audioStreamIndex=1", "", "Play",
         R"({"ItemIds":[")" + the_film + R"("],"StartPositionTicks":5,"PlayCommand":"PlayNow","ControllingUserId":")" +
             nobody + R"(","AudioStreamIndex":1})"},
        {"/Playing?playCommand=PlayShuffle&itemIds=" + the_series, "", "Play",
         R"({"ItemIds":[")" + the_episode + R"("],"PlayCommand":"PlayNow","ControllingUserId":")" + nobody + "\"}"}};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.target);
        const auto sent = house.post(house.command(row.target), row.body);
        EXPECT_EQ(sent.status, 204) << sent.body;
        const auto got = json::parse(socket->await("\"" + row.type + "\""));
        EXPECT_EQ(got.at("Data"), json::parse(row.data));
    }
}

TEST(Remote, an_answer_says_where_nobody_hears) {
    RemoteHouse house;
    auto answer = house.post(house.command("/Command/GoHome"));
    EXPECT_EQ(answer.status, 409);
    EXPECT_THAT(answer.body, HasSubstr("no event socket"));
    EXPECT_EQ(house.post("/Sessions/" + std::string(32, 'e') + "/Command/GoHome").status, 404);
    EXPECT_EQ(house.post("/Sessions/none/Command/GoHome").status, 400);
    // What a pod left behind that is gone does not count.
    const auto id = *store::SessionId::parse(house.session);
    const auto boot = testing::id_of<core::BootId>('f');
    ASSERT_TRUE(house.open_sockets.change(boot, {id}, {}));
    EXPECT_EQ(house.post(house.command("/Command/GoHome")).status, 409);
    cluster::PodInfo pod;
    pod.boot = boot;
    house.pods.rows = {pod};
    EXPECT_EQ(house.post(house.command("/Command/GoHome")).status, 204) << "another pod, and it lives";
}

TEST(Remote, wrong_commands_are_named) {
    RemoteHouse house;
    const auto socket = house.open_known(house.ann);
    for (const auto& [target, body, word] : {std::tuple{"/Command/Fly", "", "Fly"},
                                             {"/Command", R"({"Name":"Fly"})", "Fly"},
                                             {"/Command", "{", "JSON"},
                                             {"/Message", "{}", "Text"},
                                             {"/Playing/Fly", "", "Fly"},
                                             {"/Playing?playCommand=Now", "", "playCommand"},
                                             {"/Playing?playCommand=PlayNow", "", "itemIds"},
                                             {"/Viewing?itemId=x", "", "itemId"},
                                             {"/Playing/Seek?seekPositionTicks=x", "", "seekPositionTicks"}}) {
        const auto answer = house.post(house.command(target), body);
        EXPECT_EQ(answer.status, 400) << target;
        EXPECT_THAT(answer.body, HasSubstr(word)) << target;
    }
    const auto large = R"({"Text":")" + std::string(60'000, 'x') + "\"}";
    EXPECT_EQ(house.post(house.command("/Message"), large).status, 400);
}

TEST(Remote, one_controls_what_is_theirs_and_more_with_the_right) {
    RemoteHouse house;
    const auto socket = house.open_known(house.ann);
    const auto go_home = house.command("/Command/GoHome");
    const auto controllable = [&](const std::string& token, const std::string& user) {
        return testing::parsed(house.as(token, get, "/Sessions?controllableByUserId=" + user)).as_array().size();
    };
    EXPECT_EQ(house.as(house.ann, post, go_home).status, 204);
    const auto told = json::parse(socket->await("GoHome"));
    EXPECT_EQ(told.at("Data").at("ControllingUserId"), house.ann_id.c_str());
    EXPECT_EQ(house.as(house.bo, post, go_home, {}, "phone").status, 404) << "another's session is not shown";
    EXPECT_EQ(controllable(house.ann, house.ann_id), 1U);
    EXPECT_EQ(controllable(house.bo, house.bo_id), 0U);
    EXPECT_EQ(controllable(house.bo, house.ann_id), 0U) << "whose rights are none of Bo's";
    EXPECT_EQ(testing::parsed(house.get("/Sessions?controllableByUserId=" + house.ann_id)).as_array().size(), 1U);
    EXPECT_EQ(house.post("/Users/" + house.bo_id + "/Policy", R"({"EnableRemoteControlOfOtherUsers":true})").status,
              204);
    EXPECT_EQ(house.as(house.bo, post, go_home, {}, "phone").status, 204);
    EXPECT_EQ(controllable(house.bo, house.bo_id), 1U);
    EXPECT_EQ(testing::parsed(house.as(house.bo, get, "/Sessions")).as_array().size(), 1U) << "their own alone";
}

TEST(Remote, of_one_user_so_many_commands_a_minute_are_taken) {
    RemoteHouse house;
    const auto socket = house.open_known(house.ann);
    for (int i = 0; i < 300; ++i)
        ASSERT_EQ(house.as(house.ann, post, house.command("/Command/GoHome")).status, 204) << i;
    const auto refused = house.as(house.ann, post, house.command("/Message"), R"({"Text":"x"})");
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.header("Retry-After"), "1");
    EXPECT_EQ(house.as(house.bo, post, house.command("/Command/GoHome")).status, 404) << "others have their own count";
    EXPECT_EQ(house.post(house.command("/Command/GoHome")).status, 204) << "administrators are trusted";
}

TEST(Remote, a_large_command_counts_as_many) {
    RemoteHouse house;
    const auto socket = house.open_known(house.ann);
    const auto large = R"({"Text":")" + std::string(40'000, 'x') + "\"}";
    const auto send = [&] { return house.as(house.ann, post, house.command("/Message"), large); };
    for (int i = 0; i < 7; ++i) ASSERT_EQ(send().status, 204) << i;
    const auto refused = send();
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.header("Retry-After"), "8");
    EXPECT_EQ(house.as(house.ann, post, house.command("/Command/GoHome")).status, 204)
        << "there is room for small ones";
}

TEST(Remote, what_is_named_often_is_looked_into_once) {
    RemoteHouse house;
    const auto socket = house.open_known(house.ann);
    std::string ids = the_series;
    for (int i = 0; i < 40; ++i) ids += ',' + the_series;
    const auto before = house.user_data.expansions;
    EXPECT_EQ(house.post(house.command("/Playing?playCommand=PlayNow&itemIds=" + ids)).status, 204);
    EXPECT_EQ(house.user_data.expansions, before + 2) << "the series, and its season";
    const auto got = json::parse(socket->await("\"Play\""));
    EXPECT_EQ(got.at("Data").at("ItemIds").as_array().size(), 41U);
}

TEST(Remote, a_session_says_whether_it_takes_commands) {
    RemoteHouse house;
    const auto shown = [&] { return testing::parsed(house.as(house.ann, get, "/Sessions")).at(0); };
    EXPECT_EQ(shown().at("SupportsRemoteControl"), false);
    {
        const auto socket = house.open_known(house.ann);
        EXPECT_EQ(shown().at("SupportsRemoteControl"), true);
        EXPECT_EQ(shown().at("SupportsMediaControl"), true);
        EXPECT_EQ(shown().at("IsActive"), true);
        EXPECT_EQ(house.as(house.ann, post, "/Sessions/Capabilities?supportsMediaControl=false").status, 204);
        EXPECT_EQ(shown().at("SupportsRemoteControl"), false) << "its client does not want them";
    }
}

TEST(Remote, nothing_closed_to_the_sessions_user_is_played) {
    RemoteHouse house;
    const auto policy = R"({"EnableAllFolders":false,"EnabledFolders":[")" + house.shows.id.str() + "\"]}";
    EXPECT_EQ(house.post("/Users/" + house.ann_id + "/Policy", policy).status, 204);
    const auto socket = house.open_known(house.ann);
    const auto play = house.command("/Playing?playCommand=PlayNow&itemIds=");
    EXPECT_EQ(house.post(play + the_film).status, 409);
    EXPECT_EQ(house.post(play + the_film + "," + the_episode).status, 204);
    const auto told = json::parse(socket->await("\"Play\""));
    EXPECT_EQ(told.at("Data").at("ItemIds"), json::parse("[\"" + the_episode + "\"]"));
    EXPECT_EQ(house.as(house.ann, post, play + the_film).status, 404) << "nor named by whom it is closed to";
}

}  // namespace
}  // namespace understudy::http
