#include "tasks/task_manager.h"

#include <algorithm>
#include <boost/json.hpp>

#include "tasks/task_engine.h"

namespace understudy::tasks {

namespace json = boost::json;

TaskManager::TaskManager(TaskManagerSettings settings, RunLedger& ledger, lease::ScanLeaderLease& lease,
                         cluster::EventLog& events, core::Clock& clock, core::Random& random, core::Log& log,
                         cluster::PodRegistry* pods)
    : engine_(std::make_unique<Engine>(std::move(settings), ledger, lease, events, clock, random, log, pods)) {}

TaskManager::~TaskManager() = default;

void TaskManager::add(std::unique_ptr<ScheduledTask> task) {
    engine_->add(std::move(task));
}
void TaskManager::tell_failures_to(ActivityLog& log) {
    engine_->tell_failures_to(log);
}
void TaskManager::start() {
    engine_->start();
}
void TaskManager::stop(core::Millis grace) {
    engine_->stop(grace);
}
std::size_t TaskManager::stragglers() const {
    return engine_->runs().all().size();
}
core::Result<void> TaskManager::resign(core::Millis grace) {
    return engine_->resign(grace);
}
void TaskManager::wake() noexcept {
    engine_->wake();
}

core::Result<std::vector<TaskView>> TaskManager::tasks() {
    auto overview = engine_->ledger().overview(engine_->settings().pod);
    if (!overview) return tl::unexpected(overview.error());
    std::vector<TaskView> views;
    for (const auto& [key, worker] : engine_->scheduler().workers()) {
        TaskView view;
        view.entry = &worker->entry();
        view.gated = worker->gated();
        view.timers_paused = overview->timers_paused;
        view.now = overview->now;
        view.last_skip = engine_->scheduler().last_skip(key);
        view.state.task = worker->scope();
        const auto row = std::find_if(overview->tasks.begin(), overview->tasks.end(),
                                      [&](const TaskStateRow& one) { return one.task == worker->scope(); });
        if (row != overview->tasks.end()) view.state = std::move(*row);
        views.push_back(std::move(view));
    }
    return views;
}

core::Result<TaskView> TaskManager::task(const std::string& key_or_id) {
    const auto worker = engine_->known(key_or_id);
    if (!worker) return tl::unexpected(worker.error());
    auto views = tasks();
    if (!views) return tl::unexpected(views.error());
    const auto view = std::find_if(views->begin(), views->end(),
                                   [&](const TaskView& one) { return one.entry == &(*worker)->entry(); });
    return std::move(*view);  // there is one for each worker
}

core::Result<StartAnswer> TaskManager::run_now(const std::string& key_or_id, const std::string& options) {
    const auto worker = engine_->known(key_or_id);
    if (!worker) return tl::unexpected(worker.error());
    return engine_->run_now(**worker, options);
}

core::Result<void> TaskManager::queue(const std::string& key_or_id, const std::string& options) {
    const auto worker = engine_->known(key_or_id);
    if (!worker) return tl::unexpected(worker.error());
    return engine_->queue(**worker, options);
}

core::Result<bool> TaskManager::cancel(const std::string& key_or_id, const std::string& who) {
    const auto worker = engine_->known(key_or_id);
    if (!worker) return tl::unexpected(worker.error());
    return engine_->cancel(**worker, "asked by " + who);
}

core::Result<void> TaskManager::set_triggers(const std::string& key_or_id, const std::vector<Trigger>& triggers) {
    const auto worker = engine_->known(key_or_id);
    if (!worker) return tl::unexpected(worker.error());
    for (std::size_t i = 0; i < triggers.size(); ++i) {
        const auto valid = validate(triggers[i]);
        if (!valid)
            return core::fail(valid.error().code, "trigger " + std::to_string(i + 1) + ": " + valid.error().context);
    }
    const auto& key = (*worker)->scope().task;
    const auto stored = engine_->ledger().set_triggers(key, triggers);
    if (stored) {
        engine_->log().info("triggers of a task were set", {{"task", key}, {"triggers", triggers_to_json(triggers)}});
        engine_->tell("task.edited", {{"task", key}});
    }
    return stored;
}

core::Result<void> TaskManager::set_enabled(const std::string& key_or_id, bool enabled) {
    const auto worker = engine_->known(key_or_id);
    if (!worker) return tl::unexpected(worker.error());
    const auto& key = (*worker)->scope().task;
    const auto stored = engine_->ledger().set_enabled(key, enabled);
    if (stored) {
        engine_->log().info(enabled ? "a task was enabled" : "a task was disabled: its triggers fire no more",
                            {{"task", key}});
        engine_->tell("task.edited", {{"task", key}});
    }
    return stored;
}

core::Result<void> TaskManager::set_timers_paused(bool paused) {
    const auto stored = engine_->ledger().set_timers_paused(paused);
    if (stored) {
        engine_->note_timers_paused(paused);
        if (paused)
            engine_->log().warning(
                "all timers are paused: no trigger fires on any pod until `understudy tasks resume`");
        else
            engine_->log().info("timers are resumed");
        engine_->tell("timers", {{"paused", paused ? "true" : "false"}});
    }
    return stored;
}

std::optional<bool> TaskManager::timers_paused() const noexcept {
    return engine_->scheduler().timers_paused();
}

std::vector<RunRow> TaskManager::local_runs() const {
    std::vector<RunRow> rows;
    for (const auto& run : engine_->runs().all()) rows.push_back(run->snapshot());
    return rows;
}

TaskCounters TaskManager::counters() const {
    return engine_->counters();
}

}  // namespace understudy::tasks
