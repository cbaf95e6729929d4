// understudy tasks …: list, run, cancel, history, triggers, enable, disable, pause, resume.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/task_waiting.h"

namespace understudy::app {
namespace {

namespace json = boost::json;

struct TaskOptions {
    std::string key, triggers_file;
    std::vector<std::string> keys;  ///< of `run`
    bool wait = false;
    int limit = 20;
    int patience_seconds = 60;
    [[nodiscard]] std::chrono::seconds patience() const { return std::chrono::seconds{patience_seconds}; }
};

/// That it is done, for a person; a script has the exit code.
void say(Command& command, const std::string& text) {
    if (!command.options().json) command.out() << text << '\n';
}

core::UtcTime wall_now() {
    return std::chrono::time_point_cast<core::Millis>(std::chrono::system_clock::now());
}

std::string last_result_text(const json::value& task) {
    const auto* members = task.if_object();
    const auto* result = members == nullptr ? nullptr : members->if_contains("LastExecutionResult");
    if (result == nullptr || !result->is_object()) return "never ran";
    const auto ended = text_of(*result, "EndTimeUtc");
    return text_of(*result, "Status") + (ended.empty() ? "" : " " + relative_time(ended, wall_now()));
}

/// What Jellyfin's list of tasks does not tell, a look each.
struct Surroundings {
    json::value schedule, live, waiting, disabled;
    explicit Surroundings(Command& command)
        : schedule(command.get("/cluster/schedule?count=1")),
          live(command.get("/cluster/runs?state=running")),
          waiting(command.get("/cluster/runs?state=waiting&limit=1000")),
          disabled(command.get("/ScheduledTasks?isEnabled=false")) {}

