#include "http/proxies.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "http/text.h"

namespace understudy::http {
namespace {

using Bytes = std::array<std::uint8_t, 16>;

/// IPv4 as ::ffff:a.b.c.d, so that both kinds compare alike.
std::optional<Bytes> parse_address(std::string_view text) {
    Bytes bytes{};
    const std::string name(text);
    if (::inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1) return bytes;
    bytes = {};
    if (::inet_pton(AF_INET, name.c_str(), &bytes[12]) != 1) return std::nullopt;
    bytes[10] = bytes[11] = 0xFF;
    return bytes;
}

struct Network {
    Bytes base{};
    int bits = 128;
};

std::optional<Network> parse_network(std::string_view text) {
    text = trim(text);
    const auto slash = text.find('/');
    const auto address = text.substr(0, slash);
    const auto base = parse_address(address);
    if (!base) return std::nullopt;
    Network network;
    network.base = *base;
    if (slash == std::string_view::npos) return network;
    const bool v4 = address.find(':') == std::string_view::npos;
    const auto bits = parse_int(text.substr(slash + 1));
    if (!bits || *bits < 0 || *bits > (v4 ? 32 : 128)) return std::nullopt;
    network.bits = static_cast<int>(*bits) + (v4 ? 96 : 0);
    return network;
}

bool inside(const Bytes& address, const Network& network) {
    const auto whole = static_cast<std::size_t>(network.bits / 8);
    if (!std::equal(address.begin(), address.begin() + static_cast<std::ptrdiff_t>(whole), network.base.begin()))
        return false;
    const int rest = network.bits % 8;
    if (rest == 0) return true;
    const auto mask = static_cast<unsigned>(0xFF00U >> static_cast<unsigned>(rest)) & 0xFFU;
    return (address[whole] & mask) == (network.base[whole] & mask);
}

/// A host with an optional port, as a header may carry it; empty where it holds anything else.
std::string_view plain_host(std::string_view text) {
    text = trim(text.substr(0, text.find(',')));
    const bool plain = std::ranges::all_of(text, [](char c) {
        return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view("-._:[]").find(c) != std::string_view::npos;
    });
    return plain ? text : std::string_view();
}

}  // namespace

bool in_networks(std::string_view address, const std::vector<std::string>& networks) {
    const auto bytes = parse_address(address);
    if (!bytes) return false;
    return std::ranges::any_of(networks, [&](const std::string& text) {
        const auto network = parse_network(text);
        return network && inside(*bytes, *network);
    });
}

core::Result<void> check_networks(const std::vector<std::string>& networks) {
    for (const auto& text : networks) {
        if (!parse_network(text)) {
            return core::fail(core::Errc::invalid,
                              "Jellyfin:Http:TrustedProxies: '" + printable(text) +
                                  "' is no address or network; use 10.0.0.1, 10.0.0.0/8 or fd00::/8");
        }
    }
    return {};
}

std::string local_address(const Request& request, std::string_view published_url, std::string_view base_url,
                          const std::vector<std::string>& trusted_proxies) {
    if (!published_url.empty()) {
        while (published_url.ends_with('/')) published_url.remove_suffix(1);
        return std::string(published_url);
    }
    std::string_view scheme = "http", host;
    if (in_networks(request.peer, trusted_proxies)) {
        host = plain_host(request.header("X-Forwarded-Host"));
        const auto forwarded = request.header("X-Forwarded-Proto");
        if (iequals(trim(forwarded.substr(0, forwarded.find(','))), "https")) scheme = "https";
    }
    if (host.empty()) host = plain_host(request.header("Host"));
    if (host.empty()) return {};
    return std::string(scheme) + "://" + std::string(host) + std::string(base_url);
}

std::string client_address(const Request& request, const std::vector<std::string>& trusted_proxies) {
    std::string client = request.peer;
    if (!in_networks(client, trusted_proxies)) return client;
    std::string forwarded;  // a proxy may append to what the client wrote, or send a line of its own behind it
    for (const auto& header : request.headers) {
        if (iequals(header.name, "X-Forwarded-For")) forwarded += (forwarded.empty() ? "" : ",") + header.value;
    }
    const auto hops = split(forwarded, ',');
    for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
        const auto address = trim(*hop);
        if (!parse_address(address)) break;
        client = address;
        if (!in_networks(address, trusted_proxies)) break;
    }
    return client;
}

std::string address_group(std::string_view address) {
    const auto bytes = parse_address(address);
    constexpr Bytes mapped_ipv4{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (!bytes) return std::string(address);
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (std::equal(bytes->begin(), bytes->begin() + 12, mapped_ipv4.begin())) {
        ::inet_ntop(AF_INET, bytes->data() + 12, text.data(), text.size());
        return text.data();
    }
    auto network = *bytes;
    std::fill(network.begin() + 8, network.end(), std::uint8_t{0});
    ::inet_ntop(AF_INET6, network.data(), text.data(), text.size());
    return std::string(text.data()) + "/64";
}

}  // namespace understudy::http
