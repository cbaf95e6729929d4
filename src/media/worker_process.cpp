#include "media/worker_process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace understudy::media {

namespace {

class SpawnPlan {
public:
    SpawnPlan() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    /// First failure wins; 0: none.
    [[nodiscard]] int arrange(int socket, bool keep_stderr) {
        int code = 0;
        const auto step = [&](int result) {
            if (code == 0) code = result;
        };
        step(posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
        step(posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0));
        if (!keep_stderr) step(posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0));
        step(posix_spawn_file_actions_adddup2(&actions_, socket, wire::socket_fd));
        step(posix_spawn_file_actions_addclosefrom_np(&actions_, wire::socket_fd + 1));
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        step(posix_spawnattr_setsigmask(&attributes_, &none));
        step(posix_spawnattr_setsigdefault(&attributes_, &all));
        step(posix_spawnattr_setpgroup(&attributes_, 0));
        step(posix_spawnattr_setflags(&attributes_,
                                      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
        return code;
    }
    posix_spawn_file_actions_t* actions() { return &actions_; }
    posix_spawnattr_t* attributes() { return &attributes_; }

private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

// posix_spawn knows neither SCHED_IDLE nor I/O priorities, so they are set from here. Wishes, not conditions: a worker
// that could not be slowed down still works.
constexpr int who_process = 1, best_effort_lowest = (2 << 13) | 7, idle_class = 3 << 13;  // linux/ioprio.h

void lower_priority(pid_t pid, int nice) {
    setpriority(PRIO_PROCESS, static_cast<id_t>(pid), getpriority(PRIO_PROCESS, 0) + nice);
    syscall(SYS_ioprio_set, who_process, pid, best_effort_lowest);
}

/// Dying takes processor time too: on a busy machine a process that only gets idle time would take seconds over it.
/// Needs CAP_SYS_NICE or RLIMIT_NICE; without, it dies as fast as it may.
void raise_priority(pid_t pid) {
    const sched_param none{};
    sched_setscheduler(pid, SCHED_OTHER, &none);
    setpriority(PRIO_PROCESS, static_cast<id_t>(pid), 0);
}

}  // namespace

core::Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerStart& how) {
    const auto failed = [&](int code) {
        return core::fail(core::Errc::unavailable,
                          "media worker '" + how.binary.string() + "' cannot be started: " + std::strerror(code));
    };
    std::array<int, 2> pair{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) return failed(errno);
    UniqueFd ours(pair[0]);
    UniqueFd theirs(pair[1]);
    // dup2 onto itself would leave close-on-exec set: keep the child's end away from its place.
    if (theirs.get() == wire::socket_fd) {
        UniqueFd moved(fcntl(theirs.get(), F_DUPFD_CLOEXEC, wire::socket_fd + 1));
        if (!moved) return failed(errno);
        theirs = std::move(moved);
    }

    SpawnPlan plan;
    if (const int code = plan.arrange(theirs.get(), how.keep_stderr)) return failed(code);
    std::string name = how.binary.string(), parent = std::to_string(getpid());
    std::array<char*, 3> arguments{name.data(), parent.data(), nullptr};
    std::vector<std::string> environment = how.environment;
    std::vector<char*> variables;
    variables.reserve(environment.size() + 1);
    for (auto& variable : environment) variables.push_back(variable.data());
    variables.push_back(nullptr);
    pid_t pid = 0;
    if (const int code =
            posix_spawn(&pid, name.c_str(), plan.actions(), plan.attributes(), arguments.data(), variables.data()))
        return failed(code);
    if (!how.idle && how.nice > 0) lower_priority(pid, how.nice);
    return std::unique_ptr<WorkerProcess>(new WorkerProcess(pid, std::move(ours), how.idle));
}

void WorkerProcess::came_up() noexcept {
    if (!idle_) return;
    setpriority(PRIO_PROCESS, static_cast<id_t>(pid_), 19);
    const sched_param none{};
    sched_setscheduler(pid_, SCHED_IDLE, &none);
    syscall(SYS_ioprio_set, who_process, pid_, idle_class);
}

WorkerProcess::~WorkerProcess() {
    if (reaped_) return;
    kill();
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
}

bool WorkerProcess::send(std::span<const wire::Order> orders, std::span<const int> files, std::string_view parameters) {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * wire::max_batch)> control{};
    std::array<iovec, 2> parts{iovec{const_cast<wire::Order*>(orders.data()), orders.size_bytes()},
                               iovec{const_cast<char*>(parameters.data()), parameters.size()}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parameters.empty() ? 1 : 2;
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(files.size_bytes());
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(files.size_bytes());
    std::memcpy(CMSG_DATA(rights), files.data(), files.size_bytes());
    ssize_t sent = 0;
    do {
        sent = sendmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(orders.size_bytes() + parameters.size());
}

bool WorkerProcess::receive() {
    // A worker that never stops talking must not keep the pool's thread here, nor fill its memory: answers are judged
    // in between.
    constexpr int most_messages = 64;
    std::array<char, wire::max_message_bytes> message;
    for (int count = 0; count < most_messages;) {
        const ssize_t got = recv(socket_.get(), message.data(), message.size(), MSG_DONTWAIT);
        if (got > 0) {
            answers_.add({message.data(), static_cast<std::size_t>(got)});
            ++count;
            continue;
        }
        if (got < 0 && errno == EINTR) continue;
        return got < 0 && errno == EAGAIN;
    }
    return true;
}

void WorkerProcess::kill() noexcept {
    if (reaped_) return;
    ::kill(pid_, SIGKILL);
    if (idle_) raise_priority(pid_);
}

std::optional<int> WorkerProcess::try_reap() noexcept {
    int status = 0;
    pid_t got = 0;
    do {
        got = waitpid(pid_, &status, WNOHANG);
    } while (got < 0 && errno == EINTR);
    if (got == 0) return std::nullopt;
    reaped_ = true;
    return got == pid_ ? status : 0;  // somebody else reaped it (SIGCHLD ignored): how it ended is unknown
}

std::string describe_exit(int wait_status) {
    if (WIFSIGNALED(wait_status)) {
        const int signal = WTERMSIG(wait_status);
        const char* name = strsignal(signal);
        std::string text = "signal " + std::to_string(signal) + " (" + (name == nullptr ? "?" : name) + ")";
        if (signal == SIGSYS) text += ": it asked the system for something that the sandbox forbids";
        if (signal == SIGXCPU) text += ": it used more processor time than a file may";
        return text;
    }
    return "exit code " + std::to_string(WEXITSTATUS(wait_status));
}

}  // namespace understudy::media
