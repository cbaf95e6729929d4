// Every zone of the system's tzdata that changes its clock between 2020 and 2035, against libc's own reading of it.
#include <gtest/gtest.h>
#include <time.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tasks/schedule.h"

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::seconds;

/// libc in one zone; puts TZ back at the end.
class LibcZone {
public:
    explicit LibcZone(const std::string& name) {
        if (const char* old = std::getenv("TZ")) old_ = old;
        ::setenv("TZ", name.c_str(), 1);
        ::tzset();
    }
    ~LibcZone() {
        if (old_) {
            ::setenv("TZ", old_->c_str(), 1);
        } else {
            ::unsetenv("TZ");
        }
        ::tzset();
    }
    LibcZone(const LibcZone&) = delete;
    LibcZone& operator=(const LibcZone&) = delete;

    [[nodiscard]] static seconds offset(seconds at) {
        const time_t time = at.count();
        tm local{};
        ::localtime_r(&time, &local);
        return seconds{local.tm_gmtoff};
    }

private:
    std::optional<std::string> old_;
};

struct Change {
    seconds at{};  ///< the first second with the new offset
    seconds before{}, after{};
};

std::vector<Change> changes(seconds from, seconds to) {
    std::vector<Change> found;
    constexpr seconds step = 12h;  // Ramadan breaks are weeks apart; no zone changes twice in half a day
    for (auto at = from; at < to; at += step) {
        const auto before = LibcZone::offset(at), after = LibcZone::offset(at + step);
        if (before == after) continue;
        auto low = at, high = at + step;
        while (high - low > 1s) {
            const auto middle = low + (high - low) / 2;
            (LibcZone::offset(middle) == before ? low : high) = middle;
        }
        found.push_back({high, before, after});
    }
    return found;
}

/// The rule for gaps said again, from libc's offsets: the first instant with this wall time, else the end of the
/// gap.
seconds want_at(seconds local, const Change& change) {
    std::optional<seconds> first;
    for (const auto offset : {change.before, change.after}) {
        const auto at = local - offset;
        if (LibcZone::offset(at) == offset && (!first || at < *first)) first = at;
    }
    return first.value_or(change.at);
}

std::map<std::string, std::string> zones_by_content() {
    std::map<std::string, std::string> zones;  // one name for each different file
    const std::filesystem::path root = "/usr/share/zoneinfo";
    for (auto it = std::filesystem::recursive_directory_iterator(root);
         it != std::filesystem::recursive_directory_iterator(); ++it) {
        const auto name = std::filesystem::relative(it->path(), root).string();
        if (it->is_directory() && (name == "posix" || name == "right")) it.disable_recursion_pending();
        if (!it->is_regular_file() || name == "localtime" || name == "posixrules" || name == "Factory") continue;
        std::ifstream file(it->path(), std::ios::binary);
        std::string content(it->file_size(), '\0');
        file.read(content.data(), static_cast<std::streamsize>(content.size()));
        if (content.starts_with("TZif")) zones.emplace(content, name);
    }
    return zones;
}

TEST(ScheduleInEveryZone, has_one_slot_for_each_local_date_around_every_change) {
    const auto from = std::chrono::sys_days{std::chrono::year{2020} / 1 / 1}.time_since_epoch();
    const auto to = std::chrono::sys_days{std::chrono::year{2036} / 1 / 1}.time_since_epoch();
    std::size_t changing = 0, slots = 0;
    for (const auto& [content, name] : zones_by_content()) {
        SCOPED_TRACE(name);
        const LibcZone libc(name);
        const auto all = changes(from, to);
        if (all.empty()) continue;
        ++changing;
        const auto zone = Zone::named(name);
        ASSERT_TRUE(zone) << zone.error().context;
        for (const auto& change : all) {
            const auto wall_before = change.at + change.before, wall_after = change.at + change.after;
            std::set<seconds> times{0s, 1h, 2h, 2h + 30min, 23h + 30min, 24h - 1s};
            for (const auto edge : {wall_before, wall_after, (wall_before + wall_after) / 2}) {
                for (const auto by : {-1s, 0s, 1s}) {
                    const auto local = edge + by;
                    times.insert(local - std::chrono::floor<days>(local));
                }
            }
            const auto first_date = std::chrono::floor<days>(wall_before) - days{2};
            for (const auto time : times) {
                // Walk as a ledger would: each slot claimed, the next computed from it.
                const std::vector<Trigger> triggers{{DailyTrigger{time}, std::nullopt, {}}};
                const core::UtcTime start{want_at(first_date + time, change)};
                ScheduleFacts facts{.now = start, .cluster_started = start, .after = start};
                for (auto date = first_date + days{1}; date < first_date + days{5}; date += days{1}) {
                    const auto next = next_slot(triggers, facts, *zone);
                    ASSERT_TRUE(next);
                    ASSERT_EQ(next->at, core::UtcTime{want_at(date + time, change)})
                        << "time of day " << time.count() << " s, change at " << change.at.count();
                    facts.now = *(facts.after = next->at);
                    ++slots;
                }
            }
        }
    }
    EXPECT_GT(changing, 80U) << "the tzdata of this system is not complete";
    RecordProperty("zones", static_cast<int>(changing));
    RecordProperty("slots", static_cast<int>(slots));
}

}  // namespace
}  // namespace understudy::tasks
