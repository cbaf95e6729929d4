#include "http/socket/websocket.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <utility>

namespace understudy::http {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds handshake_within{10}, good_bye_within{2};
constexpr std::size_t kept_buffer = 4096;  // of what a large message needed

class BeastWebSocket final : public WebSocket, public std::enable_shared_from_this<BeastWebSocket> {
public:
    BeastWebSocket(tcp::socket& socket, std::shared_ptr<void> owner, std::shared_ptr<SocketPeer> peer,
                   WebSocketLimits limits)
        : owner_(std::move(owner)),
          socket_(socket),
          stream_(socket),
          peer_(std::move(peer)),
          limits_(limits),
          patience_(socket.get_executor()) {}

    asio::awaitable<void> run(Upgrade request, std::string server) override;
    void send(std::shared_ptr<const std::string> text) override {
        asio::post(socket_.get_executor(),
                   [self = shared_from_this(), text = std::move(text)]() mutable { self->enqueue(std::move(text)); });
    }
    void close(SocketClose code, std::string reason) override {
        asio::post(socket_.get_executor(), [self = shared_from_this(), code, reason = std::move(reason)]() mutable {
            self->begin_close(code, std::move(reason));
        });
    }
    void cut() override {
        error_code ignored;
        socket_.close(ignored);
        queue_.clear();
        gone_ = true;
    }

private:
    void enqueue(std::shared_ptr<const std::string> text);
    void begin_close(SocketClose code, std::string reason);
    void write_on();
    static asio::awaitable<void> write_all(std::shared_ptr<BeastWebSocket> self);
    asio::awaitable<void> read_all();

    std::shared_ptr<void> owner_;  // first: the socket must outlive the stream
    tcp::socket& socket_;
    websocket::stream<tcp::socket&, false> stream_;  // no compression: each socket would keep a window of it
    std::shared_ptr<SocketPeer> peer_;
    const WebSocketLimits limits_;
    asio::steady_timer patience_;  // with a good-bye
    beast::flat_buffer buffer_;
    std::deque<std::shared_ptr<const std::string>> queue_;
    std::size_t queued_bytes_ = 0;
    websocket::close_reason farewell_;
    bool writing_ = false, closing_ = false, gone_ = false;
};

asio::awaitable<void> BeastWebSocket::run(Upgrade request, std::string server) {
    const auto self = shared_from_this();
    websocket::stream_base::timeout timeout;
    timeout.handshake_timeout = handshake_within;
    timeout.idle_timeout = websocket::stream_base::none();  // the hub watches for silence
    timeout.keep_alive_pings = false;
    stream_.set_option(timeout);
    auto decorate = [server = std::move(server)](websocket::response_type& answer) {
        answer.set(beast::http::field::server, server);
    };
    stream_.set_option(websocket::stream_base::decorator(std::move(decorate)));
    stream_.read_message_max(limits_.message_bytes);
    const auto accepted = co_await stream_.async_accept(request, as_result);
    if (!std::get<0>(accepted)) {
        stream_.text(true);
        stream_.control_callback([this](websocket::frame_type kind, beast::string_view) {
            if (kind != websocket::frame_type::close) peer_->alive();
        });
        peer_->opened(self);
        co_await read_all();
    }
    peer_.reset();
    cut();
    patience_.cancel();
}

asio::awaitable<void> BeastWebSocket::read_all() {
    for (;;) {
        const auto read = co_await stream_.async_read(buffer_, as_result);
        if (std::get<0>(read)) co_return;
        if (!stream_.got_text()) {
            begin_close(SocketClose::unsupported, "Only text is understood here.");
        } else if (!closing_) {
            const auto data = buffer_.cdata();
            peer_->received({static_cast<const char*>(data.data()), data.size()});
        }
        buffer_.clear();
        if (buffer_.capacity() > kept_buffer) buffer_.shrink_to_fit();
    }
}

void BeastWebSocket::enqueue(std::shared_ptr<const std::string> text) {
    if (closing_ || gone_) return;
    queued_bytes_ += text->size();
    queue_.push_back(std::move(text));
    if (queue_.size() > limits_.queued_messages || queued_bytes_ > limits_.queued_bytes) {
        cut();  // it reads too slowly: what it missed it learns when it connects again
        return;
    }
    write_on();
}

void BeastWebSocket::begin_close(SocketClose code, std::string reason) {
    if (closing_ || gone_) return;
    closing_ = true;
    constexpr std::size_t longest_reason = 123;  // of a control frame
    reason.resize(std::min(reason.size(), longest_reason));
    farewell_ = websocket::close_reason(static_cast<websocket::close_code>(code), reason);
    patience_.expires_after(good_bye_within);
    patience_.async_wait([self = shared_from_this()](error_code error) {
        if (!error) self->cut();
    });
    write_on();
}

void BeastWebSocket::write_on() {
    if (std::exchange(writing_, true)) return;
    asio::co_spawn(socket_.get_executor(), write_all(shared_from_this()), asio::detached);
}

asio::awaitable<void> BeastWebSocket::write_all(std::shared_ptr<BeastWebSocket> self) {
    while (!self->gone_ && !self->queue_.empty()) {
        const auto text = std::move(self->queue_.front());
        self->queue_.pop_front();
        const auto bytes = asio::buffer(text->data(), text->size());
        const auto written = co_await self->stream_.async_write(bytes, as_result);
        self->queued_bytes_ -= text->size();
        if (std::get<0>(written)) self->cut();
    }
    if (self->closing_ && !self->gone_) {
        const auto closed = co_await self->stream_.async_close(self->farewell_, as_result);
        static_cast<void>(closed);
        self->cut();
    }
    self->writing_ = false;
}

}  // namespace

std::shared_ptr<WebSocket> WebSocket::make(tcp::socket& socket, std::shared_ptr<void> owner,
                                           std::shared_ptr<SocketPeer> peer, WebSocketLimits limits) {
    return std::make_shared<BeastWebSocket>(socket, std::move(owner), std::move(peer), limits);
}

}  // namespace understudy::http
