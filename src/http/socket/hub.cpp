#include "http/socket/hub.h"

#include <pthread.h>

#include <algorithm>
#include <map>
#include <utility>

#include "http/json_writer.h"
#include "http/text.h"

namespace understudy::http {
using namespace std::chrono_literals;

namespace {

constexpr core::Nanos try_again{1s};  // the database is away
constexpr core::Nanos for_ever{std::chrono::hours{1}};

}  // namespace

/// One connection's end of the wire.
class SocketHub::Seat final : public SocketPeer {
public:
    Seat(SocketHub& hub, Number number) : hub_(hub), number_(number) {}
    ~Seat() override { hub_.leave(number_); }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    void opened(std::shared_ptr<SocketWire> wire) override { hub_.opened(number_, std::move(wire)); }
    void received(std::string_view text) override { hub_.received(number_, text); }
    void alive() override { hub_.alive(number_); }

private:
    SocketHub& hub_;
    const Number number_;
};

SocketHub::SocketHub(SocketLimits limits, SocketFeeds& feeds, core::Clock& clock, core::Random& random, core::Log& log)
    : limits_(limits), feeds_(feeds), clock_(clock), random_(random), log_(log) {}

SocketHub::~SocketHub() {
    stop();
}

void SocketHub::start() {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    ::pthread_setname_np(thread_.native_handle(), "sockets");
    // A thread of its own: whoever waits for the database cannot watch the clock.
    silence_ = std::jthread([this](const std::stop_token& stop) { watch_for_silence(stop); });
    ::pthread_setname_np(silence_.native_handle(), "socket-silence");
}

void SocketHub::watch_for_silence(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(mutex_);
            if (clock_.wait_for(lock, wake_, silence_checked_every, [this] { return stopping_; })) return;
        }
        check_silence();
    }
}

void SocketHub::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        {
            const std::lock_guard lock(mutex_);
            news_ = false;
        }
        const auto wait = step();
        std::unique_lock lock(mutex_);
        clock_.wait_for(lock, wake_, wait.value_or(for_ever), [this] { return news_ || stopping_; });
    }
}

void SocketHub::stop() {
    bool restarting = false;
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        stopping_ = true;
        restarting = restarting_;
    }
    wake_.notify_all();
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
        silence_.join();
    }
    const auto all = wires([](const Caller&) { return true; });
    tell(all, restarting ? "ServerRestarting" : "ServerShuttingDown", {});
    for (const auto& wire : all) wire->close(SocketClose::going_away, "This pod stops; connect again.");
}

void SocketHub::will_restart() {
    const std::lock_guard lock(mutex_);
    restarting_ = true;
}

core::Result<std::shared_ptr<SocketPeer>> SocketHub::let_in(SocketCaller caller) {
    const std::lock_guard lock(mutex_);
    if (stopping_) return core::fail(core::Errc::unavailable, "The server is stopping.");
    if (connections_.size() >= limits_.sockets) {
        return core::fail(core::Errc::unavailable,
                          "This pod has " + std::to_string(limits_.sockets) + " event sockets open; try again later.");
    }
    if (!caller.who.user.empty() && connections_.of_user(caller.who.user) >= limits_.of_one_user) {
        return core::fail(core::Errc::unavailable, "This user has " + std::to_string(limits_.of_one_user) +
                                                       " event sockets open on this pod; close one.");
    }
    return std::make_shared<Seat>(*this, connections_.add(std::move(caller), clock_.now()));
}

void SocketHub::opened(Number number, std::shared_ptr<SocketWire> wire) {
    Caller who;
    {
        const std::lock_guard lock(mutex_);
        auto* connection = connections_.find(number);
        if (connection == nullptr) return;
        connection->wire = wire;
        connection->heard_at = clock_.now();
        who = connection->caller.who;
        // Whoever was logged out between the look at the token and now would stay.
        doubtful_.insert(number);
        if (!who.session.empty()) moved_sessions_.insert(who.session);
    }
    log_.debug("an event socket was opened", {{"who", who.name}, {"device", printable(who.device_id)}});
    tell({std::move(wire)}, "ForceKeepAlive", std::to_string(lost_after / 1s));
    wake();
}

void SocketHub::leave(Number number) noexcept {
    std::optional<Connection> gone;  // its wire is let go outside the lock
    {
        const std::lock_guard lock(mutex_);
        gone = connections_.remove(number);
        doubtful_.erase(number);
        if (gone && gone->wire && !gone->caller.who.session.empty()) moved_sessions_.insert(gone->caller.who.session);
    }
    if (gone && gone->wire) log_.debug("an event socket was closed", {{"who", gone->caller.who.name}});
    wake();
}

void SocketHub::alive(Number number) {
    const std::lock_guard lock(mutex_);
    if (auto* connection = connections_.find(number)) connection->heard_at = clock_.now();
}

