#include "http/api_calls.h"

namespace understudy::testing {

std::vector<ApiCall> user_calls(const ApiWorld& world) {
    const auto kid = "/Users/" + world.kid;
    const std::string policy = R"({"EnabledFolders":[")" + world.films.id.str() +
                               R"("],"EnabledDevices":["phone"],"RemoteClientBitrateLimit":8000000})";
    const std::string preferences = R"({"AudioLanguagePreference":"deu","SubtitleMode":"Smart"})";
    const std::string password = R"({"NewPw":"seas"})";
    return {
        {"AuthenticateUserByName", "/Users/AuthenticateByName", R"({"Username":"Kid","Pw":"sea"})"},
        {"AuthenticateUser", kid + "/Authenticate?pw=sea"},
        {"GetUsers", "/Users?isHidden=false"},
        {"GetUserById", kid},
        {"GetPublicUsers", "/Users/Public"},
        {"GetCurrentUser", "/Users/Me", "", 200, true},
        {"CreateUserByName", "/Users/New", R"({"Name":"Bo","Password":"bay"})"},
        {"UpdateUser", "/Users?userId=" + world.kid, R"({"Name":"Kit","Configuration":)" + preferences + "}", 204},
        {"UpdateUserLegacy", kid, R"({"Name":"Kid"})", 204},
        {"UpdateUserConfiguration", "/Users/Configuration?userId=" + world.kid, preferences, 204},
        {"UpdateUserConfigurationLegacy", kid + "/Configuration", preferences, 204},
        {"UpdateUserPolicy", kid + "/Policy", policy, 204},
        {"GetUserById", kid},
        {"UpdateUserPassword", "/Users/Password?userId=" + world.kid, password, 204},
        {"UpdateUserPasswordLegacy", kid + "/Password", password, 204},
        {"GetKeys", "/Auth/Keys"},
        {"CreateKey", "/Auth/Keys?app=Radarr", "", 204},
        {"RevokeKey", "/Auth/Keys/" + world.key, "", 204},
        {"GetAuthProviders", "/Auth/Providers"},
        {"GetPasswordResetProviders", "/Auth/PasswordResetProviders"},
        {"GetQuickConnectEnabled", "/QuickConnect/Enabled"},
        {"PostCapabilities", "/Sessions/Capabilities?playableMediaTypes=Video&supportedCommands=Play", "", 204, true},
        {"PostFullCapabilities", "/Sessions/Capabilities/Full",
         R"({"PlayableMediaTypes":["Video"],"SupportedCommands":["Play","Mute"],"SupportsMediaControl":false})", 204,
         true},
        {"GetSessions", "/Sessions", "", 200, true},
        {"GetDevices", "/Devices?userId=" + world.root},
        {"UpdateDeviceOptions", "/Devices/Options?id=tv", R"({"CustomName":"Parlour"})", 204},
        {"GetDeviceInfo", "/Devices/Info?id=tv"},
        {"GetDeviceOptions", "/Devices/Options?id=tv"},
        {"GetSessions", "/Sessions"},
        {"ReportSessionEnded", "/Sessions/Logout", "", 204, true},
        {"AuthenticateUserByName", "/Users/AuthenticateByName", R"({"Username":"Root","Pw":"deep"})"},
        {"DeleteDevice", "/Devices?id=tv", "", 204},
        {"DeleteUser", kid, "", 204},
    };
}

}  // namespace understudy::testing
