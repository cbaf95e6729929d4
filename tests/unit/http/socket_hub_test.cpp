// The event socket's decisions, without a socket: who hears what, when, and what is asked of the database for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/collections.h"
#include "unit/http/socket_fakes.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* scan_moves =
    R"({"run":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","task":"RefreshLibrary","progress":41.5})";
constexpr const char* task_moves =
    R"({"run":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","task":"AudioNormalization","progress":7})";

std::string user_of(char digit) {
    return R"({"userId":")" + std::string(32, digit) + "\"}";
}

TEST(SocketHub, asks_for_keep_alives_at_once_and_answers_each) {
    SocketHouse house;
    auto peer = house.hub.let_in({SocketHouse::admin(), {}});
    ASSERT_TRUE(peer);
    const auto wire = std::make_shared<FakeWire>();
    (*peer)->opened(wire);
    EXPECT_THAT(wire->types(), ElementsAre("ForceKeepAlive"));
    EXPECT_EQ(wire->data("ForceKeepAlive"), 60);
    (*peer)->received(R"({"MessageType":"KeepAlive"})");
    EXPECT_THAT(wire->types(), ElementsAre("ForceKeepAlive", "KeepAlive"));
    const auto message = boost::json::parse(wire->sent.front());
    EXPECT_TRUE(core::id_from_hex(std::string(message.at("MessageId").as_string())));
}

TEST(SocketHub, asks_the_silent_from_45_seconds_on_and_drops_them_at_60) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::admin());
    house.clock.advance(44s);
    house.hub.check_silence();
    EXPECT_THAT(client.wire->types(), IsEmpty());
    house.clock.advance(1s);
    house.hub.check_silence();
    EXPECT_THAT(client.wire->types(), ElementsAre("ForceKeepAlive"));
    EXPECT_FALSE(client.wire->closed);
    client.say(R"({"MessageType":"KeepAlive"})");
    house.clock.advance(59s);
    house.hub.check_silence();
    EXPECT_FALSE(client.wire->closed);
    client.peer->alive();  // a ping of the protocol is a sign of life too
    house.clock.advance(59s);
    house.hub.check_silence();
    EXPECT_FALSE(client.wire->closed);
    house.clock.advance(1s);
    house.hub.check_silence();
    EXPECT_EQ(client.wire->closed, http::SocketClose::going_away);
}

TEST(SocketHub, what_cannot_be_read_is_ignored) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::admin());
    for (const auto* text :
         {"", "no json", "[]", "{}", R"({"MessageType":7})", R"({"MessageType":"Fly"})",
          R"({"MessageType":"ScheduledTasksInfoStart"})", R"({"MessageType":"ScheduledTasksInfoStart","Data":"soon"})",
          R"({"MessageType":"ScheduledTasksInfoStart","Data":"0"})"}) {
        client.say(text);
    }
    house.clock.advance(70s);
    EXPECT_FALSE(house.hub.step());
    EXPECT_THAT(client.wire->types(), IsEmpty());
}

TEST(SocketHub, tells_tasks_when_due_then_at_once_at_starts_and_at_most_each_period_at_progress) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::admin());
    client.subscribe("ScheduledTasksInfo", "500,2000");
    EXPECT_EQ(house.hub.step(), core::Nanos{500ms});
    house.happen("run.started", task_moves);  // not before it is due
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 0);
    house.clock.advance(500ms);
    EXPECT_FALSE(house.hub.step());
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 1);
    EXPECT_EQ(client.wire->data("ScheduledTasksInfo").at(0).at("Key"), "Scan");
    house.happen("run.progress", task_moves);
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 1);
    EXPECT_EQ(house.hub.step(), core::Nanos{2s});
    house.clock.advance(1999ms);
    house.happen("run.progress", task_moves);
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 1);
    house.clock.advance(1ms);
    EXPECT_FALSE(house.hub.step());
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 2);
    house.clock.advance(250ms);
    house.happen("run.ended", task_moves);
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 3);
    client.say(R"({"MessageType":"ScheduledTasksInfoStop"})");
    house.happen("run.started", task_moves);
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 3);
}

