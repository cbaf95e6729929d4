// understudy leader …, understudy pods.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
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

int status(Command& command) {
    const auto leader = command.get("/cluster/leader");
    if (command.options().json) {
        command.print_json(leader);
        return 0;
    }
    command.out() << "pod " << text_of(leader, "pod") << ": " << text_of(leader, "standing")
                  << " (lease: " << text_of(leader, "provider") << ")\n";
    if (const auto* holder = member(leader, "holder")) {
        command.out() << "holder: " << text_of(*holder, "pod") << ", seen "
                      << relative_time(text_of(*holder, "since"), wall_now());
        if (member(leader, "ttlLeftMs") != nullptr) {
            command.out() << ", lease runs "
                          << duration_text(core::Millis{static_cast<std::int64_t>(number_of(leader, "ttlLeftMs"))})
                          << " more";
        }
        command.out() << '\n';
    }
    if (const auto* outage = member(leader, "outage")) {
        command.out() << "no usable answer from the lease store since "
                      << relative_time(text_of(*outage, "since"), wall_now()) << " (" << text_of(*outage, "class")
                      << "): " << text_of(*outage, "detail") << '\n';
    }
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
            rows.push_back({text_of(pod, "pod") + (text_of(pod, "self") == "true" ? " *" : ""),
                            text_of(pod, "standing"), text_of(pod, "version"),
                            relative_time(text_of(pod, "startedAt"), wall_now()),
                            relative_time(text_of(pod, "heartbeatAt"), wall_now()), running});
        }
    }
    command.print_table({"POD", "STANDING", "VERSION", "STARTED", "HEARTBEAT", "RUNNING"}, rows);
    return 0;
}

}  // namespace

void add_leader_commands(CLI::App& root, Action& chosen) {
    auto* leader = root.add_subcommand("leader", "who leads the periodic work");
    leader->require_subcommand(1);
    leader->add_subcommand("status", "who leads, as the pod that --url names sees it")->callback([&chosen] {
        chosen = status;
    });
    leader->add_subcommand("resign", "drain this pod's runs and hand the lead over; refused where it does not lead")
        ->callback([&chosen] {
            chosen = [](Command& command) {
                command.call("POST", "/cluster/leader/resign");
                if (!command.options().json) command.out() << "draining; another pod takes the lead\n";
                return 0;
            };
        });
    root.add_subcommand("pods", "the pods of the cluster and what they run")->callback([&chosen] { chosen = pods; });
}

}  // namespace understudy::app
