// Our own surface: who leads, what runs where, what comes next, what could not be used.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"Leader",
     "pod:string standing:Standing provider:(redis|database|none) holder:LeaseHolder~ term:int64 ttlLeftMs:int64~ "
     "outage:LeaseOutage~ abstainsUntil:time~ standsBack:string~ waitsUntil:time~ timersPaused:bool~"},
    {"Standing", "(leader|follower|self_appointed|unknown|single)"},
    {"LeaseHolder", "pod:string since:time"},
    {"LeaseOutage", "since:time class:string detail:string"},
    {"Pod",
     "pod:string bootId:uuid version:string startedAt:time heartbeatAt:time heartbeatAgeMs:int64 "
     "state:(alive|silent) standing:string~ lastStanding:string self:bool running:[PodRun]"},
    {"PodRun", "task:string runId:uuid progress:double"},
    {"RunPage", "items:[Run] total:int64"},
    {"Run",
     "runId:uuid~ task:string kind:(timer|startup|manual) slot:time~ pod:string~ epoch:int64~ state:RunState "
     "progress:double rate:RunRate~ leftMs:int64~ startedAt:time~ heartbeatAt:time~ endedAt:time~ counts:{int64} "
     "warnings:[string] error:string~ waitingFor:string~ notBefore:time~ resumedFrom:uuid~"},
    {"RunRate", "unit:string perSecond:double"},
    {"RunState", "(waiting|running|cancelling|completed|failed|cancelled|aborted|yielded)"},
    {"SkipPage", "items:[Skip]"},
    {"Skip", "task:string slot:time pod:string at:time reason:(not_leader|claimed|disabled|paused) holder:string~"},
    {"Schedule", "timersPaused:bool items:[Slot]"},
    {"Slot", "task:string slot:time trigger:TaskTriggerInfoType~"},
    {"SchedulePreview", "zone:string items:[PreviewSlot]"},
    {"PreviewSlot", "slot:time trigger:TaskTriggerInfoType index:int32"},
    {"ProblemPage", "items:[FileProblem] total:int64"},
    {"FileProblem", "path:string library:string task:string reason:string since:time"},
    {"ItemFindings",
     "keyframesMs:[int64]~ loudnessLufs:double~ albumLoudnessLufs:double~ truePeakDb:double~ "
     "segments:[FoundSegment]~ chapters:[FoundChapter]~"},
    {"FoundSegment", "type:string startMs:int64 endMs:int64 provider:string"},
    {"FoundChapter", "startMs:int64 name:string image:string~"},
    {"RemovedItems", "removed:int64"},
    {"LeadPage", "items:[Lead]"},
    {"Lead", "pod:string bootId:uuid term:int64 beganAt:time seenAt:time endedAt:time~ gapMs:int64~"},
    {"SettingList", "pod:string items:[Setting]"},
    {"Setting", "name:string value:string~ source:string default:string help:string secret:bool"},
    {"TaskSwitch", "enabled:bool"},
    {"TimerSwitch", "paused:bool"},
};

constexpr OperationRow operations[] = {
    {get, "/cluster/leader", "GetLeader", "Cluster", "Who leads, as this pod sees it.", "200:Leader"},
    {get, "/cluster/leads", "GetLeads", "Cluster", "Who led when, newest first, and for how long nobody did.",
     "200:LeadPage", "limit:int32"},
    {get, "/cluster/settings", "GetSettings", "Cluster", "The settings of the pod that answers.", "200:SettingList"},
    {post, "/cluster/leader/resign", "ResignLeader", "Cluster", "Drains this pod and hands the lead over.", "202 409"},
    {get, "/cluster/pods", "GetPods", "Cluster", "The pods that were heard from, and what runs on them.", "200:[Pod]"},
    {get, "/cluster/runs", "GetRuns", "Cluster", "Runs of tasks, newest first, and what waits for its turn.",
     "200:RunPage 404", "task:string state:RunState pod:string limit:int32 startIndex:int32"},
    {get, "/cluster/runs/{runId}", "GetRun", "Cluster", "One run.", "200:Run"},
    {get, "/cluster/skips", "GetSkips", "Cluster", "Timers that started nothing here, and why.", "200:SkipPage",
     "limit:int32"},
    {get, "/cluster/schedule", "GetSchedule", "Cluster", "The next times at which timers are due.", "200:Schedule 404",
     "task:string count:int32"},
    {post, "/cluster/schedule/preview", "PreviewSchedule", "Cluster", "When a task would be due with other triggers.",
     "200:SchedulePreview 404", "task:string! count:int32", "[TaskTriggerInfo*]!"},
    {post, "/cluster/tasks/{key}/enabled", "EnableTask", "Cluster", "Switches the timers of a task on or off.", "204",
     "", "TaskSwitch!"},
    {post, "/cluster/timers", "PauseTimers", "Cluster", "Pauses all timers, or lets them go on.", "204", "",
     "TimerSwitch!"},
    {get, "/cluster/problems", "GetProblems", "Cluster", "Files that could not be used.", "200:ProblemPage 404",
     "library:string"},
    {get, "/cluster/items/{id}/media", "GetItemFindings", "Cluster", "What the tasks found out about an item.",
     "200:ItemFindings"},
    {post, "/Library/Missing/Remove", "RemoveMissingItems", "Cluster", "Removes the items whose files are gone.",
     "200:RemovedItems 404", "library:string confirm:bool!"},
};

}  // namespace

Group cluster_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
