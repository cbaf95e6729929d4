// http/jellyfin/dto/task_dto.h: a task as TaskInfo, the end of a run as TaskResult. Used by the handlers of tasks and
// by the event socket.
#pragma once

#include <vector>

#include "http/json_writer.h"
#include "tasks/task_manager.h"

namespace understudy::http {

void write_task(JsonWriter& out, const tasks::TaskView& view);
/// Sorted by name.
void write_tasks(JsonWriter& out, std::vector<tasks::TaskView> views);
void write_task_result(JsonWriter& out, const tasks::CatalogueEntry& entry, const tasks::RunRow& run);

}  // namespace understudy::http
