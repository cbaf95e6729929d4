#include "app/cli/task_waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <optional>
#include <ostream>
#include <thread>

#include "app/cli/progress_bar.h"
#include "app/cli/progress_watch.h"

namespace understudy::app {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr auto look_every = 400ms;  // a person's eye, and 2.5 small requests a second

core::UtcTime wall_now() {
    return std::chrono::time_point_cast<core::Millis>(std::chrono::system_clock::now());
}

/// Looks that outlive servers. The lines of a terminal are taken back before words are written.
class Follower {
public:
    Follower(Command& command, std::chrono::seconds patience)
        : command_(command), patience_(patience), screen_(command.err(), ProgressScreen::on_terminal()) {}

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
    void clear() { screen_.clear(ProgressScreen::columns_now()); }
    [[nodiscard]] bool terminal() const noexcept { return screen_.terminal(); }
    [[nodiscard]] const BarStyle& style() const noexcept { return style_; }
    void show(std::vector<std::string> lines, std::size_t columns) { screen_.show(std::move(lines), columns); }
    /// What a command that gives up says of the last answer.
    void remember(std::string seen) { seen_ = std::move(seen); }
    [[nodiscard]] Command& command() noexcept { return command_; }

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
    ProgressScreen screen_;
    BarStyle style_ = BarStyle::of_environment();
    // The command has just been answered: it knows the run, or that one is kept.
    std::string heard_from_ = command_.client().url();
    Time heard_at_ = std::chrono::steady_clock::now();
    std::string seen_;
};

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
    command.out() << std::flush;
    return state == "completed" ? 0 : static_cast<int>(Exit::failed);
}

/// One task that is waited for: first its kept request, if it is one, then its run, and the run that goes on from it.
class WaitedRun {
public:
    explicit WaitedRun(WaitedTask task) : task_(std::move(task)) {}

    [[nodiscard]] std::optional<int> code() const noexcept { return code_; }

    void look(Follower& follower) {
        if (task_.run_id.empty()) {
            look_at_request(follower);
        } else {
            look_at_run(follower);
        }
    }

    /// As wide as the terminal.
    [[nodiscard]] std::string line(std::size_t columns, const BarStyle& style) const {
        return waiting_.empty() ? bar_line(bar_, columns, style) : waiting_;
    }

private:
    void look_at_request(Follower& follower) {
        waiting_.clear();
        const auto runs = follower.get("/cluster/runs?limit=20&task=" + percent_encode(task_.key));
        for (const auto& run : array_of(runs, "items")) {
            if (text_of(run, "kind") != "manual") continue;
            if (text_of(run, "state") == "waiting") {
                waiting_ = printable(task_.key + ": " + waiting_text(run, wall_now()));
            } else if (number_of(run, "epoch") > task_.before) {
                task_.run_id = text_of(run, "runId");  // newest first: the earliest of them stays
            }
        }
        if (!task_.run_id.empty()) {
            look_at_run(follower);
        } else if (waiting_.empty()) {
            follower.say("understudy: " + task_.key + ": the kept request is gone (cancelled?) and no run came of it");
            code_ = static_cast<int>(Exit::failed);
        }
    }

    void look_at_run(Follower& follower) {
        waiting_.clear();
        auto run = follower.get("/cluster/runs/" + task_.run_id);
        const auto state = text_of(run, "state");
        if (state == "aborted" || state == "yielded") {
            const auto next = successor_of(follower, run);
            if (text_of(next, "runId") != task_.run_id) {
                follower.say("run " + task_.run_id + " is " + state + " on " + text_of(run, "pod") + "; " +
                             text_of(next, "pod") + " goes on with it");
                task_.run_id = text_of(next, "runId");
                run = next;
            }
        } else if (state != "running" && state != "cancelling") {
            follower.clear();
            code_ = tell_end(follower.command(), run);
            return;
        }
        see(follower, run);
    }

    /// The run to watch: itself, or the one that went on from it.
    static json::value successor_of(Follower& follower, const json::value& run) {
        const auto id = text_of(run, "runId");
        const auto newest = follower.get("/cluster/runs?limit=20&task=" + percent_encode(text_of(run, "task")));
        for (const auto& candidate : array_of(newest, "items")) {
            if (text_of(candidate, "resumedFrom") == id) return candidate;
        }
        return run;
    }

    void see(Follower& follower, const json::value& run) {
        const auto now = std::chrono::duration_cast<core::Millis>(std::chrono::steady_clock::now().time_since_epoch());
        const auto percent = number_of(run, "progress");
        watch_.saw(now, percent);
        follower.remember(
            fmt::format("; {} was then at {:.1f} % on {}", text_of(run, "task"), percent, text_of(run, "pod")));
        const auto told = pace_text(run);
        bar_ = {printable(text_of(run, "task")), percent, printable("on " + text_of(run, "pod")),
                printable(told.empty() ? watch_.text(now) : told), printable(counts_text(run))};
        if (follower.terminal() || !pace_.due(now)) return;
        auto text = fmt::format("{} {:5.1f} %  {}", bar_.name, percent, bar_.where);
        for (const auto& part : {bar_.pace, bar_.counts}) text += (part.empty() ? "" : "  ") + part;
        follower.say(text);
    }

    WaitedTask task_;
    std::optional<int> code_;
    std::string waiting_;
    BarText bar_;
    ProgressWatch watch_;
    LinePace pace_;
};

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
    if (const auto pod = text_of(row, "pod"); !pod.empty()) text += " of " + pod;
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

int wait_for_tasks(Command& command, const std::vector<WaitedTask>& tasks, std::chrono::seconds patience) {
    Follower follower(command, patience);
    std::vector<WaitedRun> runs(tasks.begin(), tasks.end());
    for (;;) {
        std::vector<std::string> lines;
        const auto columns = ProgressScreen::columns_now();
        for (auto& run : runs) {
            if (!run.code()) run.look(follower);
            if (!run.code()) lines.push_back(run.line(columns - 1, follower.style()));
        }
        if (lines.empty()) break;
        follower.show(std::move(lines), columns);
        std::this_thread::sleep_for(look_every);
    }
    int code = 0;
    for (const auto& run : runs) code = std::max(code, run.code().value_or(0));
    return code;
}

}  // namespace understudy::app
