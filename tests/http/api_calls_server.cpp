#include "http/api_calls.h"

namespace understudy::testing {

std::vector<ApiCall> own_calls(const ApiWorld& world) {
    const std::string film = world.hex('1'), run = world.hex('b');
    const std::string triggers = R"([{"Type":"DailyTrigger","TimeOfDayTicks":36000000000},{"Type":"StartupTrigger"}])";
    return {
        {"GetHealth", "/health"},
        {"GetLiveness", "/health/live"},
        {"GetReadiness", "/health/ready"},
        {"GetMetrics", "/metrics"},
        {"GetApiDocument", "/api-docs/openapi.json"},
        {"GetLeader", "/cluster/leader"},
        {"GetLeads", "/cluster/leads?limit=5"},
        {"GetSettings", "/cluster/settings"},
        {"GetPods", "/cluster/pods"},
        {"GetRuns", "/cluster/runs?limit=10"},
        {"GetRuns", "/cluster/runs?state=waiting&task=RefreshPeople"},
        {"GetRun", "/cluster/runs/" + run},
        {"GetSkips", "/cluster/skips"},
        {"GetSchedule", "/cluster/schedule"},
        {"PreviewSchedule", "/cluster/schedule/preview?task=RefreshLibrary", triggers},
        {"GetProblems", "/cluster/problems"},
        {"GetProblems", "/cluster/problems?library=Films"},
        {"GetItemFindings", "/cluster/items/" + film + "/media"},
        {"GetItemFindings", "/cluster/items/" + world.hex('2') + "/media"},
        {"EnableTask", "/cluster/tasks/RefreshLibrary/enabled", R"({"enabled":false})", 204},
        {"PauseTimers", "/cluster/timers", R"({"paused":true})", 204},
        {"RemoveMissingItems", "/Library/Missing/Remove?confirm=true&library=Films"},
        {"ResignLeader", "/cluster/leader/resign", "", 202},
    };
}

std::vector<ApiCall> server_calls(const ApiWorld& world) {
    const auto library = world.films.id.str();
    const std::string folder = world.pictures.path().string();
    const std::string options = R"({"EnablePhotos":false,"PathInfos":[{"Path":"/m"}],"RemoveMissingAfterDays":3,)"
                                R"("TypeOptions":[{"Type":"Movie","ImageOptions":[{"Type":"Primary"}]}]})";
    return {
        {"GetPublicSystemInfo", "/System/Info/Public"},
        {"GetPingSystem", "/System/Ping"},
        {"PostPingSystem", "/System/Ping"},
        {"GetTasks", "/ScheduledTasks"},
        {"GetTask", "/ScheduledTasks/RefreshLibrary"},
        {"StartTask", "/ScheduledTasks/Running/RefreshLibrary", "", 204},
        {"StopTask", "/ScheduledTasks/Running/RefreshLibrary", "", 204},
        {"UpdateTask", "/ScheduledTasks/RefreshLibrary/Triggers",
         R"([{"Type":"WeeklyTrigger","TimeOfDayTicks":36000000000,"DayOfWeek":"Sunday","MaxRuntimeTicks":36000000000}])",
         204},
        {"GetTask", "/ScheduledTasks/RefreshLibrary"},
        {"GetVirtualFolders", "/Library/VirtualFolders"},
        {"AddVirtualFolder", "/Library/VirtualFolders?name=New&collectionType=movies&strict=true&paths=" + folder,
         R"({"LibraryOptions":)" + options + "}", 204},
        {"RemoveVirtualFolder", "/Library/VirtualFolders?name=New&refreshLibrary=true", "", 204},
        {"UpdateLibraryOptions", "/Library/VirtualFolders/LibraryOptions",
         R"({"Id":")" + library + R"(","LibraryOptions":)" + options + "}", 204},
        {"GetVirtualFolders", "/Library/VirtualFolders"},
        {"RefreshLibrary", "/Library/Refresh", "", 204},
        {"PostUpdatedMedia", "/Library/Media/Updated",
         R"({"Updates":[{"Path":"/m/films/Tide","UpdateType":"Modified"}]})", 204},
        {"GetStartupConfiguration", "/Startup/Configuration"},
        {"UpdateInitialConfiguration", "/Startup/Configuration", R"({"ServerName":"Haus","UICulture":"de"})", 204},
        {"GetFirstUser", "/Startup/User"},
        {"GetFirstUser_2", "/Startup/FirstUser"},
        {"UpdateStartupUser", "/Startup/User", R"({"Name":"Root","Password":"deeper"})", 204},
        {"SetRemoteAccess", "/Startup/RemoteAccess", R"({"EnableRemoteAccess":true})", 204},
        {"CompleteWizard", "/Startup/Complete", "", 204},
    };
}

}  // namespace understudy::testing
