#include "http/server/server.h"

#include <pthread.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "http/router.h"
#include "http/server/beast_messages.h"
#include "http/server/body_budget.h"
#include "http/server/deadline.h"
#include "http/server/framing.h"
#include "http/server/linger.h"
#include "http/server/listener.h"
#include "http/server/worker_pool.h"
#include "http/socket/websocket.h"

namespace understudy::http {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
using Parser = bhttp::request_parser<bhttp::string_body>;
using Serializer = bhttp::response_serializer<bhttp::string_body>;

}  // namespace

class Server::Engine {
public:
    Engine(ServerSettings settings_in, RequestHandler& handler_in, HttpCounters& counters_in, core::Clock& clock_in,
           core::Log& log_in)
        : settings(std::move(settings_in)),
          handler(handler_in),
          counters(counters_in),
          clock(clock_in),
          log(log_in),
          pool(settings.handler_threads, settings.queue_bound),
          pictures(settings.picture_threads, settings.queue_bound, "http-picture"),
          bodies(settings.max_bodies_bytes),
          answers(settings.max_answers_bytes),
          io(static_cast<int>(settings.io_threads)),
          acceptor(asio::make_strand(io)) {}

    core::Result<void> start();
    void stop(core::Millis grace);
    void join(Session& session);
    void leave(Session& session);

    ServerSettings settings;
    RequestHandler& handler;
    HttpCounters& counters;
    core::Clock& clock;
    core::Log& log;
    WorkerPool pool, pictures;
    BodyBudget bodies, answers;

private:  // what sessions touch as they go must outlive the io_context, whose end destroys the last of them
    std::mutex mutex_;
    std::condition_variable left_;
    std::set<Session*> sessions_;

public:
    asio::io_context io;
    /// Without it the threads leave with the last connection, and what stop() posts to one just ended is never run.
    asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
    tcp::acceptor acceptor;
    std::uint16_t port = 0;
    std::atomic<bool> stopping{false};

private:
    asio::awaitable<void> accept();
    void refuse(tcp::socket& socket);

    std::vector<std::jthread> threads_;
    bool stopped_ = false;
};

