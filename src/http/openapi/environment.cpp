// Folders of the pod that answers.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"FileSystemEntryInfo", "Name:string Path:string Type:FileSystemEntryType"},
    {"FileSystemEntryType", "(File|Directory|NetworkComputer|NetworkShare)"},
    {"DefaultDirectoryBrowserInfoDto", "Path:string?"},
    {"ValidatePathDto", "ValidateWritable:bool Path:string? IsFile:bool?"},
};

constexpr OperationRow operations[] = {
    {get, "/Environment/Drives", "GetDrives", "Environment", "Where file systems are mounted on the pod that answers.",
     "200:[FileSystemEntryInfo]"},
    {get, "/Environment/DirectoryContents", "GetDirectoryContents", "Environment", "What is in a folder.",
     "200:[FileSystemEntryInfo] 404", "path:string! includeFiles:bool includeDirectories:bool"},
    {get, "/Environment/ParentPath", "GetParentPath", "Environment", "The folder above a folder.", "200:string 204",
     "path:string!"},
    {get, "/Environment/DefaultDirectoryBrowser", "GetDefaultDirectoryBrowser", "Environment", "Where to begin.",
     "200:DefaultDirectoryBrowserInfoDto"},
    {get, "/Environment/NetworkShares", "GetNetworkShares", "Environment", "None.", "200:[object]"},
    {post, "/Environment/ValidatePath", "ValidatePath", "Environment", "Whether there is something at a path.",
     "204 404", "", "ValidatePathDto!"},
};

}  // namespace

Group environment_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
