#include "http/server/listen_address.h"

#include <algorithm>

#include "http/text.h"

namespace understudy::http {

core::Result<ListenAddress> parse_listen(std::string_view text, std::string_view setting) {
    const auto wrong = [&](const char* why) {
        return core::fail(core::Errc::invalid, std::string(setting) + ": '" + printable(text) + "' " + why +
                                                   "; use ADDRESS:PORT, as in 0.0.0.0:8096, [::]:8096 or 127.0.0.1:0");
    };
    auto rest = trim(text);
    ListenAddress address;
    if (rest.starts_with('[')) {
        const auto close = rest.find(']');
        if (close == std::string_view::npos) return wrong("has no closing bracket");
        address.host = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
    } else {
        const auto colon = rest.find(':');
        if (colon != std::string_view::npos && rest.find(':', colon + 1) != std::string_view::npos) {
            return wrong("is an IPv6 address without brackets");
        }
        address.host = rest.substr(0, colon);
        rest.remove_prefix(std::min(colon, rest.size()));
    }
    if (!rest.starts_with(':')) return wrong("has no port");
    const auto port = parse_int(rest.substr(1));
    if (!port || *port < 0 || *port > 65535) return wrong("has no port from 0 to 65535");
    if (address.host.empty() || address.host == "*") address.host = "0.0.0.0";
    address.port = static_cast<std::uint16_t>(*port);
    return address;
}

}  // namespace understudy::http
