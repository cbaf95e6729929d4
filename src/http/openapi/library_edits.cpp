// Libraries changed, counted and refreshed.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"LibraryOptionsResultDto",
     "MetadataSavers:[LibraryOptionInfoDto] MetadataReaders:[LibraryOptionInfoDto] "
     "SubtitleFetchers:[LibraryOptionInfoDto] LyricFetchers:[LibraryOptionInfoDto] "
     "MediaSegmentProviders:[LibraryOptionInfoDto] TypeOptions:[LibraryTypeOptionsDto]"},
    {"LibraryOptionInfoDto", "Name:string? DefaultEnabled:bool"},
    {"LibraryTypeOptionsDto",
     "Type:string? MetadataFetchers:[LibraryOptionInfoDto] ImageFetchers:[LibraryOptionInfoDto] "
     "SupportedImageTypes:[ImageType] DefaultImageOptions:[ImageOption]"},
    {"MediaPathDto", "Name:string Path:string? PathInfo:MediaPathInfo?"},
};

constexpr OperationRow operations[] = {
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
     "204 404", "name:string path:string refreshLibrary:bool"},
};

}  // namespace

Group library_edit_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
