#include "model/ledger/explorer.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace understudy::testing::model {
namespace {

constexpr int most_ticks = 60;  // a continuation that takes longer does not end
constexpr int most_steps_a_tick = 8;

/// Two independent 64-bit hashes of a key: 10^6 states collide with a chance of 10^-26.
struct Print {
    std::uint64_t a = 0, b = 0;
    friend bool operator==(const Print&, const Print&) = default;
};
struct PrintHash {
    std::size_t operator()(const Print& print) const noexcept { return print.a; }
};
Print print_of(const std::string& key) {
    Print print{1469598103934665603ULL, 88172645463325252ULL};
    for (const char c : key) {
        const auto byte = static_cast<unsigned char>(c);
        print.a = (print.a ^ byte) * 1099511628211ULL;
        print.b = (print.b + byte) * 6364136223846793005ULL + 1442695040888963407ULL;
        print.b ^= print.b >> 29U;
    }
    return print;
}

/// From any world on, without faults and without delay: who leads does all there is to do.
class Continuation {
public:
    explicit Continuation(Machine& machine) : machine_(machine) {}

    struct Course {
        int ticks = 0;  ///< until rest; most_ticks: never
        int killed = 0;
    };
    struct Leaders {
        unsigned mask = 0;
        bool reverse = false;
    };

    Course run(World world, Leaders leaders, std::string* log = nullptr) {
        world.database_up = true;
        std::vector<std::pair<Print, int>> passed;  // and the kills before it
        Course course;
        for (; course.ticks < most_ticks; ++course.ticks) {
            if (machine_.at_rest(world)) break;
            const auto print = print_of(machine_.key(world, false) + static_cast<char>('0' + leaders.mask) +
                                        (leaders.reverse ? 'r' : '.'));
            if (const auto found = courses_.find(print); found != courses_.end() && log == nullptr) {
                course.ticks = std::min(course.ticks + found->second.ticks, most_ticks);
                course.killed += found->second.killed;
                break;
            }
            passed.emplace_back(print, course.killed);
            course.killed += one_tick(world, leaders, log);
            if (log != nullptr) *log += "    -- 15 s pass\n";
        }
        for (std::size_t i = 0; i < passed.size(); ++i) {
            const int left = course.ticks >= most_ticks ? most_ticks : course.ticks - static_cast<int>(i);
            courses_.emplace(passed[i].first, Course{left, course.killed - passed[i].second});
        }
        return course;
    }

private:
    int one_tick(World& world, Leaders leaders, std::string* log) {
        const auto count = static_cast<std::size_t>(machine_.scope().pods);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t p = leaders.reverse ? count - 1 - i : i;
            for (int n = 0; n < most_steps_a_tick; ++n) {
                const auto& pod = world.pods[p];
                if (pod.phase == Phase::dead || (pod.phase == Phase::idle && (leaders.mask >> p & 1U) == 0)) break;
                if (machine_.scope().poison && pod.phase == Phase::run && pod.cursor < machine_.scope().units) {
                    machine_.crash(world, p);
                    machine_.restart(world, p);
                    if (log != nullptr) *log += "    P" + std::to_string(p) + " dies of its item and restarts\n";
                    break;
                }
                const bool writes = pod.phase == Phase::run && pod.cursor < machine_.scope().units;
                const auto said = machine_.step(world, p);
                if (said.empty()) break;
                if (log != nullptr) *log += "    P" + std::to_string(p) + ' ' + said + '\n';
                if (writes) break;  // a unit a tick
            }
        }
        for (std::size_t p = 0; p < count; ++p) machine_.beat(world, p);
        machine_.tick(world);
        return machine_.healthy_runs_killed();
    }

    Machine& machine_;
    std::unordered_map<Print, Course, PrintHash> courses_;
};

class Explorer {
public:
    Explorer(const Scope& scope, Without without, Limits limits)
        : machine_(scope, without), continuation_(machine_), limits_(limits) {}

