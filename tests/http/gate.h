// tests/http/gate.h: a real server over a handler that can be made to wait. Used by the tests of how the server speaks
// HTTP.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "core/log.h"
#include "core/time.h"
#include "http/server/server.h"

namespace understudy::testing {

/// Echoes on the pool; `/wait` blocks there until release(), `/headers` answers the names of those that came, and
/// `/large` 32 MiB, more than the buffers of both ends hold.
class GateHandler final : public http::RequestHandler {
public:
    std::optional<http::Response> at_once(http::Request& request) noexcept override {
        if (request.target == "/quick" || is_vital(request)) return http::text_answer(200, "quick");
        return std::nullopt;
    }
    http::Response handle(http::Request& request) noexcept override {
        if (request.target == "/wait") {
            std::unique_lock lock(mutex_);
            ++inside_;
            changed_.notify_all();
            changed_.wait(lock, [this] { return open_; });
        }
        if (request.target == "/large") return http::text_answer(200, std::string(std::size_t{32} << 20, 'x'));
        if (request.target == "/headers") {
            std::string names;
            for (const auto& header : request.headers) names += header.name + ' ';
            return http::text_answer(200, names);
        }
        return http::text_answer(200, request.body.empty() ? request.target : request.body);
    }
    bool is_vital(const http::Request& request) const noexcept override { return request.target == "/health"; }
    bool takes_large_body(const http::Request& request) const noexcept override { return request.target == "/photo"; }
    std::optional<http::Response> admit(http::Request& request) noexcept override {
        if (request.has_header("X-Stranger")) return http::text_answer(401, "Who are you?");
        return std::nullopt;
    }
    void await_inside(int count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return inside_ >= count; });
    }
    void release() {
        {
            const std::lock_guard lock(mutex_);
            open_ = true;
        }
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int inside_ = 0;
    bool open_ = false;
};

struct Gate {
    explicit Gate(http::ServerSettings settings = {}) {
        settings.listen = "127.0.0.1:0";
        server = std::make_unique<http::Server>(std::move(settings), handler, counters, clock, log);
        if (const auto started = server->start(); !started) throw std::runtime_error(started.error().context);
    }
    ~Gate() {
        handler.release();
        server->stop(core::Millis{0});
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    GateHandler handler;
    http::HttpCounters counters;
    core::SystemClock clock;
    core::NullLog log;
    std::unique_ptr<http::Server> server;
};

}  // namespace understudy::testing
