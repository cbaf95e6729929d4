#include "http/server/listener.h"

#include <boost/asio/ip/v6_only.hpp>
#include <string>

#include "http/server/listen_address.h"

namespace understudy::http {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

core::Result<void> listen_at(tcp::acceptor& acceptor, const std::string& listen) {
    const auto address = parse_listen(listen);
    if (!address) return tl::unexpected(address.error());
    const auto setting = "Jellyfin:Http:Listen=" + listen;
    error_code error;
    tcp::resolver resolver(acceptor.get_executor());
    const auto found = resolver.resolve(address->host, std::to_string(address->port),
                                        tcp::resolver::passive | tcp::resolver::numeric_service, error);
    if (error || found.empty()) {
        return core::fail(core::Errc::invalid, setting + ": " + address->host + " is no address of this machine: " +
                                                   error.message() + "; use 0.0.0.0 for all of them");
    }
    const auto endpoint = found.begin()->endpoint();
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error && endpoint.address().is_v6()) {
        error_code ignored;  // `[::]` takes IPv4 too, where the system allows it
        acceptor.set_option(asio::ip::v6_only(false), ignored);
    }
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
    if (error == asio::error::address_in_use) {
        return core::fail(core::Errc::conflict, setting + ": another process listens on port " +
                                                    std::to_string(address->port) +
                                                    "; stop it or choose another port (0 takes a free one)");
    }
    if (error == asio::error::access_denied) {
        return core::fail(core::Errc::unavailable, setting + ": not allowed to listen on port " +
                                                       std::to_string(address->port) + "; choose one above 1023");
    }
    if (error) return core::fail(core::Errc::unavailable, setting + ": cannot listen: " + error.message());
    return {};
}

}  // namespace understudy::http
