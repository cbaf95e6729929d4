// http/socket/connections.h: who is connected to the event socket of this pod, and what each hears. Plain values and
// decisions; the hub locks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "http/message.h"
#include "http/socket/subscription.h"
#include "http/socket/wire.h"

namespace understudy::http {

/// What one can subscribe to.
enum class Feed { tasks, sessions, activity };
inline constexpr std::size_t feed_count = 3;

/// Who opened a socket.
struct SocketCaller {
    Caller who;
    std::string
        token_hash;  ///< by which the token is looked up again; empty: the administrator's key, which stays valid
};

enum class Silence { none, ask, close };

struct Connection {
    SocketCaller caller;
    std::shared_ptr<SocketWire> wire;  ///< null until the upgrade is done
    core::Instant heard_at;
    std::array<Subscription, feed_count> feeds;

    [[nodiscard]] Subscription& feed(Feed feed) { return feeds[static_cast<std::size_t>(feed)]; }
    /// By how long nothing was heard of the client: from `ask_after` on it is asked, at `lost_after` it is gone.
    [[nodiscard]] Silence silence(core::Instant now) const noexcept;
};

inline constexpr core::Millis lost_after{60'000}, ask_after{45'000};  // reference: SessionWebSocketListener
inline constexpr core::Millis silence_checked_every{12'000};

[[nodiscard]] constexpr bool may_hear(const Caller& caller, Feed feed) noexcept {
    return feed == Feed::sessions || caller.admin;
}

/// Sockets by number. Not safe from several threads.
class Connections {
public:
    using Number = std::uint64_t;
    using Wires = std::vector<std::shared_ptr<SocketWire>>;

    Number add(SocketCaller caller, core::Instant now);
    /// What was there; nullopt: nothing.
    std::optional<Connection> remove(Number number);
    [[nodiscard]] Connection* find(Number number);
    [[nodiscard]] std::map<Number, Connection>& all() noexcept { return all_; }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    /// How many sockets one user has; keys count together as nobody's.
    [[nodiscard]] std::size_t of_user(core::UserId user) const;
    [[nodiscard]] std::size_t of_session(store::SessionId session) const;
    /// The open ones that `wanted` takes.
    template <class Wanted>
    [[nodiscard]] Wires wires(Wanted wanted) const {
        Wires found;
        for (const auto& [number, connection] : all_) {
            if (connection.wire && wanted(connection.caller.who)) found.push_back(connection.wire);
        }
        return found;
    }
    void changed(Feed feed, bool at_once);
    /// Until the next message to a subscriber is due; nullopt: none will be.
    [[nodiscard]] std::optional<core::Nanos> due_in(core::Instant now) const;

private:
    std::map<Number, Connection> all_;
    Number last_ = 0;
};

}  // namespace understudy::http
