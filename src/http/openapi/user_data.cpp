// What users did with items.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"UserItemDataDto",
     "Rating:double? PlayedPercentage:double? UnplayedItemCount:int32? PlaybackPositionTicks:int64 PlayCount:int32 "
     "IsFavorite:bool Likes:bool? LastPlayedDate:time? Played:bool Key:string ItemId:uuid"},
    {"UpdateUserItemDataDto",
     "Rating:double? PlaybackPositionTicks:int64? PlayCount:int32? IsFavorite:bool? Likes:bool? "
     "LastPlayedDate:time? Played:bool?"},
};

constexpr OperationRow operations[] = {
    {get, "/UserItems/{id}/UserData", "GetItemUserData", "Items", "What a user did with an item.",
     "200:UserItemDataDto", "userId:uuid"},
    {post, "/UserItems/{id}/UserData", "UpdateItemUserData", "Items", "Changes what is said, and nothing else.",
     "200:UserItemDataDto", "userId:uuid", "UpdateUserItemDataDto"},
    {post, "/UserItems/{id}/Rating", "UpdateUserItemRating", "UserLibrary", "Likes or dislikes an item.",
     "200:UserItemDataDto", "userId:uuid likes:bool"},
    {del, "/UserItems/{id}/Rating", "DeleteUserItemRating", "UserLibrary", "Takes a rating back.",
     "200:UserItemDataDto", "userId:uuid"},
    {post, "/UserFavoriteItems/{id}", "MarkFavoriteItem", "UserLibrary", "Makes an item a favourite.",
     "200:UserItemDataDto", "userId:uuid"},
    {del, "/UserFavoriteItems/{id}", "UnmarkFavoriteItem", "UserLibrary", "Makes an item a favourite no more.",
     "200:UserItemDataDto", "userId:uuid"},
    {post, "/UserPlayedItems/{id}", "MarkPlayedItem", "Playstate", "Marks an item, or all below it, as played.",
     "200:UserItemDataDto", "userId:uuid datePlayed:time"},
    {del, "/UserPlayedItems/{id}", "MarkUnplayedItem", "Playstate", "Marks an item, or all below it, as not played.",
     "200:UserItemDataDto", "userId:uuid"},
};

constexpr LegacyRow legacy[] = {
    {get, "/Users/{userId}/Items/{id}/UserData", "GetItemUserData"},
    {post, "/Users/{userId}/Items/{id}/UserData", "UpdateItemUserData"},
    {post, "/Users/{userId}/Items/{id}/Rating", "UpdateUserItemRating"},
    {del, "/Users/{userId}/Items/{id}/Rating", "DeleteUserItemRating"},
    {post, "/Users/{userId}/FavoriteItems/{id}", "MarkFavoriteItem"},
    {del, "/Users/{userId}/FavoriteItems/{id}", "UnmarkFavoriteItem"},
    {post, "/Users/{userId}/PlayedItems/{id}", "MarkPlayedItem"},
    {del, "/Users/{userId}/PlayedItems/{id}", "MarkUnplayedItem"},
};

}  // namespace

Group user_data_group() {
    return {schemas, operations, legacy};
}

}  // namespace understudy::http::openapi
