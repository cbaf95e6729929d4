// What a Redis can do to a lease (cases C, D and E of the fault list): each gets its class and leaves the key alone.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "contract/lease_store/lease_store_contract.h"
#include "lease/redis/redis_lease_store.h"
#include "support/redis_server.h"

namespace understudy::testing {
namespace {

using lease::LeaseNoAnswer;
using lease::NoAnswer;
using Clock = std::chrono::steady_clock;

constexpr const char* key = "jellyfin:scan-leader";
constexpr auto stall = 1s;  // a shared machine may hold a process up

class ListLog final : public core::Log {
public:
    void write(core::LogLevel, std::string_view message, std::span<const core::LogField>) noexcept override {
        lines.emplace_back(message);
    }
    std::vector<std::string> lines;
};

class RedisFaults : public ::testing::Test {
protected:
    std::unique_ptr<lease::RedisLeaseStore> store(const std::string& options, core::Millis call_timeout = 5s,
                                                  const std::string& lease_key = key) {
        lease::RedisLeaseConfig config;
        config.connection = redis::parse_connection_string(server->address() + options).value();
        config.key = lease_key;
        config.label = "pod";
        config.call_timeout = call_timeout;
        return std::make_unique<lease::RedisLeaseStore>(std::move(config), log);
    }
    static LeaseNoAnswer refused(lease::LeaseStore& from) {
        const auto connected = from.connect();
        EXPECT_FALSE(connected);
        return connected ? LeaseNoAnswer{} : connected.error();
    }
    static LeaseNoAnswer unanswered(lease::LeaseStore& from, Verb verb, const core::LeaseToken& token) {
        auto reply = from.ask({verb, token, 60s});
        EXPECT_TRUE(std::holds_alternative<LeaseNoAnswer>(reply));
        return std::holds_alternative<LeaseNoAnswer>(reply) ? std::get<LeaseNoAnswer>(reply) : LeaseNoAnswer{};
    }
    static void expect_says(const LeaseNoAnswer& answer, std::initializer_list<const char*> words) {
        for (const auto* one : words) EXPECT_NE(answer.detail.find(one), std::string::npos) << answer.detail;
    }
    /// Do the server's clients, this question's own left out, become `count`? It learns of a close a moment later.
    bool comes_to_clients(int count) {
        const auto give_up = Clock::now() + 20s;
        while (Clock::now() < give_up) {
            const auto list = server->command({"CLIENT", "LIST"});  // itself refused where there are too many
            if (std::count(list.begin(), list.end(), '\n') == count + 1) return true;
        }
        return false;
    }

