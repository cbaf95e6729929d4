// Clients that look for servers: over real datagrams on loopback, and what they are told.
#include "http/server/discovery_responder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <optional>

#include "http/discovery_client.h"
#include "http/jellyfin/system/discovery_answer.h"
#include "http/login_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;

using testing::Seeker;

struct Responding : ::testing::Test {
    Responding() { EXPECT_TRUE(responder.start()); }
    testing::ManualClock clock;
    core::NullLog log;
    DiscoveryResponder responder{"127.0.0.1:0", [](const std::string& own) { return "at " + own; }, clock, log};
};

TEST_F(Responding, answers_the_question_in_any_case_and_nothing_else) {
    Seeker seeker;
    for (const std::string_view other : {"", "who is", "who is EmbyServer?", "GET / HTTP/1.1\r\n\r\n"})
        seeker.ask(responder.port(), other);
    seeker.ask(responder.port(), std::string(60'000, 'x'));  // more than is read of a datagram
    seeker.ask(responder.port(), "Who is JellyfinServer?");
    EXPECT_EQ(seeker.await(), "at 127.0.0.1");
    EXPECT_EQ(seeker.got(), std::nullopt) << "in their order: the others have had none";
    seeker.ask(responder.port(), "WHO IS JELLYFINSERVER?|more");
    EXPECT_EQ(seeker.await(), "at 127.0.0.1");
}

TEST_F(Responding, answers_one_address_so_often_a_minute) {
    Seeker eager, other("127.0.0.2");
    for (std::uint32_t i = 0; i < DiscoveryResponder::answers_per_minute; ++i) {
        eager.ask(responder.port());
        EXPECT_EQ(eager.await(), "at 127.0.0.1");
    }
    eager.ask(responder.port());
    other.ask(responder.port());
    EXPECT_EQ(other.await(), "at 127.0.0.1");
    EXPECT_EQ(eager.got(), std::nullopt);
    clock.advance(std::chrono::minutes{1});
    eager.ask(responder.port());
    EXPECT_EQ(eager.await(), "at 127.0.0.1");
}

TEST(DiscoveryResponder, names_the_setting_where_it_cannot_listen) {
    testing::ManualClock clock;
    core::NullLog log;
    for (const char* wrong : {"192.0.2.1:0", "7359"}) {
        DiscoveryResponder responder(
            wrong, [](const std::string&) { return std::string(); }, clock, log);
        const auto started = responder.start();
        ASSERT_FALSE(started) << wrong;
        EXPECT_EQ(started.error().code, core::Errc::invalid);
        EXPECT_THAT(started.error().context, ::testing::StartsWith("Jellyfin:Http:Discovery"));
    }
}

TEST(DiscoveryResponder, shares_its_port_with_another_process_and_says_nothing_where_there_is_nothing_to_say) {
    testing::ManualClock clock;
    core::NullLog log;
    DiscoveryResponder silent(
        "127.0.0.1:0", [](const std::string&) { return std::string(); }, clock, log);
    ASSERT_TRUE(silent.start());
    const auto listen = "127.0.0.1:" + std::to_string(silent.port());
    {
        DiscoveryResponder second(
            listen, [](const std::string&) { return "second"; }, clock, log);
        ASSERT_TRUE(second.start());
        EXPECT_EQ(second.port(), silent.port());
    }
    Seeker seeker;
    seeker.ask(silent.port());
    silent.stop();
    EXPECT_EQ(seeker.got(), std::nullopt);
}

TEST(DiscoveryResponder, knows_local_networks) {
    for (const char* local : {"127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.178.20", "100.64.0.1",
                              "169.254.3.4", "::1", "fd00::5", "fe80::1%eth0", "::ffff:192.168.1.1"})
        EXPECT_TRUE(is_local_network(local)) << local;
    for (const char* foreign :
         {"8.8.8.8", "172.32.0.1", "192.169.0.1", "100.128.0.1", "0.0.0.0", "2001:db8::1", "::ffff:8.8.8.8", "", "x"})
        EXPECT_FALSE(is_local_network(foreign)) << foreign;
}

TEST(DiscoveryAnswer, has_an_address_that_leads_here_the_id_and_the_name) {
    testing::LoginHouse house;
    auto& info = house.services.info;
    const auto told = [&](const char* host) { return json::parse(discovery_answer(house.services, host, 8096)); };
    const auto plain = told("192.168.1.5").as_object();
    EXPECT_EQ(plain.at("Address"), "http://192.168.1.5:8096");
    EXPECT_EQ(plain.at("Id"), json::string(info.server_id));
    EXPECT_EQ(plain.at("Name"), json::string(info.server_name));
    EXPECT_TRUE(plain.at("EndpointAddress").is_null()) << "clients expect it to be there";
    EXPECT_EQ(plain.size(), 4U);
    info.base_url = "/jf";
    EXPECT_EQ(told("fd00::5").at("Address"), "http://[fd00::5]:8096/jf");
    info.published_url = "https://media.example/";
    EXPECT_EQ(told("192.168.1.5").at("Address"), "https://media.example");
    ASSERT_TRUE(house.services.users.settings->set({{store::setting::server_name, "Den \"upstairs\""}}));
    EXPECT_EQ(told("10.0.0.1").at("Name"), "Den \"upstairs\"");
    house.health.now.database_reachable = false;
    EXPECT_EQ(told("10.0.0.1").at("Name"), json::string(info.server_name));
    for (const auto phase : {HealthReport::Phase::starting, HealthReport::Phase::stopping}) {
        house.health.now.phase = phase;
        EXPECT_EQ(discovery_answer(house.services, "10.0.0.1", 8096), "") << "nobody is sent here yet, or any more";
    }
}

}  // namespace
}  // namespace understudy::http
