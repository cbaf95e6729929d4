// lease/lease_diary.h: what the election tells the log: one line for each change of state, at most one summary in five
// minutes of outage, never one for each try. Used by KeptScanLeaderLease. Pure: it makes lines, others write them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/log.h"
#include "lease/lease_machine.h"

namespace understudy::lease {

class LeaseDiary {
public:
    struct Line {
        core::LogLevel level = core::LogLevel::info;
        std::string message;
        std::vector<std::pair<std::string, std::string>> fields;
    };

    LeaseDiary(std::string pod, core::Millis summary_every) : pod_(std::move(pod)), summary_every_(summary_every) {}

    /// After every step of the machine, with the notes it left.
    void take(core::Instant now, const LeaseMachine& machine, std::span<const LeaseNote> notes);
    [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }
    [[nodiscard]] std::vector<Line> take_lines() { return std::exchange(lines_, {}); }

private:
    using Fields = std::vector<std::pair<std::string, std::string>>;
    void say(core::LogLevel level, std::string message, Fields fields = {});
    void say_note(core::Instant now, const LeaseMachine& machine, const LeaseNote& note);
    void say_standing(core::Instant now, const LeaseMachine& machine);
    void say_outage(core::Instant now, const LeaseMachine& machine);
    void look_for_twin(const LeaseMachine& machine);
    void remember_holder(const LeaseMachine& machine);
    [[nodiscard]] bool may_repeat(std::optional<core::Instant>& said_at, core::Instant now) const;

    std::string pod_;
    core::Millis summary_every_;
    std::vector<Line> lines_;

    Standing said_standing_ = Standing::unknown;
    std::string lost_why_;
    std::string new_holder_;
    std::optional<LeaseMachine::Holder> before_;   ///< who led last while this pod did not
    std::optional<core::Instant> said_outage_;     ///< the outage that goes on, when a line last told of it
    std::optional<core::Instant> last_outage_at_;  ///< any outage's first line
    core::Instant outage_began_;
    std::uint64_t failures_before_outage_ = 0, failures_said_ = 0;
    std::optional<core::Instant> said_anomaly_, said_repair_;
    std::optional<core::LeaseToken> said_twin_;
};

}  // namespace understudy::lease