void SocketHub::received(Number number, std::string_view text) {
    alive(number);
    const auto message = read_client_message(text);
    if (!message) {
        log_.debug("a message on an event socket was ignored", {{"reason", message.error().context}});
        return;
    }
    const auto& type = message->type;
    if (type == "KeepAlive") {
        Wires wire;
        {
            const std::lock_guard lock(mutex_);
            if (auto* connection = connections_.find(number)) wire.push_back(connection->wire);
        }
        tell(wire, "KeepAlive", {});
        return;
    }
    constexpr std::pair<std::string_view, Feed> feeds[] = {
        {"ScheduledTasksInfo", Feed::tasks}, {"Sessions", Feed::sessions}, {"ActivityLogEntry", Feed::activity}};
    for (const auto& [name, feed] : feeds) {
        if (type == std::string(name) + "Start") return subscribe(number, feed, message->data);
        if (type != std::string(name) + "Stop") continue;
        const std::lock_guard lock(mutex_);
        if (auto* connection = connections_.find(number)) connection->feed(feed).stop();
        return;
    }
    log_.debug("a message on an event socket is none that we know", {{"type", printable(type)}});
}

void SocketHub::subscribe(Number number, Feed feed, std::string_view text) {
    const auto pace = read_pace(text);
    if (!pace) {
        log_.debug("a subscription was ignored", {{"reason", pace.error().context}});
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        auto* connection = connections_.find(number);
        if (connection == nullptr) return;
        if (may_hear(connection->caller.who, feed)) {
            connection->feed(feed).start(*pace, clock_.now());
        } else {
            log_.debug("a subscription was ignored: it needs an administrator", {{"who", connection->caller.who.name}});
        }
    }
    wake();
}

void SocketHub::on_event(const cluster::Event& event) {
    bool overrun = false;
    {
        const std::lock_guard lock(mutex_);
        events_.push_back(event);
        if (events_.size() > limits_.waiting_events) {
            events_.pop_front();
            overrun = !std::exchange(missed_, true);
        }
    }
    if (overrun) log_.warning("event sockets miss events: too many wait for the database");
    wake();
}

void SocketHub::doubt_everything() {
    {
        const std::lock_guard lock(mutex_);
        for (auto& [number, connection] : connections_.all()) {
            doubtful_.insert(number);
            if (connection.wire && !connection.caller.who.session.empty())
                moved_sessions_.insert(connection.caller.who.session);
        }
        for (const auto feed : {Feed::tasks, Feed::sessions, Feed::activity}) connections_.changed(feed, true);
    }
    wake();
}

void SocketHub::check_silence() {
    const auto now = clock_.now();
    Wires ask, lost;
    {
        const std::lock_guard lock(mutex_);
        for (auto& [number, connection] : connections_.all()) {
            if (!connection.wire) continue;
            const auto silence = connection.silence(now);
            if (silence == Silence::ask) ask.push_back(connection.wire);
            if (silence == Silence::close) lost.push_back(connection.wire);
        }
    }
    tell(ask, "ForceKeepAlive", std::to_string(lost_after / 1s));
    for (const auto& wire : lost) wire->close(SocketClose::going_away, "Nothing was heard for a minute.");
}

std::size_t SocketHub::open() const {
    const std::lock_guard lock(mutex_);
    return connections_.size();
}

void SocketHub::wake() {
    {
        const std::lock_guard lock(mutex_);
        news_ = true;
    }
    wake_.notify_all();
}

void SocketHub::tell(const Wires& to, std::string_view type, std::string_view data) {
    if (to.empty()) return;
    const auto message = socket_message(type, data, random_);
    for (const auto& wire : to) {
        if (wire) wire->send(message);
    }
}

void SocketHub::changed(Feed feed, bool at_once) {
    const std::lock_guard lock(mutex_);
    connections_.changed(feed, at_once);
}

/// True: the database is away, so the same is tried again; what fails otherwise is left out.
bool SocketHub::failed(const core::Error& error, std::string_view what) const {
    const bool away = error.code == core::Errc::unavailable || error.code == core::Errc::timed_out;
    const std::array fields{core::LogField{"what", std::string(what)}, core::LogField{"cause", error.context}};
    log_.write(away ? core::LogLevel::debug : core::LogLevel::warning, "event sockets are not told something", fields);
    return away;
}

std::optional<core::Nanos> SocketHub::step() {
    // Each waits for the one before: who is logged out hears nothing that came later.
    for (const auto part : {&SocketHub::work_through_events, &SocketHub::tell_subscribers, &SocketHub::note_presence}) {
        if ((this->*part)() == Done::later) return try_again;
    }
    const std::lock_guard lock(mutex_);
    return connections_.due_in(clock_.now());
}

SocketHub::Done SocketHub::note_presence() {
    std::vector<store::SessionId> opened, closed;
    {
        const std::lock_guard lock(mutex_);
        for (const auto session : std::exchange(moved_sessions_, {}))
            (connections_.of_session(session) > 0 ? opened : closed).push_back(session);
    }
    if (opened.empty() && closed.empty()) return Done::yes;
    const auto noted = feeds_.note_presence(opened, closed);
    if (noted || !failed(noted.error(), "who has a socket")) return Done::yes;
    const std::lock_guard lock(mutex_);
    moved_sessions_.insert(opened.begin(), opened.end());
    moved_sessions_.insert(closed.begin(), closed.end());
    return Done::later;
}

