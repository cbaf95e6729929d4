#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <thread>

#include "media/unique_fd.h"
#include "media/wire.h"
#include "media/worker_process.h"
#include "unit/media/pool_fixture.h"

namespace understudy::media {
namespace {

class Sandbox : public PoolTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(Sandbox, kills_a_parser_that_reaches_out) {
    WorkerPool pool(settings(), log_);
    const auto results = probe_all(pool, {order(GetParam())});
    EXPECT_EQ(code_of(results[0]), core::Errc::corrupt);
    EXPECT_NE(said(results[0]).find("forbids"), std::string::npos) << said(results[0]);
    EXPECT_EQ(pool.counts().crashed, 1u);
}

INSTANTIATE_TEST_SUITE_P(all, Sandbox,
                         ::testing::Values("open", "create", "socket", "exec", "kill", "stat", "unlink", "ptrace",
                                           "dumpable", "executable", "limits"));

using SandboxTest = PoolTest;

TEST_F(SandboxTest, lets_no_parser_have_children_or_threads) {
    WorkerPool pool(settings(), log_);
    for (const auto& result : probe_all(pool, {order("fork"), order("thread")})) EXPECT_EQ(said(result), "refused");
}

TEST_F(SandboxTest, bounds_the_memory_of_a_parser) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need more address space than the bound leaves";
#endif
    WorkerPool pool(settings(), log_);
    EXPECT_EQ(said(probe_all(pool, {order("memory")})[0]), "refused");
    EXPECT_EQ(pool.counts().crashed, 0u);
}

TEST_F(SandboxTest, ends_a_parser_that_burns_time_even_if_its_server_does_not_look) {
    auto worker = WorkerProcess::start({.binary = UNDERSTUDY_MEDIA_TEST_WORKER});
    ASSERT_TRUE(worker) << worker.error().context;
    const UniqueFd file(open(order("spin").c_str(), O_RDONLY | O_CLOEXEC));
    const wire::Order order{.size_bytes = 100, .id = 1, .cpu_seconds = 0};
    const int fd = file.get();
    ASSERT_TRUE((*worker)->send({&order, 1}, {&fd, 1}, {}));
    while ((*worker)->receive()) {
        pollfd wait{(*worker)->socket(), POLLIN, 0};
        poll(&wait, 1, -1);
    }
    std::optional<int> status;
    while (!status) status = (*worker)->try_reap();
    ASSERT_TRUE(WIFSIGNALED(*status));
    EXPECT_EQ(WTERMSIG(*status), SIGXCPU) << describe_exit(*status);
}

TEST_F(SandboxTest, leaves_a_worker_only_its_socket_and_nothing_of_the_environment) {
    const int leaked = dup(0);  // not close-on-exec: the pool closes even that
    auto how = settings(false);
    how.workers = 1;
    WorkerPool pool(how, log_);
    ASSERT_TRUE(probe_all(pool, {test::media_file("song.flac").string()})[0]);
    ASSERT_EQ(pool.workers().size(), 1u);
    const auto proc = std::filesystem::path("/proc") / std::to_string(pool.workers()[0]);
    std::size_t descriptors = 0;
    for (const auto& entry : std::filesystem::directory_iterator(proc / "fd"))
        descriptors += entry.path().filename() != "x";
    EXPECT_EQ(descriptors, 4u);  // three times /dev/null and the socket
    EXPECT_TRUE(test::read_bytes(proc / "environ").empty());
    std::ifstream status(proc / "status");
    std::string word, seccomp, privileges;
    while (status >> word) {
        if (word == "Seccomp:") status >> seccomp;
        if (word == "NoNewPrivs:") status >> privileges;
    }
    EXPECT_EQ(seccomp, "2");
    EXPECT_EQ(privileges, "1");
    close(leaked);
}

}  // namespace
}  // namespace understudy::media
