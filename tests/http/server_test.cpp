// How the server speaks HTTP/1.1, over a real socket: what a careless, slow or hostile client gets.
#include "http/server/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "http/gate.h"
#include "http/house.h"
#include "http/raw_client.h"

namespace understudy::http {
namespace {

using testing::Gate;
using testing::GateHandler;
using testing::House;
using testing::RawClient;

constexpr const char* ping = "GET /System/Ping HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(Server, answers_on_one_connection_again_and_again) {
    House house;
    RawClient client(house.serve());
    for (int i = 0; i < 3; ++i) {
        const auto answer = client.ask(ping);
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body, "\"Jellyfin Server\"");
        EXPECT_EQ(answer.header("Server"), "Understudy/0.1.0");
        EXPECT_EQ(answer.header("Date"), "Mon, 30 Nov 2026 09:59:20 GMT");
        EXPECT_EQ(answer.header("Content-Type"), "application/json; charset=utf-8");
    }
}

TEST(Server, answers_pipelined_requests_in_order) {
    Gate gate;
    RawClient client(gate.server->port());
    client.send(
        "GET /one HTTP/1.1\r\nHost: x\r\n\r\nGET /quick HTTP/1.1\r\nHost: x\r\n\r\n"
        "POST /three HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbodyGET /four HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(client.read().body, "/one");
    EXPECT_EQ(client.read().body, "quick");
    EXPECT_EQ(client.read().body, "body");
    EXPECT_EQ(client.read().body, "/four");
}

TEST(Server, closes_where_the_client_asks_for_it_or_speaks_http_1_0) {
    House house;
    const auto port = house.serve();
    for (const char* request :
         {"GET /System/Ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET /System/Ping HTTP/1.0\r\n\r\n"}) {
        RawClient client(port);
        const auto answer = client.ask(request);
        EXPECT_EQ(answer.status, 200);
        EXPECT_TRUE(client.at_end()) << request;
    }
}

TEST(Server, keeps_an_http_1_0_connection_that_asks_for_it) {
    House house;
    RawClient client(house.serve());
    const char* request = "GET /System/Ping HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
    EXPECT_EQ(client.ask(request).status, 200);
    EXPECT_EQ(client.ask(request).status, 200);
}

TEST(Server, answers_head_like_get_without_the_body) {
    House house;
    RawClient client(house.serve());
    const auto head = client.ask("HEAD /System/Ping HTTP/1.1\r\nHost: x\r\n\r\n", true);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.header("Content-Length"), "17");
    EXPECT_EQ(client.ask(ping).body, "\"Jellyfin Server\"");  // nothing of a body was left in between
}

TEST(Server, takes_chunked_bodies) {
    Gate gate;
    RawClient client(gate.server->port());
    const auto answer = client.ask(
        "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n");
    EXPECT_EQ(answer.body, "abcdefg");
}

