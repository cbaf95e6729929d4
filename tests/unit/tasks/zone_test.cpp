#include "tasks/zones/zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::chrono::local_days day(int y, unsigned m, unsigned d) {
    return std::chrono::local_days{std::chrono::year{y} / std::chrono::month{m} / std::chrono::day{d}};
}

TEST(Zone, takes_iana_names_with_or_without_a_colon) {
    EXPECT_EQ(Zone::named("Europe/Berlin").value().name(), "Europe/Berlin");
    EXPECT_EQ(Zone::named(":America/New_York").value().name(), "America/New_York");
    EXPECT_EQ(Zone::named("UTC").value().name(), "UTC");
    EXPECT_EQ(Zone::named("Etc/GMT+5").value().name(), "Etc/GMT+5");
}

TEST(Zone, refuses_anything_else_and_says_what_to_do) {
    for (const char* name : {"Europe/Atlantis", "CEST-1", "EST5EDT,M3.2.0,M11.1.0", ":", "/etc/localtime", "localtime",
                             "../../etc/passwd", "posix/Europe/Berlin", "right/Europe/Berlin", "Europe", "tzdata.zi",
                             "zone.tab", "leapseconds", "europe berlin"}) {
        SCOPED_TRACE(name);
        const auto zone = Zone::named(name);
        ASSERT_FALSE(zone);
        EXPECT_EQ(zone.error().code, core::Errc::invalid);
        EXPECT_THAT(zone.error().context, HasSubstr("TZ=" + std::string(name)));
        EXPECT_THAT(zone.error().context, HasSubstr("Europe/Berlin"));
    }
}

TEST(Zone, comes_from_tz_else_from_the_link_else_is_utc) {
    const auto folder = std::filesystem::temp_directory_path() / ("zone_test." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const auto link = (folder / "localtime").string();
    EXPECT_EQ(Zone::configured("Asia/Tokyo", link).value().name(), "Asia/Tokyo");
    EXPECT_EQ(Zone::configured(nullptr, link).value().name(), "UTC");
    std::filesystem::create_symlink("../usr/share/zoneinfo/Europe/Paris", link);
    EXPECT_EQ(Zone::configured(nullptr, link).value().name(), "Europe/Paris");
    EXPECT_EQ(Zone::configured("", link).value().name(), "Europe/Paris");
    EXPECT_FALSE(Zone::configured("Nowhere/Land", link));
    std::filesystem::remove(link);
    std::filesystem::create_symlink("/somewhere/else", link);
    EXPECT_EQ(Zone::configured(nullptr, link).value().name(), "UTC");
    std::filesystem::remove_all(folder);
}

TEST(Zone, knows_the_local_date_at_an_instant) {
    const auto at = core::from_iso8601("2026-01-01T03:30:00Z").value();
    EXPECT_EQ(Zone().local_date(at), day(2026, 1, 1));
    EXPECT_EQ(Zone::named("America/New_York").value().local_date(at), day(2025, 12, 31));
    EXPECT_EQ(Zone::named("Pacific/Kiritimati").value().local_date(at), day(2026, 1, 1));
}

TEST(Zone, maps_wall_times_to_instants) {
    const auto berlin = Zone::named("Europe/Berlin").value();
    EXPECT_EQ(berlin.at(day(2026, 7, 1), 2h), core::from_iso8601("2026-07-01T00:00:00Z").value());
    EXPECT_EQ(berlin.at(day(2026, 3, 29), 2h + 30min), core::from_iso8601("2026-03-29T01:00:00Z").value());   // gap
    EXPECT_EQ(berlin.at(day(2026, 10, 25), 2h + 30min), core::from_iso8601("2026-10-25T00:30:00Z").value());  // twice
    EXPECT_EQ(Zone().at(day(2026, 3, 29), 2h + 1ms), core::from_iso8601("2026-03-29T02:00:00.001Z").value());
}

TEST(Zone, tells_the_version_of_the_systems_tzdata) {
    if (!std::filesystem::exists("/usr/share/zoneinfo/tzdata.zi"))
        GTEST_SKIP() << "this system's tzdata has no version";
    EXPECT_THAT(Zone::tzdata_version(), ::testing::MatchesRegex("20[0-9][0-9][a-z]+"));
}

}  // namespace
}  // namespace understudy::tasks
