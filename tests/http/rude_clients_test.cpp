// Slow, rude and hostile clients over real sockets: each ends in time with a clear answer or a clean close, leaves no
// descriptor behind, and others are served meanwhile.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "http/gate.h"
#include "http/house.h"
#include "http/raw_client.h"

namespace understudy::http {
namespace {

using namespace std::chrono_literals;
using testing::Gate;
using testing::House;
using testing::RawClient;

constexpr const char* quick = "GET /quick HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr const char* post_chunks = "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
constexpr int pace_ms = 10;  // of a client that drips

std::size_t descriptors() {
    std::size_t count = 0;
    for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd"))
        count += each.path().empty() ? 0U : 1U;
    return count;
}

/// Declared before the server's clients: at its end all of them are gone, and so must be what the server held for them.
class NoneLeft {
public:
    explicit NoneLeft(HttpCounters& counters) : counters_(counters), before_(descriptors()) {}
    ~NoneLeft() {
        const auto patience = std::chrono::steady_clock::now() + 10s;
        while ((counters_.connections > 0 || descriptors() > before_) && std::chrono::steady_clock::now() < patience)
            std::this_thread::yield();
        EXPECT_EQ(counters_.connections, 0);
        EXPECT_EQ(descriptors(), before_);
    }
    NoneLeft(const NoneLeft&) = delete;
    NoneLeft& operator=(const NoneLeft&) = delete;

private:
    HttpCounters& counters_;
    std::size_t before_;
};

/// Short enough for a test, long enough for a busy machine.
ServerSettings impatient() {
    ServerSettings settings;
    settings.idle = settings.header_within = settings.body_within = settings.write_within = core::Millis{300};
    settings.linger_within = settings.vital_within = core::Millis{300};
    return settings;
}

int ask_quick(std::uint16_t port) {
    RawClient other(port);
    return other.ask(quick).status;
}

TEST(RudeClients, who_drips_is_told_and_dropped_while_others_are_served) {
    for (const auto* begin : {"GET /headers HTTP/1.1\r\nHost: x\r\nX-Drip: ",
                              "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", post_chunks}) {
        SCOPED_TRACE(begin);
        Gate gate(impatient());
        const NoneLeft none_left(gate.counters);
        RawClient client(gate.server->port());
        client.send(begin);
        const bool chunked = begin == post_chunks;
        int bytes = 0;
        while (!client.readable(pace_ms)) {
            client.send(chunked ? "1\r\nx\r\n" : "x");
            if (++bytes % 10 == 0) {
                EXPECT_EQ(ask_quick(gate.server->port()), 200);
            }
        }
        EXPECT_GT(bytes, 3) << "it was heard until its time was up";
        const auto answer = client.read();
        EXPECT_EQ(answer.status, 408);
        EXPECT_EQ(answer.header("Connection"), "close");
        EXPECT_TRUE(client.at_end());
        EXPECT_EQ(gate.counters.timed_out, 1U);
    }
}

TEST(RudeClients, who_drips_fast_enough_is_answered) {
    Gate gate;
    const NoneLeft none_left(gate.counters);
    RawClient client(gate.server->port());
    for (const char byte : std::string_view("\r\nPOST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"))
        client.send({&byte, 1});
    EXPECT_EQ(client.read().body, "abc");
}

TEST(RudeClients, an_empty_line_before_a_request_is_skipped_however_it_comes) {
    Gate gate;
    const NoneLeft none_left(gate.counters);
    const auto port = gate.server->port();
    for (const auto* begin : {"\r", "\r\n", "\r\nGE"}) {
        SCOPED_TRACE(begin);
        RawClient client(port);
        client.ask(quick);
        client.send(begin);
        ASSERT_EQ(ask_quick(port), 200) << "by then the server has read it, or nearly";
        EXPECT_EQ(client.ask((std::string("\r\n") + quick).substr(std::string_view(begin).size())).status, 200);
        EXPECT_EQ(client.ask(std::string("\r\n") + quick).status, 200);
        EXPECT_EQ(client.ask(std::string("\r\n\r\n") + quick).status, 400) << "one, not many";
    }
}

TEST(RudeClients, an_empty_line_alone_is_no_request_and_has_no_answer) {
    Gate gate(impatient());
    const NoneLeft none_left(gate.counters);
    for (const auto* all : {"\r", "\r\n"}) {
        SCOPED_TRACE(all);
        RawClient client(gate.server->port());
        client.send(all);
        EXPECT_TRUE(client.at_end());
    }
    EXPECT_EQ(gate.counters.timed_out, 0U);
}

TEST(RudeClients, what_never_comes_is_not_waited_for) {
    struct Row {
        const char* why;
        std::string bytes;
        int status;  ///< 0: closed without an answer
    };
    const Row rows[] = {
        {"nothing at all", "", 0},
        {"half a first line", "GET /qu", 408},
        {"a header without end", "GET /quick HTTP/1.1\r\nHost: x\r\n", 408},
        {"a body that never comes", "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n", 408},
        {"half a chunk", std::string(post_chunks) + "5\r\nab", 408},
        {"chunks without end", std::string(post_chunks) + "2\r\nab\r\n", 408},
    };
    Gate gate(impatient());
    const NoneLeft none_left(gate.counters);
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        RawClient client(gate.server->port());
        client.send(row.bytes);
        if (row.status > 0) {
            EXPECT_EQ(client.read().status, row.status);
        }
        EXPECT_TRUE(client.at_end());
    }
}

TEST(RudeClients, who_never_reads_a_large_answer_is_cut_while_others_are_served) {
    Gate gate(impatient());
    const NoneLeft none_left(gate.counters);
    RawClient client(gate.server->port());
    client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    while (gate.counters.timed_out == 0) EXPECT_EQ(ask_quick(gate.server->port()), 200);
    EXPECT_THROW(client.read(), std::runtime_error);
}

TEST(RudeClients, who_asks_and_asks_and_never_reads_is_cut) {
    Gate gate(impatient());
    const NoneLeft none_left(gate.counters);
    constexpr int small = 4096;
    RawClient client(gate.server->port(), small);
    std::string many;
    for (int i = 0; i < 200; ++i) many += quick;
    while (client.send(many)) continue;  // ends when the server has: no more of them is taken than is answered
    EXPECT_EQ(gate.counters.timed_out, 1U);
    EXPECT_EQ(ask_quick(gate.server->port()), 200);
}

TEST(RudeClients, a_thousand_requests_at_once_are_answered_in_order) {
    Gate gate;
    const NoneLeft none_left(gate.counters);
    RawClient client(gate.server->port());
    constexpr int count = 1'000;
    std::string all;
    for (int i = 0; i < count; ++i) {
        const auto body = std::to_string(i);
        all += "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    std::jthread sender([&] { client.send(all); });
    for (int i = 0; i < count; ++i) ASSERT_EQ(client.read().body, std::to_string(i));
}

TEST(RudeClients, who_has_finished_sending_gets_the_answer) {
    Gate gate;
    const NoneLeft none_left(gate.counters);
    for (const auto& [bytes, status] : {std::pair{"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", 200},
                                        {"POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 200},
                                        {"GET /slow HTTP/1.1\r\nHost:", 400},
                                        {"POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab", 400}}) {
        SCOPED_TRACE(bytes);
        RawClient client(gate.server->port());
        client.send(bytes);
        client.finish_sending();
        EXPECT_EQ(client.read().status, status);
        EXPECT_TRUE(client.at_end());
    }
}

TEST(RudeClients, a_thousand_idle_connections_are_closed_and_hold_nobody_up) {
    ServerSettings settings = impatient();
    settings.idle = core::Millis{2'000};
    Gate gate(settings);
    const NoneLeft none_left(gate.counters);
    std::vector<std::unique_ptr<RawClient>> idle;
    constexpr std::size_t count = 1'000;
    for (std::size_t i = 0; i < count; ++i) {
        idle.push_back(std::make_unique<RawClient>(gate.server->port()));
        ASSERT_TRUE(idle.back()->connected());
        if (i % 100 == 0) {
            EXPECT_EQ(ask_quick(gate.server->port()), 200);
        }
    }
    idle.resize(count / 2);  // half of them leave, half stay and say nothing
    for (const auto& each : idle) EXPECT_TRUE(each->at_end());
    EXPECT_EQ(gate.counters.timed_out, 0U);
}

TEST(RudeClients, above_the_limit_of_connections_only_probes_are_answered) {
    ServerSettings settings;
    settings.max_connections = 2;
    settings.vital_connections = 2;
    settings.vital_within = core::Millis{300};
    Gate gate(settings);
    const NoneLeft none_left(gate.counters);
    const auto port = gate.server->port();
    RawClient first(port), second(port);
    EXPECT_EQ(first.ask(quick).status, 200);
    EXPECT_EQ(second.ask(quick).status, 200);
    for (int i = 0; i < 5; ++i) {
        RawClient probe(port);
        const auto answer = probe.ask("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.header("Connection"), "close") << "the place is for the next one";
        EXPECT_TRUE(probe.at_end());
        while (gate.counters.connections > 2) std::this_thread::yield();
    }
    {
        RawClient other(port);
        const auto refused = other.ask(quick);
        EXPECT_EQ(refused.status, 503);
        EXPECT_EQ(refused.header("Retry-After"), "5");
        EXPECT_EQ(refused.header("Connection"), "close");
    }
    while (gate.counters.connections > 2) std::this_thread::yield();
    {
        RawClient silent(port), dripping(port);
        dripping.send("GET /hea");
        while (gate.counters.connections < 4) std::this_thread::yield();
        RawClient beyond(port);
        EXPECT_EQ(beyond.read().status, 503) << "refused unread";
        EXPECT_TRUE(silent.at_end()) << "the places of probes are not to be sat on";
        EXPECT_EQ(dripping.read().status, 408);
    }
    EXPECT_EQ(gate.counters.connections_refused, 2U);
    EXPECT_EQ(first.ask(quick).status, 200) << "who is in stays in";
}

TEST(RudeClients, only_health_and_metrics_are_vital) {
    DispatcherSettings settings;
    settings.base_url = "/jf";
    House house(settings);
    const auto vital = [&](const char* target) {
        Request request;
        request.target = target;
        return house.dispatcher->is_vital(request);
    };
    for (const auto* target : {"/health/live", "/health/ready?x=y", "/jf/health", "/metrics", "/jf/metrics"})
        EXPECT_TRUE(vital(target)) << target;
    for (const auto* target : {"/", "/healthy", "/System/Ping", "/x/health", "/jf", "*"})
        EXPECT_FALSE(vital(target)) << target;
}

TEST(RudeClients, what_two_readers_could_read_differently_is_refused_and_ends_the_connection) {
    struct Row {
        const char* why;
        const char* headers;
        int status;
    };
    constexpr Row rows[] = {
        {"two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n", 400},
        {"one length twice", "Content-Length: 1\r\nContent-Length: 1\r\n", 400},
        {"a list of lengths", "Content-Length: 1, 1\r\n", 400},
        {"a negative length", "Content-Length: -1\r\n", 400},
        {"a length with a sign", "Content-Length: +1\r\n", 400},
        {"a length in hex", "Content-Length: 0x1\r\n", 400},
        {"a length past 64 bits", "Content-Length: 99999999999999999999\r\n", 400},
        {"an empty length", "Content-Length:\r\n", 400},
        {"length, then chunks", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400},
        {"chunks, then length", "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", 400},
        {"another coding and a length", "Transfer-Encoding: gzip\r\nContent-Length: 1\r\n", 400},
        {"chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400},
        {"chunks within chunks", "Transfer-Encoding: chunked, chunked\r\n", 501},
        {"another coding", "Transfer-Encoding: gzip\r\n", 501},
        {"another coding within chunks", "Transfer-Encoding: gzip, chunked\r\n", 501},
        {"chunks that are no last coding", "Transfer-Encoding: chunked, identity\r\n", 501},
        {"nearly chunked", "Transfer-Encoding: xchunked\r\n", 501},
        {"a quoted coding", "Transfer-Encoding: \"chunked\"\r\n", 501},
        {"a blank before the colon", "Transfer-Encoding : chunked\r\n", 400},
        {"a vertical tab", "Transfer-Encoding: \vchunked\r\n", 400},
        {"two hosts", "Host: y\r\n", 400},
        {"an expectation nobody knows", "Expect: a-miracle\r\n", 417},
    };
    Gate gate(impatient());
    const NoneLeft none_left(gate.counters);
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        RawClient client(gate.server->port());
        client.send("POST /p HTTP/1.1\r\nHost: x\r\n" + std::string(row.headers) + "\r\n" + quick);
        const auto answer = client.read();
        EXPECT_EQ(answer.status, row.status) << answer.body;
        EXPECT_EQ(answer.header("Connection"), "close");
        client.finish_sending();
        EXPECT_TRUE(client.at_end()) << "what follows is no request of its own";
    }
    RawClient old(gate.server->port());
    old.send("POST /p HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    EXPECT_EQ(old.read().status, 400) << "HTTP/1.0 knows no chunks";
    EXPECT_EQ(gate.counters.malformed, std::size(rows) + 1);
}

TEST(RudeClients, chunks_that_are_none_are_refused) {
    Gate gate(impatient());
    const NoneLeft none_left(gate.counters);
    for (const auto* chunk : {"zz\r\n", "-1\r\n", "\r\n", "3\r\nabcd\r\n", "3\r\nabc0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\n",
                              "3 \r\nabc\r\n\n", "0\r\nno colon\r\n\r\n", "0\r\nX\0Y: z\r\n\r\n"}) {
        SCOPED_TRACE(chunk);
        RawClient client(gate.server->port());
        client.send(std::string(post_chunks) + chunk);
        client.finish_sending();
        const auto status = client.read().status;
        EXPECT_EQ(status, 400);
        EXPECT_TRUE(client.at_end());
    }
    RawClient large(gate.server->port());
    large.send(std::string(post_chunks) + "FFFFFFFF\r\n");
    EXPECT_EQ(large.read().status, 413) << "by its announced size, before it comes";
}

TEST(RudeClients, what_stands_between_chunks_takes_no_memory_without_end) {
    Gate gate;
    const NoneLeft none_left(gate.counters);
    const std::string endless(std::size_t{4} << 20, 'a');
    for (const std::string begun : {"1;", "0\r\nX: ", "1\r\nx\r\n2;"}) {
        SCOPED_TRACE(begun);
        RawClient client(gate.server->port());
        client.send(std::string(post_chunks) + begun);
        client.send(endless);
        EXPECT_EQ(client.read().status, 400);
        EXPECT_TRUE(client.at_end());
    }
}

TEST(RudeClients, trailers_are_no_headers) {
    Gate gate;
    RawClient client(gate.server->port());
    const auto answer = client.ask(
        "POST /headers HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;ext=1\r\nabc\r\n0\r\n"
        "X-Forwarded-For: 1.2.3.4\r\nX-Emby-Token: x\r\n\r\n");
    EXPECT_EQ(answer.body, "Host Transfer-Encoding ");
    EXPECT_EQ(client.ask(quick).status, 200) << "and they were read";
}

TEST(RudeClients, an_expectation_is_met_only_where_it_may_be) {
    ServerSettings settings;
    settings.max_body_bytes = 10;
    Gate gate(settings);
    RawClient refused(gate.server->port());
    EXPECT_EQ(refused.ask("POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n").status,
              413)
        << "without a word that it may go on";
    RawClient old(gate.server->port());
    const auto answer = old.ask("POST /p HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc");
    EXPECT_EQ(answer.status, 200) << "HTTP/1.0 knows no 100";
    EXPECT_EQ(answer.body, "abc");
    RawClient without(gate.server->port());
    EXPECT_EQ(without.ask("GET /quick HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n").status, 200)
        << "there is no body to wait for";
}

TEST(RudeClients, each_form_of_target_has_an_answer) {
    House house;
    const auto port = house.serve();
    const NoneLeft none_left(house.counters);
    for (const auto& [line, status] : {std::pair{"GET http://media.example/System/Ping", 200},
                                       {"GET HTTP://media.example:8096/System/Ping?x=y", 200},
                                       {"GET http://", 302},
                                       {"OPTIONS *", 204},
                                       {"GET *", 404},
                                       {"CONNECT media.example:443", 404},
                                       {"GET System/Ping", 200},
                                       {"GET //System/Ping", 200},
                                       {"GET /System/Ping#part", 404},
                                       {"GET /System/Ping%00", 404},
                                       {"GET /%2e%2e/%2e%2e/etc/passwd", 404},
                                       {"BREW /System/Ping", 405},
                                       {"get /System/Ping", 405}}) {
        SCOPED_TRACE(line);
        RawClient client(port);
        const auto answer = client.ask(std::string(line) + " HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_EQ(answer.status, status) << answer.body;
        EXPECT_EQ(client.ask("GET /System/Ping HTTP/1.1\r\nHost: x\r\n\r\n").status, 200) << "the connection goes on";
    }
}

TEST(RudeClients, lines_that_are_none_are_refused) {
    using namespace std::string_literals;
    const std::pair<std::string, int> rows[] = {
        {"GET /quick HTTP/1.1\nHost: x\n\n"s, 400},
        {"GET /quick HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n"s, 400},
        {"GET /quick HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n"s, 400},
        {"GET /quick HTTP/1.1\r\nHost: x\r\nX\0A: b\r\n\r\n"s, 400},
        {"GET /qu\0ick HTTP/1.1\r\nHost: x\r\n\r\n"s, 400},
        {"GET /quick HTTP/1.1\r\nHost: x\r\nX-A: b\rc\r\n\r\n"s, 400},
        {"GET /quick HTTP/1.1\r\n Host: x\r\n\r\n"s, 400},
        {"GET /quick HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n"s, 400},
        {"GET /qu ick HTTP/1.1\r\nHost: x\r\n\r\n"s, 400},
        {"GET  /quick HTTP/1.1\r\nHost: x\r\n\r\n"s, 400},
        {"GET /quick HTTP/2.0\r\nHost: x\r\n\r\n"s, 400},
        {"GET /quick\r\n\r\n"s, 400},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"s, 400},
        // A folded line is one line with blanks (RFC 9112 §5.2).
        {"GET /quick HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n"s, 200},
    };
    Gate gate(impatient());
    const NoneLeft none_left(gate.counters);
    for (const auto& [bytes, status] : rows) {
        SCOPED_TRACE(bytes);
        RawClient client(gate.server->port());
        client.send(bytes);
        client.finish_sending();
        EXPECT_EQ(client.read().status, status);
        EXPECT_TRUE(client.at_end());
    }
}

TEST(RudeClients, what_is_too_long_has_a_status_of_its_own) {
    Gate gate(impatient());
    const NoneLeft none_left(gate.counters);
    const std::string begin = "GET /quick HTTP/1.1\r\nHost: x\r\n", many(20'000, 'x');
    std::string crowd;
    for (int i = 0; i < 99; ++i) crowd += "X-" + std::to_string(i) + ": y\r\n";
    for (const auto& [bytes, status] : {std::pair{"GET /" + many + " HTTP/1.1\r\nHost: x\r\n\r\n", 414},
                                        {"GET /" + many, 414},
                                        {begin + "X-Long: " + many + "\r\n\r\n", 431},
                                        {begin + many, 431},
                                        {begin + crowd + "\r\n", 200},
                                        {begin + crowd + "X-100: y\r\n\r\n", 431}}) {
        SCOPED_TRACE(bytes.substr(0, 60));
        RawClient whole(gate.server->port());
        whole.send(bytes);
        whole.finish_sending();
        EXPECT_EQ(whole.read().status, status);
        EXPECT_TRUE(whole.at_end());
        if (status == 200) continue;
        RawClient dripping(gate.server->port());
        for (std::size_t at = 0; at < bytes.size(); at += 1'000) dripping.send(bytes.substr(at, 1'000));
        dripping.finish_sending();
        EXPECT_EQ(dripping.read().status, status) << "in parts";
    }
}

TEST(RudeClients, who_sends_far_too_much_can_still_read_why) {
    Gate gate;
    const NoneLeft none_left(gate.counters);
    RawClient client(gate.server->port());
    const std::string body(std::size_t{20} << 20, 'x');
    client.send("POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n");
    EXPECT_TRUE(client.send(body)) << "all of it is taken, and dropped";
    EXPECT_EQ(client.read().status, 413);
    EXPECT_TRUE(client.at_end());
    RawClient last(gate.server->port());
    last.send("GET /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + body);
    EXPECT_EQ(last.read().status, 200) << "what follows a last request is dropped too";
    EXPECT_TRUE(last.at_end());
}

TEST(RudeClients, who_is_refused_and_stays_is_not_waited_for_at_the_end) {
    ServerSettings settings;
    settings.linger_within = core::Millis{60'000};
    Gate gate(settings);
    RawClient client(gate.server->port());
    EXPECT_EQ(client.ask("no request\r\n\r\n").status, 400);
    const auto began = std::chrono::steady_clock::now();
    gate.server->stop(core::Millis{20'000});
    EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
    EXPECT_EQ(gate.counters.connections, 0);
}

}  // namespace
}  // namespace understudy::http
