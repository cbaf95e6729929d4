// Scheduled tasks.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"TaskInfo",
     "Name:string? State:TaskState CurrentProgressPercentage:double? Id:string? LastExecutionResult:TaskResult? "
     "Triggers:[TaskTriggerInfo]? Description:string? Category:string? IsHidden:bool Key:string?"},
    {"TaskState", "(Idle|Cancelling|Running)"},
    {"TaskResult",
     "StartTimeUtc:time EndTimeUtc:time Status:TaskCompletionStatus Name:string? Key:string? Id:string? "
     "ErrorMessage:string?"},
    {"TaskCompletionStatus", "(Completed|Failed|Cancelled|Aborted)"},
    {"TaskTriggerInfo",
     "Type:TaskTriggerInfoType TimeOfDayTicks:int64? IntervalTicks:int64? DayOfWeek:DayOfWeek? "
     "MaxRuntimeTicks:int64?"},
    {"TaskTriggerInfoType", "(DailyTrigger|WeeklyTrigger|IntervalTrigger|StartupTrigger)"},
    {"DayOfWeek", "(Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday)"},
};

constexpr OperationRow operations[] = {
    {get, "/ScheduledTasks", "GetTasks", "ScheduledTasks", "Lists the tasks by name.", "200:[TaskInfo]",
     "isHidden:bool isEnabled:bool"},
    {get, "/ScheduledTasks/{task}", "GetTask", "ScheduledTasks", "One task, by its id or key.", "200:TaskInfo"},
    {post, "/ScheduledTasks/Running/{task}", "StartTask", "ScheduledTasks", "Starts a task, or joins its run.", "204"},
    {del, "/ScheduledTasks/Running/{task}", "StopTask", "ScheduledTasks", "Stops a task wherever it runs.", "204"},
    {post, "/ScheduledTasks/{task}/Triggers", "UpdateTask", "ScheduledTasks", "Replaces the triggers of a task.", "204",
     "", "[TaskTriggerInfo*]!"},
};

}  // namespace

Group task_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
