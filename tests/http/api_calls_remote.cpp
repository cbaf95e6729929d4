#include "http/api_calls.h"

namespace understudy::testing {

std::vector<ApiCall> remote_calls(const ApiWorld& world) {
    const auto session = "/Sessions/" + world.session;
    const auto no_socket = "/Sessions/" + world.kid_session;
    const std::vector<http::Header> upgrade{{"Connection", "Upgrade"}, {"Upgrade", "websocket"}};
    return {
        {"OpenEventSocket", "/socket?deviceId=tv", "", 101, false, upgrade},
        {"OpenEventSocket", "/socket?deviceId=tv", "", 426},
        {"SendFullGeneralCommand", session + "/Command", R"({"Name":"SetVolume","Arguments":{"Volume":"40"}})", 204},
        {"SendGeneralCommand", session + "/Command/GoHome", "", 204},
        {"SendGeneralCommand", no_socket + "/Command/GoHome", "", 409},
        {"SendSystemCommand", session + "/System/Mute", "", 204},
        {"SendMessageCommand", session + "/Message", R"({"Header":"Hi","Text":"there","TimeoutMs":500})", 204},
        {"DisplayContent", session + "/Viewing?itemType=Movie&itemName=Tide&itemId=" + world.hex('1'), "", 204},
        {"Play", session + "/Playing?playCommand=PlayShuffle&startPositionTicks=5&itemIds=" + world.hex('2'), "", 204},
        {"SendPlaystateCommand", session + "/Playing/Seek?seekPositionTicks=70", "", 204},
    };
}

}  // namespace understudy::testing
