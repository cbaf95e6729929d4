#include "app/exec/guard_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "app/exec/command_guard.h"
#include "app/exec/stop_plan.h"

namespace understudy::app {
namespace {

using Kind = GuardReport::Kind;
using namespace std::chrono_literals;

/// Poll counts time by a clock that stands still while the machine sleeps: trust is looked at this often.
constexpr core::Nanos longest_nap = 500ms;

class Guard {
public:
    Guard(int channel, std::vector<std::string> command, core::Millis kill_after, mode_t mask)
        : channel_(channel), command_(std::move(command)), plan_(kill_after), mask_(mask) {}

    void run() {
        // A session of its own: what ends or stops exec's process group does not reach the guard, and the terminal's
        // keys reach the command through exec alone.
        ::setsid();
        ::prctl(PR_SET_NAME, "lease-guard");
        // What the command leaves behind becomes the guard's child, wherever it hides.
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        sigset_t all;
        sigfillset(&all);
        ::sigprocmask(SIG_BLOCK, &all, &given_mask_);
        sigset_t child;
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        child_ended_ = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
        if (!await_start() || !start_command()) return;
        watch();
    }

private:
    /// False: exec is gone.
    bool await_start() {
        while (leader_ < 0) {
            std::array<char, 4096> buffer{};
            const auto got = ::recv(channel_, buffer.data(), buffer.size(), 0);
            if (got < 0 && errno == EINTR) continue;
            if (got < static_cast<ssize_t>(sizeof(GuardOrder))) return false;
            GuardOrder order;
            std::memcpy(&order, buffer.data(), sizeof order);
            if (order.kind == GuardOrder::Kind::start) {
                set_variables({buffer.data() + sizeof order, static_cast<std::size_t>(got) - sizeof order});
                return true;
            }
            obey(order);
        }
        return true;
    }

    static void set_variables(std::string_view text) {
        while (!text.empty()) {
            const auto end = std::min(text.find('\0'), text.size());
            const std::string variable(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
            const auto equals = variable.find('=');
            ::setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
        }
    }

    void report(Kind kind, int number) const {
        GuardWord word;
        word.kind = static_cast<std::int32_t>(kind);
        word.number = number;
        word.stopped_for_the_lease = stopped_for_the_lease_ ? 1 : 0;
        (void)::send(channel_, &word, sizeof word, MSG_NOSIGNAL);
    }

    bool start_command() {
        int failure[2] = {-1, -1};
        if (::pipe2(failure, O_CLOEXEC) != 0) {
            report(Kind::not_found, errno);
            return false;
        }
        std::vector<char*> argv;
        argv.reserve(command_.size() + 1);
        for (auto& word : command_) argv.push_back(word.data());
        argv.push_back(nullptr);
        const pid_t guard = ::getpid();
        leader_ = ::fork();
        if (leader_ == 0) {
            ::setpgid(0, 0);
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // should the guard be killed too
            if (::getppid() != guard) ::_exit(127);
            ::umask(mask_);
            ::sigprocmask(SIG_SETMASK, &given_mask_, nullptr);
            ::execvp(argv[0], argv.data());
            const int error = errno;
            (void)!::write(failure[1], &error, sizeof error);
            ::_exit(127);
        }
        const int fork_error = errno;
        ::close(failure[1]);
        if (leader_ < 0) {
            report(Kind::not_found, fork_error);
            return false;
        }
        ::setpgid(leader_, leader_);
        int error = 0;
        ssize_t got = 0;
        do got = ::read(failure[0], &error, sizeof error);
        while (got < 0 && errno == EINTR);
        ::close(failure[0]);
        if (got == static_cast<ssize_t>(sizeof error)) {
            ::waitpid(leader_, nullptr, 0);
            report(Kind::not_found, error);
            return false;
        }
        report(Kind::started, static_cast<int>(leader_));
        return true;
    }

    void watch() {
        for (;;) {
            const auto others = reap_others();
            if (!leader_ended_ && has_ended()) {
                leader_ended_ = true;
                stopped_for_the_lease_ = plan_.stopping();
                plan_.stop(clock_.now());  // what it left behind runs without a lease from now on
            }
            if (leader_ended_ && others.empty()) break;
            for (auto step = plan_.next(clock_.now()); step != StopPlan::Step::none; step = plan_.next(clock_.now())) {
                signal_all(step == StopPlan::Step::kill ? SIGKILL : SIGTERM, others);
                if (step == StopPlan::Step::terminate) signal_all(SIGCONT, others);  // a stopped one hears nothing
                killing_ = step == StopPlan::Step::kill;
            }
            if (killing_) signal_all(SIGKILL, others);  // what was forked meanwhile
            nap();
        }
        ::kill(-leader_, SIGKILL);  // nobody is left, where /proc told the truth
        int status = 0;
        ::waitpid(leader_, &status, 0);
        report(Kind::ended, status);
    }

    void nap() {
        auto left = std::min(plan_.wait(clock_.now()), longest_nap);
        if (killing_) left = 20ms;
        std::array<pollfd, 2> watched{pollfd{child_ended_, POLLIN, 0}, pollfd{channel_, POLLIN, 0}};
        const nfds_t count = exec_gone_ ? 1 : 2;
        const auto at_most = std::chrono::ceil<std::chrono::milliseconds>(left).count();
        if (::poll(watched.data(), count, static_cast<int>(at_most)) <= 0) return;
        signalfd_siginfo info{};
        while (::read(child_ended_, &info, sizeof info) > 0) {
        }
        if (count == 2 && watched[1].revents != 0) hear();
    }

    void hear() {
        GuardOrder order;
        const auto got = ::recv(channel_, &order, sizeof order, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (got < static_cast<ssize_t>(sizeof order)) {
            exec_gone_ = true;  // nobody renews the lease any more
            plan_.stop(clock_.now());
            return;
        }
        obey(order);
    }

    void obey(const GuardOrder& order) {
        switch (order.kind) {
            case GuardOrder::Kind::start:
                break;
            case GuardOrder::Kind::trust:
                plan_.trust({core::Nanos{order.boot_ns}, core::Nanos{order.real_ns}}, core::Nanos{order.left_ns});
                break;
            case GuardOrder::Kind::pass_on:
                if (leader_ > 0) ::kill(-leader_, order.signal);
                break;
            case GuardOrder::Kind::stop:
                plan_.stop(clock_.now());
                break;
        }
    }

    /// Left unreaped: until the end its process group's number can then be nobody else's.
    [[nodiscard]] bool has_ended() const {
        siginfo_t info{};
        return ::waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               info.si_pid == leader_;
    }

    /// Orphans that live.
    [[nodiscard]] std::vector<pid_t> reap_others() const {
        std::vector<pid_t> living;
        std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
        for (pid_t child = 0; children >> child;) {
            if (child != leader_ && ::waitpid(child, nullptr, WNOHANG) == 0) living.push_back(child);
        }
        return living;
    }

    void signal_all(int signal, const std::vector<pid_t>& others) const {
        ::kill(-leader_, signal);
        for (const auto one : others) ::kill(one, signal);
    }

    int channel_;
    std::vector<std::string> command_;
    StopPlan plan_;
    mode_t mask_;
    core::SystemClock clock_;
    sigset_t given_mask_{};
    int child_ended_ = -1;
    pid_t leader_ = -1;
    bool leader_ended_ = false, exec_gone_ = false, killing_ = false, stopped_for_the_lease_ = false;
};

}  // namespace

void run_guard(int channel, std::vector<std::string> command, core::Millis kill_after, mode_t mask) {
    Guard(channel, std::move(command), kill_after, mask).run();
}

}  // namespace understudy::app
