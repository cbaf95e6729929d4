#include "tasks/run_ledger.h"

#include <array>

namespace understudy::tasks {
namespace {

constexpr std::array kinds{RunKind::timer, RunKind::startup, RunKind::manual};
constexpr std::array states{RunState::running,   RunState::cancelling, RunState::completed, RunState::failed,
                            RunState::cancelled, RunState::aborted,    RunState::yielded};

template <class Words>
auto parse(const Words& words, std::string_view text) -> std::optional<typename Words::value_type> {
    for (const auto word : words) {
        if (to_string(word) == text) return word;
    }
    return std::nullopt;
}

}  // namespace

std::string_view to_string(RunKind kind) noexcept {
    switch (kind) {
        case RunKind::timer:
            return "timer";
        case RunKind::startup:
            return "startup";
        case RunKind::manual:
            return "manual";
    }
    return "";
}

std::string_view to_string(RunState state) noexcept {
    switch (state) {
        case RunState::running:
            return "running";
        case RunState::cancelling:
            return "cancelling";
        case RunState::completed:
            return "completed";
        case RunState::failed:
            return "failed";
        case RunState::cancelled:
            return "cancelled";
        case RunState::aborted:
            return "aborted";
        case RunState::yielded:
            return "yielded";
    }
    return "";
}

std::string_view to_string(Claim::Outcome outcome) noexcept {
    switch (outcome) {
        case Claim::Outcome::won:
            return "won";
        case Claim::Outcome::not_due:
            return "not_due";
        case Claim::Outcome::changed:
            return "changed";
        case Claim::Outcome::running:
            return "running";
        case Claim::Outcome::waiting:
            return "waiting";
        case Claim::Outcome::open_first:
            return "open_first";
        case Claim::Outcome::disabled:
            return "disabled";
        case Claim::Outcome::paused:
            return "paused";
        case Claim::Outcome::dropped:
            return "dropped";
    }
    return "";
}

std::optional<RunKind> parse_run_kind(std::string_view text) noexcept {
    return parse(kinds, text);
}

std::optional<RunState> parse_run_state(std::string_view text) noexcept {
    return parse(states, text);
}

}  // namespace understudy::tasks