TEST(SocketHub, tells_nobody_twice_within_a_quarter_of_a_second_whatever_happens) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::admin());
    const auto told = [&] { return client.wire->count("ScheduledTasksInfo"); };
    client.subscribe("ScheduledTasksInfo", "0,250");
    EXPECT_FALSE(house.hub.step());
    EXPECT_EQ(told(), 1);
    for (int i = 0; i < 10; ++i) house.happen("run.started", task_moves);
    EXPECT_EQ(told(), 1);
    EXPECT_EQ(house.hub.step(), core::Nanos{250ms});
    client.say(R"({"MessageType":"ScheduledTasksInfoStop"})");
    EXPECT_FALSE(house.hub.step()) << "nobody wants to know";
    for (int i = 0; i < 10; ++i) client.subscribe("ScheduledTasksInfo", "0,250");
    EXPECT_EQ(house.hub.step(), core::Nanos{250ms}) << "who starts anew is no other";
    EXPECT_EQ(told(), 1);
    house.clock.advance(250ms);
    EXPECT_FALSE(house.hub.step());
    EXPECT_EQ(told(), 2);
}

TEST(SocketHub, asks_once_for_all_who_subscribed) {
    SocketHouse house;
    std::vector<SocketHouse::Client> clients;
    for (int i = 0; i < 30; ++i) clients.push_back(house.connect(SocketHouse::admin()));
    for (const auto& client : clients) {
        client.subscribe("ScheduledTasksInfo");
        client.subscribe("Sessions");
    }
    static_cast<void>(house.hub.step());
    house.event("run.started", task_moves);
    house.event("run.started", task_moves);
    house.event("session.changed");
    house.clock.advance(250ms);
    static_cast<void>(house.hub.step());
    EXPECT_EQ(house.feeds.count("tasks"), 2) << "one when it was due, one for both starts";
    EXPECT_EQ(house.feeds.count("sessions"), 2);
    for (const auto& client : clients) EXPECT_EQ(client.wire->count("Sessions"), 2);
}

TEST(SocketHub, tasks_and_activity_are_for_administrators_alone) {
    SocketHouse house;
    const auto guest = house.connect(SocketHouse::user('1')), admin = house.connect(SocketHouse::admin());
    for (const auto* client : {&guest, &admin}) {
        client->subscribe("ScheduledTasksInfo");
        client->subscribe("ActivityLogEntry");
    }
    static_cast<void>(house.hub.step());
    house.feeds.library_rows = {SocketHouse::id<core::LibraryId>('c')};
    house.happen("run.progress", scan_moves);
    house.happen("run.ended", scan_moves);
    house.clock.advance(250ms);
    house.happen("activity.added", R"({"id":7})");
    EXPECT_THAT(guest.wire->types(), IsEmpty());
    EXPECT_EQ(admin.wire->count("ActivityLogEntry"), 2);
    EXPECT_EQ(admin.wire->data("ScheduledTaskEnded").at("Status"), "Completed");
    const auto progress = admin.wire->data("RefreshProgress");
    EXPECT_EQ(progress.at("ItemId"), std::string(32, 'c').c_str());
    EXPECT_EQ(progress.at("Progress"), "41.5");
}

TEST(SocketHub, sessions_are_shown_to_each_as_the_api_shows_them) {
    SocketHouse house;
    const auto one = house.connect(SocketHouse::user('1')), two = house.connect(SocketHouse::user('2'));
    const auto admin = house.connect(SocketHouse::admin());
    house.feeds.session_rows = {{SocketHouse::id<core::UserId>('1'), R"({"Id":"a"})"},
                                {SocketHouse::id<core::UserId>('2'), R"({"Id":"b"})"}};
    for (const auto* client : {&one, &two, &admin}) client->subscribe("Sessions");
    static_cast<void>(house.hub.step());
    EXPECT_EQ(one.wire->data("Sessions"), boost::json::parse(R"([{"Id":"a"}])"));
    EXPECT_EQ(two.wire->data("Sessions"), boost::json::parse(R"([{"Id":"b"}])"));
    EXPECT_EQ(admin.wire->data("Sessions").as_array().size(), 2U);
}

