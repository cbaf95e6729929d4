// Collections and playlists.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"CollectionCreationResult", "Id:uuid"},
    {"PlaylistCreationResult", "Id:string"},
    {"PlaylistDto", "OpenAccess:bool Shares:[PlaylistUserPermissions] ItemIds:[uuid]"},
    {"PlaylistUserPermissions", "UserId:uuid CanEdit:bool"},
    {"CreatePlaylistDto", "Name:string? Ids:[uuid]? UserId:uuid? Users:[PlaylistUserPermissions]? IsPublic:bool?"},
    {"UpdatePlaylistDto", "Name:string? Ids:[uuid]? Users:[PlaylistUserPermissions]? IsPublic:bool?"},
};

constexpr OperationRow operations[] = {
    {post, "/Collections", "CreateCollection", "Collection", "Makes a collection.", "200:CollectionCreationResult 404",
     "name:string! ids:[string] isLocked:bool"},
    {post, "/Collections/{id}/Items", "AddToCollection", "Collection", "Puts items into a collection.", "204 409",
     "ids:[uuid]!"},
    {del, "/Collections/{id}/Items", "RemoveFromCollection", "Collection", "Takes items out of a collection.",
     "204 409", "ids:[uuid]!"},
    {post, "/Playlists", "CreatePlaylist", "Playlists", "Makes a playlist.", "200:PlaylistCreationResult 404",
     "name:string ids:[uuid] userId:uuid", "CreatePlaylistDto"},
    {get, "/Playlists/{id}", "GetPlaylist", "Playlists", "Who may see a playlist, and what is in it.",
     "200:PlaylistDto"},
    {post, "/Playlists/{id}", "UpdatePlaylist", "Playlists", "Changes a playlist.", "204 409", "", "UpdatePlaylistDto"},
    {get, "/Playlists/{id}/Items", "GetPlaylistItems", "Playlists", "The entries of a playlist in their order.",
     "200:BaseItemDtoQueryResult", "userId:uuid startIndex:int32 limit:int32 fields:[ItemFields] enableUserData:bool"},
    {post, "/Playlists/{id}/Items", "AddItemToPlaylist", "Playlists", "Puts items into a playlist.", "204 409",
     "ids:[uuid]! userId:uuid position:int32"},
    {del, "/Playlists/{id}/Items", "RemoveItemFromPlaylist", "Playlists", "Takes entries out of a playlist.", "204 409",
     "entryIds:[string]!"},
    {post, "/Playlists/{id}/Items/{itemId}/Move/{newIndex}", "MoveItem", "Playlists", "Moves an entry.", "204 409",
     "newIndex:int32"},
    {get, "/Playlists/{id}/Users", "GetPlaylistUsers", "Playlists", "With whom a playlist is shared.",
     "200:[PlaylistUserPermissions]"},
    {get, "/Playlists/{id}/Users/{userId}", "GetPlaylistUser", "Playlists", "What a user may do with a playlist.",
     "200:PlaylistUserPermissions"},
};

}  // namespace

Group list_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
