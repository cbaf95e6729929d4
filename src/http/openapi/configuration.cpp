// What the server and its clients are set to.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"MetadataOptions",
     "ItemType:string? DisabledMetadataSavers:[string]? LocalMetadataReaderOrder:[string]? "
     "DisabledMetadataFetchers:[string]? MetadataFetcherOrder:[string]? DisabledImageFetchers:[string]? "
     "ImageFetcherOrder:[string]?"},
};

constexpr OperationRow operations[] = {
    {get, "/System/Configuration/MetadataOptions/Default", "GetDefaultMetadataOptions", "Configuration",
     "What is set for a kind of item of which nothing is said.", "200:MetadataOptions"},
    {get, "/Branding/Splashscreen", "GetSplashscreen", "Image", "None: there is no such picture.", "404"},
};

}  // namespace

Group configuration_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
