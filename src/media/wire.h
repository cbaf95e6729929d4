// media/wire.h: what pool and worker say to each other on a SOCK_SEQPACKET pair: orders go down, one message a batch
// with a descriptor for each and their parameters behind them; answers come up as a stream of frames. What parameters
// and payloads mean is the job's own business. Both ends are of one build, so numbers go as they lie in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "media/analyst.h"

namespace understudy::media::wire {

/// The worker finds its socket here; every descriptor above is closed.
inline constexpr int socket_fd = 3;
/// Files in one message. The kernel's own bound for descriptors is 253 (SCM_MAX_FD).
inline constexpr std::size_t max_batch = 16;
/// No message upwards is longer: 208 KiB is the usual send buffer (net.core.wmem_default).
inline constexpr std::size_t max_message_bytes = std::size_t{32} * 1024;
struct Order {
    std::int64_t size_bytes = 0;
    std::uint32_t id = 0;           ///< unique among the orders a worker has in hand
    std::uint16_t cpu_seconds = 0;  ///< processor time after which the kernel ends the worker
    Job job = Job::probe_video;
    std::uint8_t unused = 0;
    std::uint32_t parameter_bytes = 0;  ///< of this order's share of what follows all orders
    std::uint32_t unused_too = 0;
};
static_assert(sizeof(Order) == 24);
/// No message downwards is longer: only an order that travels alone has parameters.
inline constexpr std::size_t max_order_bytes = max_batch * sizeof(Order) + max_parameter_bytes;

/// The frame with this id says that the worker has shut itself in and may be given files (or why it could not).
inline constexpr std::uint32_t hello_id = 0xFFFFFFFF;
/// Changes with every change of the format; a worker that says another word is from another build.
inline constexpr std::string_view hello_word = "understudy-media 2";

/// Adds the frame of one answer to `out`; a payload beyond max_payload_bytes becomes an error.
void append_answer(std::string& out, std::uint32_t id, const core::Result<std::string>& payload);
/// Adds the hello: `fault` empty means ready.
void append_hello(std::string& out, std::string_view fault);

struct Answer {
    std::uint32_t id = 0;
    core::Result<std::string> payload;
    std::string hello;  ///< for hello_id: the word, or why the worker cannot work (then payload is an error)
};

/// Collects messages and cuts answers out of them. The sender is not trusted: every length and error is checked, and
/// no more is kept than one payload and what came behind it; payloads are for the job's decoder to judge.
class AnswerReader {
public:
    void add(std::span<const char> message) { bytes_.append(message.data(), message.size()); }
    /// The next whole answer; nullopt: more is needed, or broken().
    [[nodiscard]] std::optional<Answer> next();
    /// The stream makes no sense: end the worker.
    [[nodiscard]] bool broken() const noexcept { return broken_; }

private:
    std::string bytes_;
    std::size_t used_ = 0;
    bool broken_ = false;
};

}  // namespace understudy::media::wire