/// One connection. All of it runs on its own strand.
class Session : public std::enable_shared_from_this<Session> {
public:
    /// `vital_only`: taken above the limit, for a probe.
    Session(Server::Engine& engine, tcp::socket socket, bool vital_only)
        : engine_(engine),
          socket_(std::move(socket)),
          deadline_(socket_),
          answered_(socket_.get_executor()),
          vital_only_(vital_only) {
        error_code ignored;
        const auto peer = socket_.remote_endpoint(ignored);
        if (!ignored) peer_ = peer.address().to_string();
        socket_.set_option(tcp::no_delay(true), ignored);
        engine_.join(*this);
    }
    ~Session() { engine_.leave(*this); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void start() {
        asio::co_spawn(socket_.get_executor(), run(shared_from_this()), [](const std::exception_ptr&) {});
    }
    /// From any thread: end now if idle, after the answer under way otherwise.
    void drain() {
        asio::post(socket_.get_executor(), [self = shared_from_this()] {
            if (self->websocket_) self->websocket_->close(SocketClose::going_away, "This pod stops; connect again.");
            if (self->idle_) self->close();
        });
    }
    /// From any thread: end now.
    void cut() {
        asio::post(socket_.get_executor(), [self = shared_from_this()] {
            self->close();
            self->answered_.cancel();
        });
    }

private:
    enum class Next { go_on, end };

    static asio::awaitable<void> run(std::shared_ptr<Session> self);
    asio::awaitable<bool> await_first_byte();
    asio::awaitable<Next> serve_one();
    asio::awaitable<bool> read_body(Parser& parser);
    [[nodiscard]] std::optional<Response> turn_away(const Request& request);
    asio::awaitable<void> go_on_as_websocket(WebSocket::Upgrade request, std::shared_ptr<SocketPeer> peer);
    asio::awaitable<Response> answer(Request request);
    asio::awaitable<bool> send(Response response, bool head, bool keep_alive, unsigned version);
    asio::awaitable<void> refuse(Response response);
    [[nodiscard]] Response too_much(const char* what);
    asio::awaitable<void> linger();
    [[nodiscard]] Response reason_for(const error_code& error, const Parser& parser);
    /// What has come in and was not parsed.
    [[nodiscard]] std::string_view unread() const {
        const auto bytes = buffer_.cdata();
        return {static_cast<const char*>(bytes.data()), bytes.size()};
    }
    /// The patience for one step, less of it above the limit of connections.
    [[nodiscard]] core::Millis patience(core::Millis usual) const {
        return vital_only_ ? std::min(usual, engine_.settings.vital_within) : usual;
    }

    void close() {
        error_code ignored;
        socket_.close(ignored);
    }

    Server::Engine& engine_;
    tcp::socket socket_;
    beast::flat_buffer buffer_;
    Deadline deadline_;
    asio::steady_timer answered_;           ///< never fires: cancelled when the handler is done
    std::optional<Response> response_;      ///< from the handler
    std::shared_ptr<WebSocket> websocket_;  ///< once the connection has become one
    std::string peer_;
    BodyBudget::Share body_share_{engine_.bodies}, answer_share_{engine_.answers};
    const bool vital_only_;
    bool idle_ = true;
};

asio::awaitable<void> Session::run(std::shared_ptr<Session> self) {
    for (;;) {
        const bool more = co_await self->await_first_byte();
        if (!more) break;
        const auto next = co_await self->serve_one();
        if (next == Next::end) break;
    }
    error_code ignored;
    self->socket_.shutdown(tcp::socket::shutdown_send, ignored);
    self->close();
}

asio::awaitable<bool> Session::await_first_byte() {
    if (buffer_.size() > 0) co_return true;  // pipelined
    idle_ = true;
    if (engine_.stopping) co_return false;
    constexpr std::size_t chunk = 4096;
    deadline_.arm(patience(engine_.settings.idle), shared_from_this());
    const auto space = buffer_.prepare(chunk);
    const auto result = co_await socket_.async_read_some(space, as_result);
    deadline_.disarm();
    idle_ = false;
    if (std::get<0>(result)) co_return false;
    buffer_.commit(std::get<1>(result));
    co_return true;
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
    parser.body_limit(engine_.settings.max_body_bytes);
    if (unread().starts_with("\r\n")) buffer_.consume(2);  // old clients end a body with it (RFC 9112 §2.2)
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
    auto request = to_request(parser.get(), peer_);
    if (!refusal) refusal = turn_away(request);
    if (refusal) {
        co_await refuse(std::move(*refusal));
        co_return Next::end;
    }
    const auto version = parser.get().version();
    const bool complete = co_await read_body(parser);
    if (!complete) co_return Next::end;

    auto message = parser.release();
    request.body = std::move(message.body());
    const bool head = request.method == Method::head;
    bool keep_alive = message.keep_alive() && !vital_only_;
    auto response = co_await answer(std::move(request));
    body_share_.give_back();
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
asio::awaitable<bool> Session::read_body(Parser& parser) {
    if (parser.is_done()) co_return true;
    deadline_.arm(patience(engine_.settings.body_within), shared_from_this());
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
    while (!error && !parser.is_done()) {
        const auto read = co_await bhttp::async_read_some(socket_, buffer_, parser, as_result);
        error = std::get<0>(read);
        if (error || body_share_.grow_to(parser.get().body().size())) continue;
        deadline_.disarm();
        auto refusal = too_much("takes in too many large requests");
        co_await refuse(std::move(refusal));
        co_return false;
    }
    deadline_.disarm();
    if (!error) co_return true;
    const bool gone = !deadline_.expired() && error.category() == boost::system::system_category();
    if (!gone) {
        auto response = reason_for(error, parser);
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

asio::awaitable<Response> Session::answer(Request request) {
    const auto shared = std::make_shared<Request>(std::move(request));
    auto quick = engine_.handler.at_once(*shared);
    if (quick) co_return std::move(*quick);
    response_.reset();
    answered_.expires_at(asio::steady_timer::time_point::max());
    // The job ends on our strand, which is busy until the wait below has begun: the cancel cannot come too early.
    auto job = [self = shared_from_this(), shared] {
        auto response = self->engine_.handler.handle(*shared);
        asio::post(self->socket_.get_executor(), [self, response = std::move(response)]() mutable {
            self->response_ = std::move(response);
            self->answered_.cancel();
        });
    };
    const bool is_picture = shared->route != nullptr && shared->route->where == Where::pictures;
    const bool queued = (is_picture ? engine_.pictures : engine_.pool).submit(std::move(job));
    if (!queued) {
        engine_.counters.overloaded.fetch_add(1, std::memory_order_relaxed);
        auto busy = text_answer(503, "The server has too many requests under way.");
        busy.with("Retry-After", "1");
        engine_.counters.count(busy.status, core::Nanos{0});
        co_return busy;
    }
    const auto woken = co_await answered_.async_wait(as_result);
    static_cast<void>(woken);
    if (response_) co_return std::move(*response_);
    auto cut_off = text_answer(503, "The server is stopping.");
    cut_off.close = true;
    co_return cut_off;
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

void Server::Engine::join(Session& session) {
    const std::lock_guard lock(mutex_);
    sessions_.insert(&session);
    counters.connections.fetch_add(1, std::memory_order_relaxed);
}

void Server::Engine::leave(Session& session) {
    {
        const std::lock_guard lock(mutex_);
        sessions_.erase(&session);
        counters.connections.fetch_sub(1, std::memory_order_relaxed);
    }
    left_.notify_all();
}

core::Result<void> Server::Engine::start() {
    if (auto listening = listen_at(acceptor, settings.listen); !listening) return listening;
    error_code error;
    port = acceptor.local_endpoint(error).port();
    asio::co_spawn(acceptor.get_executor(), accept(), [this](const std::exception_ptr& failed) {
        if (failed) log.error("no more connections are accepted: the accept loop failed; restart this process");
    });
    for (std::size_t i = 0; i < settings.io_threads; ++i) {
        threads_.emplace_back([this] { io.run(); });
        pthread_setname_np(threads_.back().native_handle(), "http-io");
    }
    return {};
}

asio::awaitable<void> Server::Engine::accept() {
    bool starved = false;
    for (;;) {
        const asio::any_io_executor strand = asio::make_strand(io);
        auto result = co_await acceptor.async_accept(strand, as_result);
        const auto error = std::get<0>(result);
        if (stopping || error == asio::error::operation_aborted || error == asio::error::bad_descriptor) co_return;
        if (error == asio::error::no_descriptors || error == boost::system::errc::too_many_files_open_in_system) {
            // The connection stays in the backlog: look again soon, say it once.
            if (!starved) log.error("no file descriptors left for connections; raise the limit (ulimit -n)");
            starved = true;
            constexpr core::Millis pause{100};
            asio::steady_timer wait(acceptor.get_executor(), pause);
            const auto waited = co_await wait.async_wait(as_result);
            static_cast<void>(waited);
            continue;
        }
        if (error) continue;  // the client left before it was taken
        starved = false;
        auto socket = std::move(std::get<1>(result));
        std::size_t open = 0;
        {
            const std::lock_guard lock(mutex_);
            open = sessions_.size();
        }
        if (open >= settings.max_connections + settings.vital_connections) {
            refuse(socket);
            continue;
        }
        const bool vital_only = open >= settings.max_connections;
        std::make_shared<Session>(*this, tcp::socket(std::move(socket)), vital_only)->start();
    }
}

/// Above all limits: a few bytes that always fit into a new socket's buffer, without waiting.
void Server::Engine::refuse(tcp::socket& socket) {
    counters.connections_refused.fetch_add(1, std::memory_order_relaxed);
    const auto text = crowded_bytes();
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.send(asio::buffer(text.data(), text.size()), 0, ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
}

void Server::Engine::stop(core::Millis grace) {
    if (stopped_) return;
    stopped_ = true;
    stopping = true;
    if (!threads_.empty()) {
        asio::post(acceptor.get_executor(), [this] {
            error_code ignored;
            acceptor.close(ignored);
        });
        const auto all = [this](void (Session::*what)()) {
            // A session whose last owner is gone waits for this lock in its destructor; weak_from_this() is then empty.
            std::vector<std::shared_ptr<Session>> living;
            {
                const std::lock_guard lock(mutex_);
                for (auto* session : sessions_) {
                    if (auto owned = session->weak_from_this().lock()) living.push_back(std::move(owned));
                }
            }
            for (const auto& session : living) (session.get()->*what)();
        };
        const auto await_end = [this](core::Millis at_most) {
            std::unique_lock lock(mutex_);
            return left_.wait_for(lock, at_most, [this] { return sessions_.empty(); });
        };
        all(&Session::drain);
        if (!await_end(grace)) {
            all(&Session::cut);
            constexpr core::Millis last{1'000};
            static_cast<void>(await_end(last));
        }
    }
    pool.stop();
    pictures.stop();
    io.stop();
    threads_.clear();  // joins
}

Server::Server(ServerSettings settings, RequestHandler& handler, HttpCounters& counters, core::Clock& clock,
               core::Log& log)
    : engine_(std::make_unique<Engine>(std::move(settings), handler, counters, clock, log)) {}

Server::~Server() {
    if (engine_) engine_->stop(core::Millis{0});
}

core::Result<void> Server::start() {
    return engine_->start();
}
std::uint16_t Server::port() const noexcept {
    return engine_->port;
}
void Server::stop(core::Millis grace) {
    engine_->stop(grace);
}
std::size_t Server::waiting() const {
    return engine_->pool.waiting() + engine_->pictures.waiting();
}

}  // namespace understudy::http
