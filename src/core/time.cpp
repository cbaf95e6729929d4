#include "core/time.h"

#include <ctime>

#include <fmt/format.h>

namespace understudy::core {
namespace {

Nanos read_clock(clockid_t id) noexcept {
    timespec now{};
    ::clock_gettime(id, &now);
    return std::chrono::seconds{now.tv_sec} + Nanos{now.tv_nsec};
}

// Reads `count` digits at `at`; -1 where there are not that many.
int digits(std::string_view text, std::size_t at, std::size_t count) noexcept {
    if (at + count > text.size()) return -1;
    int value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        if (text[i] < '0' || text[i] > '9') return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

}  // namespace

std::string to_iso8601(UtcTime at) {
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{at - day};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int{date.year()}, unsigned{date.month()},
                       unsigned{date.day()}, time.hours().count(), time.minutes().count(), time.seconds().count(),
                       time.subseconds().count());
}

std::optional<UtcTime> from_iso8601(std::string_view text) {
    if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
        text.back() != 'Z') {
        return std::nullopt;
    }
    const int year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
    const int hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
    if (year < 0 || month < 0 || day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
        second > 59) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    if (!date.ok()) return std::nullopt;
    int millis = 0;
    const auto fraction = text.substr(19, text.size() - 20);
    if (!fraction.empty()) {
        if (fraction[0] != '.' || fraction.size() < 2) return std::nullopt;
        for (std::size_t i = 1; i < fraction.size(); ++i) {
            if (fraction[i] < '0' || fraction[i] > '9') return std::nullopt;
        }
        for (std::size_t i = 1; i <= 3; ++i) millis = millis * 10 + (i < fraction.size() ? fraction[i] - '0' : 0);
    }
    return std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
           std::chrono::seconds{second} + Millis{millis};
}

Instant SystemClock::now() const noexcept {
    return {read_clock(CLOCK_BOOTTIME), read_clock(CLOCK_REALTIME)};
}

bool SystemClock::wait_for(std::unique_lock<std::mutex>& lock, std::condition_variable& wake, Nanos at_most,
                           const std::function<bool()>& done) {
    return wake.wait_for(lock, at_most, done);
}

}  // namespace understudy::core
