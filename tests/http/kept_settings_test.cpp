// /System/Info/Public out of memory: what every client asks first does not wait for the database.
#include "http/kept_settings.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/login_house.h"

namespace understudy::http {
namespace {

using namespace std::chrono_literals;
using testing::LoginHouse;
namespace setting = store::setting;

struct KeptHouse : LoginHouse {
    KeptHouse() { services.users.settings = &kept; }
    /// Answered on the I/O thread, without the pool.
    bool at_once() {
        Request request;
        request.target = "/System/Info/Public";
        return dispatcher->at_once(request).has_value();
    }
    std::string name() {
        const auto answer = boost::json::parse(House::get("/System/Info/Public").body);
        return std::string(answer.at("ServerName").as_string());
    }
    KeptSettings kept{settings, clock};
};

TEST(PublicInfo, is_answered_from_memory_for_a_second) {
    KeptHouse house;
    EXPECT_FALSE(house.at_once()) << "nobody has asked the database yet";
    EXPECT_EQ(house.name(), "Understudy");
    EXPECT_TRUE(house.at_once());
    house.clock.advance(999ms);
    EXPECT_TRUE(house.at_once());
    house.clock.advance(1ms);
    EXPECT_FALSE(house.at_once());
}

TEST(PublicInfo, shows_what_this_pod_sets_at_once_and_what_others_set_within_a_second) {
    KeptHouse house;
    (void)house.name();
    ASSERT_TRUE(house.kept.set({{setting::server_name, "Here"}}));
    EXPECT_EQ(house.name(), "Here");
    ASSERT_TRUE(house.settings.set({{setting::server_name, "There"}}));
    EXPECT_EQ(house.name(), "Here");
    house.clock.advance(1s);
    EXPECT_EQ(house.name(), "There");
}

/// A store during whose answer somebody sets something.
class Overtaken final : public store::ServerSettings {
public:
    explicit Overtaken(store::ServerSettings& stored) : stored_(stored) {}
    std::function<void()> meanwhile = [] {};
    core::Result<std::map<std::string, std::string>> all() override {
        auto values = stored_.all();
        meanwhile();
        return values;
    }
    core::Result<void> set(const std::map<std::string, std::string>& values) override { return stored_.set(values); }

private:
    store::ServerSettings& stored_;
};

TEST(PublicInfo, does_not_keep_what_was_read_before_a_change) {
    LoginHouse house;
    Overtaken slow(house.settings);
    KeptSettings kept(slow, house.clock);
    slow.meanwhile = [&] { ASSERT_TRUE(kept.set({{setting::server_name, "New"}})); };
    ASSERT_TRUE(kept.all());
    EXPECT_FALSE(kept.recent());
    slow.meanwhile = [] {};
    ASSERT_TRUE(kept.all());
    EXPECT_EQ(kept.recent()->at(setting::server_name), "New");
}

}  // namespace
}  // namespace understudy::http
