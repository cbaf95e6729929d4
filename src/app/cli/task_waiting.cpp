#include "app/cli/task_waiting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <ostream>
#include <thread>

#include "app/cli/progress_watch.h"

namespace understudy::app {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr auto look_every = 400ms;  // a person's eye, and 2.5 small requests a second

core::UtcTime wall_now() {
    return std::chrono::time_point_cast<core::Millis>(std::chrono::system_clock::now());
}

/// Looks that outlive servers. The line of a terminal is taken back before words are written.
class Follower {
public:
    Follower(Command& command, std::chrono::seconds patience)
        : command_(command), patience_(patience), terminal_(::isatty(STDERR_FILENO) != 0) {}

    json::value get(const std::string& target) {
        const auto since = std::chrono::steady_clock::now();
        for (bool told = false;; told = true) {
            try {
                auto answer = command_.get(target);
                heard_at_ = std::chrono::steady_clock::now();
                heard_from_ = command_.client().url();
                return answer;
            } catch (const CommandFailure& failure) {
                const bool away = failure.code == Exit::unreachable || failure.code == Exit::refused;
                if (!away) throw;
                const auto why = failure.message.substr(0, failure.message.find('\n'));
                const auto asked = std::chrono::steady_clock::now() - since;
                if (asked >= patience_) throw given_up(failure.code, why, asked);
                if (!told) say(why + "; asking again, the run goes on");
            }
            std::this_thread::sleep_for(1s);
        }
    }
    /// A line of its own.
    void say(const std::string& text) {
        clear();
        command_.err() << printable(text) << '\n';
    }
    void clear() {
        if (terminal_) command_.err() << "\r\x1b[K" << std::flush;
    }
    /// The one line that changes.
    void show(const std::string& text) {
        if (terminal_) command_.err() << "\r\x1b[K" << printable(text) << std::flush;
    }
    void show_progress(const json::value& run) {
        const auto now = std::chrono::duration_cast<core::Millis>(std::chrono::steady_clock::now().time_since_epoch());
        const auto percent = number_of(run, "progress");
        watch_.saw(now, percent);
        seen_ = fmt::format("; {} was then at {:.1f} % on {}", text_of(run, "task"), percent, text_of(run, "pod"));
        const bool due = pace_.due(now);
        if (!terminal_ && !due) return;
        auto text = fmt::format("{} {:5.1f} %  on {}", text_of(run, "task"), percent, text_of(run, "pod"));
        const auto told = pace_text(run);
        for (const auto& part : {told.empty() ? watch_.text(now) : told, counts_text(run)})
            text += (part.empty() ? "" : "  ") + part;
        terminal_ ? show(text) : say(text);
    }

private:
    using Time = std::chrono::steady_clock::time_point;

    CommandFailure given_up(Exit code, const std::string& why, std::chrono::nanoseconds asked) {
        clear();
        const auto told = [](std::chrono::nanoseconds time) {
            return duration_text(std::chrono::duration_cast<core::Millis>(time));
        };
        return {code,
                fmt::format("{}\nGiven up after asking for {} (--patience {}); last heard from {} {} ago{}. The run "
                            "goes on without this command: `understudy tasks list` shows it.",
                            why, told(asked), patience_.count(), heard_from_,
                            told(std::chrono::steady_clock::now() - heard_at_), printable(seen_))};
    }

