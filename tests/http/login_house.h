// tests/http/login_house.h: the HTTP side over fakes, but with users, logins and settings in a real SQLite database.
// Used by the tests of logins, users, sessions and the wizard.
#pragma once

#include <boost/json.hpp>
#include <memory>
#include <string>

#include "http/described_shelf.h"
#include "store/sql/sql_sessions.h"
#include "store/sql/sql_users.h"
#include "support/databases.h"

namespace understudy::testing {

inline constexpr auto get = http::Method::get;
inline constexpr auto post = http::Method::post;

/// Nobody is there yet, and the wizard is open.
struct LoginHouse : DescribedShelf {
    LoginHouse() {
        if (!store::sql::migrate(*database)) throw std::runtime_error("no database");
        services.users.accounts = &accounts;
        services.users.sessions = &sessions;
        services.users.attempts = &attempts;
        services.users.settings = &settings;
    }

    /// As a client on `device` would: with `token` where there is one.
    http::Response as(const std::string& token, http::Method method, std::string target, std::string body = {},
                      const std::string& device = "tv") {
        http::Request request;
        request.method = method;
        request.target = std::move(target);
        std::string header =
            R"(MediaBrowser Client="Web", Device="Firefox", DeviceId=")" + device + R"(", Version="1.0")";
        if (!token.empty()) header += ", Token=\"" + token + '"';
        request.headers.push_back({"Authorization", header});
        request.body = std::move(body);
        request.peer = peer;
        return House::ask(std::move(request));
    }
    http::Response try_login(const std::string& name, const std::string& password, const std::string& device = "tv") {
        return as({}, http::Method::post, "/Users/AuthenticateByName",
                  R"({"username":")" + name + R"(","Pw":")" + password + "\"}", device);
    }
    /// The token; empty where that was refused.
    std::string log_in(const std::string& name, const std::string& password, const std::string& device = "tv") {
        const auto answer = try_login(name, password, device);
        EXPECT_EQ(answer.status, 200) << answer.body;
        if (answer.status != 200) return {};
        const auto value = boost::json::parse(answer.body);
        return std::string(value.at("AccessToken").as_string());
    }
    /// With the admin key; the id.
    std::string add(const std::string& name, const std::string& password, bool admin = false) {
        const auto added = post("/Users/New", R"({"Name":")" + name + R"(","Password":")" + password + "\"}");
        EXPECT_EQ(added.status, 200) << added.body;
        const auto value = boost::json::parse(added.body);
        const std::string id(value.at("Id").as_string());
        if (admin) {
            EXPECT_EQ(post("/Users/" + id + "/Policy", R"({"IsAdministrator":true})").status, 204);
        }
        return id;
    }

    std::unique_ptr<TestDatabase> base = make_test_database(DatabaseKind::sqlite);
    std::unique_ptr<store::sql::Database> database = base->open(2);
    store::sql::SqlUsers accounts{*database};
    store::sql::SqlSessions sessions{*database};
    store::sql::SqlLoginAttempts attempts{*database};
    store::sql::SqlServerSettings settings{*database};
    std::string peer = "192.0.2.7";
};

}  // namespace understudy::testing
