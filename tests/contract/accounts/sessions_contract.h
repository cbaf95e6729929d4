// tests/contract/accounts/sessions_contract.h: what every Sessions, LoginAttempts and ServerSettings must do.
#pragma once

#include <atomic>
#include <thread>
#include <unordered_set>

#include "contract/accounts/accounts_fixture.h"
#include "store/sql/sql_blobs.h"

namespace understudy::testing {

class SessionsContract : public AccountsFixture {
protected:
    std::vector<store::UserSession> all(const store::SessionFilter& filter = {}) {
        auto found = sessions_->all(filter);
        ok(found);
        return found.value_or(std::vector<store::UserSession>{});
    }
    core::Millis begin(const std::string& subject, int free = 2, core::Millis longest = 30s) {
        const auto attempt = attempts_->begin({{subject, free, longest}});
        ok(attempt);
        return attempt ? attempt->wait : core::Millis{-1};
    }
    void grow_old(const std::string& table, const std::string& column, core::Millis age) {
        ok(sql("UPDATE " + table + " SET " + column + " = " + column + " - " + std::to_string(age.count())));
    }
};

TEST_P(SessionsContract, knows_who_a_token_belongs_to) {
    add_user(1, "Ann", true);
    const auto id = log_in(1, 'a');
    const auto owner = sessions_->find(hash('a'));
    ok(owner);
    ASSERT_TRUE(*owner && (*owner)->session);
    const auto& session = *(*owner)->session;
    EXPECT_EQ(session.id, id);
    EXPECT_EQ(session.user, user_id(1));
    EXPECT_EQ(session.user_name, "Ann");
    EXPECT_TRUE(session.admin);
    EXPECT_EQ(session.client, (store::Client{"Web", "1.0", "Firefox", "tv", "10.0.0.7"}));
    EXPECT_EQ(session.device_name, "");
    EXPECT_EQ(session.capabilities, "{}");
    EXPECT_LT((*owner)->idle, 60s);
    ASSERT_TRUE(user(1).last_login_at);
    EXPECT_LT(session.created_at - *user(1).last_login_at, 10s);
    EXPECT_FALSE(knows('b'));
    ok(sessions_->remove(id));
    EXPECT_FALSE(knows('a'));
    ok(sessions_->remove(id));
}

TEST_P(SessionsContract, a_new_login_on_a_device_takes_the_place_of_the_users_old_one) {
    add_user(1, "Ann");
    add_user(2, "Bo");
    const auto first = log_in(1, 'a');
    constexpr const char* said = R"({"SupportsMediaControl":true})";
    EXPECT_TRUE(*sessions_->set_capabilities(first, said));
    EXPECT_FALSE(*sessions_->set_capabilities(first, said)) << "nothing new";
    EXPECT_FALSE(*sessions_->set_capabilities(store::SessionId{}, said)) << "nobody's";
    log_in(2, 'b');
    const auto phone = log_in(1, 'c', "phone");
    EXPECT_EQ(log_in(1, 'd'), first) << "the same user on the same device is the same session";
    EXPECT_FALSE(knows('a'));
    EXPECT_TRUE(knows('b')) << "another user of the device stays";
    EXPECT_TRUE(knows('c')) << "another device of the user stays";
    EXPECT_TRUE(knows('d'));
    EXPECT_NE(phone, first);
    EXPECT_EQ(all().size(), 3U);
}

TEST_P(SessionsContract, nobody_logs_in_with_a_password_that_was_changed_meanwhile) {
    add_user(1, "Ann");
    auto late = login(1, 'a');
    ok(users_->set_password(user_id(1), "new", {}));
    EXPECT_EQ(sessions_->log_in(late).error().code, Errc::not_found);
    late.password_hash = "new";
    ok(sessions_->log_in(late));
    ok(users_->set_policy(user_id(1), {false, true, "{}"}));
    late.token_hash = hash('b');
    EXPECT_EQ(sessions_->log_in(late).error().code, Errc::not_found);
    EXPECT_FALSE(knows('b'));
}

TEST_P(SessionsContract, what_one_pod_revokes_another_refuses_at_its_next_look) {
    add_user(1, "Ann");
    const auto id = log_in(1, 'a');
    const auto own = base_->open(2);
    store::sql::SqlSessions other(*own);
    ASSERT_TRUE(other.find(hash('a'))->has_value());
    ok(sessions_->remove(id));
    EXPECT_FALSE(other.find(hash('a'))->has_value());
}

TEST_P(SessionsContract, are_listed_by_user_device_and_activity_the_last_active_first) {
    add_user(1, "Ann");
    add_user(2, "Bo");
    const auto ann = log_in(1, 'a');
    const auto bo = log_in(2, 'b', "phone");
    grow_old("sessions", "last_activity_at_ms", 10min);
    ok(sessions_->touch(ann, {"Web", "1.1", "Firefox 2", "ignored", "10.0.0.8"}));
    ASSERT_EQ(all().size(), 2U);
    EXPECT_EQ(all()[0].id, ann);
    EXPECT_EQ(all()[0].client, (store::Client{"Web", "1.1", "Firefox 2", "tv", "10.0.0.8"}));
    EXPECT_EQ(all()[1].id, bo);
    EXPECT_GE(sessions_->find(hash('b')).value()->idle, 10min);
    store::SessionFilter filter;
    filter.active_within = 5min;
    EXPECT_EQ(all(filter).size(), 1U);
    filter = {};
    filter.user = user_id(2);
    EXPECT_EQ(all(filter).at(0).id, bo);
    filter = {};
    filter.device_id = "tv";
    EXPECT_EQ(all(filter).at(0).id, ann);
    ASSERT_TRUE(user(1).last_activity_at);
    EXPECT_LT(all()[0].last_activity_at - *user(1).last_activity_at, 10s);
}

TEST_P(SessionsContract, a_device_is_named_and_removed_with_all_its_tokens) {
    add_user(1, "Ann");
    add_user(2, "Bo");
    log_in(1, 'a');
    log_in(2, 'b');
    log_in(2, 'c', "phone");
    ok(sessions_->name_device("tv", "Parlour"));
    ok(sessions_->name_device("tv", "Kitchen"));
    EXPECT_EQ(sessions_->find(hash('a')).value()->session->device_name, "Kitchen");
    ok(sessions_->name_device("tv", ""));
    EXPECT_EQ(sessions_->find(hash('a')).value()->session->device_name, "");
    EXPECT_EQ(sessions_->remove_device("tv"), 2);
    EXPECT_FALSE(knows('a'));
    EXPECT_FALSE(knows('b'));
    EXPECT_TRUE(knows('c'));
    EXPECT_EQ(sessions_->remove_device("tv"), 0);
}

TEST_P(SessionsContract, keys_of_programs_are_found_listed_and_removed) {
    ok(sessions_->add_key("key one", hash('1'), "Sonarr"));
    ok(sessions_->add_key("key two", hash('2'), "Sonarr"));
    const auto owner = sessions_->find(hash('2'));
    ok(owner);
    ASSERT_TRUE(*owner && (*owner)->key);
    EXPECT_EQ((*owner)->key->app, "Sonarr");
    auto keys = sessions_->keys();
    ok(keys);
    ASSERT_EQ(keys->size(), 2U);
    EXPECT_EQ((*keys)[0].key, "key one");
    EXPECT_LT((*keys)[0].number, (*keys)[1].number);
    grow_old("api_keys", "last_activity_at_ms", 1h);
    EXPECT_GE(sessions_->find(hash('2')).value()->idle, 1h);
    ok(sessions_->touch_key((*keys)[1].number));
    EXPECT_LT(sessions_->find(hash('2')).value()->idle, 1min);
    EXPECT_EQ(sessions_->remove_key(hash('1')), true);
    EXPECT_EQ(sessions_->remove_key(hash('1')), false);
    EXPECT_FALSE(knows('1'));
    EXPECT_TRUE(knows('2'));
}

TEST_P(SessionsContract, failed_logins_wait_longer_each_time_and_are_forgotten) {
    EXPECT_EQ(begin("ann"), 0ms);
    EXPECT_EQ(begin("ann"), 0ms);
    const auto wait = begin("ann");
    EXPECT_GT(wait, 0ms);
    EXPECT_LE(wait, 1s);
    EXPECT_EQ(begin("bo"), 0ms) << "another one has no part in it";
    grow_old("login_failures", "failed_at_ms", 1s);
    EXPECT_EQ(begin("ann"), 0ms) << "the third failure";
    EXPECT_GT(begin("ann"), 1s);
    EXPECT_LE(begin("ann"), 2s);
    EXPECT_LE(begin("ann", 2, 500ms), 500ms);
    ok(attempts_->succeeded({}, "ann", "nobody"));
    EXPECT_EQ(begin("ann"), 0ms);
    EXPECT_EQ(begin("ann"), 0ms);
    ok(attempts_->succeeded({}, "nobody", "ann"));
    EXPECT_EQ(begin("ann"), 0ms) << "one was taken back";
    EXPECT_GT(begin("ann"), 0ms);
    grow_old("login_failures", "failed_at_ms", 16min);
    EXPECT_EQ(begin("ann"), 0ms);
    EXPECT_EQ(begin("ann"), 0ms);
}

TEST_P(SessionsContract, a_login_that_succeeds_leaves_its_address_as_it_was) {
    const auto log_in = [&] {
        const auto attempt = attempts_->begin({{"ann", 2, 30s}, {"address", 2, 30s}});
        ok(attempt);
        EXPECT_EQ(attempt->wait, 0ms);
        ok(attempts_->succeeded(*attempt, "ann", "address"));
    };
    log_in();
    EXPECT_EQ(begin("address"), 0ms);
    EXPECT_EQ(begin("address"), 0ms);
    EXPECT_GT(begin("address"), 0ms);
    grow_old("login_failures", "failed_at_ms", 2s);
    log_in();
    log_in();
    grow_old("login_failures", "failed_at_ms", 14min);
    log_in();
    grow_old("login_failures", "failed_at_ms", 2min);
    EXPECT_EQ(begin("address"), 0ms) << "forgotten 15 minutes after the last failure";
    EXPECT_EQ(begin("address"), 0ms);
    EXPECT_GT(begin("address"), 0ms);
}

TEST_P(SessionsContract, logins_that_are_tried_all_at_once_on_several_pods_are_counted_one_by_one) {
    std::atomic<int> through{0};
    std::vector<std::thread> pods;
    for (int pod = 0; pod < 4; ++pod) {
        pods.emplace_back([&] {
            const auto own = base_->open(1);
            store::sql::SqlLoginAttempts attempts(*own);
            for (int i = 0; i < 5; ++i) {
                const auto attempt = attempts.begin({{"user", 3, 30s}, {"address", 100, 30s}});
                if (attempt && attempt->wait == 0ms) ++through;
            }
        });
    }
    for (auto& pod : pods) pod.join();
    EXPECT_GE(through, 3);
    EXPECT_LT(through, 20);
    std::int64_t counted = 0;
    ok(database_->with(store::sql::Access::read, [&](store::sql::Session& session) {
        return session.query("SELECT failures FROM login_failures WHERE subject = 'user'", {},
                             [&](const store::sql::Row& row) { counted = row.integer(0); });
    }));
    EXPECT_EQ(counted, through) << "the first ones may all see that nobody failed yet, but none goes uncounted";
}

TEST_P(SessionsContract, settings_of_the_wizard_are_kept) {
    auto before = settings_->all();
    ok(before);
    EXPECT_FALSE(before->contains(store::setting::wizard_completed)) << "a new database has nobody to keep out";
    ok(settings_->set({{store::setting::server_name, "Häuschen"}, {store::setting::wizard_completed, "true"}}));
    ok(settings_->set({{store::setting::server_name, "Home"}}));
    const auto after = settings_->all();
    ok(after);
    EXPECT_EQ(after->at(store::setting::server_name), "Home");
    EXPECT_EQ(after->at(store::setting::wizard_completed), "true");
}

TEST_P(SessionsContract, the_splash_screen_stays_as_long_as_a_setting_names_it) {
    store::BlobHash old, young;
    old.bytes[0] = 0xa1;
    young.bytes[31] = 0xa2;
    ok(settings_->set({{"splash_screen", old.str()}}));
    ok(settings_->set({{"splash_screen", young.str()}}));
    store::sql::SqlBlobReferences references(*database_);
    const auto used = references.referenced({old, young});
    ok(used);
    EXPECT_EQ(*used, (std::unordered_set<store::BlobHash>{young}));
    ok(settings_->set({{"splash_screen", ""}}));
    EXPECT_TRUE(references.referenced({old, young})->empty());
}

}  // namespace understudy::testing
