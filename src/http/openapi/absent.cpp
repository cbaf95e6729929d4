// What clients ask for and is not here: plugins, channels, television.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"EmptyPage", "Items:[object] TotalRecordCount:int32 StartIndex:int32"},
    {"LiveTvInfo", "Services:[LiveTvServiceInfo] IsEnabled:bool EnabledUsers:[string]"},
    {"LiveTvServiceInfo",
     "Name:string? Status:LiveTvServiceStatus Version:string? HasUpdateAvailable:bool IsVisible:bool"},
    {"LiveTvServiceStatus", "(Ok|Unavailable)"},
    {"GuideInfo", "StartDate:time EndDate:time"},
    {"ForgotPasswordResult", "Action:ForgotPasswordAction"},
    {"ForgotPasswordAction", "(ContactAdmin|PinCode|InNetworkRequired)"},
    {"ForgotPasswordDto", ""},
    {"PinRedeemResult", "Success:bool UsersReset:[string]"},
    {"ForgotPasswordPinDto", ""},
};

constexpr OperationRow operations[] = {
    {get, "/Plugins", "GetPlugins", "Plugins", "Nothing: none are here.", "200:[object]"},
    {get, "/web/ConfigurationPages", "GetConfigurationPages", "Dashboard", "Nothing: none are here.", "200:[object]"},
    {get, "/Packages", "GetPackages", "Package", "Nothing: none are here.", "200:[object]"},
    {get, "/Channels/Features", "GetAllChannelFeatures", "Channels", "Nothing: none are here.", "200:[object]"},
    {get, "/SyncPlay/List", "SyncPlayGetGroups", "SyncPlay", "Nothing: none are here.", "200:[object]"},
    {get, "/LiveTv/TunerHosts/Types", "GetTunerHostTypes", "LiveTv", "Nothing: none are here.", "200:[object]"},
    {get, "/Channels", "GetChannels", "Channels", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/Channels/Items/Latest", "GetLatestChannelItems", "Channels", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/Channels", "GetLiveTvChannels", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/Programs", "GetLiveTvPrograms", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/Programs/Recommended", "GetRecommendedPrograms", "LiveTv", "Nothing: none are here.",
     "200:EmptyPage"},
    {get, "/LiveTv/Recordings", "GetRecordings", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/Recordings/Folders", "GetRecordingFolders", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/Recordings/Series", "GetRecordingsSeries", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/Recordings/Groups", "GetRecordingGroups", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/Timers", "GetTimers", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/SeriesTimers", "GetSeriesTimers", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {post, "/LiveTv/Programs", "GetPrograms", "LiveTv", "Nothing: none are here.", "200:EmptyPage"},
    {get, "/LiveTv/Info", "GetLiveTvInfo", "LiveTv", "That there is no television.", "200:LiveTvInfo"},
    {get, "/LiveTv/GuideInfo", "GetGuideInfo", "LiveTv", "The time that a guide would cover.", "200:GuideInfo"},
    {post, "/Users/ForgotPassword", "ForgotPassword", "User", "Whom to ask for a new password.",
     "200:ForgotPasswordResult", "", "ForgotPasswordDto"},
    {post, "/Users/ForgotPassword/Pin", "ForgotPasswordPin", "User", "Changes nothing: there are no pins.",
     "200:PinRedeemResult", "", "ForgotPasswordPinDto"},
};

}  // namespace

Group absent_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