SocketHub::Done SocketHub::work_through_events() {
    for (;;) {
        // The event before may have taken rights away: who lost them must not hear the next one.
        if (look_up_tokens() == Done::later) return Done::later;
        cluster::Event event;
        bool missed = false;
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) return Done::yes;
            missed = events_.empty() && std::exchange(missed_, false);
            if (events_.empty() && !missed) return Done::yes;
            if (!missed) event = events_.front();
        }
        if (missed) {
            doubt_everything();
            continue;
        }
        if (handle(event) == Done::later) return Done::later;
        const std::lock_guard lock(mutex_);
        if (!events_.empty() && events_.front().sequence == event.sequence) events_.pop_front();
    }
}

SocketHub::Done SocketHub::look_up_tokens() {
    std::set<Number> open;
    {
        const std::lock_guard lock(mutex_);
        for (const auto number : doubtful_) {
            const auto* connection = connections_.find(number);
            if (connection != nullptr && connection->wire) open.insert(number);  // the rest when it is opened
        }
    }
    for (const auto number : open) {
        std::string token;
        std::shared_ptr<SocketWire> wire;
        {
            const std::lock_guard lock(mutex_);
            doubtful_.erase(number);
            if (auto* connection = connections_.find(number)) {
                token = connection->caller.token_hash;
                wire = connection->wire;
            }
        }
        if (token.empty()) continue;
        auto owner = feeds_.owner(token);
        const bool later = !owner && failed(owner.error(), "whose token it is");
        const std::lock_guard lock(mutex_);
        if (later) {
            doubtful_.insert(number);
            return Done::later;
        }
        if (!owner) continue;
        auto* connection = connections_.find(number);
        if (!*owner) {
            if (connection != nullptr) connection->feeds = {};
            wire->close(SocketClose::refused, "The token is no longer valid.");
        } else if (connection != nullptr) {
            connection->caller.who = std::move(**owner);  // rights may have changed
        }
    }
    return Done::yes;
}

SocketHub::Done SocketHub::tell_subscribers() {
    const auto now = clock_.now();  // of all that are told below, so that they are due together again
    std::array<std::vector<Number>, feed_count> due;
    {
        const std::lock_guard lock(mutex_);
        for (auto& [number, connection] : connections_.all()) {
            for (std::size_t i = 0; i < feed_count; ++i) {
                auto& feed = connection.feeds[i];
                if (!may_hear(connection.caller.who, static_cast<Feed>(i))) feed.stop();  // no longer
                const auto left = feed.due_in(now);
                if (left && *left <= core::Nanos{0}) due[i].push_back(number);
            }
        }
    }
    const auto& activity = due[static_cast<std::size_t>(Feed::activity)];
    // As the reference: a sign that there is something new, which clients then ask for.
    tell(note_sent(activity, Feed::activity, now), "ActivityLogEntry", "[]");
    if (tell_tasks(due[static_cast<std::size_t>(Feed::tasks)], now) == Done::later) return Done::later;
    return tell_sessions(due[static_cast<std::size_t>(Feed::sessions)], now);
}

SocketHub::Wires SocketHub::note_sent(const std::vector<Number>& due, Feed feed, core::Instant now) {
    Wires found;
    const std::lock_guard lock(mutex_);
    for (const auto number : due) {
        auto* connection = connections_.find(number);
        if (connection == nullptr || !connection->feed(feed).active()) continue;
        connection->feed(feed).sent(now);
        found.push_back(connection->wire);
    }
    return found;
}

SocketHub::Done SocketHub::tell_tasks(const std::vector<Number>& due, core::Instant now) {
    if (due.empty()) return Done::yes;
    const auto tasks = feeds_.tasks();
    if (!tasks && failed(tasks.error(), "tasks")) return Done::later;
    const auto to = note_sent(due, Feed::tasks, now);
    if (tasks) tell(to, "ScheduledTasksInfo", *tasks);
    return Done::yes;
}

SocketHub::Done SocketHub::tell_sessions(const std::vector<Number>& due, core::Instant now) {
    if (due.empty()) return Done::yes;
    const auto sessions = feeds_.sessions();
    if (!sessions && failed(sessions.error(), "sessions")) return Done::later;
    std::map<core::UserId, std::vector<Number>> viewers;  // the empty id: administrators, who see all
    {
        const std::lock_guard lock(mutex_);
        for (const auto number : due) {
            if (const auto* connection = connections_.find(number)) {
                const auto& who = connection->caller.who;
                viewers[who.admin ? core::UserId{} : who.user].push_back(number);
            }
        }
    }
    for (const auto& [viewer, numbers] : viewers) {
        const auto to = note_sent(numbers, Feed::sessions, now);
        if (!sessions) continue;
        JsonWriter out;
        out.begin_array();
        for (const auto& session : *sessions) {
            if (viewer.empty() || session.user == viewer) out.raw(session.json);
        }
        tell(to, "Sessions", out.end_array().take());
    }
    return Done::yes;
}

}  // namespace understudy::http
