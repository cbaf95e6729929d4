#include "http/server/session.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "http/router.h"
#include "http/server/beast_messages.h"
#include "http/server/framing.h"
#include "http/server/linger.h"

namespace understudy::http {
namespace asio = boost::asio;
namespace bhttp = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
using Serializer = bhttp::response_serializer<bhttp::string_body>;
Response busy() {
    auto response = text_answer(503, "The server has too many requests under way.");
    response.with("Retry-After", "1");
    return response;
}

Response stopping() {
    auto response = text_answer(503, "The server is stopping.");
    response.close = true;
    return response;
}

/// As much as is read at once (Beast's own measure). What is not parsed can be no more: a line between chunks that has
/// no end, or trailers.
constexpr std::size_t read_ahead = std::size_t{64} * 1024;

}  // namespace

Session::Session(Server::Engine& engine, tcp::socket socket, bool vital_only)
    : engine_(engine),
      socket_(std::move(socket)),
      buffer_(engine.settings.max_header_bytes + read_ahead),
      deadline_(socket_),
      answered_(socket_.get_executor()),
      vital_only_(vital_only) {
    error_code ignored;
    const auto peer = socket_.remote_endpoint(ignored);
    if (!ignored) peer_ = peer.address().to_string();
    socket_.set_option(tcp::no_delay(true), ignored);
}

Session::~Session() {
    engine_.leave(*this);
}

void Session::start() {
    engine_.join(*this);  // not before it has an owner, whom stop() asks for
    asio::co_spawn(socket_.get_executor(), run(shared_from_this()), [](const std::exception_ptr&) {});
}

void Session::drain() {
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
        if (self->websocket_) self->websocket_->close(SocketClose::going_away, "This pod stops; connect again.");
        if (self->idle_) self->close();
    });
}

void Session::cut() {
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
        self->close();
        self->answered_.cancel();
    });
}

std::string_view Session::unread() const {
    const auto bytes = buffer_.cdata();
    return {static_cast<const char*>(bytes.data()), bytes.size()};
}

core::Millis Session::patience(core::Millis usual) const {
    return vital_only_ ? std::min(usual, engine_.settings.vital_within) : usual;
}

std::size_t Session::most_of_body(bool large) const {
    return large ? engine_.settings.max_large_body_bytes : engine_.settings.max_body_bytes;
}

void Session::close() {
    error_code ignored;
    socket_.close(ignored);
}

asio::awaitable<void> Session::run(std::shared_ptr<Session> self) {
    for (;;) {
        const bool more = co_await self->await_request();
        if (!more) break;
        const auto next = co_await self->serve_one();
        if (next == Next::end) break;
    }
    error_code ignored;
    self->socket_.shutdown(tcp::socket::shutdown_send, ignored);
    self->close();
}

/// False: none will come. One empty line before it is skipped: old clients end a body with it (RFC 9112 §2.2).
asio::awaitable<bool> Session::await_request() {
    constexpr std::string_view empty_line = "\r\n";
    constexpr std::size_t chunk = 4096;
    bool may_skip = true;
    for (;;) {
        const auto begun = unread().substr(0, empty_line.size());  // perhaps pipelined
        if (may_skip && begun == empty_line) {
            buffer_.consume(empty_line.size());
            may_skip = false;
            continue;
        }
        if (!begun.empty() && !(may_skip && empty_line.starts_with(begun))) co_return true;
        idle_ = true;
        if (engine_.stopping) co_return false;
        deadline_.arm(patience(engine_.settings.idle), shared_from_this());
        const auto space = buffer_.prepare(chunk);
        const auto result = co_await socket_.async_read_some(space, as_result);
        deadline_.disarm();
        idle_ = false;
        if (std::get<0>(result)) co_return false;
        buffer_.commit(std::get<1>(result));
    }
}

Response Session::reason_for(const error_code& error, const Parser& parser) {
    if (deadline_.expired()) {
        engine_.counters.timed_out.fetch_add(1, std::memory_order_relaxed);
        return text_answer(408, "The request did not arrive in time.");
    }
    engine_.counters.malformed.fetch_add(1, std::memory_order_relaxed);
    const bool line_read = !parser.get().target().empty() || unread().find('\n') != std::string_view::npos;
    return unreadable(error, line_read, engine_.settings);
}

Response Session::too_long(std::size_t most) {
    engine_.counters.malformed.fetch_add(1, std::memory_order_relaxed);
    return text_answer(413, "The request's body is larger than " + std::to_string(most) + " bytes.");
}