TEST(SocketHub, user_data_goes_to_the_sockets_of_its_user_with_what_they_may_see) {
    SocketHouse house;
    auto who = SocketHouse::user('1');
    who.libraries = std::vector{SocketHouse::id<core::LibraryId>('c')};
    const auto phone = house.connect(who), tv = house.connect(who), other = house.connect(SocketHouse::user('2'));
    const auto admin = house.connect(SocketHouse::admin());
    const auto payload = R"({"userId":")" + std::string(32, '1') + R"(","itemIds":[")" + std::string(32, 'd') + "\"]}";
    house.happen("user_data.changed", payload);
    for (const auto* client : {&phone, &tv}) {
        const auto data = client->wire->data("UserDataChanged");
        EXPECT_EQ(data.at("UserId"), std::string(32, '1').c_str());
        EXPECT_EQ(data.at("UserDataList").at(0).at("Played"), true);
    }
    EXPECT_THAT(other.wire->types(), IsEmpty());
    EXPECT_THAT(admin.wire->types(), IsEmpty());
    EXPECT_EQ(house.feeds.count("user_data"), 1);
    ASSERT_TRUE(house.feeds.last_viewer);
    EXPECT_EQ(house.feeds.last_viewer->libraries, who.libraries);
    house.happen("user_data.changed", R"({"userId":")" + std::string(32, '9') + "\"}");
    EXPECT_EQ(house.feeds.count("user_data"), 1) << "nobody of theirs is here: nothing is asked";
}

TEST(SocketHub, a_library_that_changed_is_said_to_those_who_may_look_into_it) {
    SocketHouse house;
    auto inside = SocketHouse::user('1'), outside = SocketHouse::user('2');
    inside.libraries = std::vector{SocketHouse::id<core::LibraryId>('c')};
    outside.libraries = std::vector{SocketHouse::id<core::LibraryId>('d')};
    const auto in = house.connect(inside), out = house.connect(outside), admin = house.connect(SocketHouse::admin());
    const auto library = std::string(32, 'c'), item = std::string(32, 'e');
    house.happen("library.changed", R"({"library":")" + library + R"(","added":[")" + item +
                                        R"("],"updated":[],"removed":[],"counts":{"added":1}})");
    EXPECT_THAT(out.wire->types(), IsEmpty());
    EXPECT_EQ(in.wire->data("LibraryChanged"), admin.wire->data("LibraryChanged"));
    EXPECT_EQ(in.wire->data("LibraryChanged"),
              boost::json::parse(R"({"FoldersAddedTo":[")" + library + R"("],"FoldersRemovedFrom":[],"ItemsAdded":[")" +
                                 item + R"("],"ItemsRemoved":[],"ItemsUpdated":[],"CollectionFolders":[")" + library +
                                 R"("],"IsEmpty":false})"));
    house.happen("library.changed", R"({"library":")" + library + R"(","change":"removed"})");
    EXPECT_EQ(in.wire->data("LibraryChanged").at("FoldersRemovedFrom").at(0), library.c_str());
    EXPECT_THAT(out.wire->types(), IsEmpty());
    house.feeds.library_rows = {SocketHouse::id<core::LibraryId>('c'), SocketHouse::id<core::LibraryId>('d')};
    house.happen("library.changed", R"({"change":"missing_removed"})");
    EXPECT_EQ(out.wire->data("LibraryChanged").at("FoldersRemovedFrom"),
              boost::json::parse("[\"" + std::string(32, 'd') + "\"]"));
    EXPECT_EQ(admin.wire->data("LibraryChanged").at("FoldersRemovedFrom").as_array().size(), 2U);
}

