// tests/http/system_house.h: the HTTP side with users, logins, configuration and the activity log in a real SQLite
// database, and a folder for logs. Used by the tests of /System and its neighbours.
#pragma once

#include <string>
#include <vector>

#include "http/login_house.h"
#include "store/sql/sql_configurations.h"
#include "support/temp_folder.h"
#include "tasks/announced_activity_log.h"
#include "tasks/database/sql_activity_log.h"

namespace understudy::testing {

/// The wizard is done: `root` may administer, `Kid` may not.
struct SystemHouse : LoginHouse {
    SystemHouse() {
        services.system.activity = &announced;
        services.system.history = &kept_activity;
        services.system.configurations = &configurations;
        services.system.display = &display;
        services.system.log_dir = folder.path();
        services.system.end = [this](http::Ending ending) { endings.push_back(ending); };
    }
    void finish_wizard() {
        EXPECT_EQ(as({}, http::Method::post, "/Startup/User", R"({"Name":"root","Password":"deep"})").status, 204);
        EXPECT_EQ(as({}, http::Method::post, "/Startup/Complete").status, 204);
        kid = add("Kid", "small");
        admin_token = log_in("root", "deep", "desk");
        kid_token = log_in("Kid", "small", "phone");
    }
    http::Response as_admin(http::Method method, std::string target, std::string body = {}) {
        return as(admin_token, method, std::move(target), std::move(body), "desk");
    }
    http::Response as_kid(http::Method method, std::string target, std::string body = {}) {
        return as(kid_token, method, std::move(target), std::move(body), "phone");
    }
    boost::json::object got(std::string target) {
        const auto answer = as_admin(http::Method::get, target);
        EXPECT_EQ(answer.status, 200) << target << ": " << answer.body;
        return boost::json::parse(answer.body).as_object();
    }

    TempFolder folder;
    tasks::database::SqlActivityLog kept_activity{*database};
    tasks::AnnouncedActivityLog announced{kept_activity, events, log};
    store::sql::SqlConfigurations configurations{*database};
    store::sql::SqlDisplayPreferences display{*database};
    std::vector<http::Ending> endings;
    std::string kid, admin_token, kid_token;
};

}  // namespace understudy::testing
