#include "http/socket/connections.h"

#include <algorithm>
#include <utility>

namespace understudy::http {

Silence Connection::silence(core::Instant now) const noexcept {
    const auto silent = core::elapsed(heard_at, now);
    if (silent >= lost_after) return Silence::close;
    return silent >= ask_after ? Silence::ask : Silence::none;
}

Connections::Number Connections::add(SocketCaller caller, core::Instant now) {
    Connection connection;
    connection.caller = std::move(caller);
    connection.heard_at = now;
    all_.emplace(++last_, std::move(connection));
    return last_;
}

std::optional<Connection> Connections::remove(Number number) {
    const auto found = all_.find(number);
    if (found == all_.end()) return std::nullopt;
    auto removed = std::move(found->second);
    all_.erase(found);
    return removed;
}

Connection* Connections::find(Number number) {
    const auto found = all_.find(number);
    return found == all_.end() ? nullptr : &found->second;
}

std::size_t Connections::of_user(core::UserId user) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(all_, [&](const auto& entry) { return entry.second.caller.who.user == user; }));
}

std::size_t Connections::of_session(store::SessionId session) const {
    return static_cast<std::size_t>(std::ranges::count_if(all_, [&](const auto& entry) {
        return entry.second.wire != nullptr && entry.second.caller.who.session == session;
    }));
}

void Connections::changed(Feed feed, bool at_once) {
    for (auto& [number, connection] : all_) connection.feed(feed).changed(at_once);
}

std::optional<core::Nanos> Connections::due_in(core::Instant now) const {
    std::optional<core::Nanos> soonest;
    for (const auto& [number, connection] : all_) {
        for (const auto& subscription : connection.feeds) {
            const auto due = subscription.due_in(now);
            if (due && (!soonest || *due < *soonest)) soonest = due;
        }
    }
    return soonest;
}

}  // namespace understudy::http