TEST(SocketHub, long_lists_of_items_are_cut) {
    SocketHouse house;
    const auto admin = house.connect(SocketHouse::admin());
    std::string ids;
    for (int i = 0; i < 900; ++i) ids += (i ? ",\"" : "\"") + std::string(32, 'e') + "\"";
    house.happen("library.changed", R"({"library":")" + std::string(32, 'c') + R"(","updated":[)" + ids + "]}");
    EXPECT_EQ(admin.wire->data("LibraryChanged").at("ItemsUpdated").as_array().size(), 500U);
}

TEST(SocketHub, a_private_playlist_is_named_to_those_alone_who_may_see_it) {
    SocketHouse house;
    const auto owner = house.connect(SocketHouse::user('1')), other = house.connect(SocketHouse::user('2'));
    house.feeds.seers[SocketHouse::id<core::UserId>('1')] = true;
    house.happen("library.changed", R"({"library":")" + store::collections_library.str() +
                                        R"(","change":"updated","item":")" + std::string(32, 'e') + "\"}");
    EXPECT_EQ(owner.wire->data("LibraryChanged").at("ItemsUpdated").at(0), std::string(32, 'e').c_str());
    EXPECT_THAT(other.wire->types(), IsEmpty());
}

TEST(SocketHub, users_are_told_of_themselves_and_administrators_of_all) {
    SocketHouse house;
    const auto one = house.connect(SocketHouse::user('1'), "t1"), two = house.connect(SocketHouse::user('2'), "t2");
    const auto admin = house.connect(SocketHouse::admin());
    house.happen("user.changed", user_of('1'));
    EXPECT_EQ(one.wire->data("UserUpdated").at("Id"), std::string(32, '1').c_str());
    EXPECT_EQ(admin.wire->count("UserUpdated"), 1);
    EXPECT_THAT(two.wire->types(), IsEmpty());
    EXPECT_FALSE(one.wire->closed);
    house.feeds.owners.erase("t1");
    house.happen("user.removed", user_of('1'));
    EXPECT_EQ(one.wire->data("UserDeleted"), std::string(32, '1').c_str());
    EXPECT_EQ(one.wire->closed, http::SocketClose::refused);
    EXPECT_FALSE(two.wire->closed);
}

TEST(SocketHub, a_token_that_is_void_closes_its_sockets_and_no_other) {
    SocketHouse house;
    auto tv = SocketHouse::user('1');
    tv.device_id = "tv";
    auto key = SocketHouse::admin();
    key.key = 4;
    const auto a = house.connect(tv, "t1"), b = house.connect(SocketHouse::user('2'), "t2"),
               c = house.connect(key, "k1"), d = house.connect(SocketHouse::admin());
    const auto before = house.feeds.count("owner");
    house.happen("session.tokens", user_of('1'));
    EXPECT_EQ(house.feeds.count("owner"), before + 1) << "the others are not looked up";
    EXPECT_FALSE(a.wire->closed);
    house.feeds.owners.erase("t1");
    house.happen("session.tokens", R"({"deviceId":"phone"})");
    EXPECT_FALSE(a.wire->closed);
    house.happen("session.tokens", R"({"deviceId":"tv"})");
    EXPECT_EQ(a.wire->closed, http::SocketClose::refused);
    house.feeds.owners.clear();
    house.happen("session.tokens", R"({"keys":true})");
    EXPECT_EQ(c.wire->closed, http::SocketClose::refused);
    EXPECT_FALSE(b.wire->closed);
    // After a lost connection whatever was revoked meanwhile is found.
    house.happen("log.caught_up");
    EXPECT_EQ(b.wire->closed, http::SocketClose::refused);
    EXPECT_FALSE(d.wire->closed) << "the administrator's key is no row that could go";
}

TEST(SocketHub, a_token_that_went_while_the_socket_opened_is_noticed) {
    SocketHouse house;
    auto peer = house.hub.let_in({SocketHouse::user('1'), "t1"});  // nobody's by now
    ASSERT_TRUE(peer);
    house.happen("session.tokens", user_of('1'));
    const auto wire = std::make_shared<FakeWire>();
    (*peer)->opened(wire);
    static_cast<void>(house.hub.step());
    EXPECT_EQ(wire->closed, http::SocketClose::refused);
}