    ListLog log;
    std::unique_ptr<RedisServer> server = std::make_unique<RedisServer>();
    core::LeaseToken token = new_token();
};

TEST_F(RedisFaults, a_new_connection_tells_the_age_and_an_old_one_nothing) {
    auto pod = store("");
    const auto first = pod->connect();
    ASSERT_TRUE(first && *first);
    EXPECT_LT((*first)->uptime, 60s);
    EXPECT_FALSE((*first)->identity_changed);
    const auto second = pod->connect();
    ASSERT_TRUE(second);
    EXPECT_FALSE(*second);
}

TEST_F(RedisFaults, a_restarted_empty_server_is_reported_before_the_first_call) {
    auto pod = store("");
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    server->restart_empty();
    const auto again = pod->connect();
    ASSERT_TRUE(again) << again.error().detail;
    ASSERT_TRUE(*again);
    EXPECT_TRUE((*again)->identity_changed);
    EXPECT_EQ(ask(*pod, Verb::renew, token).verdict, Verdict::lost);
}

TEST_F(RedisFaults, a_key_of_another_type_is_reported_and_left_alone) {
    server->command({"LPUSH", key, "x"});
    server->command({"PEXPIRE", key, "100000"});
    auto pod = store("");
    ASSERT_TRUE(pod->connect());  // the self-test, too, leaves it alone
    for (const auto verb : {Verb::acquire, Verb::renew, Verb::release}) {
        const auto none = unanswered(*pod, verb, token);
        EXPECT_EQ(none.reason, NoAnswer::misconfigured);
        EXPECT_FALSE(none.ambiguous);
        expect_says(none, {"WRONGTYPE", "Jellyfin:ScanLeader:LeaseKey", key});
        ASSERT_TRUE(pod->connect());
    }
    EXPECT_EQ(server->command({"LRANGE", key, "0", "-1"}), "x");
    EXPECT_LE(std::stoi(server->command({"PTTL", key})), 100'000);
}

TEST_F(RedisFaults, a_foreign_key_without_ttl_is_given_one_and_that_is_said) {
    server->command({"SET", key, "somebody"});
    auto pod = store("");
    const auto answer = ask(*pod, Verb::acquire, token, 60s);
    EXPECT_EQ(answer.verdict, Verdict::held);
    EXPECT_TRUE(answer.repaired_missing_ttl);
    EXPECT_EQ(answer.holder, "somebody");
    EXPECT_GT(*answer.ttl_left, 50s);
    EXPECT_FALSE(ask(*pod, Verb::acquire, token, 60s).repaired_missing_ttl);
    server->command({"PERSIST", key});
    EXPECT_FALSE(ask(*pod, Verb::renew, token, 60s).repaired_missing_ttl);  // only an acquire repairs
    EXPECT_EQ(server->command({"PTTL", key}), "-1");
}

TEST_F(RedisFaults, the_script_itself_refuses_a_ttl_of_nothing) {
    auto pod = store("");
    ASSERT_TRUE(pod->connect());
    const auto reply = pod->ask({Verb::acquire, token, 0ms});
    ASSERT_TRUE(std::holds_alternative<LeaseNoAnswer>(reply));
    EXPECT_EQ(server->command({"GET", key}), "(nil)");
}

TEST_F(RedisFaults, the_self_test_changes_nothing_and_wakes_nobody) {
    auto pod = store("");
    EXPECT_EQ(ask(*pod, Verb::acquire, token, 60s).verdict, Verdict::granted);
    const auto before = server->command({"GET", key});
    auto other = store("");
    ASSERT_TRUE(other->connect());
    EXPECT_EQ(server->command({"GET", key}), before);
    EXPECT_LE(std::stoi(server->command({"PTTL", key})), 60'000);
    EXPECT_EQ(server->command({"DBSIZE"}), "1");
    EXPECT_EQ(pod->wait(50ms), lease::LeaseStore::Wake::timeout);
    server->command({"DEL", key});
    auto third = store("");
    ASSERT_TRUE(third->connect());
    EXPECT_EQ(server->command({"DBSIZE"}), "0");
}

TEST_F(RedisFaults, a_frozen_server_costs_one_call_timeout_and_the_connection) {
    auto pod = store("", 300ms);
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    server->freeze();
    auto from = Clock::now();
    const auto none = unanswered(*pod, Verb::renew, token);
    EXPECT_LT(Clock::now() - from, 300ms + stall);
    EXPECT_EQ(none.reason, NoAnswer::unreachable);
    EXPECT_TRUE(none.ambiguous);
    // The kernel still accepts; the new connection's limit is the same, each time.
    for (int i = 0; i < 3; ++i) {
        from = Clock::now();
        EXPECT_EQ(refused(*pod).reason, NoAnswer::unreachable);
        EXPECT_LT(Clock::now() - from, 300ms + stall);
    }
    server->thaw();
    auto back = pod->connect();
    for (int i = 0; i < 20 && !back; ++i) back = pod->connect();
    ASSERT_TRUE(back) << back.error().detail;
    EXPECT_TRUE(*back);
    EXPECT_FALSE((**back).identity_changed);
    EXPECT_EQ(ask(*pod, Verb::renew, token).verdict, Verdict::granted);
    EXPECT_TRUE(comes_to_clients(2));
}

TEST_F(RedisFaults, a_server_that_is_gone_is_unreachable) {
    auto pod = store("");
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    server->kill();
    EXPECT_EQ(refused(*pod).reason, NoAnswer::unreachable);
    const auto none = unanswered(*pod, Verb::renew, token);
    EXPECT_EQ(none.reason, NoAnswer::unreachable);
    EXPECT_FALSE(none.ambiguous);  // nothing was sent
}

TEST_F(RedisFaults, a_wrong_password_is_named_with_its_setting_but_not_shown) {
    server->command({"ACL", "SETUSER", "pod", "on", ">right", "~*", "&*", "+@all"});
    const auto none = refused(*store(",user=pod,password=hunter2"));
    EXPECT_EQ(none.reason, NoAnswer::misconfigured);
    expect_says(none, {"WRONGPASS", "check user and password in Jellyfin:TranscodeStore:RedisConnectionString"});
    EXPECT_EQ(none.detail.find("hunter2"), std::string::npos);
}

TEST_F(RedisFaults, a_server_that_wants_a_password_is_named) {
    server->command({"CONFIG", "SET", "requirepass", "secret"});
    server->set_password("secret");
    const auto none = refused(*store(""));
    EXPECT_EQ(none.reason, NoAnswer::misconfigured);
    expect_says(none, {"NOAUTH", "RedisConnectionString"});
    EXPECT_TRUE(store(",password=secret")->connect());
}

TEST_F(RedisFaults, a_changed_password_is_read_again_for_the_next_connection) {
    std::string password = "old";
    server->command({"ACL", "SETUSER", "pod", "on", ">old", "~*", "&*", "+@all"});
    lease::RedisLeaseConfig config;
    config.reread = [&] {
        return redis::parse_connection_string(server->address() + ",user=pod,password=" + password);
    };
    config.connection = config.reread().value();
    lease::RedisLeaseStore pod(std::move(config), log);
    ASSERT_TRUE(pod.connect());
    server->command({"ACL", "SETUSER", "pod", "resetpass", ">new"});
    server->command({"CLIENT", "KILL", "USER", "pod"});
    EXPECT_EQ(refused(pod).reason, NoAnswer::misconfigured);
    password = "new";
    EXPECT_TRUE(pod.connect());
}

TEST_F(RedisFaults, the_self_test_names_each_right_that_is_missing) {
    struct Row {
        std::vector<std::string> without;
        const char* says;
    };
    const Row rows[] = {
        {{"-@scripting"}, "+eval"},
        {{"-evalsha"}, "+evalsha"},
        {{"-set"}, "+set"},
        {{"-get"}, "+get"},
        {{"-del"}, "+del"},
        {{"-pexpire"}, "+pexpire"},
        {{"-pttl"}, "+pttl"},
        {{"-time"}, "+time"},
        {{"-publish"}, "+publish"},
        {{"-subscribe"}, "+subscribe"},
        {{"resetkeys", "~lease:*"}, "~jellyfin:scan-leader"},
        {{"resetchannels", "&lease:*"}, "&{jellyfin:scan-leader}:events"},
    };
    for (const bool held : {false, true}) {
        if (held) server->command({"SET", key, "somebody", "PX", "600000"});
        for (const auto& row : rows) {
            SCOPED_TRACE(row.says);
            std::vector<std::string> rule = {"ACL", "SETUSER", "pod", "reset", "on", ">p", "~*", "&*", "+@all"};
            rule.insert(rule.end(), row.without.begin(), row.without.end());
            ASSERT_EQ(server->command(rule), "OK");
            const auto none = refused(*store(",user=pod,password=p"));
            EXPECT_EQ(none.reason, NoAnswer::misconfigured);
            expect_says(none, {"NOPERM", row.says, "RedisConnectionString"});
            EXPECT_EQ(server->command({"GET", key}), held ? "somebody" : "(nil)");
        }
    }
}

TEST_F(RedisFaults, rights_below_one_prefix_are_enough_with_a_channel_prefix) {
    server->command({"ACL", "SETUSER", "pod", "on", ">p", "~lease:*", "&lease:*", "+@all"});
    auto pod = store(",user=pod,password=p,channelPrefix=lease:", 5s, "lease:leader");
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    EXPECT_EQ(ask(*pod, Verb::release, token).verdict, Verdict::released);
    EXPECT_EQ(pod->wait(20s), lease::LeaseStore::Wake::notice);
    expect_says(refused(*store(",user=pod,password=p", 5s, "lease:leader")), {"&{lease:leader}:events"});
}

TEST_F(RedisFaults, role_and_info_may_be_missing_and_are_warned_of_once) {
    server->command({"ACL", "SETUSER", "pod", "on", ">p", "~*", "&*", "+@all", "-role", "-info", "-client"});
    auto pod = store(",user=pod,password=p,name=pod-1");
    for (int i = 0; i < 3; ++i) {
        const auto age = pod->connect();
        ASSERT_TRUE(age) << age.error().detail;
        EXPECT_FALSE(*age);
        EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
        server->command({"CLIENT", "KILL", "USER", "pod"});
    }
    EXPECT_EQ(log.lines.size(), 3U);
}

TEST_F(RedisFaults, a_right_lost_later_is_named_too) {
    server->command({"ACL", "SETUSER", "pod", "on", ">p", "~*", "&*", "+@all"});
    auto pod = store(",user=pod,password=p");
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    server->command({"ACL", "SETUSER", "pod", "-pexpire"});
    EXPECT_EQ(unanswered(*pod, Verb::renew, token).reason, NoAnswer::misconfigured);
    expect_says(refused(*pod), {"+pexpire"});
    server->command({"ACL", "SETUSER", "pod", "+pexpire"});
    EXPECT_EQ(ask(*pod, Verb::renew, token).verdict, Verdict::granted);
}

TEST_F(RedisFaults, a_server_made_a_replica_is_transient_and_dropped) {
    auto pod = store("");
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    server->command({"REPLICAOF", "127.0.0.1", std::to_string(free_port())});
    const auto none = unanswered(*pod, Verb::renew, token);
    EXPECT_EQ(none.reason, NoAnswer::transient);
    expect_says(none, {"READONLY"});
    const auto again = refused(*pod);  // dropped: a new connection looks at ROLE
    EXPECT_EQ(again.reason, NoAnswer::transient);
    expect_says(again, {"replica"});
    EXPECT_TRUE(comes_to_clients(0));
    server->command({"REPLICAOF", "NO", "ONE"});
    ASSERT_TRUE(pod->connect());
    EXPECT_EQ(ask(*pod, Verb::renew, token).verdict, Verdict::granted);
}

TEST_F(RedisFaults, a_full_memory_lets_the_holder_renew_and_nobody_acquire) {
    auto holder = store("");
    EXPECT_EQ(ask(*holder, Verb::acquire, token).verdict, Verdict::granted);
    server->command({"CONFIG", "SET", "maxmemory", "1mb"});
    EXPECT_EQ(ask(*holder, Verb::renew, token).verdict, Verdict::granted);
    auto other = store("");
    EXPECT_EQ(ask(*other, Verb::acquire, new_token()).verdict, Verdict::held);  // also its connect is fine
    EXPECT_EQ(ask(*holder, Verb::release, token).verdict, Verdict::released);
    ASSERT_TRUE(other->connect());
    const auto none = unanswered(*other, Verb::acquire, new_token());
    EXPECT_EQ(none.reason, NoAnswer::transient);
    expect_says(none, {"OOM"});
    EXPECT_FALSE(none.ambiguous);
}

TEST_F(RedisFaults, too_few_replicas_are_transient) {
    auto pod = store("");
    ASSERT_TRUE(pod->connect());
    server->command({"CONFIG", "SET", "min-replicas-to-write", "1"});
    const auto none = unanswered(*pod, Verb::acquire, token);
    EXPECT_EQ(none.reason, NoAnswer::transient);
    expect_says(none, {"NOREPLICAS"});
}

TEST_F(RedisFaults, too_many_clients_are_transient_and_leak_nothing) {
    server->command({"CONFIG", "SET", "maxclients", "3"});
    auto first = store("");
    ASSERT_TRUE(first->connect());
    auto second = store("");
    for (int i = 0; i < 5; ++i) {
        const auto none = refused(*second);
        EXPECT_EQ(none.reason, NoAnswer::transient) << none.detail;
        expect_says(none, {"max number of clients"});
    }
    EXPECT_TRUE(comes_to_clients(2));
    EXPECT_EQ(ask(*first, Verb::acquire, token).verdict, Verdict::granted);
    server->command({"CONFIG", "SET", "maxclients", "10"});
    EXPECT_TRUE(second->connect());
}

TEST_F(RedisFaults, a_busy_server_is_transient) {
    server->command({"CONFIG", "SET", "busy-reply-threshold", "1"});
    auto pod = store("");
    ASSERT_TRUE(pod->connect());
    std::jthread spinning([&] {
        EXPECT_NE(server->command({"EVAL", "while true do end", "0"}).find("killed"), std::string::npos);
    });
    LeaseNoAnswer none;
    const auto give_up = Clock::now() + 20s;
    do {  // until the script above has begun
        auto reply = pod->ask({Verb::acquire, token, 60s});
        if (std::holds_alternative<LeaseNoAnswer>(reply)) none = std::get<LeaseNoAnswer>(reply);
    } while (none.detail.empty() && Clock::now() < give_up);
    EXPECT_EQ(none.reason, NoAnswer::transient) << none.detail;
    expect_says(none, {"BUSY"});
    EXPECT_EQ(server->command({"SCRIPT", "KILL"}), "OK");
}

TEST_F(RedisFaults, an_idle_pod_sends_its_lease_calls_and_nothing_else) {
    auto pod = store("");
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    server->command({"CONFIG", "RESETSTAT"});
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(pod->wait(5ms), lease::LeaseStore::Wake::timeout);
        EXPECT_EQ(ask(*pod, Verb::renew, token).verdict, Verdict::granted);
    }
    const auto stats = server->command({"INFO", "commandstats"});
    EXPECT_NE(stats.find("cmdstat_evalsha:calls=10,"), std::string::npos) << stats;
    for (const auto* none : {"cmdstat_ping", "cmdstat_eval:", "cmdstat_subscribe", "cmdstat_role", "cmdstat_client"}) {
        EXPECT_EQ(stats.find(none), std::string::npos) << none;
    }
}

TEST_F(RedisFaults, a_broken_subscription_is_had_again_while_the_lease_goes_on) {
    auto pod = store("");
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    server->command({"CLIENT", "KILL", "TYPE", "pubsub"});
    while (server->command({"PUBSUB", "NUMSUB", "{jellyfin:scan-leader}:events"}).find("\n0") == std::string::npos) {
    }
    EXPECT_EQ(ask(*pod, Verb::renew, token).verdict, Verdict::granted);
    EXPECT_EQ(server->command({"PUBSUB", "NUMSUB", "{jellyfin:scan-leader}:events"}),
              "{jellyfin:scan-leader}:events\n1");
    EXPECT_EQ(ask(*pod, Verb::release, token).verdict, Verdict::released);
    EXPECT_EQ(pod->wait(20s), lease::LeaseStore::Wake::notice);
}

TEST_F(RedisFaults, the_lease_goes_on_where_the_subscription_cannot_be_had_again) {
    server->command({"ACL", "SETUSER", "pod", "on", ">p", "~*", "&*", "+@all"});
    auto pod = store(",user=pod,password=p");
    EXPECT_EQ(ask(*pod, Verb::acquire, token).verdict, Verdict::granted);
    server->command({"ACL", "SETUSER", "pod", "-subscribe"});
    server->command({"CLIENT", "KILL", "TYPE", "pubsub"});
    EXPECT_EQ(pod->wait(100ms), lease::LeaseStore::Wake::timeout);  // it had lived for less than a second
    for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(*pod, Verb::renew, token).verdict, Verdict::granted);
    ASSERT_EQ(log.lines.size(), 1U);
    EXPECT_NE(log.lines[0].find("no notices"), std::string::npos);
    EXPECT_TRUE(comes_to_clients(1));
}

class RedisTls : public RedisFaults {
protected:
    RedisTls() { server = std::make_unique<RedisServer>(RedisOptions{{}, true, false}); }
    std::unique_ptr<lease::RedisLeaseStore> at(const std::string& host, const std::string& options) {
        lease::RedisLeaseConfig config;
        config.connection =
            redis::parse_connection_string(host + ":" + std::to_string(server->tls_port()) + ",ssl=true" + options)
                .value();
        config.call_timeout = 5s;
        return std::make_unique<lease::RedisLeaseStore>(std::move(config), log);
    }
    std::string ca() const { return ",sslCaFile=" + server->certificates().ca.string(); }
};

TEST_F(RedisTls, accepts_a_known_authority_and_the_right_name) {
    EXPECT_TRUE(at("localhost", ca())->connect());
    EXPECT_TRUE(at("127.0.0.1", ca())->connect());
    EXPECT_TRUE(at("127.0.0.1", ca() + ",sslHost=localhost")->connect());
}

TEST_F(RedisTls, refuses_an_unknown_authority) {
    const auto none = refused(*at("localhost", ""));
    EXPECT_EQ(none.reason, NoAnswer::misconfigured);
    expect_says(none, {"certificate", "sslCaFile", "RedisConnectionString"});
}

TEST_F(RedisTls, refuses_another_name) {
    const auto none = refused(*at("localhost", ca() + ",sslHost=redis.example"));
    EXPECT_EQ(none.reason, NoAnswer::misconfigured);
    expect_says(none, {"hostname mismatch", "sslHost"});
}

TEST_F(RedisTls, names_a_file_that_is_not_there) {
    const auto none = refused(*at("localhost", ",sslCaFile=/no/such/ca.pem"));
    EXPECT_EQ(none.reason, NoAnswer::misconfigured);
    expect_says(none, {"sslCaFile=/no/such/ca.pem"});
}

// A plain Redis waits for the line's end that a TLS greeting does not have; a TLS one hangs up on what is none.
TEST_F(RedisTls, asks_whether_the_port_speaks_tls) {
    const auto none = refused(*store(",ssl=true" + ca(), 300ms));
    EXPECT_EQ(none.reason, NoAnswer::unreachable);
    expect_says(none, {"does the port speak TLS"});
    lease::RedisLeaseConfig config;
    config.connection = redis::parse_connection_string("localhost:" + std::to_string(server->tls_port())).value();
    config.call_timeout = 5s;
    lease::RedisLeaseStore plain(std::move(config), log);
    expect_says(refused(plain), {"ssl=true"});
}

TEST_F(RedisTls, times_out_in_the_handshake_with_a_frozen_server) {
    server->freeze();
    lease::RedisLeaseConfig config;
    config.connection =
        redis::parse_connection_string("localhost:" + std::to_string(server->tls_port()) + ",ssl=true" + ca()).value();
    config.call_timeout = 200ms;
    lease::RedisLeaseStore pod(std::move(config), log);
    const auto from = Clock::now();
    EXPECT_EQ(refused(pod).reason, NoAnswer::unreachable);
    EXPECT_LT(Clock::now() - from, 200ms + stall);
}

TEST(RedisTlsClientCertificate, is_named_where_the_server_wants_one) {
    RedisServer server{{.arguments = {}, .tls = true, .ask_client_certificate = true}};
    core::NullLog log;
    lease::RedisLeaseConfig config;
    config.connection = redis::parse_connection_string("localhost:" + std::to_string(server.tls_port()) +
                                                       ",ssl=true,sslCaFile=" + server.certificates().ca.string())
                            .value();
    config.call_timeout = 5s;
    lease::RedisLeaseStore pod(std::move(config), log);
    const auto connected = pod.connect();
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error().reason, NoAnswer::misconfigured) << connected.error().detail;
    EXPECT_NE(connected.error().detail.find("sslCertFile"), std::string::npos) << connected.error().detail;
}

}  // namespace
}  // namespace understudy::testing
