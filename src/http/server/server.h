// http/server/server.h: listens, speaks HTTP/1.1, hands requests to a RequestHandler. Built and stopped by app. No
// Beast here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/log.h"
#include "core/result.h"
#include "core/time.h"
#include "http/counters.h"
#include "http/request_handler.h"

namespace understudy::http {

struct ServerSettings {
    std::string listen = "0.0.0.0:8096";       ///< `Jellyfin:Http:Listen`: ADDR:PORT, `[::]:8096`, `localhost:0`
    std::string server_header = "Understudy";  ///< name/version
    std::size_t io_threads = 2;
    std::size_t handler_threads = 4;
    std::size_t picture_threads = 4;
    std::size_t queue_bound = 256;       ///< requests that wait for a thread of one sort; more are answered 503
    std::size_t max_connections = 2048;  ///< event sockets too, which are at most half of them
    /// More than that: each for one request, and only for what RequestHandler::is_vital; all else is 503. Yet more are
    /// 503 unread.
    std::size_t vital_connections = 32;
    std::size_t max_header_bytes = std::size_t{16} * 1024;
    std::size_t max_headers = 100;
    std::size_t max_body_bytes = std::size_t{4} * 1024 * 1024;
    /// Of what RequestHandler::takes_large_body: a photo of 24 MB as base64, a little more than the reference takes.
    std::size_t max_large_body_bytes = std::size_t{32} * 1024 * 1024;
    /// Of all requests, of those with a large body and of all answers together (http/server/body_budget.h). A few slow
    /// senders of large ones keep nobody from what is not large.
    std::size_t max_bodies_bytes = std::size_t{128} * 1024 * 1024,
                max_large_bodies_bytes = std::size_t{96} * 1024 * 1024,
                max_answers_bytes = std::size_t{256} * 1024 * 1024;
    core::Millis idle{60'000};           ///< between two requests of one connection
    core::Millis header_within{10'000};  ///< from the first byte of a request to the end of its header
    core::Millis body_within{30'000};    ///< as long again for each further `max_body_bytes` of a large body
    core::Millis write_within{30'000};   ///< until the client has taken the whole answer
    core::Millis linger_within{5'000};   ///< what a refused client still sends is read so long, that it sees why
    core::Millis vital_within{2'000};    ///< as `idle`, of connections above the limit
};

class Session;

/// start and stop are called once each, by one thread. `handler`, `counters`, `clock` and `log` outlive it.
class Server {
public:
    Server(ServerSettings settings, RequestHandler& handler, HttpCounters& counters, core::Clock& clock,
           core::Log& log);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds and listens before it returns. Errors: invalid (no such address), conflict (the port is taken),
    /// unavailable.
    [[nodiscard]] core::Result<void> start();
    /// The bound port, also where 0 was asked for.
    [[nodiscard]] std::uint16_t port() const noexcept;
    /// Accepts nothing more, closes idle connections, lets requests under way be answered for at most `grace`, then
    /// cuts. Blocks; a handler that still runs then is waited for. Repeating it does nothing.
    void stop(core::Millis grace);
    /// Requests that wait for a handler thread: for metrics.
    [[nodiscard]] std::size_t waiting() const;

private:
    friend class Session;  // one connection
    class Engine;
    std::unique_ptr<Engine> engine_;
};

}  // namespace understudy::http
