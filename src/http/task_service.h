// http/task_service.h: the task manager as handlers need it, so that golden tests run without an engine. Implemented by
// TaskManagerService over tasks::TaskManager and by a fake in tests/http.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tasks/task_manager.h"

namespace understudy::http {

/// Each call means what the call of the same name on tasks::TaskManager means, errors too. Safe from any thread.
class TaskService {
public:
    virtual ~TaskService() = default;
    [[nodiscard]] virtual core::Result<std::vector<tasks::TaskView>> tasks() = 0;
    [[nodiscard]] virtual core::Result<tasks::TaskView> task(const std::string& key_or_id) = 0;
    [[nodiscard]] virtual core::Result<tasks::StartAnswer> run_now(const std::string& key_or_id,
                                                                   const std::string& options) = 0;
    [[nodiscard]] virtual core::Result<void> queue(const std::string& key_or_id, const std::string& options) = 0;
    [[nodiscard]] virtual core::Result<bool> cancel(const std::string& key_or_id, const std::string& who) = 0;
    [[nodiscard]] virtual core::Result<void> set_triggers(const std::string& key_or_id,
                                                          const std::vector<tasks::Trigger>& triggers) = 0;
    [[nodiscard]] virtual core::Result<void> set_enabled(const std::string& key_or_id, bool enabled) = 0;
    [[nodiscard]] virtual core::Result<void> set_timers_paused(bool paused) = 0;
    [[nodiscard]] virtual core::Result<void> resign(core::Millis grace) = 0;
    /// From memory, as `local_runs` and `counters`: these never block.
    [[nodiscard]] virtual std::optional<bool> timers_paused() const = 0;
    [[nodiscard]] virtual std::vector<tasks::RunRow> local_runs() const = 0;
    [[nodiscard]] virtual tasks::TaskCounters counters() const = 0;
};

/// The real one; `manager` outlives it.
class TaskManagerService final : public TaskService {
public:
    explicit TaskManagerService(tasks::TaskManager& manager) : manager_(manager) {}
    core::Result<std::vector<tasks::TaskView>> tasks() override { return manager_.tasks(); }
    core::Result<tasks::TaskView> task(const std::string& key_or_id) override { return manager_.task(key_or_id); }
    core::Result<tasks::StartAnswer> run_now(const std::string& key_or_id, const std::string& options) override {
        return manager_.run_now(key_or_id, options);
    }
    core::Result<void> queue(const std::string& key_or_id, const std::string& options) override {
        return manager_.queue(key_or_id, options);
    }
    core::Result<bool> cancel(const std::string& key_or_id, const std::string& who) override {
        return manager_.cancel(key_or_id, who);
    }
    core::Result<void> set_triggers(const std::string& key_or_id,
                                    const std::vector<tasks::Trigger>& triggers) override {
        return manager_.set_triggers(key_or_id, triggers);
    }
    core::Result<void> set_enabled(const std::string& key_or_id, bool enabled) override {
        return manager_.set_enabled(key_or_id, enabled);
    }
    core::Result<void> set_timers_paused(bool paused) override { return manager_.set_timers_paused(paused); }
    core::Result<void> resign(core::Millis grace) override { return manager_.resign(grace); }
    std::optional<bool> timers_paused() const override { return manager_.timers_paused(); }
    std::vector<tasks::RunRow> local_runs() const override { return manager_.local_runs(); }
    tasks::TaskCounters counters() const override { return manager_.counters(); }

private:
    tasks::TaskManager& manager_;
};

}  // namespace understudy::http
