// Pictures of items, chapters, collections and users.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"ImageInfo",
     "ImageType:ImageType ImageIndex:int32? ImageTag:string? Path:string? Height:int32? Width:int32? Size:int64"},
    {"ImageType", "(Primary|Art|Backdrop|Banner|Logo|Thumb|Disc|Box|Screenshot|Menu|Chapter|BoxRear|Profile)"},
    {"ImageFormat", "(Bmp|Gif|Jpg|Png|Webp|Svg)"},
};

constexpr OperationRow operations[] = {
    {get, "/Items/{id}/Images", "GetItemImageInfos", "Image", "The pictures of an item.", "200:[ImageInfo]"},
    {get, "/Items/{id}/Images/{type}", "GetItemImage", "Image", "A picture of an item or person.",
     "200:picture 304 501",
     "type:ImageType tag:string imageIndex:int32 maxWidth:int32 maxHeight:int32 width:int32 height:int32 quality:int32 "
     "fillWidth:int32 fillHeight:int32 format:ImageFormat"},
    {head, "/Items/{id}/Images/{type}", "HeadItemImage", "Image", "The headers of a picture.", "200 304 501",
     "type:ImageType tag:string imageIndex:int32 maxWidth:int32 maxHeight:int32 width:int32 height:int32 quality:int32 "
     "fillWidth:int32 fillHeight:int32 format:ImageFormat"},
    {post, "/Items/{id}/Images/{type}", "SetItemImage", "Image", "Gives a collection or playlist its picture.",
     "204 501", "type:ImageType", "picture!"},
    {del, "/Items/{id}/Images/{type}", "DeleteItemImage", "Image",
     "Takes the picture of a collection or playlist away.", "204 501", "type:ImageType"},
    {get, "/Items/{id}/Images/{type}/{index}", "GetItemImageByIndex", "Image", "One of several pictures of a kind.",
     "200:picture 304 501",
     "type:ImageType index:int32 tag:string maxWidth:int32 maxHeight:int32 width:int32 height:int32 quality:int32 "
     "fillWidth:int32 fillHeight:int32 format:ImageFormat"},
    {head, "/Items/{id}/Images/{type}/{index}", "HeadItemImageByIndex", "Image",
     "The headers of one of several pictures.", "200 304 501",
     "type:ImageType index:int32 tag:string maxWidth:int32 maxHeight:int32 width:int32 height:int32 quality:int32 "
     "fillWidth:int32 fillHeight:int32 format:ImageFormat"},
    {post, "/Items/{id}/Images/{type}/{index}", "SetItemImageByIndex", "Image",
     "Gives a collection or playlist its picture.", "204 501", "type:ImageType index:int32", "picture!"},
    {del, "/Items/{id}/Images/{type}/{index}", "DeleteItemImageByIndex", "Image",
     "Takes the picture of a collection or playlist away.", "204 501", "type:ImageType index:int32"},
    {get, "/Items/{id}/Images/{type}/{index}/{tag}/{format}/{maxWidth}/{maxHeight}/{percentPlayed}/{unplayedCount}",
     "GetItemImage2", "Image", "One of several pictures of a kind, in a size.", "200:picture 304 501",
     "type:ImageType index:int32 tag:string format:ImageFormat maxWidth:int32 maxHeight:int32 percentPlayed:double "
     "unplayedCount:int32 width:int32 height:int32 quality:int32 fillWidth:int32 fillHeight:int32"},
    {head, "/Items/{id}/Images/{type}/{index}/{tag}/{format}/{maxWidth}/{maxHeight}/{percentPlayed}/{unplayedCount}",
     "HeadItemImage2", "Image", "The headers of one of several pictures, in a size.", "200 304 501",
     "type:ImageType index:int32 tag:string format:ImageFormat maxWidth:int32 maxHeight:int32 percentPlayed:double "
     "unplayedCount:int32 width:int32 height:int32 quality:int32 fillWidth:int32 fillHeight:int32"},
    {get, "/Items/{id}/Images/Chapter/{index}", "GetChapterImage", "Image", "The picture of a chapter.",
     "200:picture 304 501",
     "index:int32 maxWidth:int32 maxHeight:int32 width:int32 height:int32 quality:int32 fillWidth:int32 "
     "fillHeight:int32 format:ImageFormat"},
    {get, "/Items/{id}/Images/Chapter/{index}/{tag}/{format}/{maxWidth}/{maxHeight}/{percentPlayed}/{unplayedCount}",
     "GetChapterImage2", "Image", "The picture of a chapter, in a size.", "200:picture 304 501",
     "index:int32 tag:string format:ImageFormat maxWidth:int32 maxHeight:int32 percentPlayed:double "
     "unplayedCount:int32 width:int32 height:int32 quality:int32 fillWidth:int32 fillHeight:int32"},
    {get, "/UserImage", "GetUserImage", "Image", "The picture of a user.", "200:picture 304 404 501",
     "userId:uuid tag:string maxWidth:int32 maxHeight:int32 width:int32 height:int32 quality:int32 fillWidth:int32 "
     "fillHeight:int32 format:ImageFormat"},
    {head, "/UserImage", "HeadUserImage", "Image", "The headers of the picture of a user.", "200 304 404 501",
     "userId:uuid tag:string maxWidth:int32 maxHeight:int32 width:int32 height:int32 quality:int32 fillWidth:int32 "
     "fillHeight:int32 format:ImageFormat"},
    {post, "/UserImage", "PostUserImage", "Image", "Gives a user a picture.", "204 404", "userId:uuid", "picture!"},
    {del, "/UserImage", "DeleteUserImage", "Image", "Takes the picture of a user away.", "204 404", "userId:uuid"},
    {get, "/Users/{userId}/Images/{type}/{index}", "GetUserImageByIndex", "Image", "The picture of a user.",
     "200:picture 304 501",
     "userId:uuid type:ImageType index:int32 tag:string maxWidth:int32 maxHeight:int32 width:int32 height:int32 "
     "quality:int32 fillWidth:int32 fillHeight:int32 format:ImageFormat",
     "", true},
    {post, "/Users/{userId}/Images/{type}/{index}", "PostUserImageByIndex", "Image", "Gives a user a picture.", "204",
     "userId:uuid type:ImageType index:int32", "picture!", true},
    {del, "/Users/{userId}/Images/{type}/{index}", "DeleteUserImageByIndex", "Image",
     "Takes the picture of a user away.", "204", "userId:uuid type:ImageType index:int32", "", true},
};

constexpr LegacyRow legacy[] = {
    {get, "/Users/{userId}/Images/{type}", "GetUserImage"},
    {head, "/Users/{userId}/Images/{type}", "HeadUserImage"},
    {post, "/Users/{userId}/Images/{type}", "PostUserImage"},
    {del, "/Users/{userId}/Images/{type}", "DeleteUserImage"},
};

}  // namespace

Group picture_group() {
    return {schemas, operations, legacy};
}

}  // namespace understudy::http::openapi
