// redis/stream.h: bytes to and from one server, in the clear or by TLS. Private to redis/ (it shows Asio).
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <functional>
#include <memory>
#include <string>

#include "redis/connection_string.h"
#include "redis/error_class.h"

namespace understudy::redis {

class Stream {
public:
    using OnStep = std::function<void(boost::system::error_code)>;
    using OnBytes = std::function<void(boost::system::error_code, std::size_t)>;

    explicit Stream(boost::asio::io_context& context) : socket_(context) {}

    [[nodiscard]] boost::asio::ip::tcp::socket& socket() noexcept { return socket_; }
    /// After the connect: no delay, keepalive (10 s idle, then 3 probes 5 s apart), and unacknowledged bytes or probes
    /// for longer than `patience` end the connection: a peer that vanished without a word is noticed.
    void set_options(core::Millis patience) noexcept;
    /// Errors: misconfigured (a certificate or key file that cannot be used).
    [[nodiscard]] Outcome<void> use_tls(const ConnectionSettings& settings, const std::string& server_name);
    [[nodiscard]] bool is_tls() const noexcept { return tls_ != nullptr; }
    void async_handshake(OnStep done);
    void async_read_some(boost::asio::mutable_buffer into, OnBytes done);
    void async_write(boost::asio::const_buffer bytes, OnBytes done);
    /// No goodbye; handlers under way end with operation_aborted.
    void close() noexcept;
    /// What `error` of this stream means. `while_doing` starts the sentence.
    [[nodiscard]] Failure failure(const boost::system::error_code& error, const std::string& while_doing) const;

private:
    boost::asio::ip::tcp::socket socket_;
    std::unique_ptr<boost::asio::ssl::context> tls_context_;
    std::unique_ptr<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> tls_;
};

}  // namespace understudy::redis
