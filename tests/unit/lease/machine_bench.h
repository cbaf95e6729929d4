// tests/unit/lease/machine_bench.h: one LeaseMachine and a clock on paper, with words for what its tests do over and
// over.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/random.h"
#include "lease/lease_machine.h"

namespace understudy::lease {

using namespace std::chrono_literals;
using Kind = LeaseMachine::Action::Kind;
using Verb = LeaseRequest::Verb;
using Verdict = LeaseAnswer::Verdict;
using NoteKind = LeaseNote::Kind;

/// T = 15 s, renewal 5 s, call 2 s, margin 1.5 s, hold-down 15 s: trusted for 13.2 s.
inline const core::Nanos trust_window = 13'200ms;

inline core::LeaseToken token_of(std::uint8_t n) {
    core::IdBytes bytes{};
    bytes[0] = n;
    return core::LeaseToken(bytes);
}

inline LeaseAnswer granted() {
    LeaseAnswer answer;
    answer.verdict = Verdict::granted;
    answer.ttl_left = 15s;
    return answer;
}
inline LeaseAnswer held(const std::string& pod = "b", std::uint8_t token = 200, core::Millis ttl_left = 12s) {
    LeaseAnswer answer;
    answer.verdict = Verdict::held;
    answer.holder = pod;
    answer.holder_token = token_of(token);
    answer.ttl_left = ttl_left;
    return answer;
}
inline LeaseAnswer lost() {
    LeaseAnswer answer;
    answer.verdict = Verdict::lost;
    return answer;
}
inline LeaseAnswer released() {
    LeaseAnswer answer;
    answer.verdict = Verdict::released;
    return answer;
}
inline LeaseNoAnswer refused() {
    return {NoAnswer::unreachable, false, "connection refused"};
}
inline LeaseNoAnswer no_reply() {
    return {NoAnswer::unreachable, true, "no answer within 2000 ms"};
}

struct MachineBench {
    explicit MachineBench(LeaseSettings settings = {}) : machine(settings, random, now) {}

    core::SeededRandom random{7};
    core::Instant now{1h, std::chrono::hours{24 * 365 * 55}};
    LeaseMachine machine;
    std::vector<LeaseNote> notes;

    void advance(core::Nanos by) { now = core::after(now, by); }
    [[nodiscard]] Standing standing() {
        machine.observe(now);
        return machine.standing(now);
    }
    /// The call that is due now.
    LeaseMachine::Call ask() {
        EXPECT_EQ(machine.next(now).kind, Kind::ask);
        return machine.send(now);
    }
    /// Lets time pass as the machine wants it, until it wants to ask. Returns how long that was.
    core::Nanos wait_for_ask() {
        core::Nanos waited{};
        for (int i = 0; i < 100; ++i) {
            const auto action = machine.next(now);
            if (action.kind == Kind::ask) return waited;
            EXPECT_EQ(action.kind, Kind::wait);
            waited += action.wait;
            advance(action.wait);
        }
        ADD_FAILURE() << "the machine never asks";
        return waited;
    }
    LeaseMachine::Call next_ask() {
        wait_for_ask();
        return machine.send(now);
    }
    void answer(const LeaseMachine::Call& call, const LeaseAnswer& said) { machine.on_answer(call, now, said); }
    void no_answer(const LeaseMachine::Call& call, const LeaseNoAnswer& why = no_reply()) {
        machine.on_no_answer(call, now, why);
    }
    /// Asks when due, and gets this at once.
    LeaseMachine::Call exchange(const LeaseAnswer& said) {
        const auto call = next_ask();
        answer(call, said);
        return call;
    }
    LeaseMachine::Call exchange(const LeaseNoAnswer& why) {
        const auto call = next_ask();
        no_answer(call, why);
        return call;
    }
    LeaseMachine::Call lead() {
        const auto call = exchange(granted());
        EXPECT_EQ(standing(), Standing::leader);
        return call;
    }
    void follow(const std::string& pod = "b", std::uint8_t token = 200) {
        exchange(held(pod, token));
        EXPECT_EQ(standing(), Standing::follower);
    }
    /// Fails every try until this long has passed.
    void outage(core::Nanos lasting, const LeaseNoAnswer& why = refused()) {
        const auto end = now.boot + lasting;
        while (now.boot < end) {
            const auto action = machine.next(now);
            if (action.kind == Kind::ask) {
                no_answer(machine.send(now), why);
            } else {
                advance(std::min(action.wait, end - now.boot));
            }
        }
    }
    std::vector<LeaseNote>& all_notes() {
        machine.observe(now);
        for (auto& note : machine.take_notes()) notes.push_back(std::move(note));
        return notes;
    }
    [[nodiscard]] std::size_t count(NoteKind kind) {
        std::size_t n = 0;
        for (const auto& note : all_notes()) n += note.kind == kind ? 1U : 0U;
        return n;
    }
    /// "gained lost gained …"
    [[nodiscard]] std::string events() {
        std::string text;
        for (const auto& note : all_notes()) {
            if (note.kind == NoteKind::gained) text += text.empty() ? "gained" : " gained";
            if (note.kind == NoteKind::lost) text += text.empty() ? "lost" : " lost";
        }
        return text;
    }
};

}  // namespace understudy::lease
