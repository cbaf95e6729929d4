// Users, what they may and prefer, logging in, keys of programs.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"UserDto",
     "Name:string? ServerId:string? Id:uuid HasPassword:bool HasConfiguredPassword:bool "
     "HasConfiguredEasyPassword:bool EnableAutoLogin:bool? PrimaryImageTag:string? LastLoginDate:time? "
     "LastActivityDate:time? "
     "Configuration:UserConfiguration? Policy:UserPolicy?"},
    {"UserPolicy",
     "IsAdministrator:bool IsHidden:bool EnableCollectionManagement:bool EnableSubtitleManagement:bool "
     "EnableLyricManagement:bool IsDisabled:bool MaxParentalRating:int32? MaxParentalSubRating:int32? "
     "BlockedTags:[string]? AllowedTags:[string]? EnableUserPreferenceAccess:bool "
     "AccessSchedules:[AccessSchedule]? BlockUnratedItems:[UnratedItem]? EnableRemoteControlOfOtherUsers:bool "
     "EnableSharedDeviceControl:bool EnableRemoteAccess:bool EnableLiveTvManagement:bool EnableLiveTvAccess:bool "
     "EnableMediaPlayback:bool EnableAudioPlaybackTranscoding:bool EnableVideoPlaybackTranscoding:bool "
     "EnablePlaybackRemuxing:bool ForceRemoteSourceTranscoding:bool EnableContentDeletion:bool "
     "EnableContentDeletionFromFolders:[string]? EnableContentDownloading:bool EnableSyncTranscoding:bool "
     "EnableMediaConversion:bool EnabledDevices:[string]? EnableAllDevices:bool EnabledChannels:[uuid]? "
     "EnableAllChannels:bool EnabledFolders:[uuid]? EnableAllFolders:bool InvalidLoginAttemptCount:int32 "
     "LoginAttemptsBeforeLockout:int32 MaxActiveSessions:int32 EnablePublicSharing:bool "
     "BlockedMediaFolders:[uuid]? BlockedChannels:[uuid]? RemoteClientBitrateLimit:int32 "
     "AuthenticationProviderId:string PasswordResetProviderId:string SyncPlayAccess:SyncPlayUserAccessType"},
    {"UserConfiguration",
     "AudioLanguagePreference:string? PlayDefaultAudioTrack:bool SubtitleLanguagePreference:string? "
     "DisplayMissingEpisodes:bool GroupedFolders:[uuid] SubtitleMode:SubtitlePlaybackMode "
     "DisplayCollectionsView:bool EnableLocalPassword:bool OrderedViews:[uuid] LatestItemsExcludes:[uuid] "
     "MyMediaExcludes:[uuid] HidePlayedInLatest:bool RememberAudioSelections:bool RememberSubtitleSelections:bool "
     "EnableNextEpisodeAutoPlay:bool CastReceiverId:string?"},
    {"AccessSchedule", "Id:int32 UserId:uuid DayOfWeek:DynamicDayOfWeek StartHour:double EndHour:double"},
    {"DynamicDayOfWeek", "(Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Everyday|Weekday|Weekend)"},
    {"UnratedItem", "(Movie|Trailer|Series|Music|Book|LiveTvChannel|LiveTvProgram|ChannelContent|Other)"},
    {"SyncPlayUserAccessType", "(CreateAndJoinGroups|JoinGroups|None)"},
    {"SubtitlePlaybackMode", "(Default|Always|OnlyForced|None|Smart)"},
    {"AuthenticationResult", "User:UserDto? SessionInfo:SessionInfoDto? AccessToken:string? ServerId:string?"},
    {"AuthenticateUserByName", "Username:string Pw:string?"},
    {"AuthenticateUser", "Pw:string?"},
    {"CreateUserByName", "Name:string Password:string?"},
    {"UpdateUserPassword", "CurrentPw:string? NewPw:string? ResetPassword:bool?"},
    {"UserEdit", "Name:string? Configuration:UserConfiguration*?"},
    {"AuthenticationInfoQueryResult", "Items:[AuthenticationInfo] TotalRecordCount:int32 StartIndex:int32"},
    {"AuthenticationInfo",
     "Id:int64 AccessToken:string? DeviceId:string? AppName:string? AppVersion:string? DeviceName:string? "
     "UserId:uuid IsActive:bool DateCreated:time DateLastActivity:time"},
    {"NameIdPair", "Name:string? Id:string?"},
};

constexpr OperationRow operations[] = {
    {get, "/Users", "GetUsers", "User", "Lists the users.", "200:[UserDto]", "isHidden:bool isDisabled:bool"},
    {get, "/Users/{userId}", "GetUserById", "User", "One user.", "200:UserDto"},
    {get, "/Users/Public", "GetPublicUsers", "User", "The users whom a login page may show.", "200:[UserDto]"},
    {get, "/Users/Me", "GetCurrentUser", "User", "The user who calls.", "200:UserDto 400"},
    {post, "/Users/New", "CreateUserByName", "User", "Adds a user.", "200:UserDto 409", "", "CreateUserByName!"},
    {del, "/Users/{userId}", "DeleteUser", "User", "Removes a user with all data of theirs.", "204"},
    {post, "/Users", "UpdateUser", "User", "Changes the name and configuration of a user.", "204 404 409",
     "userId:uuid", "UserEdit"},
    {post, "/Users/Configuration", "UpdateUserConfiguration", "User", "Replaces what a user prefers.", "204 404",
     "userId:uuid", "UserConfiguration*"},
    {post, "/Users/{userId}/Policy", "UpdateUserPolicy", "User", "Replaces what a user may.", "204", "", "UserPolicy*"},
    {post, "/Users/Password", "UpdateUserPassword", "User",
     "Sets or takes away a password; other logins of the user end.", "204 404 429", "userId:uuid",
     "UpdateUserPassword"},
    {post, "/Users/AuthenticateByName", "AuthenticateUserByName", "User", "Logs a user in.",
     "200:AuthenticationResult 401 403 429", "", "AuthenticateUserByName!"},
    {post, "/Users/{userId}/Authenticate", "AuthenticateUser", "User", "Logs a user in by their id.",
     "200:AuthenticationResult 401 403 429", "pw:string", "AuthenticateUser", true},
    {get, "/Auth/Keys", "GetKeys", "ApiKey", "Lists the keys of programs.", "200:AuthenticationInfoQueryResult"},
    {post, "/Auth/Keys", "CreateKey", "ApiKey", "Makes a key for a program.", "204", "app:string!"},
    {del, "/Auth/Keys/{key}", "RevokeKey", "ApiKey", "Revokes a key.", "204"},
    {get, "/Auth/Providers", "GetAuthProviders", "Session", "How users may log in.", "200:[NameIdPair]"},
    {get, "/Auth/PasswordResetProviders", "GetPasswordResetProviders", "Session", "How passwords may be reset.",
     "200:[NameIdPair]"},
};

constexpr LegacyRow legacy[] = {
    {post, "/Users/{userId}", "UpdateUser"},
    {post, "/Users/{userId}/Configuration", "UpdateUserConfiguration"},
    {post, "/Users/{userId}/Password", "UpdateUserPassword"},
};

}  // namespace

Group user_group() {
    return {schemas, operations, legacy};
}

}  // namespace understudy::http::openapi
