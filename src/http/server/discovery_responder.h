// http/server/discovery_responder.h: answers clients that ask the local network which servers there are (UDP, by
// custom to port 7359: `who is JellyfinServer?`). Built and stopped by app.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/log.h"
#include "core/result.h"
#include "core/time.h"

namespace understudy::http {

/// May one who asks from there be answered? Loopback, private, shared and link-local networks (RFC 1918, 3927, 4193,
/// 4291, 6598) alone: an answer is longer than its question, and a sender's address is easily forged.
[[nodiscard]] bool is_local_network(std::string_view address);

/// One thread of its own. start and stop are called once each, by one thread.
class DiscoveryResponder {
public:
    static constexpr std::uint16_t usual_port = 7359;
    static constexpr std::uint32_t answers_per_minute = 60;  ///< to one address
    /// What a client is sent that reaches this machine at `own_address`; empty: nothing. May block; must not throw.
    using Answer = std::function<std::string(const std::string& own_address)>;

    /// `listen`: ADDRESS:PORT, port 0: a free one. `clock` and `log` outlive it.
    DiscoveryResponder(std::string listen, Answer answer, core::Clock& clock, core::Log& log);
    ~DiscoveryResponder();
    DiscoveryResponder(const DiscoveryResponder&) = delete;
    DiscoveryResponder& operator=(const DiscoveryResponder&) = delete;

    /// Processes on one machine may share the port: each hears a broadcast. Errors: invalid (no address of this
    /// machine), unavailable.
    [[nodiscard]] core::Result<void> start();
    /// The bound port, also where 0 was asked for.
    [[nodiscard]] std::uint16_t port() const noexcept;
    /// Waits for the answer under way.
    void stop();

private:
    class Loop;
    std::unique_ptr<Loop> loop_;
};

}  // namespace understudy::http
