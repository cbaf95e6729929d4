// Libraries changed, counted and refreshed.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"ItemCounts",
     "MovieCount:int32 SeriesCount:int32 EpisodeCount:int32 ArtistCount:int32 ProgramCount:int32 "
     "TrailerCount:int32 SongCount:int32 AlbumCount:int32 MusicVideoCount:int32 BoxSetCount:int32 BookCount:int32 "
     "ItemCount:int32"},
    {"LibraryOptionsResultDto",
     "MetadataSavers:[LibraryOptionInfoDto] MetadataReaders:[LibraryOptionInfoDto] "
     "SubtitleFetchers:[LibraryOptionInfoDto] LyricFetchers:[LibraryOptionInfoDto] "
     "MediaSegmentProviders:[LibraryOptionInfoDto] TypeOptions:[LibraryTypeOptionsDto]"},
    {"LibraryOptionInfoDto", "Name:string? DefaultEnabled:bool"},
    {"LibraryTypeOptionsDto",
     "Type:string? MetadataFetchers:[LibraryOptionInfoDto] ImageFetchers:[LibraryOptionInfoDto] "
     "SupportedImageTypes:[ImageType] DefaultImageOptions:[ImageOption]"},
    {"MediaPathDto", "Name:string Path:string? PathInfo:MediaPathInfo?"},
    {"UpdateMediaPathRequestDto", "Name:string PathInfo:MediaPathInfo"},
};

constexpr OperationRow operations[] = {
    {get, "/Items/Counts", "GetItemCounts", "Library", "How many items of each kind a user may see.",
     "200:ItemCounts 404", "userId:uuid isFavorite:bool"},
    {post, "/Items/{id}/Refresh", "RefreshItem", "ItemRefresh", "Scans the files that an item is made from.", "204"},
    {get, "/Library/MediaFolders", "GetMediaFolders", "Library", "The libraries as items.",
     "200:BaseItemDtoQueryResult", "isHidden:bool"},
    {get, "/Library/PhysicalPaths", "GetPhysicalPaths", "Library", "The folders of all libraries.", "200:[string]"},
    {get, "/Libraries/AvailableOptions", "GetLibraryOptionsInfo", "Library", "What can be chosen for a library.",
     "200:LibraryOptionsResultDto", "libraryContentType:CollectionType"},
    {post, "/Library/VirtualFolders/Name", "RenameVirtualFolder", "LibraryStructure", "Renames a library.",
     "204 404 409", "name:string newName:string refreshLibrary:bool"},
    {post, "/Library/VirtualFolders/Paths", "AddMediaPath", "LibraryStructure", "Adds a folder to a library.",
     "204 404 409", "refreshLibrary:bool", "MediaPathDto!"},
    {del, "/Library/VirtualFolders/Paths", "RemoveMediaPath", "LibraryStructure", "Takes a folder out of a library.",
     "204 404 409", "name:string path:string refreshLibrary:bool"},
    {post, "/Library/VirtualFolders/Paths/Update", "UpdateMediaPath", "LibraryStructure",
     "Looks whether a library has a folder: there is nothing else to keep of it.", "204 404", "refreshLibrary:bool",
     "UpdateMediaPathRequestDto!"},
};

}  // namespace

Group library_edit_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