    Command& command_;
    std::chrono::seconds patience_;
    bool terminal_;
    // The command has just been answered: it knows the run, or that one is kept.
    std::string heard_from_ = command_.client().url();
    Time heard_at_ = std::chrono::steady_clock::now();
    std::string seen_;  ///< what the last answer said of the run
    ProgressWatch watch_;
    LinePace pace_;
};

/// The run to watch: itself, or the one that went on from it.
json::value successor_of(Follower& follower, const json::value& run) {
    const auto id = text_of(run, "runId");
    const auto newest = follower.get("/cluster/runs?limit=20&task=" + percent_encode(text_of(run, "task")));
    for (const auto& candidate : array_of(newest, "items")) {
        if (text_of(candidate, "resumedFrom") == id) return candidate;
    }
    return run;
}

int tell_end(Command& command, const json::value& run) {
    const auto state = text_of(run, "state");
    if (command.options().json) {
        command.print_json(run);
    } else {
        const auto counts = counts_text(run);
        command.out() << text_of(run, "task") << ": " << state << (counts.empty() ? "" : " (" + counts + ")") << '\n';
        for (const auto& warning : array_of(run, "warnings"))
            command.out() << "  warning: " << (warning.is_string() ? std::string(warning.get_string()) : "") << '\n';
        if (const auto error = text_of(run, "error"); !error.empty()) command.out() << "  error: " << error << '\n';
    }
    return state == "completed" ? 0 : static_cast<int>(Exit::failed);
}

int follow(Command& command, Follower& follower, json::value run) {
    while (true) {
        run = follower.get("/cluster/runs/" + text_of(run, "runId"));
        const auto state = text_of(run, "state");
        if (state == "aborted" || state == "yielded") {
            const auto next = successor_of(follower, run);
            if (text_of(next, "runId") != text_of(run, "runId")) {
                follower.say("run " + text_of(run, "runId") + " is " + state + " on " + text_of(run, "pod") + "; " +
                             text_of(next, "pod") + " goes on with it");
                run = next;
                continue;
            }
        } else if (state != "running" && state != "cancelling") {
            follower.clear();
            return tell_end(command, run);
        }
        follower.show_progress(run);
        std::this_thread::sleep_for(look_every);
    }
}

}  // namespace

std::string counts_text(const json::value& run) {
    std::string text;
    const auto* members = run.if_object();
    const auto* counts = members == nullptr ? nullptr : members->if_contains("counts");
    if (counts == nullptr || !counts->is_object()) return text;
    for (const auto& [name, value] : counts->get_object()) {
        std::string words(name);
        std::ranges::replace(words, '_', ' ');
        text += (text.empty() ? "" : ", ") + words + " " + json::serialize(value);
    }
    return text;
}

std::string pace_text(const json::value& run) {
    const auto* members = run.if_object();
    const auto* rate = members == nullptr ? nullptr : members->if_contains("rate");
    if (rate == nullptr || !rate->is_object() || number_of(*rate, "perSecond") <= 0) return {};
    const auto per_second = number_of(*rate, "perSecond");
    auto text = fmt::format("{:.{}f} {}/s", per_second, per_second < 9.95 ? 1 : 0, text_of(*rate, "unit"));
    if (const auto* left = members->if_contains("leftMs"); left != nullptr && left->is_number())
        text += ", " + rough_duration(std::chrono::milliseconds{left->to_number<std::int64_t>()}) + " left";
    return text;
}

std::string waiting_text(const json::value& row, core::UtcTime now) {
    const bool request = text_of(row, "kind") == "manual";
    const auto since = text_of(row, request ? "notBefore" : "slot");
    const auto at = core::from_iso8601(since);
    std::string text = request ? "request" : "slot";
    if (at && *at > now)
        text += ", not before " + since + " (" + relative_time(since, now) + ")";
    else if (at)
        text += (request ? ", waits for " : ", due for ") + duration_text(now - *at);
    const auto behind = text_of(row, "waitingFor");
    if (behind.empty()) return text;
    return text + (behind == text_of(row, "task") ? ", behind its own run" : ", behind " + behind);
}

double newest_epoch(Command& command, const std::string& key) {
    double newest = 0;
    const auto runs = command.get("/cluster/runs?limit=20&task=" + percent_encode(key));
    for (const auto& run : array_of(runs, "items")) newest = std::max(newest, number_of(run, "epoch"));
    return newest;
}

int wait_for_run(Command& command, json::value run, std::chrono::seconds patience) {
    Follower follower(command, patience);
    return follow(command, follower, std::move(run));
}

int wait_for_kept(Command& command, const std::string& key, double before, std::chrono::seconds patience) {
    Follower follower(command, patience);
    while (true) {
        std::string waiting;
        std::optional<json::value> begun;
        const auto runs = follower.get("/cluster/runs?limit=20&task=" + percent_encode(key));
        for (const auto& run : array_of(runs, "items")) {
            if (text_of(run, "state") == "waiting") {
                if (text_of(run, "kind") == "manual") waiting = waiting_text(run, wall_now());
            } else if (text_of(run, "kind") == "manual" && number_of(run, "epoch") > before) {
                begun = run;  // newest first: the earliest of them stays
            }
        }
        if (begun) return follow(command, follower, *begun);
        if (waiting.empty()) {
            follower.clear();
            throw CommandFailure{Exit::failed, key + ": the kept request is gone (cancelled?) and no run came of it"};
        }
        follower.show(key + ": " + waiting);
        std::this_thread::sleep_for(look_every);
    }
}

}  // namespace understudy::app
