#include "http/server/server.h"

#include <pthread.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "http/server/engine.h"
#include "http/server/framing.h"
#include "http/server/listener.h"
#include "http/server/session.h"

namespace understudy::http {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

}  // namespace

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
