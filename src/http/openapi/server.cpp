// The server itself: where it runs, its logs, what happened, languages and countries.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"SystemInfo",
     "LocalAddress:string? ServerName:string? Version:string? ProductName:string? OperatingSystem:string? "
     "Id:string? StartupWizardCompleted:bool? HasPendingRestart:bool IsShuttingDown:bool "
     "SupportsLibraryMonitor:bool WebSocketPortNumber:int32 CompletedInstallations:[InstallationInfo]? "
     "CanSelfRestart:bool CanLaunchWebBrowser:bool ProgramDataPath:string? WebPath:string? CachePath:string? "
     "LogPath:string? TranscodingTempPath:string? CastReceiverApplications:[CastReceiverApplication]? "
     "HasUpdateAvailable:bool"},
    {"InstallationInfo", "Guid:uuid Name:string? Version:string?"},
    {"CastReceiverApplication", "Id:string Name:string"},
    {"SystemStorageDto",
     "ProgramDataFolder:FolderStorageDto WebFolder:FolderStorageDto ImageCacheFolder:FolderStorageDto "
     "CacheFolder:FolderStorageDto LogFolder:FolderStorageDto InternalMetadataFolder:FolderStorageDto "
     "TranscodingTempFolder:FolderStorageDto Libraries:[LibraryStorageDto]"},
    {"FolderStorageDto", "Path:string FreeSpace:int64 UsedSpace:int64 DeviceId:string?"},
    {"LibraryStorageDto", "Id:uuid Name:string Folders:[FolderStorageDto]"},
    {"EndPointInfo", "IsLocal:bool IsInNetwork:bool"},
    {"LogFile", "DateCreated:time DateModified:time Size:int64 Name:string"},
    {"ClientLogDocumentResponseDto", "FileName:string"},
    {"ActivityLogEntryQueryResult", "Items:[ActivityLogEntry] TotalRecordCount:int32 StartIndex:int32"},
    {"ActivityLogEntry", "Id:int64 Name:string Overview:string? Type:string Date:time UserId:uuid Severity:LogLevel"},
    {"LogLevel", "(Trace|Debug|Information|Warning|Error|Critical|None)"},
    {"UtcTimeResponse", "RequestReceptionTime:time ResponseTransmissionTime:time"},
    {"LocalizationOption", "Name:string? Value:string?"},
    {"CultureDto",
     "Name:string DisplayName:string TwoLetterISOLanguageName:string ThreeLetterISOLanguageName:string? "
     "ThreeLetterISOLanguageNames:[string]"},
    {"CountryInfo", "Name:string? DisplayName:string? TwoLetterISORegionName:string? ThreeLetterISORegionName:string?"},
    {"ParentalRating", "Name:string Value:int32? RatingScore:ParentalRatingScore?"},
    {"ParentalRatingScore", "score:int32"},
};

constexpr OperationRow operations[] = {
    {get, "/System/Info", "GetSystemInfo", "System", "What a client may know after it has logged in.",
     "200:SystemInfo"},
    {get, "/System/Info/Storage", "GetSystemStorage", "System", "How full the places of the pod that answers are.",
     "200:SystemStorageDto"},
    {get, "/System/Endpoint", "GetEndpointInfo", "System", "Whether the client is near.", "200:EndPointInfo"},
    {post, "/System/MediaEncoder/Path", "UpdateMediaEncoderPath", "System", "Takes what changes nothing.", "204"},
    {post, "/System/Restart", "RestartApplication", "System", "Restarts the pod that is asked.", "204"},
    {post, "/System/Shutdown", "ShutdownApplication", "System", "Stops the pod that is asked.", "204"},
    {get, "/System/Logs", "GetServerLogs", "System", "The log files of the pod that answers.", "200:[LogFile]"},
    {get, "/System/Logs/Log", "GetLogFile", "System", "A log file of the pod that answers.", "200:text 404",
     "name:string! tail:int32"},
    {post, "/ClientLog/Document", "LogFile", "ClientLog", "Keeps the log of a client on the pod that answers.",
     "200:ClientLogDocumentResponseDto 409 413", "", "text!"},
    {get, "/System/ActivityLog/Entries", "GetLogEntries", "ActivityLog", "What happened, newest first.",
     "200:ActivityLogEntryQueryResult", "startIndex:int32 limit:int32 minDate:time maxDate:time hasUserId:bool"},
    {get, "/GetUtcTime", "GetUtcTime", "TimeSync", "What time it is here.", "200:UtcTimeResponse"},
    {get, "/Localization/Options", "GetLocalizationOptions", "Localization", "The languages of the server.",
     "200:[LocalizationOption]"},
    {get, "/Localization/Cultures", "GetCultures", "Localization", "Languages that media may have.",
     "200:[CultureDto]"},
    {get, "/Localization/Countries", "GetCountries", "Localization", "Countries.", "200:[CountryInfo]"},
    {get, "/Localization/ParentalRatings", "GetParentalRatings", "Localization",
     "Parental ratings of the country that was chosen.", "200:[ParentalRating]"},
};

}  // namespace

Group server_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
