#include <signal.h>

#include <fstream>
#include <thread>

#include "media/wire.h"
#include "unit/media/pool_fixture.h"

namespace understudy::media {
namespace {

class Sandbox : public PoolTest, public testing::WithParamInterface<const char*> {};

TEST_P(Sandbox, kills_a_parser_that_reaches_out) {
    WorkerPool pool(settings(), log_);
    const auto results = probe_all(pool, {order(GetParam())});
    EXPECT_EQ(code_of(results[0]), core::Errc::corrupt);
    EXPECT_NE(said(results[0]).find("forbids"), std::string::npos) << said(results[0]);
    EXPECT_EQ(pool.counts().crashed, 1u);
}

INSTANTIATE_TEST_SUITE_P(all, Sandbox,
                         testing::Values("open", "create", "socket", "exec", "kill", "stat", "unlink", "ptrace",
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
