// A worker that obeys a file which begins with `understudy-test-order: `; with any other it does its job. The orders
// stand for what a parser does that its input has taken over, or that is merely broken.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "media/wire.h"
#include "media/worker/run_job.h"
#include "media/worker/worker.h"
#include "test_pattern.h"

namespace {

std::atomic<bool> never{false};
int policy_at_start = -1;  ///< sched_getscheduler(2)

/// Keeps the processor busy for ever.
void spin() {
    while (!never.load(std::memory_order_relaxed)) {
    }
}

using understudy::media::ByteSource;
using understudy::media::Job;
using Payload = understudy::core::Result<std::string>;

/// What the order came to, if the process is still there.
std::string obey(std::string_view order) {
    const auto came_to = [](long result) { return result < 0 ? std::string("refused") : std::string("done"); };
    if (order == "abort") std::abort();
    if (order == "segfault") raise(SIGSEGV);
    if (order == "leave") _exit(3);
    if (order == "spin") spin();
    if (order == "open") return came_to(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
    if (order == "create") return came_to(open("stolen", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (order == "socket") return came_to(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (order == "exec") {
        char name[] = "/bin/true";
        char* const arguments[] = {name, nullptr};
        return came_to(execve(name, arguments, nullptr));
    }
    if (order == "kill") return came_to(kill(1, 0));
    if (order == "stat") {
        struct stat state {};
        return came_to(stat("/etc/passwd", &state));
    }
    if (order == "unlink") return came_to(unlink("/nowhere/at/all"));
    if (order == "ptrace") return came_to(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
    if (order == "dumpable") return came_to(prctl(PR_SET_DUMPABLE, 1));
    if (order == "executable") {
        void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return page == MAP_FAILED ? "refused" : "done";
    }
    if (order == "limits") {
        const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
        return came_to(setrlimit(RLIMIT_AS, &none));
    }
    if (order == "fork") return came_to(fork());
    if (order == "thread") {
        try {
            std::thread([] {}).join();
            return "done";
        } catch (const std::system_error&) {
            return "refused";
        }
    }
    if (order == "memory") {
        std::vector<std::unique_ptr<char[]>> hoard;
        for (;;) hoard.push_back(std::make_unique<char[]>(16 * 1024 * 1024));
    }
    if (order == "nonsense") {
        const std::string noise(1000, '\xFF');
        send(understudy::media::wire::socket_fd, noise.data(), noise.size(), MSG_NOSIGNAL);
        spin();
    }
    return "unknown order";
}

/// Talks for ever, each word a frame that looks right but answers nothing.
void flood() {
    std::string frames;
    while (frames.size() < 30'000) understudy::media::wire::append_answer(frames, 0xABCDEF, std::string(100, 'x'));
    while (send(understudy::media::wire::socket_fd, frames.data(), frames.size(), MSG_NOSIGNAL) > 0) {
    }
}

Payload run_or_obey(ByteSource& bytes, Job job, std::string_view parameters) {
    constexpr std::string_view prefix = "understudy-test-order: ";
    const auto head = bytes.head();
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (!text.starts_with(prefix)) return understudy::media::run_job(bytes, job, parameters);
    const auto order = text.substr(prefix.size());
    if (order == "echo") return std::string(parameters);
    if (order == "policy at start") return std::to_string(policy_at_start);
    if (order == "8 MiB") return understudy::media::test_pattern(8 * 1024 * 1024);
    if (order == "16 MiB") return understudy::media::test_pattern(understudy::media::max_payload_bytes);
    if (order == "more") return understudy::media::test_pattern(understudy::media::max_payload_bytes + 1);
    if (order == "gibberish") return std::string("gibberish \xFF");
    if (order == "flood") flood();
    try {
        return understudy::core::fail(understudy::core::Errc::invalid, obey(order));
    } catch (const std::bad_alloc&) {
        return understudy::core::fail(understudy::core::Errc::invalid, "refused");
    }
}

}  // namespace

int main(int argc, char** argv) {
    policy_at_start = sched_getscheduler(0);
    _exit(understudy::media::run_worker(argc, argv, run_or_obey));
}