TEST(Server, tells_a_client_that_waits_to_go_on_with_its_body) {
    Gate gate;
    RawClient client(gate.server->port());
    client.send("POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(client.read().status, 100);
    EXPECT_EQ(client.ask("abc").body, "abc");
}

TEST(Server, refuses_a_body_above_the_limit_before_it_arrives) {
    House house;
    RawClient client(house.serve());
    const auto answer = client.ask("POST /System/Ping HTTP/1.1\r\nHost: x\r\nContent-Length: 4194305\r\n\r\n");
    EXPECT_EQ(answer.status, 413);
    EXPECT_EQ(answer.body, "The request's body is larger than 4194304 bytes.");
    EXPECT_EQ(answer.header("Connection"), "close");
}

TEST(Server, takes_larger_bodies_where_pictures_are_taken) {
    ServerSettings settings;
    settings.max_body_bytes = 1'000;
    settings.max_large_body_bytes = 3'000;
    Gate gate(settings);
    const auto post = [&](const std::string& path, std::size_t bytes) {
        RawClient client(gate.server->port());
        return client.ask("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(bytes) +
                          "\r\n\r\n" + std::string(bytes, 'x'));
    };
    const auto post_in_chunks = [&](const std::string& path, int count) {
        RawClient client(gate.server->port());
        client.send("POST " + path + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < count; ++i) client.send("1f4\r\n" + std::string(500, 'x') + "\r\n");
        return client.ask("0\r\n\r\n");
    };
    EXPECT_EQ(post("/photo", 3'000).body.size(), 3'000U);
    EXPECT_EQ(post_in_chunks("/photo", 6).body.size(), 3'000U);
    EXPECT_EQ(post("/photo", 3'001).body, "The request's body is larger than 3000 bytes.");
    EXPECT_EQ(post_in_chunks("/photo", 7).status, 413);
    EXPECT_EQ(post("/p", 1'000).status, 200);
    EXPECT_EQ(post("/p", 1'001).body, "The request's body is larger than 1000 bytes.");
    EXPECT_EQ(post_in_chunks("/p", 3).body, "The request's body is larger than 1000 bytes.");
    EXPECT_EQ(gate.counters.malformed, 4U);
}

TEST(Server, hears_who_sends_a_picture_before_it_takes_one) {
    ServerSettings settings;
    settings.max_large_bodies_bytes = 0;
    Gate gate(settings);
    RawClient client(gate.server->port());
    const auto answer = client.ask(
        "POST /photo HTTP/1.1\r\nHost: x\r\nX-Stranger: yes\r\nExpect: 100-continue\r\nContent-Length: "
        "30000000\r\n\r\n");
    EXPECT_EQ(answer.status, 401) << "without a word that it may go on";
    EXPECT_EQ(answer.header("Connection"), "close");
    EXPECT_TRUE(client.at_end());
    RawClient chunked(gate.server->port());
    EXPECT_EQ(
        chunked.ask("POST /photo HTTP/1.1\r\nHost: x\r\nX-Stranger: yes\r\nTransfer-Encoding: chunked\r\n\r\n").status,
        401);
    RawClient small(gate.server->port());
    EXPECT_EQ(small.ask("POST /p HTTP/1.1\r\nHost: x\r\nX-Stranger: yes\r\nContent-Length: 3\r\n\r\nabc").status, 200)
        << "of other bodies nobody is asked before";
}

TEST(Server, refuses_a_chunked_body_above_the_limit_and_lets_the_client_read_why) {
    ServerSettings settings;
    settings.max_body_bytes = 1000;
    Gate gate(settings);
    RawClient client(gate.server->port());
    client.send("POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "1f4\r\n" + std::string(500, 'x') + "\r\n";
    for (int i = 0; i < 40; ++i) client.send(chunk);  // more than is ever read as a body
    EXPECT_EQ(client.read().status, 413);
    EXPECT_EQ(gate.counters.malformed, 1U);
}

TEST(Server, refuses_a_header_above_the_limit) {
    House house;
    RawClient client(house.serve());
    client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(17'000, 'x'));
    const auto answer = client.read();
    EXPECT_EQ(answer.status, 431);
    EXPECT_EQ(answer.body, "The request's header is larger than 16384 bytes.");
}

TEST(Server, takes_a_header_just_below_the_limit) {
    House house;
    RawClient client(house.serve());
    EXPECT_EQ(
        client.ask("GET /System/Ping HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(16'000, 'x') + "\r\n\r\n").status,
        200);
}

TEST(Server, says_why_it_does_not_understand) {
    struct Row {
        const char* why;
        const char* bytes;
    };
    constexpr Row rows[] = {
        {"no HTTP at all", "\x16\x03\x01\x02\x00\x01\xfc\x03\x03 hello\r\n\r\n"},
        {"no version", "GET /\r\n\r\n"},
        {"a blank in the name of a header", "GET / HTTP/1.1\r\nHo st: x\r\n\r\n"},
        {"two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"},
        {"length and chunks",
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
        {"a length that is no number", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n"},
        {"a chunk without a size", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"},
        {"no host", "GET /System/Ping HTTP/1.1\r\n\r\n"},
    };
    House house;
    const auto port = house.serve();
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        RawClient client(port);
        const auto answer = client.ask(row.bytes);
        EXPECT_EQ(answer.status, 400);
        EXPECT_FALSE(answer.body.empty());
        client.finish_sending();
        EXPECT_TRUE(client.at_end());
    }
    EXPECT_EQ(house.counters.malformed, std::size(rows));
}

TEST(Server, survives_clients_that_leave_in_the_middle) {
    House house;
    const auto port = house.serve();
    for (const char* part :
         {"", "G", "GET /System/Ping HTT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"}) {
        RawClient client(port);
        client.send(part);
    }
    RawClient client(port);
    EXPECT_EQ(client.ask(ping).status, 200);
}

TEST(Server, ends_a_request_that_trickles_in) {
    ServerSettings settings;
    settings.header_within = core::Millis{150};
    Gate gate(settings);
    RawClient client(gate.server->port());
    client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    const auto answer = client.read();
    EXPECT_EQ(answer.status, 408);
    client.finish_sending();
    EXPECT_TRUE(client.at_end());
    EXPECT_EQ(gate.counters.timed_out, 1U);
}

TEST(Server, ends_a_body_that_does_not_arrive) {
    ServerSettings settings;
    settings.body_within = core::Millis{150};
    Gate gate(settings);
    RawClient client(gate.server->port());
    EXPECT_EQ(client.ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc").status, 408);
}

TEST(Server, closes_a_connection_nobody_uses) {
    ServerSettings settings;
    settings.idle = core::Millis{150};
    Gate gate(settings);
    RawClient client(gate.server->port());
    EXPECT_EQ(client.ask("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n").status, 200);
    EXPECT_TRUE(client.at_end());
    EXPECT_EQ(gate.counters.timed_out, 0U);  // idle is no fault
}

TEST(Server, cuts_a_client_that_does_not_take_its_answer) {
    ServerSettings settings;
    settings.write_within = core::Millis{150};
    settings.max_body_bytes = 64 * 1024 * 1024;
    Gate gate(settings);
    RawClient client(gate.server->port());
    const std::string body(48U * 1024 * 1024, 'x');  // more than the buffers of both ends hold
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    while (gate.counters.timed_out == 0) std::this_thread::yield();
    EXPECT_THROW(client.read(), std::runtime_error);
}

TEST(Server, refuses_connections_above_the_limit_and_takes_new_ones_when_one_ends) {
    ServerSettings settings;
    settings.max_connections = 2;
    Gate gate(settings);
    const char* quick = "GET /quick HTTP/1.1\r\nHost: x\r\n\r\n";
    {
        RawClient first(gate.server->port()), second(gate.server->port());
        EXPECT_EQ(first.ask(quick).status, 200);
        EXPECT_EQ(second.ask(quick).status, 200);
        RawClient third(gate.server->port());
        const auto refused = third.ask(quick);
        EXPECT_EQ(refused.status, 503);
        EXPECT_EQ(refused.header("Retry-After"), "5");
        EXPECT_EQ(refused.body, "The server has too many connections open.");
    }
    while (gate.counters.connections > 0) std::this_thread::yield();
    RawClient again(gate.server->port());
    EXPECT_EQ(again.ask(quick).status, 200);
}

TEST(Server, answers_503_where_the_queue_is_full_and_quick_ones_all_the_same) {
    ServerSettings settings;
    settings.handler_threads = 1;
    settings.queue_bound = 1;
    Gate gate(settings);
    const char* wait = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n";
    RawClient running(gate.server->port()), queued(gate.server->port()), refused(gate.server->port());
    running.send(wait);
    gate.handler.await_inside(1);
    queued.send(wait);
    while (gate.server->waiting() < 1) std::this_thread::yield();
    const auto busy = refused.ask(wait);
    EXPECT_EQ(busy.status, 503);
    EXPECT_EQ(busy.header("Retry-After"), "1");
    EXPECT_EQ(refused.ask("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n").status, 200);
    EXPECT_EQ(gate.counters.overloaded, 1U);
    gate.handler.release();
    EXPECT_EQ(running.read().status, 200);
    EXPECT_EQ(queued.read().status, 200);
}

TEST(Server, finishes_requests_under_way_when_it_stops) {
    Gate gate;
    const auto port = gate.server->port();
    RawClient busy(port), idle(port);
    EXPECT_EQ(idle.ask("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n").status, 200);
    busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
    gate.handler.await_inside(1);
    std::jthread stopping([&] { gate.server->stop(core::Millis{10'000}); });
    EXPECT_TRUE(idle.at_end());  // idle connections end at once: the stop has begun
    gate.handler.release();
    const auto answer = busy.read();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("Connection"), "close");
    EXPECT_TRUE(busy.at_end());
    stopping.join();
    EXPECT_FALSE(RawClient(port).connected());
    EXPECT_EQ(gate.counters.connections, 0);
}

TEST(Server, cuts_what_is_not_done_when_its_grace_is_over) {
    Gate gate;
    RawClient busy(gate.server->port());
    busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
    gate.handler.await_inside(1);
    std::jthread stopping([&] { gate.server->stop(core::Millis{50}); });
    EXPECT_TRUE(busy.at_end());  // without an answer: its handler still blocks
    gate.handler.release();
}

TEST(Server, names_the_setting_where_the_port_is_taken) {
    Gate first;
    ServerSettings settings;
    settings.listen = "127.0.0.1:" + std::to_string(first.server->port());
    Server second(settings, first.handler, first.counters, first.clock, first.log);
    const auto started = second.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, core::Errc::conflict);
    EXPECT_EQ(started.error().context, "Jellyfin:Http:Listen=" + settings.listen +
                                           ": another process listens on port " + std::to_string(first.server->port()) +
                                           "; stop it or choose another port (0 takes a free one)");
}

TEST(Server, names_the_setting_where_the_address_is_not_of_this_machine) {
    GateHandler handler;
    HttpCounters counters;
    core::SystemClock clock;
    core::NullLog log;
    ServerSettings settings;
    settings.listen = "192.0.2.1:0";  // TEST-NET-1: nobody's
    Server server(settings, handler, counters, clock, log);
    const auto started = server.start();
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().context.find("Jellyfin:Http:Listen=192.0.2.1:0"), std::string::npos);
}

TEST(Server, serves_many_connections_at_once) {
    House house;
    const auto port = house.serve();
    std::atomic<int> good{0};
    {
        std::vector<std::jthread> clients;
        for (int i = 0; i < 16; ++i) {
            clients.emplace_back([&] {
                RawClient client(port);
                for (int n = 0; n < 50; ++n) {
                    const auto answer =
                        client.ask("GET /ScheduledTasks?ApiKey=0123456789abcdef-key HTTP/1.1\r\nHost: x\r\n\r\n");
                    if (answer.status == 200 && answer.body == "[]") ++good;
                }
            });
        }
    }
    EXPECT_EQ(good, 16 * 50);
}

}  // namespace
}  // namespace understudy::http
