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
        {"GetDefaultMetadataOptions", "/System/Configuration/MetadataOptions/Default"},
        {"GetSplashscreen", "/Branding/Splashscreen", "", 404},
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

std::vector<ApiCall> edit_calls(const ApiWorld& world) {
    const std::string folder = world.pictures.path().string();
    return {
        {"GetMediaFolders", "/Library/MediaFolders"},
        {"GetPhysicalPaths", "/Library/PhysicalPaths"},
        {"GetLibraryOptionsInfo", "/Libraries/AvailableOptions?libraryContentType=movies"},
        {"AddMediaPath", "/Library/VirtualFolders/Paths", R"({"Name":"Films","Path":")" + folder + R"("})", 204},
        {"RemoveMediaPath", "/Library/VirtualFolders/Paths?name=Films&path=" + folder, "", 204},
        {"RenameVirtualFolder", "/Library/VirtualFolders/Name?name=Films&newName=Pictures", "", 204},
    };
}

}  // namespace understudy::testing
