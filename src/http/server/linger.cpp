#include "http/server/linger.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <vector>

namespace understudy::http {
namespace asio = boost::asio;
using asio::ip::tcp;

asio::awaitable<void> drop_the_rest(tcp::socket& socket) {
    constexpr std::size_t chunk = 4'096, most = std::size_t{64} << 20;  // each that lingers has a chunk of its own
    boost::system::error_code ignored;
    socket.shutdown(tcp::socket::shutdown_send, ignored);
    std::vector<char> dropped(chunk);
    for (std::size_t seen = 0; seen < most;) {
        const auto space = asio::buffer(dropped);
        const auto result = co_await socket.async_read_some(space, asio::as_tuple(asio::use_awaitable));
        if (std::get<0>(result)) break;
        seen += std::get<1>(result);
    }
}

}  // namespace understudy::http
