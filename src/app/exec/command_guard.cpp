#include "app/exec/command_guard.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "app/exec/guard_process.h"

namespace understudy::app {
namespace {

void send_all(int channel, const std::string& bytes) {
    // Where the guard is dead read() tells so.
    while (::send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

std::string bytes_of(const GuardOrder& order) {
    std::string bytes(sizeof order, '\0');
    std::memcpy(bytes.data(), &order, sizeof order);
    return bytes;
}

}  // namespace

CommandGuard::CommandGuard(std::vector<std::string> command, core::Millis kill_after, mode_t mask) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("no socket pair for the command: " + std::generic_category().message(errno));
    guard_ = ::fork();
    if (guard_ < 0) {
        const int error = errno;
        ::close(ends[0]);
        ::close(ends[1]);
        throw std::runtime_error("no process for the command: " + std::generic_category().message(error));
    }
    if (guard_ == 0) {
        ::close(ends[0]);
        run_guard(ends[1], std::move(command), kill_after, mask);
        ::_exit(0);
    }
    ::close(ends[1]);
    channel_ = ends[0];
}

CommandGuard::~CommandGuard() {
    ::close(channel_);
    if (!running_) ::kill(guard_, SIGCONT);  // one that somebody stopped would be waited for without end
    ::waitpid(guard_, nullptr, running_ ? WNOHANG : 0);
}

void CommandGuard::start(const std::vector<std::string>& variables) {
    running_ = true;
    auto bytes = bytes_of({.kind = GuardOrder::Kind::start});
    for (const auto& variable : variables) bytes.append(variable).push_back('\0');
    send_all(channel_, bytes);
}

void CommandGuard::trust(core::Instant now, core::Nanos left) {
    send_all(channel_, bytes_of({.kind = GuardOrder::Kind::trust,
                                 .boot_ns = now.boot.count(),
                                 .real_ns = now.real.count(),
                                 .left_ns = left.count()}));
}

void CommandGuard::pass_on(int signal) {
    send_all(channel_, bytes_of({.kind = GuardOrder::Kind::pass_on, .signal = signal}));
}

void CommandGuard::stop() {
    send_all(channel_, bytes_of({.kind = GuardOrder::Kind::stop}));
}

void CommandGuard::wake() const {
    siginfo_t info{};
    const bool told = ::waitid(P_PID, static_cast<id_t>(guard_), &info, WSTOPPED | WNOHANG) == 0;
    if (told && info.si_pid == guard_) ::kill(guard_, SIGCONT);
}

std::optional<GuardReport> CommandGuard::read() {
    GuardWord word;
    const auto got = ::recv(channel_, &word, sizeof word, MSG_DONTWAIT);
    if (got == static_cast<ssize_t>(sizeof word)) {
        GuardReport report{static_cast<GuardReport::Kind>(word.kind), word.number, word.stopped_for_the_lease != 0};
        running_ = report.kind == GuardReport::Kind::started;
        return report;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
    return GuardReport{};
}

}  // namespace understudy::app
