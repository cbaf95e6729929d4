#include "lease_world.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/check.h"

namespace understudy::lease::model {
namespace {

using namespace std::chrono_literals;
using core::Nanos;
using Verb = LeaseRequest::Verb;
using Verdict = LeaseAnswer::Verdict;
using Kind = LeaseMachine::Action::Kind;

constexpr Nanos tick_length = 1s;

int ticks_of(core::Millis span) {
    return static_cast<int>(span / core::Millis{1s});
}

/// Whole ticks, rounded up: what is due within a tick is done in the next one.
std::uint8_t ticks(Nanos span) {
    return static_cast<std::uint8_t>((span + tick_length - 1ns) / tick_length);
}

}  // namespace

Scope Scope::small() {
    Scope scope;
    scope.settings.ttl = 3s;
    scope.settings.renew_every = 1s;
    scope.settings.call_timeout = 550ms;  // only sets how far back silence may reach: 2 ticks
    scope.settings.safety_margin = 1s;
    scope.settings.outage_hold_down = 3s;
    scope.settings.clock_drift = 0.0;
    return scope;
}

void ModelRandom::fill(std::span<std::uint8_t> bytes) {
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
    if (bytes.size() == 8) {
        bytes[7] = 0x80;  // uniform() = 0.5
    } else {
        std::memcpy(bytes.data(), &next_token, sizeof next_token);
        ++next_token;
    }
}

World::World(const Scope& scope, ModelRandom& random)
    : scope_(scope), random_(&random), uptime_(ticks_of(scope.settings.ttl)) {
    for (auto& pod : pods_) pod.machine.emplace(scope_.settings, *random_, now());
}

bool World::Pod::waits() const {
    return std::any_of(network.begin(), network.end(), [](const Message& message) { return message.current; });
}

bool World::waits_in_vain(const Pod& pod) {
    return std::any_of(pod.network.begin(), pod.network.end(),
                       [](const Message& message) { return message.current && message.dead; });
}

core::Instant World::now() const {
    const Nanos since = 1h + time_ * tick_length;
    return {since, 1000h + since};
}

// ---- what may come next ----

std::vector<World::Step> World::steps() const {
    using enum Step::Kind;
    std::vector<Step> result;
    random_->next_token = next_token_;
    for (std::uint8_t i = 0; i < pods; ++i) {
        const auto& pod = pods_[i];
        const auto may = [&](Step::Kind kind) { result.push_back({kind, i}); };
        for (std::uint8_t m = 0; m < pod.network.size(); ++m) {
            const auto& message = pod.network[m];
            if (message.verdict) {
                if (pod.machine) result.push_back({answer, i, m});
            } else if (!message.dead) {
                const bool frees = message.call.request.verb == Verb::release && message.call.request.token == key_;
                result.push_back({apply, i, m});
                if (frees) result.push_back({apply, i, m, true});
            }
        }
        if (!pod.machine) {
            may(restart);
            continue;
        }
        if (pod.waits()) {
            // A connection that broke with the store gives the call up by itself: that is no fault of its own.
            if (scope_.give_ups > 0 || waits_in_vain(pod)) may(give_up);
            if (scope_.give_ups > 0) {
                if (scope_.late && std::none_of(pod.network.begin(), pod.network.end(),
                                                [](const Message& message) { return !message.current; })) {
                    may(give_up_late);
                }
            }
        } else {
            if (is_due(pod)) {
                may(ask);
                if (scope_.give_ups > 0) may(refused);
            }
        }
        if (scope_.crashes > 0) may(crash);
        if (scope_.resignations > 0 && pod.machine->standing(now()) == Standing::leader) may(resign);
        if (scope_.shut_downs > 0 && !pod.machine->essence(now()).shut_down) may(shut_down);
    }
    if (scope_.store_restarts > 0) result.push_back({store_restart});
    result.push_back({tick});
    return result;
}

void World::take(const Step& step) {
    random_->next_token = next_token_;
    auto& pod = pods_[step.pod];
    tell_who_lives();
    switch (step.kind) {
        case Step::Kind::ask:
            ask(step.pod);
            break;
        case Step::Kind::refused:
            --scope_.give_ups;
            refuse(step.pod);
            break;
        case Step::Kind::apply:
            apply(step.pod, step.message, step.notice);
            break;
        case Step::Kind::answer:
            deliver(step.pod, step.message);
            break;
        case Step::Kind::give_up:
        case Step::Kind::give_up_late:
            if (!waits_in_vain(pod)) --scope_.give_ups;
            give_up(step.pod, step.kind == Step::Kind::give_up_late);
            break;
        case Step::Kind::crash:
            --scope_.crashes;
            pod.machine.reset();
            pod.connected = pod.was_connected = false;
            // What it had sent may still arrive; nobody is there to hear the answer.
            std::erase_if(pod.network, [](const Message& message) { return message.verdict || message.dead; });
            for (auto& message : pod.network) message.current = false;
            break;
        case Step::Kind::restart:
            pod.machine.emplace(scope_.settings, *random_, now());
            break;
        case Step::Kind::store_restart:
            --scope_.store_restarts;
            key_ = {};
            ttl_left_ = uptime_ = 0;
            for (auto& other : pods_) {  // requests go down with their connections; answers on the wire still arrive
                other.connected = false;
                std::erase_if(other.network,
                              [](const Message& message) { return !message.verdict && !message.current; });
                for (auto& message : other.network) message.dead = !message.verdict;
            }
            break;
        case Step::Kind::resign:
            --scope_.resignations;
            pod.machine->resign(now());
            settle(pod);
            break;
        case Step::Kind::shut_down:
            --scope_.shut_downs;
            pod.machine->shut_down(now());
            settle(pod);
            break;
        case Step::Kind::tick:
            tick();
            break;
    }
    next_token_ = random_->next_token;
}

void World::settle(Pod& pod) {
    if (pod.machine) (void)pod.machine->take_notes();
}

void World::tell_who_lives() {
    for (int i = 0; i < pods; ++i) {
        const auto& other = pods_[static_cast<std::size_t>(1 - i)];
        auto& pod = pods_[static_cast<std::size_t>(i)];
        if (pod.machine) pod.machine->set_another_pod_lives(other.machine && !other.machine->essence(now()).shut_down);
    }
}

bool World::is_due(const Pod& pod) const {
    const auto e = pod.machine->essence(now());
    return e.call_verb < 0 && e.due_in == 0ns && !(e.shut_down && e.stale_token.empty());
}

bool World::ask(int index) {
    auto& pod = pods_[static_cast<std::size_t>(index)];
    auto& machine = *pod.machine;
    if (machine.next(now()).kind != Kind::ask) return false;
    if (!pod.connected) {
        StoreRestart restart;
        restart.uptime = uptime_ * core::Millis{1s};
        restart.identity_changed = pod.was_connected && uptime_ < ticks_of(scope_.settings.ttl);
        pod.connected = pod.was_connected = true;
        if (!scope_.no_hold_down) machine.on_connected(now(), restart);
    }
    const bool asks = machine.next(now()).kind == Kind::ask;
    if (asks) pod.network.push_back({.call = machine.send(now())});
    settle(pod);
    return asks;
}

void World::refuse(int index) {
    auto& pod = pods_[static_cast<std::size_t>(index)];
    pod.machine->on_no_connection(now(), {NoAnswer::unreachable, false, "refused"});
    settle(pod);
}

void World::apply(int index, std::size_t message_index, bool notice) {
    auto& message = pods_[static_cast<std::size_t>(index)].network[message_index];
    const auto& request = message.call.request;
    const bool ours = !key_.empty() && key_ == request.token;
    if (request.verb == Verb::release) {
        message.verdict = Verdict::released;
        if (ours) {
            key_ = {};
            ttl_left_ = 0;
            auto& other = pods_[static_cast<std::size_t>(1 - index)];
            if (notice && other.machine) other.machine->on_notice(now());
        }
    } else if (ours || (key_.empty() && request.verb == Verb::acquire)) {
        key_ = request.token;
        ttl_left_ = ticks_of(scope_.settings.ttl);
        message.verdict = Verdict::granted;
    } else {
        message.verdict = key_.empty() ? Verdict::lost : Verdict::held;
    }
    message.holder = key_;
}

void World::deliver(int index, std::size_t message_index) {
    auto& pod = pods_[static_cast<std::size_t>(index)];
    auto message = pod.network[message_index];
    pod.network.erase(pod.network.begin() + static_cast<std::ptrdiff_t>(message_index));
    auto call = message.call;
    if (scope_.late_answers_count && !message.current) {
        const auto waiting =
            std::find_if(pod.network.begin(), pod.network.end(), [](const Message& m) { return m.current; });
        if (waiting != pod.network.end() && waiting->call.request.token == call.request.token &&
            waiting->call.request.verb == call.request.verb) {
            call = waiting->call;  // taken for the answer to the call in flight, which is then never heard of again
            pod.network.erase(waiting);
        }
    }
    if (scope_.trust_from_reply) call.sent_at = now();
    LeaseAnswer answer;
    answer.verdict = *message.verdict;
    if (!message.holder.empty()) answer.holder_token = message.holder;
    pod.machine->on_answer(call, now(), answer);
    settle(pod);
}

void World::give_up(int index, bool keep_late) {
    auto& pod = pods_[static_cast<std::size_t>(index)];
    const auto waiting =
        std::find_if(pod.network.begin(), pod.network.end(), [](const Message& m) { return m.current; });
    CHECK(waiting != pod.network.end());
    pod.machine->on_no_answer(waiting->call, now(), {NoAnswer::unreachable, true, "silent"});
    settle(pod);
    if (keep_late && !waiting->dead) {
        waiting->current = false;
    } else {
        pod.network.erase(waiting);
    }
}

void World::tick() {
    ++time_;
    if (ttl_left_ > 0 && !scope_.frozen_store && --ttl_left_ == 0) key_ = {};
    uptime_ = std::min(uptime_ + 1, ticks_of(scope_.settings.ttl));
    for (auto& pod : pods_) {
        if (!pod.machine) continue;
        pod.machine->observe(now());
        settle(pod);
    }
}

// ---- what must hold ----

int World::trusted_leaders() const {
    return static_cast<int>(std::count_if(pods_.begin(), pods_.end(), [&](const Pod& pod) {
        return pod.machine && pod.machine->standing(now()) == Standing::leader;
    }));
}

bool World::anybody_may_lead() const {
    return std::any_of(pods_.begin(), pods_.end(),
                       [&](const Pod& pod) { return pod.machine && !pod.machine->essence(now()).shut_down; });
}

int World::ticks_to_a_leader(int limit) const {
    if (trusted_leaders() > 0) return 0;
    World world = *this;
    random_->next_token = next_token_;
    for (int passed = 0; passed <= limit; ++passed) {
        for (int i = 0; i < pods; ++i) {
            auto& pod = world.pods_[static_cast<std::size_t>(i)];
            // A message of a pod that died may arrive still: that is the last of the old faults.
            if (!pod.machine) {
                for (std::size_t m = 0; m < pod.network.size(); ++m) {
                    if (!pod.network[m].verdict) world.apply(i, m, true);
                }
                pod.network.clear();
                continue;
            }
            world.tell_who_lives();
            for (int round = 0; round < 10; ++round) {
                while (!pod.network.empty()) {
                    if (pod.network[0].dead) {
                        world.give_up(i, false);
                        continue;
                    }
                    if (!pod.network[0].verdict) world.apply(i, 0, true);
                    world.deliver(i, 0);
                }
                if (!world.ask(i)) break;
            }
        }
        if (world.trusted_leaders() > 0) return passed;
        world.tick();
    }
    return -1;
}

int World::ticks_to_self_appointment(int limit) const {
    World world = *this;
    random_->next_token = next_token_;
    for (int passed = 0; passed <= limit; ++passed) {
        bool all = true;
        for (int i = 0; i < pods; ++i) {
            auto& pod = world.pods_[static_cast<std::size_t>(i)];
            if (!pod.machine) continue;
            if (pod.waits()) world.give_up(i, false);
            if (pod.machine->next(world.now()).kind == Kind::ask) world.refuse(i);
            if (!pod.machine->essence(world.now()).shut_down) {
                all = all && may_start_gated(pod.machine->standing(world.now()));
            }
        }
        // A leader's trust runs out first; what counts is the state after that.
        if (all && world.trusted_leaders() == 0) return passed;
        world.tick();
    }
    return -1;
}

// ---- states as bytes ----

namespace {

class Packer {
public:
    Packer() { bytes_.reserve(96); }
    void byte(std::uint8_t value) { bytes_.push_back(value); }
    void token(const core::LeaseToken& token) {
        if (token.empty()) {
            byte(0);
            return;
        }
        const auto known = std::find(names_.begin(), names_.end(), token);
        byte(static_cast<std::uint8_t>(known - names_.begin() + 1));
        if (known == names_.end()) names_.push_back(token);
    }
    [[nodiscard]] Key key() const {
        std::uint64_t a = 0x9E3779B97F4A7C15ULL, b = 0xC2B2AE3D27D4EB4FULL;
        for (const auto byte : bytes_) {
            a = (a ^ byte) * 0x100000001B3ULL;
            a ^= a >> 29U;
            b = (b + byte + 1) * 0xFF51AFD7ED558CCDULL;
            b ^= b >> 32U;
        }
        return {a, b};
    }
    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
    std::vector<core::LeaseToken> names_;
};

}  // namespace

Key World::key() const {
    std::optional<Packer> best;
    for (int first = 0; first < pods; ++first) {
        Packer packer;
        packer.token(key_);
        packer.byte(static_cast<std::uint8_t>(ttl_left_));
        packer.byte(static_cast<std::uint8_t>(uptime_));
        for (const int budget :
             {scope_.give_ups, scope_.crashes, scope_.store_restarts, scope_.resignations, scope_.shut_downs}) {
            packer.byte(static_cast<std::uint8_t>(std::min(budget, 255)));
        }
        for (int k = 0; k < pods; ++k) {
            const auto& pod = pods_[static_cast<std::size_t>((first + k) % pods)];
            packer.byte(static_cast<std::uint8_t>((pod.machine ? 1 : 0) | (pod.connected ? 2 : 0) |
                                                  (pod.was_connected ? 4 : 0)));
            if (pod.machine) {
                const auto e = pod.machine->essence(now());
                packer.token(e.token);
                packer.token(e.stale_token);
                packer.token(e.call_token);
                packer.byte(static_cast<std::uint8_t>((e.in_term ? 1 : 0) | (e.stale_asked_for ? 2 : 0) |
                                                      (e.shut_down ? 4 : 0) | (e.failures > 0 ? 8 : 0)));
                packer.byte(static_cast<std::uint8_t>(e.call_verb + 1));
                packer.byte(static_cast<std::uint8_t>(e.stale_tries));
                // A failure count decides only how long the wait is, and with T/4 below a tick every wait is one tick.
                for (const auto span : {e.trust_left, e.incumbent_left, e.ambiguous_left, e.call_age, e.stale_left,
                                        e.hold_down_left, e.hold_off_left, e.due_in}) {
                    packer.byte(ticks(span));
                }
            }
            auto network = pod.network;
            std::stable_sort(network.begin(), network.end(),
                             [](const Message& l, const Message& r) { return l.current > r.current; });
            packer.byte(static_cast<std::uint8_t>(network.size()));
            for (const auto& message : network) {
                packer.byte(
                    static_cast<std::uint8_t>(static_cast<int>(message.call.request.verb) * 16 +
                                              (message.verdict ? 1 + static_cast<int>(*message.verdict) : 0) * 2 +
                                              (message.current ? 1 : 0) + (message.dead ? 128 : 0)));
                packer.token(message.call.request.token);
            }
        }
        if (!best || packer.bytes() < best->bytes()) best = std::move(packer);
    }
    return best->key();
}

std::string World::describe(const Step& step) {
    static constexpr const char* names[] = {"asks",
                                            "finds no connection",
                                            "request applied",
                                            "answer arrives",
                                            "gives the call up",
                                            "gives the call up, its messages live on",
                                            "crashes",
                                            "restarts",
                                            "the store restarts empty",
                                            "resigns",
                                            "shuts down",
                                            "a tick passes"};
    const bool everybody = step.kind == Step::Kind::store_restart || step.kind == Step::Kind::tick;
    std::string text = everybody ? "" : std::string(step.pod == 0 ? "A " : "B ");
    text += names[static_cast<std::size_t>(step.kind)];
    if (step.notice) text += ", the notice is heard";
    return text;
}

}  // namespace understudy::lease::model
