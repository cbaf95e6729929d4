#include "http/api_calls.h"

namespace understudy::testing {

std::vector<ApiCall> absent_calls(const ApiWorld& /*world*/) {
    return {
        {"GetPlugins", "/Plugins"},
        {"GetConfigurationPages", "/web/ConfigurationPages"},
        {"GetPackages", "/Packages"},
        {"GetAllChannelFeatures", "/Channels/Features"},
        {"SyncPlayGetGroups", "/SyncPlay/List"},
        {"GetTunerHostTypes", "/LiveTv/TunerHosts/Types"},
        {"GetChannels", "/Channels"},
        {"GetLatestChannelItems", "/Channels/Items/Latest"},
        {"GetLiveTvChannels", "/LiveTv/Channels"},
        {"GetLiveTvPrograms", "/LiveTv/Programs"},
        {"GetRecommendedPrograms", "/LiveTv/Programs/Recommended"},
        {"GetRecordings", "/LiveTv/Recordings"},
        {"GetRecordingFolders", "/LiveTv/Recordings/Folders"},
        {"GetRecordingsSeries", "/LiveTv/Recordings/Series"},
        {"GetRecordingGroups", "/LiveTv/Recordings/Groups"},
        {"GetTimers", "/LiveTv/Timers"},
        {"GetSeriesTimers", "/LiveTv/SeriesTimers"},
        {"GetPrograms", "/LiveTv/Programs"},
        {"GetLiveTvInfo", "/LiveTv/Info"},
        {"GetGuideInfo", "/LiveTv/GuideInfo"},
        {"ForgotPassword", "/Users/ForgotPassword", R"({})"},
        {"ForgotPasswordPin", "/Users/ForgotPassword/Pin", R"({})"},
    };
}

std::vector<ApiCall> setting_calls(const ApiWorld& world) {
    const std::string folder = world.pictures.path().string();
    return {
        {"GetSystemInfo", "/System/Info"},
        {"GetSystemStorage", "/System/Info/Storage"},
        {"GetEndpointInfo", "/System/Endpoint"},
        {"UpdateMediaEncoderPath", "/System/MediaEncoder/Path", "", 204},
        {"GetUtcTime", "/GetUtcTime"},
        {"GetLocalizationOptions", "/Localization/Options"},
        {"GetCultures", "/Localization/Cultures"},
        {"GetCountries", "/Localization/Countries"},
        {"GetParentalRatings", "/Localization/ParentalRatings"},
        {"GetServerLogs", "/System/Logs"},
        {"GetLogFile", "/System/Logs/Log?name=understudy-a.log&tail=65536"},
        {"LogFile", "/ClientLog/Document", "a client's log"},
        {"GetServerLogs", "/System/Logs"},
        {"GetLogEntries", "/System/ActivityLog/Entries?limit=50&minDate=2026-11-01&maxDate=2030-01-01"},
        {"GetLogEntries", "/System/ActivityLog/Entries?hasUserId=true"},
        {"RestartApplication", "/System/Restart", "", 204},
        {"ShutdownApplication", "/System/Shutdown", "", 204},
        {"GetDrives", "/Environment/Drives"},
        {"GetDirectoryContents",
         "/Environment/DirectoryContents?includeFiles=true&includeDirectories=true&path=" + folder},
        {"GetParentPath", "/Environment/ParentPath?path=" + folder},
        {"GetDefaultDirectoryBrowser", "/Environment/DefaultDirectoryBrowser"},
        {"GetNetworkShares", "/Environment/NetworkShares"},
        {"ValidatePath", "/Environment/ValidatePath",
         R"({"ValidateWritable":false,"IsFile":false,"Path":")" + folder + R"("})", 204},
    };
}

std::vector<ApiCall> configuration_calls(const ApiWorld& world) {
    const std::string preferences = "/DisplayPreferences/usersettings?client=emby&userId=" + world.root;
    std::vector<ApiCall> calls{
        {"GetConfiguration", "/System/Configuration"},
        {"UpdateConfiguration", "/System/Configuration",
         R"({"ServerName":"Haus","ActivityLogRetentionDays":60,"ContentTypes":[{"Name":"a","Value":"b"}],)"
         R"("MetadataOptions":[{"ItemType":"Movie","DisabledImageFetchers":["x"]}],)"
         R"("PathSubstitutions":[{"From":"/a","To":"/b"}],"TrickplayOptions":{"Interval":5000}})",
         204},
        {"GetConfiguration", "/System/Configuration", "", 200, true},
        {"GetDefaultMetadataOptions", "/System/Configuration/MetadataOptions/Default"},
        {"UpdateNamedConfiguration", "/System/Configuration/metadata", R"({"UseFileCreationTimeForDateAdded":false})",
         204},
        {"GetRepositories", "/Repositories"},
        {"SetRepositories", "/Repositories", R"([{"Name":"Own","Url":"https://example.org/p.json","Enabled":true}])",
         204},
        {"GetRepositories", "/Repositories"},
        {"GetBrandingOptions", "/Branding/Configuration"},
        {"GetBrandingCss", "/Branding/Css", "", 204},
        {"GetBrandingCss_2", "/Branding/Css.css", "", 204},
        {"UpdateNamedConfiguration", "/System/Configuration/branding",
         R"({"CustomCss":"a { color: teal }","LoginDisclaimer":"Hello.","SplashscreenEnabled":true})", 204},
        {"GetBrandingOptions", "/Branding/Configuration"},
        {"GetBrandingCss", "/Branding/Css"},
        {"GetBrandingCss_2", "/Branding/Css.css"},
        {"UploadCustomSplashscreen", "/Branding/Splashscreen", png_header(4, 3), 204},
        {"GetSplashscreen", "/Branding/Splashscreen"},
        {"DeleteCustomSplashscreen", "/Branding/Splashscreen", "", 204},
        {"GetDisplayPreferences", preferences},
        {"UpdateDisplayPreferences", preferences,
         R"({"SortBy":"Name","ScrollDirection":"Vertical","CustomPrefs":{"homesection0":"resume"}})", 204},
        {"GetDisplayPreferences", preferences},
    };
    for (const char* key : {"network", "encoding", "metadata", "livetv", "branding", "xbmcmetadata"})
        calls.push_back({"GetNamedConfiguration", std::string("/System/Configuration/") + key});
    return calls;
}

std::vector<ApiCall> edit_calls(const ApiWorld& world) {
    const std::string folder = world.pictures.path().string();
    return {
        {"GetItemCounts", "/Items/Counts"},
        {"GetItemCounts", "/Items/Counts?isFavorite=true&userId=" + world.root},
        {"RefreshItem", "/Items/" + world.hex('1') + "/Refresh", "", 204},
        {"UpdateMediaPath", "/Library/VirtualFolders/Paths/Update",
         R"({"Name":"Films","PathInfo":{"Path":"/m/films"}})", 204},
        {"GetMediaFolders", "/Library/MediaFolders"},
        {"GetPhysicalPaths", "/Library/PhysicalPaths"},
        {"GetLibraryOptionsInfo", "/Libraries/AvailableOptions?libraryContentType=movies"},
        {"AddMediaPath", "/Library/VirtualFolders/Paths", R"({"Name":"Films","Path":")" + folder + R"("})", 204},
        {"RemoveMediaPath", "/Library/VirtualFolders/Paths?name=Films&path=" + folder, "", 204},
        {"RenameVirtualFolder", "/Library/VirtualFolders/Name?name=Films&newName=Pictures", "", 204},
    };
}

}  // namespace understudy::testing
