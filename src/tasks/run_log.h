// tasks/run_log.h: a log whose every line has the run's task, run id, pod and epoch. Used by ActiveRun.
#pragma once

#include <string>

#include "core/log.h"
#include "tasks/run_ledger.h"

namespace understudy::tasks {

class RunLog final : public core::Log {
public:
    RunLog(core::Log& log, const RunRow& run);
    void write(core::LogLevel level, std::string_view message,
               std::span<const core::LogField> fields) noexcept override;

private:
    core::Log& log_;
    std::string task_, run_, pod_, epoch_;
};

}  // namespace understudy::tasks
