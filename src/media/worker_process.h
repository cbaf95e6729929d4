// media/worker_process.h: one understudy-media process as its server sees it: start, orders down, answers up, end,
// reap. Used by pool_engine on its one thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "media/unique_fd.h"
#include "media/wire.h"

namespace understudy::media {

struct WorkerStart {
    std::filesystem::path binary;
    int nice = 0;                          ///< 0..19 added to the server's own
    bool idle = false;                     ///< once it has come up it runs and reads only when nobody else wants to
    bool keep_stderr = false;              ///< else /dev/null
    std::vector<std::string> environment;  ///< `NAME=value`; a worker needs none
};

class WorkerProcess {
public:
    /// Starts the binary by posix_spawn with an empty environment, in a process group of its own (Ctrl-C at a terminal
    /// is the server's to handle), all descriptors closed but its socket. The kernel ends it with the *thread* that
    /// calls this. Errors: unavailable, naming the path.
    [[nodiscard]] static core::Result<std::unique_ptr<WorkerProcess>> start(const WorkerStart& how);
    /// Kills and reaps what is still there; blocks for the latter.
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    [[nodiscard]] pid_t pid() const noexcept { return pid_; }
    [[nodiscard]] int socket() const noexcept { return socket_.get(); }
    /// It has said hello. One that is `idle` is so from here on: on a busy machine it would need minutes to load its
    /// libraries as one.
    void came_up() noexcept;
    /// One message with a descriptor for each order and the parameters of them all; never blocks. False: the worker is
    /// gone or does not read.
    [[nodiscard]] bool send(std::span<const wire::Order> orders, std::span<const int> files,
                            std::string_view parameters);
    /// Takes in some of what has arrived; never blocks. False: the worker hung up.
    [[nodiscard]] bool receive();
    [[nodiscard]] wire::AnswerReader& answers() noexcept { return answers_; }
    /// Closes the socket: an idle worker leaves by itself.
    void hang_up() noexcept { socket_.reset(); }
    void kill() noexcept;
    /// wait status once the process has ended; never blocks. Afterwards the pid is nobody's.
    [[nodiscard]] std::optional<int> try_reap() noexcept;

    /// Gives up on reaping: the destructor neither kills nor waits.
    void forget() noexcept { reaped_ = true; }

private:
    WorkerProcess(pid_t pid, UniqueFd socket, bool idle) : pid_(pid), idle_(idle), socket_(std::move(socket)) {}

    pid_t pid_;
    bool idle_;
    UniqueFd socket_;
    wire::AnswerReader answers_;
    bool reaped_ = false;
};

/// `signal 11 (Segmentation fault)`, `exit code 71`: for people.
[[nodiscard]] std::string describe_exit(int wait_status);

}  // namespace understudy::media
