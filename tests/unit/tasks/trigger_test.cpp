#include "tasks/trigger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(Triggers, are_read_in_the_forms_that_clients_send) {
    const auto triggers = triggers_from_json(R"([
        {"Type":"DailyTrigger","TimeOfDayTicks":279000000000},
        {"type":"weeklytrigger","timeOfDayTicks":"36000000000","dayOfWeek":"saturday","MaxRuntimeTicks":144000000000},
        {"Type":"IntervalTrigger","IntervalTicks":1.8e11,"TimeOfDayTicks":null,"DayOfWeek":null,"MaxRuntimeTicks":null},
        {"Type":"StartupTrigger"}])");
    ASSERT_TRUE(triggers) << triggers.error().context;
    ASSERT_EQ(triggers->size(), 4U);
    EXPECT_EQ((*triggers)[0].when, decltype(Trigger::when)(DailyTrigger{7h + 45min}));
    EXPECT_EQ((*triggers)[1].when, decltype(Trigger::when)(WeeklyTrigger{std::chrono::Saturday, 1h}));
    EXPECT_EQ((*triggers)[1].max_runtime, core::Millis{4h});
    EXPECT_EQ((*triggers)[2].when, decltype(Trigger::when)(IntervalTrigger{5h}));
    EXPECT_EQ((*triggers)[2].max_runtime, std::nullopt);
    EXPECT_EQ((*triggers)[3].when, decltype(Trigger::when)(StartupTrigger{}));
}

TEST(Triggers, come_back_as_they_were_written) {
    std::vector<Trigger> triggers{{DailyTrigger{1ms}, 5h, core::from_unix_ms(1'700'000'000'123)},
                                  {WeeklyTrigger{std::chrono::Wednesday, 24h - 1ms}, std::nullopt, {}},
                                  {IntervalTrigger{1s}, std::nullopt, core::from_unix_ms(5)},
                                  {StartupTrigger{}, std::nullopt, {}}};
    EXPECT_EQ(triggers_from_stored_json(triggers_to_stored_json(triggers)).value(), triggers);
    for (auto& trigger : triggers) trigger.created_at = {};
    EXPECT_EQ(triggers_from_json(triggers_to_json(triggers)).value(), triggers);
    EXPECT_EQ(triggers_to_json({}), "[]");
}

TEST(Triggers, that_are_wrong_are_refused_with_the_field_and_the_reason) {
    struct Row {
        const char* json;
        const char* field;
        const char* reason;
    };
    constexpr Row rows[] = {
        {R"([{"Type":"DailyTrigger","TimeOfDayTicks":0,"MaxRuntimeMs":5}])", "MaxRuntimeMs", "unknown field"},
        {R"([{"Type":"DailyTrigger","TimeOfDayTicks":0,"CreatedAtMs":5}])", "CreatedAtMs", "unknown field"},
        {R"([{"Type":"WeeklyTrigger","TimeOfDayTicks":0}])", "DayOfWeek", "missing"},
        {R"([{"Type":"WeeklyTrigger","TimeOfDayTicks":0,"DayOfWeek":"Someday"}])", "DayOfWeek", "Someday"},
        {R"([{"Type":"WeeklyTrigger","TimeOfDayTicks":0,"DayOfWeek":7}])", "DayOfWeek", "7"},
        {R"([{"Type":"DailyTrigger"}])", "TimeOfDayTicks", "missing"},
        {R"([{"Type":"DailyTrigger","TimeOfDayTicks":864000000000}])", "TimeOfDayTicks", "864000000000"},
        {R"([{"Type":"DailyTrigger","TimeOfDayTicks":-10000}])", "TimeOfDayTicks", "-10000"},
        {R"([{"Type":"DailyTrigger","TimeOfDayTicks":15}])", "TimeOfDayTicks", "multiple"},
        {R"([{"Type":"DailyTrigger","TimeOfDayTicks":"noon"}])", "TimeOfDayTicks", "noon"},
        {R"([{"Type":"IntervalTrigger"}])", "IntervalTicks", "missing"},
        {R"([{"Type":"IntervalTrigger","IntervalTicks":9990000}])", "IntervalTicks", "1 s"},
        {R"([{"Type":"IntervalTrigger","IntervalTicks":0}])", "IntervalTicks", "1 s"},
        {R"([{"Type":"IntervalTrigger","IntervalTicks":9223372036854770000}])", "IntervalTicks", "10 years"},
        {R"([{"Type":"IntervalTrigger","IntervalTicks":99999999999999999999999}])", "IntervalTicks", "whole number"},
        {R"([{"Type":"StartupTrigger","MaxRuntimeTicks":0}])", "MaxRuntimeTicks", "above 0"},
        {R"([{"Type":"StartupTrigger","MaxRuntimeTicks":-10000}])", "MaxRuntimeTicks", "above 0"},
        {R"([{"Type":"SystemEventTrigger"}])", "Type", "SystemEventTrigger"},
        {R"([{"TimeOfDayTicks":0}])", "Type", "missing"},
        {R"([{"Type":"StartupTrigger"},{"Type":3}])", "trigger 2", "Type"},
        {R"([5])", "trigger 1", "object"},
        {R"({"Type":"StartupTrigger"})", "triggers", "array"},
        {R"(null)", "triggers", "array"},
        {R"([{"Type":)", "triggers", "not JSON"},
        {"", "triggers", "not JSON"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.json);
        const auto triggers = triggers_from_json(row.json);
        ASSERT_FALSE(triggers);
        EXPECT_EQ(triggers.error().code, core::Errc::invalid);
        EXPECT_THAT(triggers.error().context, HasSubstr(row.field));
        EXPECT_THAT(triggers.error().context, HasSubstr(row.reason));
    }
}

TEST(Triggers, have_no_cap_of_seven_days) {
    EXPECT_TRUE(validate({IntervalTrigger{30 * 24h}, std::nullopt, {}}));
    EXPECT_TRUE(validate({IntervalTrigger{3650 * 24h}, std::nullopt, {}}));
    EXPECT_FALSE(validate({IntervalTrigger{3654 * 24h}, std::nullopt, {}}));
    EXPECT_TRUE(validate({IntervalTrigger{1s}, std::nullopt, {}}));
    EXPECT_FALSE(validate({IntervalTrigger{999ms}, std::nullopt, {}}));
}

TEST(Triggers, are_bounded_in_number) {
    std::string json = "[";
    for (int i = 0; i < 101; ++i) json += std::string(i == 0 ? "" : ",") + R"({"Type":"StartupTrigger"})";
    EXPECT_FALSE(triggers_from_json(json + "]"));
}

}  // namespace
}  // namespace understudy::tasks
