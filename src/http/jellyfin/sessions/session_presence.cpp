#include "http/jellyfin/sessions/session_presence.h"

#include "http/jellyfin/dto/user_settings.h"
#include "store/open_sockets.h"

namespace understudy::http {
core::Result<std::set<store::SessionId>> sessions_with_socket(const Services& services) {
    std::set<store::SessionId> found;
    if (services.users.sockets == nullptr) return found;
    const auto sockets = services.users.sockets->all();
    if (!sockets) return tl::unexpected(sockets.error());
    if (sockets->empty()) return found;
    const auto pods = services.pods.pods(services.info.pods_within);
    if (!pods) return tl::unexpected(pods.error());
    std::set<core::BootId> living{services.info.boot};
    for (const auto& pod : *pods) living.insert(pod.boot);
    for (const auto& socket : *sockets) {
        if (living.contains(socket.boot)) found.insert(socket.session);
    }
    return found;
}

bool may_control(const store::User& controller, core::UserId owner) {
    return controller.id == owner || controller.admin || policy_flag(controller, "EnableRemoteControlOfOtherUsers");
}

}  // namespace understudy::http
