// http/proxies.h: whose X-Forwarded-* headers count, and the address under which a client reached us. Used by system
// handlers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "http/message.h"

namespace understudy::http {

/// Is `address` one of `networks` (`10.0.0.1`, `10.0.0.0/8`, `fd00::/8`)? IPv4 in IPv6 form counts as IPv4.
[[nodiscard]] bool in_networks(std::string_view address, const std::vector<std::string>& networks);
/// Errors: invalid, naming `Jellyfin:Http:TrustedProxies` and the member that is no address or network.
[[nodiscard]] core::Result<void> check_networks(const std::vector<std::string>& networks);

/// The published URL; else what a trusted proxy says; else the Host the client asked for. Never our own address: on
/// Kubernetes that is a pod's. Without a trailing slash, with the base URL.
[[nodiscard]] std::string local_address(const Request& request, std::string_view published_url,
                                        std::string_view base_url, const std::vector<std::string>& trusted_proxies);

/// Where a request comes from: the other end, or what a trusted proxy says was there. Of X-Forwarded-For the last
/// address that is no trusted proxy counts, as a client may write what it likes before it.
[[nodiscard]] std::string client_address(const Request& request, const std::vector<std::string>& trusted_proxies);
/// What one person can have many of counts as one: an IPv6 network of 64 bits.
[[nodiscard]] std::string address_group(std::string_view address);

}  // namespace understudy::http
