// tests/contract/accounts/accounts_fixture.h: users and their logins over a database of either kind, and a second view
// of it as another pod has. Used by the suites of users and sessions.
#pragma once

#include "contract/scan_store/store_fixture.h"
#include "store/sql/sql_sessions.h"
#include "store/sql/sql_users.h"

namespace understudy::testing {

class AccountsFixture : public StoreFixture {
protected:
    void SetUp() override {
        StoreFixture::SetUp();
        users_ = std::make_unique<store::sql::SqlUsers>(*database_);
        sessions_ = std::make_unique<store::sql::SqlSessions>(*database_);
        attempts_ = std::make_unique<store::sql::SqlLoginAttempts>(*database_);
        settings_ = std::make_unique<store::sql::SqlServerSettings>(*database_);
    }
    static core::UserId user_id(std::uint8_t number) { return core::UserId{core::IdBytes{0xcc, number}}; }
    static store::SessionId session_id(std::uint8_t number) { return store::SessionId{core::IdBytes{0xdd, number}}; }
    static std::string hash(char digit) { return std::string(32, digit); }

    void add_user(std::uint8_t number, const std::string& name, bool admin = false) {
        store::User user;
        user.id = user_id(number);
        user.name = name;
        user.created_at = core::from_unix_ms(1'700'000'000'000);
        user.admin = admin;
        user.password_hash = "secret";
        ok(users_->add(user));
    }
    store::Sessions::LogIn login(std::uint8_t user, char token, const std::string& device = "tv") {
        store::Sessions::LogIn made;
        made.id = session_id(next_session_++);
        made.user = user_id(user);
        made.password_hash = "secret";
        made.token_hash = hash(token);
        made.client = {"Web", "1.0", "Firefox", device, "10.0.0.7"};
        return made;
    }
    store::SessionId log_in(std::uint8_t user, char token, const std::string& device = "tv") {
        const auto id = sessions_->log_in(login(user, token, device));
        ok(id);
        return id.value_or(store::SessionId{});
    }
    bool knows(char token) {
        const auto owner = sessions_->find(hash(token));
        ok(owner);
        return owner && owner->has_value();
    }
    store::User user(std::uint8_t number) {
        const auto found = users_->find(user_id(number));
        ok(found);
        return found && *found ? **found : store::User{};
    }
    static std::string words_of(const Result<void>& refused) {
        return refused ? "not refused" : std::string(to_string(refused.error().code)) + " " + refused.error().context;
    }

    std::unique_ptr<store::Users> users_;
    std::unique_ptr<store::Sessions> sessions_;
    std::unique_ptr<store::LoginAttempts> attempts_;
    std::unique_ptr<store::ServerSettings> settings_;
    std::uint8_t next_session_ = 1;
};

}  // namespace understudy::testing