Response Session::too_long_between_chunks() {
    engine_.counters.malformed.fetch_add(1, std::memory_order_relaxed);
    return text_answer(400, "A line between chunks of the body, or what follows the last one, is too long.");
}

/// Of those above the limit: all but what must be answered whatever happens.
std::optional<Response> Session::turn_away(const Request& request) {
    if (!vital_only_ || engine_.handler.is_vital(request)) return std::nullopt;
    engine_.counters.connections_refused.fetch_add(1, std::memory_order_relaxed);
    return crowded();
}

Response Session::too_much(const char* what) {
    engine_.counters.overloaded.fetch_add(1, std::memory_order_relaxed);
    auto refusal = text_answer(503, std::string("The server ") + what + "; try again.");
    refusal.with("Retry-After", "5");
    return refusal;
}

asio::awaitable<Session::Next> Session::serve_one() {
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(engine_.settings.max_header_bytes));
    parser.body_limit(boost::none);  // until it is known whose body it is
    deadline_.arm(patience(engine_.settings.header_within), shared_from_this());
    const auto header_read = co_await bhttp::async_read_header(socket_, buffer_, parser, as_result);
    deadline_.disarm();
    if (const auto error = std::get<0>(header_read)) {
        const bool gone = !deadline_.expired() && (error == bhttp::error::end_of_stream || error == asio::error::eof ||
                                                   error.category() == boost::system::system_category());
        if (!gone) {
            auto response = reason_for(error, parser);
            co_await refuse(std::move(response));
        }
        co_return Next::end;
    }
    auto refusal = refuse_header(parser.get().base(), engine_.settings);
    if (refusal) engine_.counters.malformed.fetch_add(1, std::memory_order_relaxed);
    // Before the body: the parser adds trailers to the header, where a client could slip in what a proxy had checked.
    const auto request = std::make_shared<Request>(to_request(parser.get(), peer_));
    if (!refusal) refusal = turn_away(*request);
    const bool large = !refusal && !parser.is_done() && engine_.handler.takes_large_body(*request);
    if (!refusal && parser.content_length().value_or(0) > most_of_body(large)) refusal = too_long(most_of_body(large));
    if (large && !refusal) refusal = co_await refuse_sender(request);
    if (refusal) {
        co_await refuse(std::move(*refusal));
        co_return Next::end;
    }
    const auto version = parser.get().version();
    const bool complete = co_await read_body(parser, large);
    if (!complete) co_return Next::end;

    auto message = parser.release();
    request->body = std::move(message.body());
    const bool head = request->method == Method::head;
    bool keep_alive = message.keep_alive() && !vital_only_;
    auto response = co_await answer(request);
    body_share_.give_back();
    large_share_.give_back();
    if (!socket_.is_open()) co_return Next::end;
    if (response.socket) {
        co_await go_on_as_websocket(std::move(message), std::move(response.socket));
        co_return Next::end;
    }
    keep_alive = keep_alive && !response.close && !engine_.stopping;
    if (!answer_share_.grow_to(response.body.size())) response = too_much("sends too many large answers");
    const bool sent = co_await send(std::move(response), head, keep_alive, version);
    answer_share_.give_back();
    if (sent && keep_alive) co_return Next::go_on;
    if (sent && buffer_.size() > 0) co_await linger();
    co_return Next::end;
}

/// True: the whole body is there. False: the connection is done, an answer with the reason sent.
asio::awaitable<bool> Session::read_body(Parser& parser, bool large) {
    if (parser.is_done()) co_return true;
    const auto most = most_of_body(large);
    auto& share = large ? large_share_ : body_share_;
    parser.body_limit(most);
    const auto shares = static_cast<std::int64_t>(std::max<std::size_t>(1, most / engine_.settings.max_body_bytes));
    deadline_.arm(patience(engine_.settings.body_within * shares), shared_from_this());
    if (awaits_continue(parser.get().base())) {
        static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        const auto text = asio::buffer(go_on.data(), go_on.size());
        const auto sent = co_await asio::async_write(socket_, text, as_result);
        if (std::get<0>(sent)) {
            deadline_.disarm();
            co_return false;
        }
    }
    error_code error;
    while (!error && !parser.is_done() && !deadline_.expired()) {
        const auto read = co_await bhttp::async_read_some(socket_, buffer_, parser, as_result);
        error = std::get<0>(read);
        if (error || share.grow_to(parser.get().body().size())) continue;
        deadline_.disarm();
        auto refusal = too_much("takes in too many large requests");
        co_await refuse(std::move(refusal));
        co_return false;
    }
    deadline_.disarm();
    if (!error && parser.is_done()) co_return true;
    const bool gone = !deadline_.expired() && error.category() == boost::system::system_category();
    if (!gone) {
        auto response = error == bhttp::error::body_limit        ? too_long(most)
                        : error == bhttp::error::buffer_overflow ? too_long_between_chunks()
                                                                 : reason_for(error, parser);
        co_await refuse(std::move(response));
    }
    co_return false;
}

