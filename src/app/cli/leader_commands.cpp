// understudy leader …, understudy pods.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <chrono>

#include "app/cli/command.h"

namespace understudy::app {
namespace {

core::UtcTime wall_now() {
    return std::chrono::time_point_cast<core::Millis>(std::chrono::system_clock::now());
}

const boost::json::value* member(const boost::json::value& object, std::string_view name) {
    const auto* members = object.if_object();
    const auto* value = members == nullptr ? nullptr : members->if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
}

/// What a standing means for the tasks, for somebody who wonders why nothing runs.
std::string_view standing_words(std::string_view standing) {
    if (standing == "leader") return "it starts the gated tasks";
    if (standing == "follower") return "the leader starts the gated tasks";
    if (standing == "self_appointed") return "the lease store is silent, so each pod starts them; each slot still once";
    if (standing == "single") return "no election: it starts all tasks";
    return "it does not know who leads: gated tasks wait";
}

/// `5 min 3 s`; a clock of ours that is behind the server's gives 0.
std::string time_since(const std::string& iso) {
    const auto at = core::from_iso8601(iso);
    return at ? duration_text(std::max(wall_now() - *at, core::Millis{0})) : iso;
}

int status(Command& command) {
    const auto leader = command.get("/cluster/leader");
    if (command.options().json) {
        command.print_json(leader);
        return 0;
    }
    const auto standing = text_of(leader, "standing");
    command.out() << "pod " << printable(text_of(leader, "pod")) << ": " << standing << " (" << standing_words(standing)
                  << "; lease: " << text_of(leader, "provider") << ")\n";
    if (const auto* holder = member(leader, "holder"); holder != nullptr && standing != "single") {
        const bool own = standing == "leader";
        // Nobody has confirmed it since the store fell silent: it may be dead.
        const bool stale = standing == "self_appointed" || standing == "unknown";
        command.out() << (stale ? "last known holder (may be gone): " : "holder: ")
                      << printable(text_of(*holder, "pod"))
                      << (own ? ", this pod, leads for " : ", known to this pod as the leader for ")
                      << time_since(text_of(*holder, "since"));
        if (!stale && member(leader, "ttlLeftMs") != nullptr) {
            command.out() << "; unless renewed its lease runs out in "
                          << duration_text(core::Millis{static_cast<std::int64_t>(number_of(leader, "ttlLeftMs"))});
        }
        command.out() << '\n';
    }
    if (const auto until = text_of(leader, "abstainsUntil"); !until.empty()) {
        command.out() << "resigned: this pod does not take the lead before " << until << " ("
                      << relative_time(until, wall_now()) << "), or until no other pod is there\n";
    }
    if (const auto why = text_of(leader, "standsBack"); !why.empty()) {
        command.out() << "stands back: " << printable(why)
                      << "; it takes the lead only where no pod that sees more does\n";
    }
    if (const auto until = text_of(leader, "waitsUntil"); !until.empty()) {
        command.out()
            << "nobody leads yet: the lease store has just started and may have forgotten who leads; only that "
               "leader may take the lease before "
            << until << " (" << relative_time(until, wall_now()) << ")\n";
    }
    if (const auto* outage = member(leader, "outage")) {
        command.out() << "no usable answer from the lease store for " << time_since(text_of(*outage, "since")) << " ("
                      << text_of(*outage, "class") << "): " << printable(text_of(*outage, "detail")) << '\n';
    }
    if (text_of(leader, "timersPaused") == "true") command.out() << timers_paused_words << '\n';
    return 0;
}

int pods(Command& command) {
    const auto all = command.get("/cluster/pods");
    if (command.options().json) {
        command.print_json(all);
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    if (const auto* list = all.if_array()) {
        for (const auto& pod : *list) {
            std::string running;
            for (const auto& run : array_of(pod, "running")) {
                running += (running.empty() ? "" : ", ") +
                           fmt::format("{} {:.0f} %", text_of(run, "task"), number_of(run, "progress"));
            }
            const bool silent = text_of(pod, "state") == "silent";
            const auto age = core::Millis{static_cast<std::int64_t>(number_of(pod, "heartbeatAgeMs"))};
            rows.push_back({text_of(pod, "pod") + (text_of(pod, "self") == "true" ? " *" : ""),
                            silent ? "silent for " + duration_text(age) : "alive",
                            silent ? "last seen as " + text_of(pod, "lastStanding") : text_of(pod, "standing"),
                            text_of(pod, "version"), relative_time(text_of(pod, "startedAt"), wall_now()), running});
        }
    }
    command.print_table({"POD", "STATE", "STANDING", "VERSION", "STARTED", "RUNNING"}, rows);
    return 0;
}

}  // namespace

void add_leader_commands(CLI::App& root, Action& chosen) {
    auto* leader = root.add_subcommand("leader", "who leads the periodic work");
    leader->require_subcommand(1);
    leader->footer(
        "Example: understudy leader status --url http://127.0.0.1:8097\n"
        "Exit codes: 0 done, 3 no server there, 5 key missing or wrong, 6 resign: this pod does not lead.");
    leader->add_subcommand("status", "who leads, as the pod that --url names sees it")->callback([&chosen] {
        chosen = status;
    });
    leader
        ->add_subcommand("resign",
                         "drain this pod's runs and hand the lead over; refused (exit 6) where it does not lead")
        ->callback([&chosen] {
            chosen = [](Command& command) {
                command.call("POST", "/cluster/leader/resign");
                if (!command.options().json)
                    command.out() << "draining; another pod takes the lead (`understudy leader status` shows which)\n";
                return 0;
            };
        });
    add_leader_watch_command(*leader, chosen);
    root.add_subcommand("pods", "the pods of the cluster and what they run; * is the one that answers")

        ->footer("Example: understudy pods --json | jq '.[] | select(.state == \"silent\") | .pod'")
        ->callback([&chosen] { chosen = pods; });
}

}  // namespace understudy::app
