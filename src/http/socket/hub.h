// http/socket/hub.h: the event socket of this pod: who is connected, and what each is told when any pod raised an
// event. No Beast here. Built by app, which hands it the events; the handler of /socket lets clients in.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cluster/events.h"
#include "core/log.h"
#include "core/random.h"
#include "core/time.h"
#include "http/socket/connections.h"
#include "http/socket/feeds.h"

namespace understudy::http {

class JsonBody;

struct SocketLimits {
    std::size_t sockets = 1024;           ///< on this pod; half of what the server takes as connections
    std::size_t of_one_user = 64;         ///< keys excepted: they are administrators' programs
    std::size_t waiting_events = 10'000;  ///< more: the oldest go, and whoever subscribed is told afresh
};

/// Safe from any thread. Events are worked through in their order by one thread, the hub's: a database that is away
/// holds them up until it answers, and never an I/O thread.
class SocketHub {
public:
    /// References outlive it. `random` must be safe from any thread.
    SocketHub(SocketLimits limits, SocketFeeds& feeds, core::Clock& clock, core::Random& random, core::Log& log);
    ~SocketHub();
    SocketHub(const SocketHub&) = delete;
    SocketHub& operator=(const SocketHub&) = delete;

    /// From here on a thread calls step() whenever something is to be done, and another check_silence().
    void start();
    /// Says to all that this pod leaves, and closes them. Nobody is let in any more. Joins. Repeating it does nothing.
    void stop();
    /// What stop() will say instead of ServerShuttingDown.
    void will_restart();

    /// A place for somebody whose connection is about to be upgraded; given back when the peer is destroyed. Errors:
    /// unavailable (too many sockets, or stopping).
    [[nodiscard]] core::Result<std::shared_ptr<SocketPeer>> let_in(SocketCaller caller);
    /// From the event log's thread; only queues.
    void on_event(const cluster::Event& event);
    /// Asks those who are silent for a sign, drops those who gave none. Called each silence_checked_every.
    void check_silence();
    [[nodiscard]] std::size_t open() const;

    /// One round: presence, events in order, tokens in doubt, what is due to subscribers. Blocks on the feeds; one
    /// thread at a time. Until when nothing more is to do without news; nullopt: for ever.
    [[nodiscard]] std::optional<core::Nanos> step();

private:
    class Seat;
    using Number = Connections::Number;
    using Wires = Connections::Wires;
    enum class Done { yes, later };  // later: the database is away

    void opened(Number number, std::shared_ptr<SocketWire> wire);
    void received(Number number, std::string_view text);
    void alive(Number number);
    void leave(Number number) noexcept;
    void subscribe(Number number, Feed feed, std::string_view pace);
    void wake();
    void run(const std::stop_token& stop);
    void watch_for_silence(const std::stop_token& stop);

    [[nodiscard]] Done note_presence();
    [[nodiscard]] Done work_through_events();
    [[nodiscard]] Done look_up_tokens();
    [[nodiscard]] Done tell_subscribers();
    /// Notes that they are told now.
    [[nodiscard]] Wires note_sent(const std::vector<Number>& due, Feed feed, core::Instant now);
    [[nodiscard]] Done tell_tasks(const std::vector<Number>& due, core::Instant now);
    [[nodiscard]] Done tell_sessions(const std::vector<Number>& due, core::Instant now);

    // hub_events.cpp
    [[nodiscard]] Done handle(const cluster::Event& event);
    [[nodiscard]] Done on_run(const cluster::Event& event, const JsonBody& body);
    [[nodiscard]] Done on_library(const JsonBody& body);
    [[nodiscard]] Done on_user_data(const JsonBody& body);
    [[nodiscard]] Done on_user(const JsonBody& body, bool removed);
    void on_tokens(const JsonBody& body);
    void on_session_message(const JsonBody& body);

    [[nodiscard]] bool failed(const core::Error& error, std::string_view what) const;
    template <class Wanted>
    [[nodiscard]] Wires wires(Wanted wanted) const {
        const std::lock_guard lock(mutex_);
        return connections_.wires(wanted);
    }
    void tell(const Wires& to, std::string_view type, std::string_view data);
    void changed(Feed feed, bool at_once);
    /// Events may have been missed: tokens are looked up again, subscribers told afresh.
    void doubt_everything();
    /// Their tokens are looked up again.
    template <class Wanted>
    void doubt(Wanted wanted) {
        const std::lock_guard lock(mutex_);
        for (auto& [number, connection] : connections_.all()) {
            if (wanted(connection.caller.who)) doubtful_.insert(number);
        }
    }

    const SocketLimits limits_;
    SocketFeeds& feeds_;
    core::Clock& clock_;
    core::Random& random_;
    core::Log& log_;

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool news_ = false, stopping_ = false, restarting_ = false, missed_ = false;
    Connections connections_;
    std::deque<cluster::Event> events_;
    std::set<Number> doubtful_;                  // whose token is to be looked up again
    std::set<store::SessionId> moved_sessions_;  // that got or lost a socket
    std::jthread thread_, silence_;              // last: the others must live while they end
};

}  // namespace understudy::http