TEST(SocketHub, rights_that_are_lost_end_what_they_allowed) {
    SocketHouse house;
    auto chief = SocketHouse::user('1');
    chief.admin = true;
    const auto client = house.connect(chief, "t1");
    client.subscribe("ScheduledTasksInfo");
    static_cast<void>(house.hub.step());
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 1);
    house.feeds.owners["t1"].admin = false;
    house.happen("user.changed", user_of('1'));
    house.happen("run.started", task_moves);
    EXPECT_EQ(client.wire->count("ScheduledTasksInfo"), 1);
}

TEST(SocketHub, a_library_that_is_closed_is_so_for_the_very_next_event) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::user('1'), "t1");
    house.feeds.owners["t1"].libraries = std::vector{SocketHouse::id<core::LibraryId>('d')};
    house.event("user.changed", user_of('1'));
    house.event("library.changed",
                R"({"library":")" + std::string(32, 'c') + R"(","added":[")" + std::string(32, 'e') + "\"]}");
    static_cast<void>(house.hub.step());
    EXPECT_THAT(client.wire->types(), ElementsAre("UserUpdated"));
}

TEST(SocketHub, events_wait_in_order_for_a_database_that_is_away) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::user('1'));
    house.feeds.broken = core::Error{core::Errc::unavailable, "away"};
    house.event("user_data.changed",
                R"({"userId":")" + std::string(32, '1') + R"(","itemIds":[")" + std::string(32, 'd') + "\"]}");
    house.event("session.message",
                R"({"sessionId":")" + std::string(32, '1') + R"(","message":{"MessageType":"Play","Data":{"a":1}}})");
    EXPECT_EQ(house.hub.step(), core::Nanos{1s});
    EXPECT_THAT(client.wire->types(), IsEmpty());
    house.feeds.broken.reset();
    static_cast<void>(house.hub.step());
    EXPECT_THAT(client.wire->types(), ElementsAre("UserDataChanged", "Play"));
}

TEST(SocketHub, a_fault_that_is_no_outage_does_not_hold_up_the_rest) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::user('1'));
    house.feeds.broken = core::Error{core::Errc::corrupt, "no such column"};
    house.event("user_data.changed", user_of('1'));
    house.event("session.message",
                R"({"sessionId":")" + std::string(32, '1') + R"(","message":{"MessageType":"Play"}})");
    static_cast<void>(house.hub.step());
    EXPECT_THAT(client.wire->types(), ElementsAre("Play"));
}

TEST(SocketHub, too_many_waiting_events_cost_the_oldest_and_all_are_told_afresh) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::user('1'), "t1");
    client.subscribe("Sessions");
    static_cast<void>(house.hub.step());
    const auto before = client.wire->count("Sessions"), asked = house.feeds.count("owner");
    for (std::size_t i = 0; i < house.limits.waiting_events + 5; ++i) house.event("pod.joined");
    house.clock.advance(250ms);
    static_cast<void>(house.hub.step());
    EXPECT_EQ(client.wire->count("Sessions"), before + 1);
    EXPECT_EQ(house.feeds.count("owner"), asked + 1);
}

TEST(SocketHub, messages_for_a_session_reach_its_sockets_alone) {
    SocketHouse house;
    const auto one = house.connect(SocketHouse::user('1')), again = house.connect(SocketHouse::user('1'));
    const auto two = house.connect(SocketHouse::user('2')), key = house.connect(SocketHouse::admin());
    house.happen("session.message", R"({"sessionId":")" + std::string(32, '1') +
                                        R"(","message":{"MessageType":"GeneralCommand","Data":{"Name":"GoHome"}}})");
    for (const auto* client : {&one, &again}) EXPECT_EQ(client->wire->data("GeneralCommand").at("Name"), "GoHome");
    house.happen("session.message",
                 R"({"sessionId":")" + std::string(32, '0') + R"(","message":{"MessageType":"GeneralCommand"}})");
    EXPECT_THAT(two.wire->types(), IsEmpty());
    EXPECT_THAT(key.wire->types(), IsEmpty());
}

