// tests/contract/accounts/configurations_contract.h: what every adapter of store::Configurations and
// store::DisplayPreferences must do.
#pragma once

#include <gmock/gmock.h>

#include "contract/accounts/accounts_fixture.h"
#include "store/sql/item_rows.h"
#include "store/sql/sql_configurations.h"

namespace understudy::testing {

class ConfigurationsContract : public AccountsFixture {
protected:
    void SetUp() override {
        AccountsFixture::SetUp();
        configurations_ = std::make_unique<store::sql::SqlConfigurations>(*database_);
        shown_ = std::make_unique<store::sql::SqlDisplayPreferences>(*database_);
    }
    std::unique_ptr<store::Configurations> configurations_;
    std::unique_ptr<store::DisplayPreferences> shown_;
};

TEST_P(ConfigurationsContract, a_section_is_kept_as_it_was_put_and_replaced_whole) {
    EXPECT_FALSE(configurations_->find("network").value().has_value());
    ok(configurations_->put("network", R"({"EnableIPv6":true})"));
    ok(configurations_->put("system", R"({"MaxResumePct":80})"));
    EXPECT_EQ(configurations_->find("network").value(), R"({"EnableIPv6":true})");
    ok(configurations_->put("network", "{}"));
    EXPECT_EQ(configurations_->find("network").value(), "{}");
    EXPECT_EQ(configurations_->find("system").value(), R"({"MaxResumePct":80})");
    const auto refused = configurations_->put("system", std::string(store::longest_configuration + 1, ' '));
    EXPECT_THAT(words_of(refused), ::testing::HasSubstr("system"));
    EXPECT_EQ(configurations_->find("system").value(), R"({"MaxResumePct":80})");
}

TEST_P(ConfigurationsContract, display_preferences_are_one_users_in_one_client_for_one_view) {
    add_user(1, "Ann", true);
    add_user(2, "Bo");
    const store::DisplayKey key{user_id(1), "emby", "usersettings"};
    EXPECT_FALSE(shown_->find(key).value().has_value());
    ok(shown_->put(key, R"({"SortBy":"Name"})"));
    ok(shown_->put(key, R"({"SortBy":"Year"})"));
    EXPECT_EQ(shown_->find(key).value(), R"({"SortBy":"Year"})");
    EXPECT_FALSE(shown_->find({user_id(2), "emby", "usersettings"}).value().has_value());
    EXPECT_FALSE(shown_->find({user_id(1), "web", "usersettings"}).value().has_value());
    EXPECT_FALSE(shown_->find({user_id(1), "emby", "other"}).value().has_value());
    EXPECT_THAT(words_of(shown_->put(key, std::string(store::longest_display_preferences + 1, ' '))),
                ::testing::HasSubstr("too many"));
}

TEST_P(ConfigurationsContract, display_preferences_go_with_their_user_and_none_come_afterwards) {
    add_user(1, "Ann", true);
    add_user(2, "Bo");
    const store::DisplayKey key{user_id(2), "emby", "usersettings"};
    ok(shown_->put(key, "{}"));
    ok(users_->remove(user_id(2)));
    EXPECT_FALSE(shown_->find(key).value().has_value());
    EXPECT_THAT(words_of(shown_->put(key, "{}")), ::testing::HasSubstr("there is no user"));
    EXPECT_FALSE(shown_->find(key).value().has_value());
}

TEST_P(ConfigurationsContract, a_user_has_so_many_display_preferences_and_the_new_one_stays) {
    add_user(1, "Ann", true);
    ok(database_->with(store::sql::Access::write, [&](store::sql::Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            for (std::size_t i = 0; i < store::most_display_preferences; ++i) {
                const auto put = session.execute(
                    "INSERT INTO display_preferences (user_id, client, name, value, changed_at_ms) VALUES (?, 'web', "
                    "?, '{}', ?)",
                    {store::sql::id_value(user_id(1)), "view" + std::to_string(i), static_cast<std::int64_t>(i)});
                if (!put) return tl::unexpected(put.error());
            }
            return {};
        });
    }));
    ok(shown_->put({user_id(1), "web", "new"}, "{}"));
    EXPECT_TRUE(shown_->find({user_id(1), "web", "new"}).value().has_value());
    EXPECT_FALSE(shown_->find({user_id(1), "web", "view0"}).value().has_value()) << "the oldest";
    EXPECT_TRUE(shown_->find({user_id(1), "web", "view1"}).value().has_value());
}

}  // namespace understudy::testing
