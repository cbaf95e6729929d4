// The event socket, and commands from one client to another.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"GeneralCommand", "Name:GeneralCommandType ControllingUserId:uuid? Arguments:{string}?"},
    {"MessageCommand", "Header:string? Text:string TimeoutMs:int64?"},
    {"PlayCommand", "(PlayNow|PlayNext|PlayLast|PlayInstantMix|PlayShuffle)"},
    {"PlaystateCommand", "(Stop|Pause|Unpause|NextTrack|PreviousTrack|Seek|Rewind|FastForward|PlayPause)"},
};

constexpr OperationRow operations[] = {
    {post, "/Sessions/{sessionId}/Command", "SendFullGeneralCommand", "Session", "Sends a command to a client.",
     "204 409 429", "", "GeneralCommand!"},
    {post, "/Sessions/{sessionId}/Command/{command}", "SendGeneralCommand", "Session",
     "Sends a command without arguments to a client.", "204 409 429", "command:GeneralCommandType"},
    {post, "/Sessions/{sessionId}/System/{command}", "SendSystemCommand", "Session",
     "Sends a command without arguments to a client.", "204 409 429", "command:GeneralCommandType"},
    {post, "/Sessions/{sessionId}/Message", "SendMessageCommand", "Session", "Shows a message on a client.",
     "204 409 429", "", "MessageCommand!"},
    {post, "/Sessions/{sessionId}/Viewing", "DisplayContent", "Session", "Shows an item on a client.", "204 409 429",
     "itemType:BaseItemKind itemId:uuid! itemName:string"},
    {post, "/Sessions/{sessionId}/Playing", "Play", "Session", "Plays items on a client.", "204 409 429",
     "playCommand:PlayCommand! itemIds:[uuid]! startPositionTicks:int64 mediaSourceId:string "
     "audioStreamIndex:int32 subtitleStreamIndex:int32 startIndex:int32"},
    {post, "/Sessions/{sessionId}/Playing/{command}", "SendPlaystateCommand", "Session",
     "Stops, goes on, seeks on a client.", "204 409 429", "command:PlaystateCommand seekPositionTicks:int64"},
    {get, "/socket", "OpenEventSocket", "Session", "Lets a client in to the event socket (RFC 6455).", "101 426",
     "deviceId:string"},
};

}  // namespace

Group remote_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
