// Passwords, secrets, and where a request comes from.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "http/auth/passwords.h"
#include "http/auth/secrets.h"
#include "http/proxies.h"

namespace understudy::http {
namespace {

Passwords::Settings cheap() {
    Passwords::Settings settings;
    settings.operations = 1;
    settings.memory_bytes = 8'192;
    return settings;
}

TEST(Passwords, match_their_hash_and_no_other) {
    Passwords passwords(cheap());
    const auto hash = passwords.hash("sea");
    ASSERT_TRUE(hash);
    EXPECT_EQ(hash->substr(0, 10), "$argon2id$");
    EXPECT_NE(*hash, *passwords.hash("sea")) << "salted";
    EXPECT_EQ(passwords.matches(*hash, "sea"), true);
    EXPECT_EQ(passwords.matches(*hash, "Sea"), false);
    EXPECT_EQ(passwords.matches(*hash, ""), false);
    EXPECT_EQ(*passwords.hash(""), "");
    EXPECT_EQ(passwords.matches("", ""), false) << "no hash matches nothing, in the time of one";
    EXPECT_EQ(passwords.matches("not a hash", "sea"), false);
}

TEST(Passwords, refuse_more_than_may_be_in_hand) {
    auto settings = cheap();
    settings.in_hand = 0;
    Passwords passwords(settings);
    EXPECT_EQ(passwords.hash("sea").error().code, core::Errc::unavailable);
    EXPECT_EQ(passwords.matches("", "sea").error().code, core::Errc::unavailable);
    EXPECT_EQ(*passwords.hash(""), "") << "nothing is computed for it";
}

TEST(Passwords, give_their_turn_on) {
    auto settings = cheap();
    settings.at_once = settings.in_hand = 1;
    Passwords passwords(settings);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(passwords.hash("sea"));
    settings.in_hand = 8;
    Passwords shared(settings);
    std::vector<std::thread> people;
    std::atomic<int> done{0};
    for (int i = 0; i < 8; ++i) people.emplace_back([&] { done += shared.hash("sea").has_value() ? 1 : 0; });
    for (auto& person : people) person.join();
    EXPECT_EQ(done, 8) << "those that may wait all come through";
}

TEST(Secrets, are_32_hex_digits_and_found_by_32_bytes) {
    core::SeededRandom random(7);
    const auto one = new_secret(random), other = new_secret(random);
    EXPECT_EQ(one.size(), 32U);
    EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_NE(one, other);
    EXPECT_EQ(hash_secret(one).size(), 32U);
    EXPECT_EQ(hash_secret(one), hash_secret(one));
    EXPECT_NE(hash_secret(one), hash_secret(other));
}

TEST(ClientAddress, is_what_the_last_trusted_proxy_saw) {
    struct Row {
        const char* why;
        const char* peer;
        const char* forwarded;
        const char* want;
    };
    constexpr Row rows[] = {
        {"no proxy", "192.0.2.7", "", "192.0.2.7"},
        {"anybody may write the header", "192.0.2.7", "203.0.113.1", "192.0.2.7"},
        {"one proxy", "10.0.0.1", "203.0.113.1", "203.0.113.1"},
        {"what the client wrote stands first", "10.0.0.1", "198.51.100.9, 203.0.113.1", "203.0.113.1"},
        {"two proxies", "10.0.0.1", "198.51.100.9, 203.0.113.1, 10.0.0.2", "203.0.113.1"},
        {"nobody but proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
        {"nonsense is not believed", "10.0.0.1", "203.0.113.1, unknown", "10.0.0.1"},
        {"no header", "10.0.0.1", "", "10.0.0.1"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        Request request;
        request.peer = row.peer;
        if (*row.forwarded != '\0') request.headers.push_back({"X-Forwarded-For", row.forwarded});
        EXPECT_EQ(client_address(request, {"10.0.0.0/8"}), row.want);
    }
    Request request;
    request.peer = "10.0.0.1";
    request.headers = {{"X-Forwarded-For", "198.51.100.9"}, {"x-forwarded-for", "203.0.113.1"}};
    EXPECT_EQ(client_address(request, {"10.0.0.0/8"}), "203.0.113.1") << "the proxy's own line";
    EXPECT_EQ(address_group("192.0.2.7"), "192.0.2.7");
    EXPECT_EQ(address_group("::ffff:192.0.2.7"), "192.0.2.7");
    EXPECT_EQ(address_group("2001:db8:1:2:3::4"), "2001:db8:1:2::/64");
    EXPECT_EQ(address_group("2001:db8:1:2:ffff::"), "2001:db8:1:2::/64");
    EXPECT_EQ(address_group("somewhere"), "somewhere");
}

}  // namespace
}  // namespace understudy::http
