// GET /socket: lets a client in to the event socket. What then travels on it is SocketHub's.
#include <utility>

#include "http/auth/secrets.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/socket/hub.h"
#include "http/text.h"

namespace understudy::http {
namespace {

bool asks_for_upgrade(const Request& request) {
    return icontains(request.header("Connection"), "upgrade") && iequals(trim(request.header("Upgrade")), "websocket");
}

Response open_socket(const Services& services, const Request& request) {
    if (services.sockets == nullptr) return problem({core::Errc::unsupported, "There is no event socket here."});
    constexpr int upgrade_required = 426;
    if (!asks_for_upgrade(request)) {
        return text_answer(upgrade_required, "This is an event socket: ask for it with `Upgrade: websocket`.")
            .with("Upgrade", "websocket");
    }
    SocketCaller caller;
    caller.who = *request.caller;
    // The administrator's key is no row of the database that could be looked up again.
    const bool stored = !caller.who.user.empty() || caller.who.key != 0;
    if (stored) caller.token_hash = hash_secret(request.credentials.token);
    if (caller.who.device_id.empty()) caller.who.device_id = printable(request.query.text("deviceId"));
    auto peer = services.sockets->let_in(std::move(caller));
    if (!peer) return problem(peer.error());
    constexpr int switching_protocols = 101;
    Response response;
    response.status = switching_protocols;
    response.socket = std::move(*peer);
    return response;
}

}  // namespace

void add_socket_routes(Router& router, const Services& services) {
    Route route;
    route.path = "/socket";
    route.access = Access::user;
    route.unknown_caller = 403;  // as the reference: clients take it as a reason to log in again
    route.handler = [&services](const Request& request) { return open_socket(services, request); };
    router.add(std::move(route));
}

}  // namespace understudy::http
