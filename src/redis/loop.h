// redis/loop.h: the io_context that the calling thread drives while it waits; the lease thread's own. Used by
// Connection.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace understudy::redis {

/// A moment by which a call must be back.
using Deadline = std::chrono::steady_clock::time_point;

/// One thread at a time, but wake().
class Loop {
public:
    Loop();
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    [[nodiscard]] boost::asio::io_context& context() noexcept;
    /// Runs what sockets bring until `done()` or the deadline. Returns done().
    bool run_until(Deadline deadline, const std::function<bool()>& done);
    /// Runs what is ready, without waiting.
    void poll();
    /// From any thread: run_until looks at `done` again.
    void wake() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace understudy::redis
