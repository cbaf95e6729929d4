#include "media/worker/sandbox.h"

#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <initializer_list>
#include <memory>

namespace understudy::media {

namespace {

/// Above what the loaded libraries take at the start (190 MB). Measured: an MP4 of 4 h at 60 frames a second, 1.5
/// million samples in its index, takes 120 MB.
constexpr rlim_t memory_bytes = 768u * 1024 * 1024;
constexpr rlim_t descriptors = 64;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // shadow memory takes terabytes of address space
#else
constexpr bool sanitized = false;
#endif

std::string failed(const char* what, int code) {
    return std::string(what) + ": " + std::strerror(code);
}

rlim_t address_space_in_use() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

std::string bound(int resource, rlim_t most, const char* name) {
    const rlimit limit{most, most};
    return setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0 ? std::string{} : failed(name, errno);
}

struct Release {
    void operator()(void* filter) const noexcept { seccomp_release(filter); }
};

}  // namespace

std::string limit_self(pid_t parent, int last_fd) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return failed("PR_SET_PDEATHSIG", errno);
    if (getppid() != parent) return "the server that started this worker is gone";
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return failed("PR_SET_DUMPABLE", errno);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("PR_SET_NO_NEW_PRIVS", errno);
    prctl(PR_SET_NAME, "media-worker");
    close_range(static_cast<unsigned>(last_fd) + 1, ~0u,
                0);  // the server marks all its descriptors close-on-exec anyway

    const rlim_t memory = address_space_in_use() + memory_bytes;
    struct Row {
        int resource;
        rlim_t most;
        const char* name;
    };
    for (const Row& row : {Row{RLIMIT_CORE, 0, "RLIMIT_CORE"}, Row{RLIMIT_FSIZE, 0, "RLIMIT_FSIZE"},
                           Row{RLIMIT_NPROC, 0, "RLIMIT_NPROC"}, Row{RLIMIT_MEMLOCK, 0, "RLIMIT_MEMLOCK"},
                           Row{RLIMIT_NOFILE, descriptors, "RLIMIT_NOFILE"}, Row{RLIMIT_AS, memory, "RLIMIT_AS"}}) {
        if (sanitized && (row.resource == RLIMIT_AS || row.resource == RLIMIT_NPROC)) continue;
        if (auto fault = bound(row.resource, row.most, row.name); !fault.empty()) return fault;
    }
    return {};
}

std::string forbid_system_calls(int socket) {
    const std::unique_ptr<void, Release> filter(seccomp_init(SCMP_ACT_KILL_PROCESS));
    if (filter == nullptr) return "seccomp: no filter";
    int code = 0;
    const auto allow = [&](int call, std::initializer_list<scmp_arg_cmp> where = {}) {
        if (code == 0)
            code = seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, call, static_cast<unsigned>(where.size()),
                                          where.begin());
    };
    const auto equals = [](unsigned argument, std::uint64_t value) {
        return scmp_arg_cmp{argument, SCMP_CMP_EQ, value, 0};
    };
    const auto without_bit = [](unsigned argument, std::uint64_t bit) {
        return scmp_arg_cmp{argument, SCMP_CMP_MASKED_EQ, bit, 0};
    };
    const auto from = static_cast<std::uint64_t>(socket);

    allow(SCMP_SYS(pread64));
    allow(SCMP_SYS(close));
    allow(SCMP_SYS(recvmsg), {equals(0, from)});
    allow(SCMP_SYS(sendto), {equals(0, from)});
    allow(SCMP_SYS(write), {equals(0, STDERR_FILENO)});  // abort() and the C++ library say why
    // Memory, never executable.
    allow(SCMP_SYS(mmap), {without_bit(2, PROT_EXEC)});
    allow(SCMP_SYS(mprotect), {without_bit(2, PROT_EXEC)});
    for (const int call : {SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk)}) allow(call);
    // Time, locks, randomness for hash seeds, the way out.
    for (const int call : {SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(futex),
                           SCMP_SYS(getrandom), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(exit),
                           SCMP_SYS(exit_group), SCMP_SYS(restart_syscall)})
        allow(call);
    // abort()
    const auto self = static_cast<std::uint64_t>(getpid());
    for (const int call : {SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn)})
        allow(call);
    allow(SCMP_SYS(tgkill), {equals(0, self)});
    // allow_processor_seconds()
    allow(SCMP_SYS(prlimit64), {equals(0, 0), equals(1, RLIMIT_CPU)});
    allow(SCMP_SYS(setrlimit), {equals(0, RLIMIT_CPU)});
    if (sanitized)  // their runtimes: signal stacks, waiting, and a pipe to find out whether memory can be read
        for (const int call : {SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigaction), SCMP_SYS(nanosleep),
                               SCMP_SYS(clock_nanosleep), SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(write)})
            allow(call);
    // A library that would like a thread works without one. Before it is refused, glibc sets its own two handlers (32,
    // 33).
    allow(SCMP_SYS(rt_sigaction), {scmp_arg_cmp{0, SCMP_CMP_GE, 32, 0}});
    for (const int call : {SCMP_SYS(clone), SCMP_SYS(clone3)})
        if (code == 0) code = seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EAGAIN), call, 0, nullptr);

    if (code == 0) code = seccomp_load(filter.get());
    return code == 0 ? std::string{} : failed("seccomp", -code);
}

void allow_processor_seconds(unsigned seconds) {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    const rlimit limit{static_cast<rlim_t>(used.tv_sec) + 1 + seconds, RLIM_INFINITY};
    setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace understudy::media
