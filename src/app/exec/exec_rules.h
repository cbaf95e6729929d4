// app/exec/exec_rules.h: what `understudy exec` decides, as pure functions: names, durations, the lease's numbers, how
// long to wait, and the exit code.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/time.h"
#include "lease/lease_settings.h"
#include "lease/scan_leader_lease.h"

namespace understudy::app {

/// Beside the command's own, 126, 127 and 128 + signal; from sysexits.h where it has one (docs/cli.md).
namespace exec_exit {
inline constexpr int no_store = 69;         ///< EX_UNAVAILABLE
inline constexpr int held_elsewhere = 75;   ///< EX_TEMPFAIL
inline constexpr int lease_lost = 79;       ///< above all of sysexits.h
inline constexpr int no_process = 125;      ///< as timeout(1): exec itself failed
inline constexpr int cannot_execute = 126;  ///< as a shell
inline constexpr int not_found = 127;
}  // namespace exec_exit

/// `30s`, `1.5s`, `500ms`, `2m`, `1h`, `90` (seconds); at most a year. Errors: invalid.
[[nodiscard]] core::Result<core::Millis> parse_duration(std::string_view text);

/// Where the lease NAME is kept: behind the scan leader's own key, so that the two cannot meet and clusters that share
/// a store stay apart. Errors: invalid (a name is 1 .. 100 of A-Z a-z 0-9 . _ -).
[[nodiscard]] core::Result<std::string> exec_lease_key(std::string_view scan_leader_key, std::string_view name);

/// The default of --kill-after: 10 s, or a third of a short ttl.
[[nodiscard]] core::Millis default_kill_after(core::Millis ttl);
/// Renewals often enough for one slow call to be no reason to stop, although the command must be gone `kill_after`
/// before trust ends. Errors: invalid, in terms of --ttl and --kill-after.
[[nodiscard]] core::Result<lease::LeaseSettings> exec_lease_settings(core::Millis ttl, core::Millis kill_after);

struct WaitRule {
    std::optional<core::Millis> at_most;  ///< nullopt: for ever
    core::Millis first_answer{};          ///< how long a store that works may take to say its first word
};
enum class WaitVerdict { hold, wait, held_elsewhere, no_store };
/// Only a lease that is proved is held: never for want of an answer.
[[nodiscard]] WaitVerdict judge_wait(const lease::LeaseView& view, core::Nanos waited, const WaitRule& rule);

/// How the command ended, as waitpid tells it.
[[nodiscard]] int exit_code_of(int wait_status, bool stopped_for_the_lease);

}  // namespace understudy::app
