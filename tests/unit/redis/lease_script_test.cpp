#include "lease/redis/lease_script.h"

#include <gtest/gtest.h>

#include "lease/redis/advice.h"

namespace understudy::lease {
namespace {

redis::Reply text(std::string value) {
    return {redis::Reply::Kind::text, std::move(value), 0, {}};
}
redis::Reply number(std::int64_t value) {
    return {redis::Reply::Kind::integer, "", value, {}};
}
redis::Reply array(std::vector<redis::Reply> elements) {
    return {redis::Reply::Kind::array, "", 0, std::move(elements)};
}

TEST(NoticeChannel, stays_in_the_slot_of_the_key) {
    EXPECT_EQ(notice_channel("jellyfin:scan-leader", ""), "{jellyfin:scan-leader}:events");
    EXPECT_EQ(notice_channel("a:{media}:lease", ""), "a:{media}:lease:events");
    EXPECT_EQ(notice_channel("a{}b", ""), "{a{}b}:events");
    EXPECT_EQ(notice_channel("lease:x", "lease:"), "lease:{lease:x}:events");
}

TEST(LeaseScript, reads_an_answer) {
    std::string note;
    const auto answer = read_answer(array({text("held"), text("000102030405060708090a0b0c0d0e0f:pod a:b"), number(1234),
                                           text("1700000000"), text("123456"), number(1), text("")}),
                                    note);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->verdict, LeaseAnswer::Verdict::held);
    EXPECT_EQ(answer->holder, "pod a:b");
    EXPECT_EQ(answer->holder_token->str(), "000102030405060708090a0b0c0d0e0f");
    EXPECT_EQ(answer->ttl_left, core::Millis{1234});
    EXPECT_EQ(answer->server_time, core::from_unix_ms(1'700'000'000'123));
    EXPECT_TRUE(answer->repaired_missing_ttl);
}

TEST(LeaseScript, shows_a_value_of_another_program_as_its_label) {
    std::string note;
    const auto answer = read_answer(
        array({text("held"), text("pod-\x01"), number(-1), text("1"), text("0"), number(0), text("")}), note);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->holder, "pod-?");
    EXPECT_FALSE(answer->holder_token);
    EXPECT_FALSE(answer->ttl_left);
}

TEST(LeaseScript, refuses_what_is_no_answer) {
    std::string note;
    EXPECT_FALSE(read_answer(text("granted"), note));
    EXPECT_FALSE(read_answer(array({text("granted")}), note));
    EXPECT_FALSE(
        read_answer(array({text("perhaps"), text(""), number(1), text("1"), text("0"), number(0), text("")}), note));
    EXPECT_FALSE(
        read_answer(array({text("granted"), text(""), number(1), text("x"), text("0"), number(0), text("")}), note));
    EXPECT_FALSE(read_check(array({text("check"), text("GET")}), "k", "c"));
}

TEST(LeaseScript, names_the_right_that_each_refusal_asks_for) {
    const std::string command = "ERR The user executing the script can't run this command or subcommand";
    const std::string key =
        "ERR The user executing the script can't access at least one of the keys mentioned in the command arguments";
    const std::string channel =
        "ERR The user executing the script can't publish to the channel mentioned in the command";
    const auto refusals =
        read_check(array({text("check"), text("PEXPIRE"), text("ERR value is not an integer or out of range"),
                          text("GET"), text(key), text("DEL"), text(command), text("PUBLISH"), text(channel),
                          text("SET"), text("OOM command not allowed when used memory > 'maxmemory'.")}),
                   "lease:k", "{lease:k}:events");
    ASSERT_TRUE(refusals);
    ASSERT_EQ(refusals->size(), 3U);
    EXPECT_EQ((*refusals)[0].grant, "~lease:k");
    EXPECT_EQ((*refusals)[1].grant, "+del");
    EXPECT_EQ((*refusals)[2].grant, "&{lease:k}:events");
    // A right on another key than ours is nobody's business.
    EXPECT_TRUE(read_check(array({text("check"), text("DEL beside"), text(key)}), "lease:k", "c")->empty());
    EXPECT_EQ(read_check(array({text("check"), text("DEL beside"), text(command)}), "lease:k", "c")->front().grant,
              "+del");
}

TEST(Advice, names_cause_and_setting) {
    using redis::Cause;
    using redis::ErrorClass;
    struct Row {
        ErrorClass kind;
        Cause cause;
        NoAnswer reason;
        const char* says;
    };
    const Row rows[] = {
        {ErrorClass::misconfigured, Cause::login, NoAnswer::misconfigured,
         "said: check user and password in The:Setting"},
        {ErrorClass::misconfigured, Cause::key_type, NoAnswer::misconfigured,
         "Jellyfin:ScanLeader:LeaseKey than 'the-key'"},
        {ErrorClass::misconfigured, Cause::certificate, NoAnswer::misconfigured, "sslCaFile"},
        {ErrorClass::redirect, Cause::cluster, NoAnswer::redirect, "Cluster not supported yet"},
        {ErrorClass::transient, Cause::load, NoAnswer::transient, "said"},
        {ErrorClass::unreachable, Cause::name, NoAnswer::unreachable, "check the host in The:Setting"},
        {ErrorClass::unreachable, Cause::network, NoAnswer::unreachable, "said: the address is from The:Setting"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.says);
        const auto answer = explain({row.kind, row.cause, true, "said"}, "The:Setting", "the-key");
        EXPECT_EQ(answer.reason, row.reason);
        EXPECT_TRUE(answer.ambiguous);
        EXPECT_NE(answer.detail.find(row.says), std::string::npos) << answer.detail;
    }
}

}  // namespace
}  // namespace understudy::lease
