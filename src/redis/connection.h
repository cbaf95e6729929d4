// redis/connection.h: one connection to a Redis primary, as a blocking client whose every wait has a deadline.
// Used by lease/redis; the waits run the Loop, so several connections of one thread go on meanwhile.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/connection_string.h"
#include "redis/error_class.h"
#include "redis/loop.h"
#include "redis/reply.h"
#include "redis/script.h"

namespace understudy::redis {

class Resolver;

/// One thread. A connection that timed out, broke or sent nonsense is closed and never used again; open() makes a new
/// one.
class Connection {
public:
    /// `loop` outlives it. `patience`: unacknowledged bytes for longer than that end the connection (TCP_USER_TIMEOUT).
    Connection(Loop& loop, core::Millis patience);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Resolves, connects, shakes hands (TLS), logs in, names itself, selects the database, and sees that this is a
    /// primary. Goes through `settings.endpoints` while time is left, first the one after the last that failed.
    [[nodiscard]] Outcome<void> open(const ConnectionSettings& settings, Deadline deadline);
    /// The same to exactly the address that `other` is connected to.
    [[nodiscard]] Outcome<void> open_beside(const Connection& other, const ConnectionSettings& settings,
                                            Deadline deadline);
    /// Takes in what has arrived first, so that a connection which the server has closed is known to be closed.
    [[nodiscard]] bool is_open();
    void close() noexcept;

    /// Sends a command and waits for its reply, which may be an error reply. A reply whose class says so
    /// (read_error().drop) closes the connection.
    [[nodiscard]] Outcome<Reply> call(std::span<const std::string_view> words, Deadline deadline);
    [[nodiscard]] Outcome<Reply> call(std::initializer_list<std::string_view> words, Deadline deadline);
    /// EVALSHA, and EVAL where the server does not know the script (any more), both before the deadline.
    [[nodiscard]] Outcome<Reply> evaluate(const Script& script, std::span<const std::string_view> keys,
                                          std::span<const std::string_view> arguments, Deadline deadline);
    /// Confirmed when it returns; from then on this connection takes no calls, and `on_message` gets each message's
    /// payload while the loop runs.
    [[nodiscard]] Outcome<void> subscribe(const std::string& channel, std::function<void(std::string_view)> on_message,
                                          Deadline deadline);

    /// Of the last open(): rights that are missing but can be done without.
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
    /// `redis:6379 (10.0.0.3)`, for messages; the last one tried where none is open.
    [[nodiscard]] const std::string& peer() const noexcept { return peer_; }

private:
    struct Session;
    struct Address {
        Endpoint endpoint;
        std::string numeric;
    };

    [[nodiscard]] Outcome<void> open_endpoint(const ConnectionSettings& settings, const Endpoint& endpoint,
                                              Deadline deadline);
    [[nodiscard]] Outcome<void> open_address(const ConnectionSettings& settings, const Address& address,
                                             Deadline connect_by, Deadline deadline);
    [[nodiscard]] Outcome<void> log_in(const ConnectionSettings& settings, Deadline deadline);
    [[nodiscard]] Outcome<void> verify_role(Deadline deadline);
    [[nodiscard]] tl::unexpected<Failure> timed_out(const std::string& while_doing, bool maybe_applied);

    Loop& loop_;
    core::Millis patience_;
    std::unique_ptr<Resolver> resolver_;
    std::shared_ptr<Session> session_;
    std::optional<Address> address_;
    std::size_t next_endpoint_ = 0;
    std::vector<std::string> warnings_;
    std::string peer_;
};

/// The failure that an error reply stands for.
[[nodiscard]] Failure failure_of(const Reply& error);

}  // namespace understudy::redis
