#include "app/exec/exec_rules.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace understudy::app {

using core::Millis;
using namespace std::chrono_literals;

core::Result<Millis> parse_duration(std::string_view text) {
    const auto wrong = [&] {
        return core::fail(core::Errc::invalid,
                          fmt::format("'{}' is no duration; write 30s, 500ms, 2m or 1h, at most 8760h", text));
    };
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string number(text.substr(0, digits));
    const auto unit = text.substr(digits);
    if (number.empty() || std::count(number.begin(), number.end(), '.') > 1 || number == ".") return wrong();
    double factor = 0;
    if (unit == "ms") factor = 1;
    if (unit.empty() || unit == "s") factor = 1'000;
    if (unit == "m" || unit == "min") factor = 60'000;
    if (unit == "h") factor = 3'600'000;
    const double value = std::strtod(number.c_str(), nullptr) * factor;
    constexpr double year = 8'760.0 * 3'600'000.0;
    if (factor == 0 || value > year) return wrong();
    return Millis{std::llround(value)};
}

core::Result<std::string> exec_lease_key(std::string_view scan_leader_key, std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
               c == '-';
    };
    if (name.empty() || name.size() > 100 || !std::ranges::all_of(name, fits)) {
        return core::fail(core::Errc::invalid,
                          "--lease must be a name of 1 to 100 letters, digits, '.', '_' or '-', as in nightly-backup");
    }
    return std::string(scan_leader_key) + ":exec:" + std::string(name);
}

Millis default_kill_after(Millis ttl) {
    return std::min<Millis>(10s, ttl / 3);
}

core::Result<lease::LeaseSettings> exec_lease_settings(Millis ttl, Millis kill_after) {
    if (ttl < 3s || ttl > 24h) return core::fail(core::Errc::invalid, "--ttl must be 3s to 24h");
    auto settings = lease::LeaseSettings::for_ttl(ttl);
    settings.outage_hold_down = 24h;  // nobody appoints himself here
    const auto usable = settings.trust_window() - kill_after;
    settings.renew_every = std::min(settings.renew_every, usable / 3);
    // As LeaseSettings::validate, but the command must be gone before trust ends.
    const auto fits = [&](Millis renew_every, Millis left) {
        return renew_every > settings.call_timeout && renew_every * 6 / 5 + 2 * settings.call_timeout < left;
    };
    if (!fits(settings.renew_every, usable)) {
        auto most = settings.trust_window();
        while (most > 0ms && !fits((settings.trust_window() - most) / 3, settings.trust_window() - most)) most -= 100ms;
        return core::fail(
            core::Errc::invalid,
            fmt::format("--kill-after must be at most {:g}s where --ttl is {:g}s: the command must be gone before the "
                        "lease runs out, and the lease be renewed before that; give a longer --ttl",
                        static_cast<double>(most.count()) / 1000.0, static_cast<double>(ttl.count()) / 1000.0));
    }
    return settings;
}

WaitVerdict judge_wait(const lease::LeaseView& view, core::Nanos waited, const WaitRule& rule) {
    if (view.standing == lease::Standing::leader) return WaitVerdict::hold;
    if (!rule.at_most) return WaitVerdict::wait;
    const bool held = view.standing == lease::Standing::follower && !view.outage;
    if (held || view.waits_until) return waited >= *rule.at_most ? WaitVerdict::held_elsewhere : WaitVerdict::wait;
    return waited >= std::max(*rule.at_most, rule.first_answer) ? WaitVerdict::no_store : WaitVerdict::wait;
}

int exit_code_of(int wait_status, bool stopped_for_the_lease) {
    if (stopped_for_the_lease) return exec_exit::lease_lost;
    if (WIFSIGNALED(wait_status)) return 128 + WTERMSIG(wait_status);
    return WEXITSTATUS(wait_status);
}

}  // namespace understudy::app
