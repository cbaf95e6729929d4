// understudy leader watch: a look a second at every server that --url names.
#include <CLI/CLI.hpp>
#include <future>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/leader_watch.h"
#include "app/config/load.h"
#include "app/stop_signals.h"

namespace understudy::app {
namespace {

using namespace std::chrono_literals;

constexpr core::Millis look_every{1'000};
constexpr std::chrono::seconds answer_within{2};

LeaderLook look_from(const boost::json::value& answer) {
    LeaderLook look;
    look.answered = true;
    look.pod = text_of(answer, "pod");
    look.standing = text_of(answer, "standing");
    look.term = static_cast<std::int64_t>(number_of(answer, "term"));
    const auto& members = answer.as_object();
    if (const auto* left = members.if_contains("ttlLeftMs"); left != nullptr && left->is_number())
        look.ttl_left = core::Millis{left->to_number<std::int64_t>()};
    if (const auto* holder = members.if_contains("holder"); holder != nullptr && holder->is_object()) {
        look.holder = text_of(*holder, "pod");
        look.since = core::from_iso8601(text_of(*holder, "since"));
    }
    if (const auto* outage = members.if_contains("outage"); outage != nullptr && outage->is_object()) {
        look.outage = LeaderLook::Outage{core::from_iso8601(text_of(*outage, "since")).value_or(core::UtcTime{}),
                                         text_of(*outage, "class"), text_of(*outage, "detail")};
    }
    return look;
}

/// A key that is refused, or a server that is none of ours, will not mend itself.
void require_usable(const Client& client, const Reply& reply) {
    if (reply.exit() == Exit::unauthorized || reply.exit() == Exit::not_found)
        throw CommandFailure{reply.exit(), client.url() + ": " + reply.reason()};
}

LeaderLook look_at(const Client& client) {
    const auto reply = client.request("GET", "/cluster/leader", {}, answer_within);
    if (!reply) return {};
    require_usable(client, *reply);
    const auto answer = reply->json();
    return reply->ok() && answer.is_object() ? look_from(answer) : LeaderLook{};
}

int watch(Command& command) {
    require_known_settings(command.options());
    const auto clients = clients_of(command.options());
    const StopSignals stop;
    LeaderWatch leaders;
    do {
        // At once, so that a frozen pod holds nobody up for longer than its own limit.
        std::vector<std::future<LeaderLook>> asked;
        asked.reserve(clients.size());
        for (const auto& client : clients)
            asked.push_back(std::async(std::launch::async, [&client] { return look_at(client); }));
        std::vector<LeaderLook> looks;
        looks.reserve(asked.size());
        for (auto& one : asked) looks.push_back(one.get());
        const auto now = std::chrono::time_point_cast<core::Millis>(std::chrono::system_clock::now());
        for (const auto& change : leaders.saw(now, looks))
            command.out() << (command.options().json ? json_of(change) : line_of(change)) << '\n' << std::flush;
    } while (!stop.wait(look_every) && command.out().good());
    return 0;
}

}  // namespace

void add_leader_watch_command(CLI::App& leader, Action& chosen) {
    auto* sub = leader.add_subcommand("watch", "follow who leads: one line a change, until Ctrl-C");
    sub->footer(
        "Example: understudy leader watch --url http://pod-1:8096,http://pod-2:8096,http://pod-3:8096\n"
        "Each server named is asked once a second, so it goes on while any of them answers; one that leads says its\n"
        "term and since when. The gap of a hand-over is counted from the last time the leader before is known to have\n"
        "led (to the second where it is among the servers, else from its last renewal). With --json a line is an\n"
        "object: at, event (leads, nobody, eachForItself, single, noAnswer, outage, outageOver), pod, term, since,\n"
        "gapMs, before, class, detail, lastedMs. Exit codes: 0 ended by SIGINT or SIGTERM, 4 no Understudy there,\n"
        "5 key missing or wrong.");
    sub->callback([&chosen] { chosen = watch; });
}

}  // namespace understudy::app
