// Who is logged in where.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"SessionInfoDto",
     "PlayState:PlayerStateInfo? AdditionalUsers:[SessionUserInfo]? Capabilities:ClientCapabilitiesDto? "
     "RemoteEndPoint:string? PlayableMediaTypes:[MediaType] Id:string? UserId:uuid UserName:string? Client:string? "
     "LastActivityDate:time LastPlaybackCheckIn:time DeviceName:string? DeviceId:string? "
     "ApplicationVersion:string? IsActive:bool SupportsMediaControl:bool SupportsRemoteControl:bool "
     "NowPlayingQueue:[QueueItem]? NowPlayingQueueFullItems:[BaseItemDto]? HasCustomDeviceName:bool "
     "ServerId:string? SupportedCommands:[GeneralCommandType]"},
    {"PlayerStateInfo", "CanSeek:bool IsPaused:bool IsMuted:bool RepeatMode:RepeatMode PlaybackOrder:PlaybackOrder"},
    {"RepeatMode", "(RepeatNone|RepeatAll|RepeatOne)"},
    {"PlaybackOrder", "(Default|Shuffle)"},
    {"SessionUserInfo", "UserId:uuid UserName:string?"},
    {"QueueItem", "Id:uuid PlaylistItemId:string?"},
    {"ClientCapabilitiesDto",
     "PlayableMediaTypes:[MediaType] SupportedCommands:[GeneralCommandType] SupportsMediaControl:bool "
     "SupportsPersistentIdentifier:bool"},
    {"GeneralCommandType",
     "(MoveUp|MoveDown|MoveLeft|MoveRight|PageUp|PageDown|PreviousLetter|NextLetter|ToggleOsd|ToggleContextMenu|"
     "Select|Back|TakeScreenshot|SendKey|SendString|GoHome|GoToSettings|VolumeUp|VolumeDown|Mute|Unmute|ToggleMute|"
     "SetVolume|SetAudioStreamIndex|SetSubtitleStreamIndex|ToggleFullscreen|DisplayContent|GoToSearch|"
     "DisplayMessage|SetRepeatMode|ChannelUp|ChannelDown|Guide|ToggleStats|PlayMediaSource|PlayTrailers|"
     "SetShuffleQueue|PlayState|PlayNext|ToggleOsdMenu|Play|SetMaxStreamingBitrate|SetPlaybackOrder)"},
    {"DeviceInfoDtoQueryResult", "Items:[DeviceInfoDto] TotalRecordCount:int32 StartIndex:int32"},
    {"DeviceInfoDto",
     "Name:string? CustomName:string? Id:string? LastUserName:string? AppName:string? AppVersion:string? "
     "LastUserId:uuid? DateLastActivity:time? Capabilities:ClientCapabilitiesDto"},
    {"DeviceOptionsDto", "Id:int32 DeviceId:string? CustomName:string?"},
};

constexpr OperationRow operations[] = {
    {post, "/Sessions/Logout", "ReportSessionEnded", "Session", "Ends the login that calls.", "204 400"},
    {get, "/Sessions", "GetSessions", "Session", "Lists the logins; a user sees their own.", "200:[SessionInfoDto]",
     "deviceId:string activeWithinSeconds:int32 controllableByUserId:uuid"},
    {post, "/Sessions/Capabilities", "PostCapabilities", "Session", "Says what the client that calls can do.", "204",
     "playableMediaTypes:[MediaType] supportedCommands:[GeneralCommandType] supportsMediaControl:bool "
     "supportsPersistentIdentifier:bool"},
    {post, "/Sessions/Capabilities/Full", "PostFullCapabilities", "Session", "Says what the client that calls can do.",
     "204", "", "ClientCapabilitiesDto*"},
    {get, "/Devices", "GetDevices", "Devices", "Lists where somebody is logged in.", "200:DeviceInfoDtoQueryResult 404",
     "userId:uuid"},
    {del, "/Devices", "DeleteDevice", "Devices", "Logs everybody out on a device.", "204 404", "id:string!"},
    {get, "/Devices/Info", "GetDeviceInfo", "Devices", "One device.", "200:DeviceInfoDto 404", "id:string!"},
    {get, "/Devices/Options", "GetDeviceOptions", "Devices", "The name that somebody gave to a device.",
     "200:DeviceOptionsDto 404", "id:string!"},
    {post, "/Devices/Options", "UpdateDeviceOptions", "Devices", "Gives a device a name.", "204 404", "id:string!",
     "DeviceOptionsDto*"},
};

}  // namespace

Group session_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
