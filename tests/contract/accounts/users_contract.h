// tests/contract/accounts/users_contract.h: what every Users must do with passwords and rights; names and data are in
// tests/contract/user_data.
#pragma once

#include <gmock/gmock.h>

#include <thread>

#include "contract/accounts/accounts_fixture.h"
#include "store/sql/sql_blobs.h"

namespace understudy::testing {

class UsersContract : public AccountsFixture {};
using ::testing::HasSubstr;

TEST_P(UsersContract, keeps_what_is_said_of_a_user) {
    add_user(1, "Ann", true);
    add_user(2, "Bo");
    EXPECT_TRUE(user(1).admin);
    EXPECT_FALSE(user(2).admin);
    EXPECT_FALSE(user(2).disabled);
    EXPECT_EQ(user(2).password_hash, "secret");
    EXPECT_EQ(user(2).policy, "{}");
    EXPECT_FALSE(user(2).last_login_at);
    ok(users_->set_policy(user_id(2), {true, false, R"({"a":1})"}));
    ok(users_->set_configuration(user_id(2), R"({"b":"ö"})"));
    ok(users_->set_password(user_id(2), "other", {}));
    EXPECT_TRUE(user(2).admin);
    EXPECT_EQ(user(2).policy, R"({"a":1})");
    EXPECT_EQ(user(2).configuration, R"({"b":"ö"})");
    EXPECT_EQ(user(2).password_hash, "other");
    EXPECT_EQ(user(1).password_hash, "secret");
    for (const auto& unknown : {users_->set_policy(user_id(9), {}), users_->set_configuration(user_id(9), "{}"),
                                users_->set_password(user_id(9), "", {}), users_->remove(user_id(9))}) {
        EXPECT_THAT(words_of(unknown), HasSubstr("not_found"));
    }
}

TEST_P(UsersContract, keeps_pictures_whose_blobs_stay_as_long_as_they_do) {
    add_user(1, "Ann");
    add_user(2, "Bo");
    store::BlobHash old, young, other;
    old.bytes[0] = 0xa1;
    young.bytes[0] = 0xa2;
    other.bytes[31] = 0xa3;
    EXPECT_TRUE(user(1).image.empty());
    ok(users_->set_image(user_id(1), old));
    ok(users_->set_image(user_id(2), other));
    ok(users_->set_image(user_id(1), young));
    EXPECT_EQ(user(1).image, young);
    EXPECT_EQ(user(2).image, other);
    const auto all = users_->all();
    ok(all);
    EXPECT_EQ(all->front().image, young);
    store::sql::SqlBlobReferences references(*database_);
    const auto used = references.referenced({old, young, other});
    ok(used);
    EXPECT_EQ(*used, (std::unordered_set<store::BlobHash>{young, other}));
    ok(users_->set_image(user_id(1), {}));
    EXPECT_TRUE(user(1).image.empty());
    ok(users_->remove(user_id(2)));
    EXPECT_TRUE(references.referenced({young, other})->empty());
    EXPECT_THAT(words_of(users_->set_image(user_id(9), young)), HasSubstr("not_found"));
}

TEST_P(UsersContract, keeps_somebody_who_may_administer) {
    add_user(1, "Ann", true);
    add_user(2, "Bo");
    const auto only = "conflict this is the only user who may administer";
    EXPECT_THAT(words_of(users_->remove(user_id(1))), HasSubstr(only));
    EXPECT_THAT(words_of(users_->set_policy(user_id(1), {false, false, "{}"})), HasSubstr(only));
    EXPECT_THAT(words_of(users_->set_policy(user_id(1), {true, true, "{}"})), HasSubstr(only));
    EXPECT_TRUE(user(1).admin);
    ok(users_->set_policy(user_id(1), {true, false, "{}"}));
    ok(users_->set_policy(user_id(2), {true, true, "{}"}));  // an administrator who may not log in does not count
    EXPECT_THAT(words_of(users_->remove(user_id(1))), HasSubstr(only));
    ok(users_->set_policy(user_id(2), {true, false, "{}"}));
    ok(users_->remove(user_id(1)));
    EXPECT_THAT(words_of(users_->remove(user_id(2))), HasSubstr(only));
}

TEST_P(UsersContract, two_pods_that_each_demote_another_administrator_leave_one) {
    for (int round = 0; round < 10; ++round) {
        const auto first = static_cast<std::uint8_t>(2 * round + 1), second = static_cast<std::uint8_t>(first + 1);
        add_user(first, "A" + std::to_string(round), true);
        add_user(second, "B" + std::to_string(round), true);
        if (round > 0) ok(users_->set_policy(user_id(0), {false, false, "{}"}));
        std::vector<std::thread> pods;
        std::array<bool, 2> done{};
        for (std::size_t pod = 0; pod < 2; ++pod) {
            pods.emplace_back([&, pod] {
                const auto own = base_->open(1);
                store::sql::SqlUsers users(*own);
                const auto id = user_id(pod == 0 ? first : second);
                done[pod] = (pod == 0 ? users.set_policy(id, {false, false, "{}"}) : users.remove(id)).has_value();
            });
        }
        for (auto& pod : pods) pod.join();
        EXPECT_NE(done[0], done[1]);
        if (round == 0) add_user(0, "Keeper");
        ok(users_->set_policy(user_id(0), {true, false, "{}"}));  // so that the next round may clear this one
        for (const auto id : {user_id(first), user_id(second)}) {
            if (const auto left = users_->find(id); left && *left) ok(users_->remove(id));
        }
    }
}

TEST_P(UsersContract, who_is_disabled_or_removed_or_gets_another_password_is_logged_out) {
    add_user(1, "Ann");
    add_user(2, "Bo");
    log_in(1, 'a');
    log_in(2, 'b');
    ok(users_->set_policy(user_id(1), {false, true, "{}"}));
    EXPECT_FALSE(knows('a'));
    ok(users_->set_policy(user_id(1), {false, false, "{}"}));
    EXPECT_FALSE(knows('a')) << "a token that was taken must not come back";
    EXPECT_TRUE(knows('b'));
    const auto kept = log_in(2, 'c', "phone");
    ok(users_->set_password(user_id(2), "secret", kept));
    EXPECT_FALSE(knows('b'));
    EXPECT_TRUE(knows('c'));
    ok(users_->set_password(user_id(2), "secret", {}));
    EXPECT_FALSE(knows('c'));
    log_in(2, 'd');
    ok(users_->remove(user_id(2)));
    EXPECT_FALSE(knows('d'));
}

}  // namespace understudy::testing
