// Real signals to a child of this process: what ends a server at once, and what does not.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "app/stop_signals.h"

namespace understudy::app {
namespace {

using core::Millis;

/// Stops at the first signal as a server does, says so, and goes on stopping until it is told that it is done.
class StoppingChild {
public:
    explicit StoppingChild(Millis same) {
        if (::pipe(said_) != 0 || ::pipe(told_) != 0) throw std::runtime_error("pipe");
        pid_ = ::fork();
        if (pid_ == 0) {
            const StopSignals signals;
            char word = 'r';
            if (::write(said_[1], &word, 1) != 1) ::_exit(9);
            signals.wait();
            {
                const ImpatientStop impatient(signals, same);
                word = 's';
                if (::write(said_[1], &word, 1) != 1 || ::read(told_[0], &word, 1) != 1) ::_exit(9);
            }
            ::_exit(0);
        }
    }
    ~StoppingChild() {
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
        for (const int end : {said_[0], said_[1], told_[0], told_[1]}) ::close(end);
    }
    StoppingChild(const StoppingChild&) = delete;
    StoppingChild& operator=(const StoppingChild&) = delete;

    [[nodiscard]] char hear() const {
        char word = 0;
        return ::read(said_[0], &word, 1) == 1 ? word : '?';
    }
    void send(int signal) const { ::kill(pid_, signal); }
    void finish() const { EXPECT_EQ(::write(told_[1], "d", 1), 1); }
    [[nodiscard]] int status() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = -1;
        return status;
    }

private:
    int said_[2]{}, told_[2]{};
    pid_t pid_ = -1;
};

TEST(StopSignals, one_ctrl_c_that_comes_twice_still_lets_the_server_hand_over) {
    StoppingChild child(std::chrono::hours{1});
    ASSERT_EQ(child.hear(), 'r');
    child.send(SIGINT);
    ASSERT_EQ(child.hear(), 's');
    child.send(SIGTERM);
    child.send(SIGINT);
    child.finish();
    const int status = child.status();
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(StopSignals, a_later_one_ends_the_process_at_once) {
    StoppingChild child(Millis{0});
    ASSERT_EQ(child.hear(), 'r');
    child.send(SIGTERM);
    ASSERT_EQ(child.hear(), 's');
    child.send(SIGINT);
    const int status = child.status();  // never told to finish
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGINT);
}

}  // namespace
}  // namespace understudy::app