TEST(SocketHub, notes_which_sessions_have_a_socket) {
    SocketHouse house;
    const auto session = SocketHouse::id<store::SessionId>('1');
    {
        const auto one = house.connect(SocketHouse::user('1'));
        {
            const auto again = house.connect(SocketHouse::user('1'));
            EXPECT_THAT(house.feeds.present, ::testing::Contains(session));
        }
        static_cast<void>(house.hub.step());
        EXPECT_THAT(house.feeds.present, ::testing::Contains(session)) << "one is left";
        house.feeds.broken = core::Error{core::Errc::timed_out, "away"};
    }
    static_cast<void>(house.hub.step());
    house.feeds.broken.reset();
    static_cast<void>(house.hub.step());
    EXPECT_THAT(house.feeds.present, ::testing::Not(::testing::Contains(session)));
    EXPECT_EQ(house.hub.open(), 0U);
}

TEST(SocketHub, has_room_for_so_many_and_for_so_many_of_one_user) {
    SocketHouse house;
    std::vector<SocketHouse::Client> clients;
    for (std::size_t i = 0; i < house.limits.of_one_user; ++i) clients.push_back(house.connect(SocketHouse::user('1')));
    EXPECT_FALSE(house.hub.let_in({SocketHouse::user('1'), {}}));
    while (clients.size() < house.limits.sockets) clients.push_back(house.connect(SocketHouse::admin()));
    const auto refused = house.hub.let_in({SocketHouse::admin(), {}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Errc::unavailable);
    clients.pop_back();
    EXPECT_TRUE(house.hub.let_in({SocketHouse::admin(), {}}));
}

TEST(SocketHub, says_good_bye_to_all_when_its_pod_stops) {
    for (const bool restart : {false, true}) {
        SocketHouse house;
        const auto client = house.connect(SocketHouse::admin());
        if (restart) house.hub.will_restart();
        house.hub.stop();
        EXPECT_THAT(client.wire->types(), ElementsAre(restart ? "ServerRestarting" : "ServerShuttingDown"));
        EXPECT_EQ(client.wire->closed, http::SocketClose::going_away);
        EXPECT_FALSE(house.hub.let_in({SocketHouse::admin(), {}}));
    }
}

TEST(SocketHub, its_thread_tells_without_being_driven) {
    SocketHouse house;
    const auto client = house.connect(SocketHouse::user('1'));
    house.event("session.message",
                R"({"sessionId":")" + std::string(32, '1') + R"(","message":{"MessageType":"Play"}})");
    house.hub.start();
    house.clock.await_waiters(2);  // both threads have done what there was to do
    house.hub.stop();
    EXPECT_THAT(client.wire->types(), ElementsAre("Play", "ServerShuttingDown"));
}

TEST(SocketMessages, a_pace_is_kept_in_bounds) {
    struct Row {
        const char* text;
        bool good;
        core::Millis due, period;
    };
    constexpr Row rows[] = {{"1000,1500", true, 1000ms, 1500ms},
                            {" 0 , 250 ", true, 0ms, 250ms},
                            {"0,1", true, 0ms, 250ms},
                            {"-5,99999999999", true, 0ms, 3'600'000ms},
                            {"90000,1000", true, 60'000ms, 1000ms},
                            {"1000", false, {}, {}},
                            {"", false, {}, {}},
                            {"a,b", false, {}, {}},
                            {"1,2,3", false, {}, {}}};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.text);
        const auto pace = http::read_pace(row.text);
        ASSERT_EQ(pace.has_value(), row.good);
        if (!row.good) continue;
        EXPECT_EQ(pace->due, row.due);
        EXPECT_EQ(pace->period, row.period);
    }
}

}  // namespace
}  // namespace understudy::testing
