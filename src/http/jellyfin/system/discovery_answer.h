// http/jellyfin/system/discovery_answer.h: what a client is told that looks for servers in its network. Used by app,
// for the DiscoveryResponder.
#pragma once

#include <cstdint>
#include <string>

#include "http/services.h"

namespace understudy::http {

/// `{"Address":"http://192.168.1.5:8096","Id":…,"Name":…,"EndpointAddress":null}`. The address is the published URL;
/// else `host` (without brackets) and `port`, with the base URL. Empty while the server starts or ends. Blocks
/// as Services::users.settings do; without an answer of theirs the name is the pod's own.
[[nodiscard]] std::string discovery_answer(const Services& services, const std::string& host, std::uint16_t port);

}  // namespace understudy::http