    [[nodiscard]] bool paused() const { return text_of(schedule, "timersPaused") == "true"; }
    [[nodiscard]] bool is_disabled(const std::string& key) const {
        const auto* list = disabled.if_array();
        return list != nullptr &&
               std::ranges::any_of(*list, [&](const json::value& task) { return text_of(task, "Key") == key; });
    }
    [[nodiscard]] std::vector<json::value> waiting_rows(const std::string& key) const {
        std::vector<json::value> rows;
        for (const auto& row : array_of(waiting, "items")) {
            if (text_of(row, "task") == key) rows.push_back(row);
        }
        return rows;
    }
    [[nodiscard]] std::string next_slot(const std::string& key) const {
        for (const auto& slot : array_of(schedule, "items")) {
            if (text_of(slot, "task") == key) return text_of(slot, "slot");
        }
        return {};
    }
};

/// The server's list, each task with what keeps it from running beside Jellyfin's fields.
json::value with_surroundings(json::value tasks, const Surroundings& around) {
    for (auto& task : tasks.as_array()) {
        const auto key = text_of(task, "Key");
        auto& members = task.as_object();
        const auto next = around.next_slot(key);
        members["Enabled"] = !around.is_disabled(key);
        members["TimersPaused"] = around.paused();
        members["NextSlot"] = next.empty() ? json::value(nullptr) : json::value(next);
        json::array waiting;
        for (const auto& row : around.waiting_rows(key)) waiting.push_back(row);
        members["Waiting"] = std::move(waiting);
    }
    return tasks;
}

int list_tasks(Command& command) {
    auto tasks = command.get("/ScheduledTasks");
    if (!tasks.is_array()) throw CommandFailure{Exit::failed, "the server's answer is no list of tasks"};
    const Surroundings around(command);
    if (command.options().json) {
        command.print_json(with_surroundings(std::move(tasks), around));
        return 0;
    }
    if (around.paused()) command.out() << timers_paused_words << '\n';
    std::vector<std::vector<std::string>> rows;
    for (const auto& task : tasks.get_array()) {
        const auto key = text_of(task, "Key");
        std::string next = "-", pod, waiting;
        if (const auto slot = around.next_slot(key); !slot.empty()) next = relative_time(slot, wall_now());
        if (around.paused() && next != "-") next += " (paused)";
        if (around.is_disabled(key)) next = "disabled";
        for (const auto& row : around.waiting_rows(key))
            waiting += (waiting.empty() ? "" : "; ") + waiting_text(row, wall_now());
        for (const auto& run : array_of(around.live, "items")) {
            if (text_of(run, "task") == key) pod = text_of(run, "pod");
        }
        auto state = text_of(task, "State");
        if (state == "Running") state += fmt::format(" {:.0f} %", number_of(task, "CurrentProgressPercentage"));
        rows.push_back({key, state, pod, next, last_result_text(task), waiting});
    }
    command.print_table({"TASK", "STATE", "POD", "NEXT", "LAST", "WAITING"}, rows);
    return 0;
}

/// Starts it, or joins what is there, and says so where nobody waits for it.
WaitedTask start_task(Command& command, const json::value& task, bool wait) {
    // Joined or started: the headers say which run it is and whose.
    WaitedTask started{text_of(task, "Key"), {}, newest_epoch(command, text_of(task, "Key"))};
    const auto reply = command.call("POST", "/ScheduledTasks/Running/" + text_of(task, "Id"));
    const auto header = [&](const char* name) {
        const auto found = reply.headers.find(name);
        return found == reply.headers.end() ? std::string{} : found->second;
    };
    started.run_id = header("x-understudy-run");
    if (started.run_id.empty()) {  // kept for later: its group is taken
        const auto why = header("x-understudy-waiting");
        if (command.options().json) {
            command.print_json(json::object{{"task", started.key}, {"state", "waiting"}, {"reason", why}});
        } else {
            command.out() << (why.empty() ? started.key + ": kept; it starts when its turn comes" : why)
                          << " (`understudy tasks list` shows what it waits for)\n";
        }
    } else if (!wait && command.options().json) {
        command.print_json(command.get("/cluster/runs/" + started.run_id));
    } else if (!wait) {
        const auto age = header("x-understudy-beat-age");
        command.out() << started.key << ": runs on " << header("x-understudy-pod") << " as " << started.run_id
                      << (age.empty() ? "" : " (last beat " + age + " s ago)") << '\n';
    }
    return started;
}

int run_tasks(Command& command, const TaskOptions& options) {
    std::vector<json::value> tasks;  // all of them, before any starts: one may be mistyped
    tasks.reserve(options.keys.size());
    for (const auto& key : options.keys) tasks.push_back(command.get("/ScheduledTasks/" + percent_encode(key)));
    std::vector<WaitedTask> started;
    int code = 0;
    for (const auto& task : tasks) {
        try {
            started.push_back(start_task(command, task, options.wait));
        } catch (const CommandFailure& failure) {
            if (tasks.size() == 1) throw;
            // The others are none the worse for it.
            command.err() << "understudy: " << text_of(task, "Key") << ": " << failure.message << '\n';
            code = static_cast<int>(failure.code);
        }
    }
    if (options.wait && !started.empty()) code = std::max(code, wait_for_tasks(command, started, options.patience()));
    return code;
}

int history(Command& command, const TaskOptions& options) {
    auto target = "/cluster/runs?limit=" + std::to_string(options.limit);
    if (!options.key.empty()) {  // key or id, and one message for one that is not known, as for all commands here
        const auto task = command.get("/ScheduledTasks/" + percent_encode(options.key));
        target += "&task=" + percent_encode(text_of(task, "Key"));
    }
    const auto runs = command.get(target);
    if (command.options().json) {
        command.print_json(runs);
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& run : array_of(runs, "items")) {
        auto state = text_of(run, "state");
        if (state == "waiting") state = waiting_text(run, wall_now());
        const auto started = core::from_iso8601(text_of(run, "startedAt"));
        const auto ended = core::from_iso8601(text_of(run, "endedAt"));
        rows.push_back({text_of(run, "task"), text_of(run, "kind"), state, text_of(run, "pod"), text_of(run, "epoch"),
                        started ? relative_time(text_of(run, "startedAt"), wall_now()) : "-",
                        started && ended ? duration_text(*ended - *started) : "-",
                        text_of(run, "error").empty() ? counts_text(run) : text_of(run, "error")});
    }
    command.print_table({"TASK", "KIND", "STATE", "POD", "EPOCH", "STARTED", "TOOK", "RESULT"}, rows);
    return 0;
}

int triggers(Command& command, const TaskOptions& options) {
    const auto task = command.get("/ScheduledTasks/" + percent_encode(options.key));
    if (options.triggers_file.empty()) {
        command.print_json(json::value(array_of(task, "Triggers")));
        return 0;
    }
    std::string text;
    if (options.triggers_file == "-") {
        text.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else if (options.triggers_file.front() == '[' || options.triggers_file.front() == '{') {
        text = options.triggers_file;
    } else {
        std::ifstream in(options.triggers_file);
        if (!in) {
            throw CommandFailure{Exit::usage, "--set: the file " + printable(options.triggers_file) +
                                                  " cannot be read; give another, the JSON array itself, or - for "
                                                  "standard input"};
        }
        text.assign(std::istreambuf_iterator<char>(in), {});
    }
    boost::system::error_code error;
    const auto wanted = json::parse(text, error);
    if (error || !wanted.is_array()) {
        throw CommandFailure{
            Exit::usage,
            "--set: an array of triggers is wanted, as in [{\"Type\":\"DailyTrigger\",\"TimeOfDayTicks\":"
            "144000000000}]; " +
                (error ? "this is no JSON: " + error.message()
                       : std::string(wanted.is_object() ? "this is one object: put [ ] around it"
                                                        : "this is JSON of another kind"))};
    }
    command.call("POST", "/ScheduledTasks/" + text_of(task, "Id") + "/Triggers", text);
    if (!command.options().json) command.out() << text_of(task, "Key") << ": triggers set\n";
    return 0;
}

}  // namespace

void add_tasks_commands(CLI::App& root, Action& chosen) {
    auto* tasks = root.add_subcommand("tasks", "scheduled tasks: what runs where, what comes next");
    tasks->require_subcommand(1);
    const std::string codes =
        "Exit codes: 0 done, 1 a run that was waited for did not complete, 3 no server there, 4 no such task,\n"
        "5 key missing or wrong, 6 refused in this state.";
    tasks->footer(
        "Examples:\n  understudy tasks list\n  understudy tasks history RefreshLibrary --limit 5\n"
        "  understudy tasks cancel RefreshLibrary\n" +
        codes);
    const auto example = [&codes](CLI::App* sub, const std::string& words) {
        sub->footer("Example: understudy tasks " + words + "\n" + codes);
    };
    auto options = std::make_shared<TaskOptions>();
    const auto add = [&](const char* name, const char* what, bool needs_key, auto action) {
        auto* sub = tasks->add_subcommand(name, what);
        if (needs_key) sub->add_option("KEY", options->key, "task key or id, as `tasks list` shows")->required();
        sub->callback([&chosen, options, action] {
            chosen = [options, action](Command& command) { return action(command, *options); };
        });
        return sub;
    };
    auto* list = add("list", "all tasks: state, next run, last result, and what keeps one waiting", false,
                     [](Command& c, const TaskOptions&) { return list_tasks(c); });
    example(list, "list --json | jq '.[] | select(.State == \"Running\") | .Key'");
    auto* run = add("run", "start a run on the pod that --url names, or join the one that exists", false, run_tasks);
    run->add_option("KEY", options->keys, "task keys or ids, as `tasks list` shows")->required();
    run->add_flag("--wait", options->wait,
                  "stay until all have ended, each with a progress bar; exit code 1 where one did not complete");
    run->add_option("--patience", options->patience_seconds,
                    "seconds to go on asking while no server answers; the run goes on meanwhile")
        ->check(CLI::Range(0, 86'400))
        ->capture_default_str();
    run->footer(
        "Examples:\n  understudy tasks run RefreshLibrary --wait\n"
        "  understudy tasks run RefreshLibrary --wait --url http://pod-1:8096 --url http://pod-2:8096\n"
        "  understudy tasks run RefreshPeople OptimizeDatabaseTask --wait\n"
        "With more than one --url it goes on at the next one where a pod dies. The bars are on standard error, in\n"
        "colour unless NO_COLOR is set; where that is no terminal each is a line after 10 s and then each half "
        "minute.");
    auto* cancel =
        add("cancel", "ask a run to stop, whichever pod it is on", true, [](Command& c, const TaskOptions& o) {
            const auto task = c.get("/ScheduledTasks/" + percent_encode(o.key));
            c.call("DELETE", "/ScheduledTasks/Running/" + text_of(task, "Id"));
            say(c, text_of(task, "Key") + ": asked to stop, where it runs or waits (`understudy tasks list`)");
            return 0;
        });
    example(cancel, "cancel RefreshLibrary");
    auto* past = tasks->add_subcommand("history", "runs, newest first, with waiting ones");
    past->add_option("KEY", options->key, "only this task");
    past->add_option("--limit", options->limit, "how many")->check(CLI::Range(1, 1000))->capture_default_str();
    past->callback([&chosen, options] { chosen = [options](Command& command) { return history(command, *options); }; });
    example(past, "history RefreshLibrary --limit 5");
    auto* edit = add("triggers", "show a task's triggers as JSON, or set them", true, triggers);
    edit->add_option("--set", options->triggers_file,
                     "a file with a JSON array of triggers, the array itself, or - for standard input");
    edit->footer(
        "Example: understudy tasks triggers RefreshLibrary --set "
        "'[{\"Type\":\"IntervalTrigger\",\"IntervalTicks\":432000000000}]'\n"
        "1 tick = 100 ns; 432000000000 = 12 h.");
    const auto enabled = [](bool value) {
        return [value](Command& c, const TaskOptions& o) {
            c.call("POST", "/cluster/tasks/" + percent_encode(o.key) + "/enabled",
                   json::serialize(json::object{{"enabled", value}}));
            say(c, o.key + (value ? ": its triggers fire" : ": its triggers fire no more; runs by hand still start"));
            return 0;
        };
    };
    example(add("enable", "let a task's triggers fire again", true, enabled(true)), "enable RefreshPeople");
    example(add("disable", "a task's triggers fire no more; runs by hand still do", true, enabled(false)),
            "disable RefreshPeople");
    const auto paused = [](bool value) {
        return [value](Command& c, const TaskOptions&) {
            c.call("POST", "/cluster/timers", json::serialize(json::object{{"paused", value}}));
            say(c, value ? std::string(timers_paused_words) : "triggers fire again on all pods; what is due runs once");
            return 0;
        };
    };
    add("pause", "no trigger of any task fires on any pod until `tasks resume`; runs by hand still start", false,
        paused(true));
    add("resume", "triggers fire again; what is due runs once", false, paused(false));
}

}  // namespace understudy::app
