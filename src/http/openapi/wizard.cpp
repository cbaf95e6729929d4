// The start wizard.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"StartupConfigurationDto",
     "ServerName:string? UICulture:string? MetadataCountryCode:string? PreferredMetadataLanguage:string?"},
    {"StartupUserDto", "Name:string? Password:string?"},
    {"StartupRemoteAccessDto", "EnableRemoteAccess:bool? EnableAutomaticPortMapping:bool?"},
};

constexpr OperationRow operations[] = {
    {get, "/Startup/Configuration", "GetStartupConfiguration", "Startup", "What the wizard asks first.",
     "200:StartupConfigurationDto"},
    {post, "/Startup/Configuration", "UpdateInitialConfiguration", "Startup", "Answers it.", "204", "",
     "StartupConfigurationDto"},
    {get, "/Startup/User", "GetFirstUser", "Startup", "The administrator, or the name for one.", "200:StartupUserDto"},
    {get, "/Startup/FirstUser", "GetFirstUser_2", "Startup", "The administrator, or the name for one.",
     "200:StartupUserDto"},
    {post, "/Startup/User", "UpdateStartupUser", "Startup", "Makes the administrator.", "204 409", "",
     "StartupUserDto!"},
    {post, "/Startup/RemoteAccess", "SetRemoteAccess", "Startup", "Takes what changes nothing.", "204", "",
     "StartupRemoteAccessDto"},
    {post, "/Startup/Complete", "CompleteWizard", "Startup", "Ends the wizard.", "204 400"},
};

}  // namespace

Group wizard_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