    Findings go() {
        add(machine_.first(), 0, "start");
        while (!frontier_.empty() && findings_.violation.empty()) {
            const auto [world, number] = std::move(frontier_.front());
            frontier_.pop_front();
            (void)machine_.healthy_runs_killed();  // those of the last round of successors
            if (limits_.liveness && !lives(world, number)) break;
            machine_.successors(world, [&](World next, const std::string& label) {
                ++findings_.transitions;
                const auto broken = machine_.violation();
                if (!findings_.violation.empty()) return;
                if (!broken.empty()) return fail(broken, number, label);
                add(std::move(next), number, label);
            });
            (void)machine_.violation();
            if (steps_.size() > limits_.most_states) fail("too many states: the scope is not finite", number, "");
        }
        findings_.states = steps_.size();
        return findings_;
    }

private:
    struct Step {
        std::uint32_t before = 0;
        std::uint32_t label = 0;
    };

    void add(World world, std::uint32_t before, const std::string& label) {
        if (!seen_.emplace(print_of(machine_.key(world, true)), true).second) return;
        const auto known = labels_.emplace(label, static_cast<std::uint32_t>(labels_.size())).first->second;
        if (known == words_.size()) words_.push_back(label);
        steps_.push_back({before, known});
        frontier_.emplace_back(std::move(world), static_cast<std::uint32_t>(steps_.size() - 1));
    }

    void fail(const std::string& what, std::uint32_t number, const std::string& last) {
        findings_.violation = what;
        std::vector<std::string> path{last};
        for (auto at = number; at != 0; at = steps_[at].before) path.push_back(words_[steps_[at].label]);
        std::reverse(path.begin(), path.end());
        for (const auto& one : path) findings_.trace += "  " + one + '\n';
    }

    /// Whoever leads: what is due ends, and no more than one live run is killed on the way.
    bool lives(const World& world, std::uint32_t number) {
        for (const bool restart : {false, true}) {
            World from = world;
            const auto count = static_cast<std::size_t>(machine_.scope().pods);
            unsigned alive = 0;
            for (std::size_t p = 0; p < count; ++p) {
                const bool clones_place = machine_.scope().clone > 0 && p + 1 == count;
                if (restart && from.pods[p].phase == Phase::dead && !clones_place) machine_.restart(from, p);
                if (from.pods[p].phase != Phase::dead) alive |= 1U << p;
            }
            for (unsigned mask = 1; mask < 1U << count; ++mask) {
                const bool one_or_all = (mask & (mask - 1)) == 0 || mask == alive;
                if ((mask & ~alive) != 0 || !one_or_all || !can_bury(from, alive, mask)) continue;
                for (const bool reverse : {false, true}) {
                    const auto course = continuation_.run(from, {mask, reverse});
                    findings_.longest_ticks = std::max(findings_.longest_ticks, course.ticks);
                    findings_.most_killed = std::max(findings_.most_killed, course.killed);
                    const auto broken = machine_.violation();
                    const std::string what = !broken.empty() ? broken
                                             : course.ticks >= most_ticks
                                                 ? "I7: work never ends though faults have stopped"
                                             : course.killed > 1 ? "I8: more than one live run was killed"
                                                                 : "";
                    if (what.empty()) continue;
                    std::string log;
                    continuation_.run(from, {mask, reverse}, &log);
                    (void)machine_.violation();
                    fail(what, number,
                         "then without faults, leaders " + std::to_string(mask) +
                             (restart ? ", after restarts:\n" : ":\n") + log.substr(0, 2'000));
                    return false;
                }
            }
        }
        return true;
    }

    /// A boot never buries its own run. Two processes of one boot id (a cloned image) can fence each other, so that a
    /// run is left to which both are no judge: then it takes a pod of another boot. Elsewhere boot ids are unique.
    [[nodiscard]] bool can_bury(const World& world, unsigned alive, unsigned mask) const {
        if (machine_.scope().clone == 0) return true;
        if (mask != alive) return false;
        std::uint8_t first = 0;
        for (std::size_t p = 0; p < world.pods.size(); ++p) {
            if ((mask >> p & 1U) == 0) continue;
            if (first == 0) first = world.pods[p].boot;
            if (world.pods[p].boot != first) return true;
        }
        return false;
    }

    Machine machine_;
    Continuation continuation_;
    Limits limits_;
    Findings findings_;
    std::unordered_map<Print, bool, PrintHash> seen_;
    std::deque<std::pair<World, std::uint32_t>> frontier_;
    std::vector<Step> steps_;
    std::unordered_map<std::string, std::uint32_t> labels_;
    std::vector<std::string> words_;
};

}  // namespace

Findings explore(const Scope& scope, Without without, Limits limits) {
    return Explorer(scope, without, limits).go();
}

}  // namespace understudy::testing::model
