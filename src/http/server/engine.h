// http/server/engine.h: what the connections of one server share. Of server.cpp and session.cpp.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "http/server/body_budget.h"
#include "http/server/server.h"
#include "http/server/worker_pool.h"

namespace understudy::http {

class Session;

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
          large_bodies(settings.max_large_bodies_bytes),
          answers(settings.max_answers_bytes),
          io(static_cast<int>(settings.io_threads)),
          acceptor(boost::asio::make_strand(io)) {}

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
    BodyBudget bodies, large_bodies, answers;

private:  // what sessions touch as they go must outlive the io_context, whose end destroys the last of them
    std::mutex mutex_;
    std::condition_variable left_;
    std::set<Session*> sessions_;

public:
    boost::asio::io_context io;
    /// Without it the threads leave with the last connection, and what stop() posts to one just ended is never run.
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{io.get_executor()};
    boost::asio::ip::tcp::acceptor acceptor;
    std::uint16_t port = 0;
    std::atomic<bool> stopping{false};

private:
    boost::asio::awaitable<void> accept();
    void refuse(boost::asio::ip::tcp::socket& socket);

    std::vector<std::jthread> threads_;
    bool stopped_ = false;
};

}  // namespace understudy::http