asio::awaitable<void> Session::go_on_as_websocket(WebSocket::Upgrade request, std::shared_ptr<SocketPeer> peer) {
    if (engine_.stopping) co_return;
    if (buffer_.size() > 0) {
        auto refusal = text_answer(400, "Frames came before the upgrade was answered.");
        co_await refuse(std::move(refusal));
        co_return;
    }
    websocket_ = WebSocket::make(socket_, shared_from_this(), std::move(peer));
    co_await websocket_->run(std::move(request), engine_.settings.server_header);
    websocket_.reset();
}

/// `work` on `pool`. What it answered is in `response_`, once it has.
asio::awaitable<Session::Worked> Session::on_pool(WorkerPool& pool, std::function<std::optional<Response>()> work) {
    response_.reset();
    worked_ = false;
    answered_.expires_at(asio::steady_timer::time_point::max());
    // The job ends on our strand, which is busy until the wait below has begun: the cancel cannot come too early.
    auto job = [self = shared_from_this(), work = std::move(work)] {
        auto response = work();
        asio::post(self->socket_.get_executor(), [self, response = std::move(response)]() mutable {
            self->response_ = std::move(response);
            self->worked_ = true;
            self->answered_.cancel();
        });
    };
    const bool queued = pool.submit(std::move(job));
    if (!queued) {
        engine_.counters.overloaded.fetch_add(1, std::memory_order_relaxed);
        co_return Worked::no_place;
    }
    const auto woken = co_await answered_.async_wait(as_result);
    static_cast<void>(woken);
    co_return worked_ ? Worked::yes : Worked::cut_off;
}

/// Before a body comes that may take much memory for long: strangers shall not hold it.
asio::awaitable<std::optional<Response>> Session::refuse_sender(std::shared_ptr<Request> request) {
    std::function<std::optional<Response>()> work = [this, request] { return engine_.handler.admit(*request); };
    const auto worked = co_await on_pool(engine_.pool, std::move(work));
    if (worked == Worked::no_place) co_return busy();
    if (worked == Worked::cut_off) co_return stopping();
    co_return std::move(response_);
}

asio::awaitable<Response> Session::answer(std::shared_ptr<Request> request) {
    auto quick = engine_.handler.at_once(*request);
    if (quick) co_return std::move(*quick);
    const bool is_picture = request->route != nullptr && request->route->where == Where::pictures;
    std::function<std::optional<Response>()> work = [this, request] { return engine_.handler.handle(*request); };
    const auto worked = co_await on_pool(is_picture ? engine_.pictures : engine_.pool, std::move(work));
    if (worked == Worked::cut_off) co_return stopping();
    if (worked == Worked::yes) co_return std::move(*response_);
    auto refusal = busy();
    engine_.counters.count(refusal.status, core::Nanos{0});
    co_return refusal;
}

asio::awaitable<bool> Session::send(Response response, bool head, bool keep_alive, unsigned version) {
    const auto message =
        to_message(std::move(response), version, engine_.settings.server_header, engine_.clock.utc_now(), keep_alive);
    Serializer serializer(message);
    deadline_.arm(patience(engine_.settings.write_within), shared_from_this());
    if (head) {
        const auto result = co_await bhttp::async_write_header(socket_, serializer, as_result);
        deadline_.disarm();
        co_return !std::get<0>(result);
    }
    const auto result = co_await bhttp::async_write(socket_, serializer, as_result);
    deadline_.disarm();
    if (std::get<0>(result) && deadline_.expired()) engine_.counters.timed_out.fetch_add(1, std::memory_order_relaxed);
    co_return !std::get<0>(result);
}

asio::awaitable<void> Session::refuse(Response response) {
    engine_.counters.count(response.status, core::Nanos{0});
    constexpr unsigned http_1_1 = 11;
    const bool sent = co_await send(std::move(response), false, false, http_1_1);
    if (sent) co_await linger();
}

asio::awaitable<void> Session::linger() {
    idle_ = true;  // a stop need not wait for it
    if (engine_.stopping) co_return;
    deadline_.arm(patience(engine_.settings.linger_within), shared_from_this());
    co_await drop_the_rest(socket_);
    deadline_.disarm();
}

}  // namespace understudy::http
