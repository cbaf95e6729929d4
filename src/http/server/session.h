// http/server/session.h: one connection, from its first byte to its last. Of server.cpp.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/server/deadline.h"
#include "http/server/engine.h"
#include "http/socket/websocket.h"

namespace understudy::http {

/// All of it runs on its own strand.
class Session : public std::enable_shared_from_this<Session> {
public:
    /// `vital_only`: taken above the limit, for a probe.
    Session(Server::Engine& engine, boost::asio::ip::tcp::socket socket, bool vital_only);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Once, right after it was made.
    void start();
    /// From any thread: end now if idle, after the answer under way otherwise.
    void drain();
    /// From any thread: end now.
    void cut();

private:
    enum class Next { go_on, end };
    using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

    static boost::asio::awaitable<void> run(std::shared_ptr<Session> self);
    boost::asio::awaitable<bool> await_request();
    boost::asio::awaitable<Next> serve_one();
    boost::asio::awaitable<bool> read_body(Parser& parser, bool large);
    [[nodiscard]] std::optional<Response> turn_away(const Request& request);
    boost::asio::awaitable<void> go_on_as_websocket(WebSocket::Upgrade request, std::shared_ptr<SocketPeer> peer);
    enum class Worked { yes, no_place, cut_off };
    boost::asio::awaitable<Worked> on_pool(WorkerPool& pool, std::function<std::optional<Response>()> work);
    boost::asio::awaitable<std::optional<Response>> refuse_sender(std::shared_ptr<Request> request);
    boost::asio::awaitable<Response> answer(std::shared_ptr<Request> request);
    boost::asio::awaitable<bool> send(Response response, bool head, bool keep_alive, unsigned version);
    boost::asio::awaitable<void> refuse(Response response);
    [[nodiscard]] Response too_much(const char* what);
    [[nodiscard]] Response too_long(std::size_t most);
    [[nodiscard]] Response too_long_between_chunks();
    boost::asio::awaitable<void> linger();
    [[nodiscard]] Response reason_for(const boost::system::error_code& error, const Parser& parser);
    /// What has come in and was not parsed.
    [[nodiscard]] std::string_view unread() const;
    [[nodiscard]] std::size_t most_of_body(bool large) const;
    /// The patience for one step, less of it above the limit of connections.
    [[nodiscard]] core::Millis patience(core::Millis usual) const;
    void close();

    Server::Engine& engine_;
    boost::asio::ip::tcp::socket socket_;
    boost::beast::flat_buffer buffer_;
    Deadline deadline_;
    boost::asio::steady_timer answered_;    ///< never fires: cancelled when the handler is done
    std::optional<Response> response_;      ///< from the handler
    bool worked_ = false;                   ///< it has come
    std::shared_ptr<WebSocket> websocket_;  ///< once the connection has become one
    std::string peer_;
    BodyBudget::Share body_share_{engine_.bodies}, large_share_{engine_.large_bodies}, answer_share_{engine_.answers};
    const bool vital_only_;
    bool idle_ = true;
};

}  // namespace understudy::http
