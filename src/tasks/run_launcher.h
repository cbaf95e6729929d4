// tasks/run_launcher.h: where claimed runs are executed. TaskManager gives each a thread of its own, a worker that
// stands alone runs it on the caller's thread, the simulator on a fiber.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "tasks/active_run.h"

namespace understudy::tasks {

class RunLauncher {
public:
    virtual ~RunLauncher() = default;
    /// Arranges for `run->execute()` once, and for `run->beat()` until it is finished. May run it before it returns.
    virtual void launch(std::shared_ptr<ActiveRun> run) = 0;
};

/// On the caller's thread, with a thread beside it for the beats.
class InlineLauncher final : public RunLauncher {
public:
    explicit InlineLauncher(core::Clock& clock) : clock_(clock) {}
    void launch(std::shared_ptr<ActiveRun> run) override;

private:
    core::Clock& clock_;
};

/// The runs of this pod. Safe from any thread.
class ActiveRuns {
public:
    void add(std::shared_ptr<ActiveRun> run);
    void remove(core::RunId run);
    [[nodiscard]] std::shared_ptr<ActiveRun> find(core::RunId run) const;
    [[nodiscard]] std::vector<std::shared_ptr<ActiveRun>> all() const;

private:
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<ActiveRun>> runs_;
};

}  // namespace understudy::tasks
