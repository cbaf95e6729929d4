#include "tasks/run_log.h"

#include <exception>
#include <vector>

namespace understudy::tasks {

RunLog::RunLog(core::Log& log, const RunRow& run)
    : log_(log), task_(run.task.task), run_(run.id.str()), pod_(run.pod), epoch_(std::to_string(run.epoch)) {}

void RunLog::write(core::LogLevel level, std::string_view message, std::span<const core::LogField> fields) noexcept {
    try {
        std::vector<core::LogField> all{{"task", task_}, {"run", run_}, {"pod", pod_}, {"epoch", epoch_}};
        all.insert(all.end(), fields.begin(), fields.end());
        log_.write(level, message, all);
    } catch (const std::exception&) {
        log_.write(level, message, {});  // out of memory: the line matters more than its fields
    }
}

}  // namespace understudy::tasks
