#include "media/worker_pool.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "media/media_info_codec.h"
#include "unit/media/pool_fixture.h"
#include "unit/media/probed.h"

namespace understudy::media {
namespace {

using namespace std::chrono_literals;

class Pool : public PoolTest {
protected:
    /// `count` good songs with `bad` among them at a place in the middle of a batch.
    std::vector<std::string> songs_and(const std::string& bad, std::size_t count) {
        std::vector<std::string> paths(count, test::media_file("song.flac").string());
        paths.insert(paths.begin() + static_cast<std::ptrdiff_t>(count / 2), bad);
        return paths;
    }
    static void expect_only_one_failed(const std::vector<ProbeResult>& results, std::size_t bad, core::Errc code) {
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (i == bad) {
                EXPECT_EQ(code_of(results[i]), code) << said(results[i]);
            } else {
                EXPECT_TRUE(results[i]) << i << ": " << said(results[i]);
            }
        }
    }
    static bool is_gone(pid_t pid) { return kill(pid, 0) != 0; }  // a zombie would still be there
};

TEST_F(Pool, answers_each_of_many_files_once) {
    WorkerPool pool(settings(false), log_);
    std::vector<std::string> paths;
    for (int round = 0; round < 20; ++round)
        for (const auto& name : test::audio_file_names()) paths.push_back(test::media_file(name).string());
    for (const auto& result : probe_all(pool, paths)) {
        ASSERT_TRUE(result) << said(result);
        EXPECT_EQ(result->content_sample.size(), 32u);
        EXPECT_GT(result->size_bytes, 0);
    }
    const auto counts = pool.counts();
    EXPECT_EQ(counts.probed, paths.size());
    EXPECT_LE(counts.spawned, 2u);
    EXPECT_LT(counts.messages, paths.size() / 4) << "files travel in batches";
    EXPECT_EQ(counts.killed + counts.crashed + counts.retried, 0u);
}

TEST_F(Pool, the_sandbox_takes_nothing_away_from_a_parser) {
    WorkerPool pool(settings(false), log_);
    for (const auto kind : {ProbeKind::video, ProbeKind::audio}) {
        const auto names = kind == ProbeKind::video ? test::video_file_names() : test::audio_file_names();
        std::vector<std::string> paths;
        for (const auto& name : names) paths.push_back(test::media_file(name).string());
        const auto results = probe_all(pool, paths, kind);
        for (std::size_t i = 0; i < paths.size(); ++i) {
            ASSERT_TRUE(results[i]) << names[i] << ": " << said(results[i]);
            const auto here = probed(paths[i], kind);
            ASSERT_TRUE(here) << names[i];
            EXPECT_EQ(encode_media_info(*results[i]) == encode_media_info(*here), true) << names[i];
        }
    }
    EXPECT_EQ(pool.counts().crashed, 0u);
}

TEST_F(Pool, without_work_has_no_process_and_without_files_returns_at_once) {
    WorkerPool pool(settings(), log_);
    EXPECT_TRUE(probe_all(pool, {}).empty());
    EXPECT_EQ(pool.counts().spawned, 0u);
    EXPECT_TRUE(pool.workers().empty());
}

class PoolCrash : public Pool, public ::testing::WithParamInterface<const char*> {};

TEST_P(PoolCrash, costs_the_file_that_caused_it_alone) {
    WorkerPool pool(settings(), log_);
    const auto results = probe_all(pool, songs_and(order(GetParam()), 60));
    expect_only_one_failed(results, 30, core::Errc::corrupt);
    EXPECT_GE(pool.counts().crashed, 1u);
    EXPECT_LE(pool.counts().crashed, 2u) << "once in its batch, once alone";
}

INSTANTIATE_TEST_SUITE_P(all, PoolCrash, ::testing::Values("abort", "segfault", "leave"));

TEST_F(Pool, kills_a_worker_that_hangs_and_blames_only_its_file) {
    auto how = settings();
    how.batch_patience = 200ms;
    how.file_limit = 400ms;
    WorkerPool pool(how, log_);
    const auto results = probe_all(pool, songs_and(order("spin"), 60));
    expect_only_one_failed(results, 30, core::Errc::timed_out);
    EXPECT_EQ(pool.counts().killed, 2u) << "once in its batch, once alone";
    EXPECT_EQ(pool.counts().crashed, 0u);
}

TEST_F(Pool, kills_a_worker_that_answers_nonsense) {
    WorkerPool pool(settings(), log_);
    expect_only_one_failed(probe_all(pool, songs_and(order("nonsense"), 10)), 5, core::Errc::corrupt);
    EXPECT_GE(pool.counts().killed, 1u);
}

TEST_F(Pool, a_payload_that_makes_no_sense_is_its_files_fault_alone) {
    WorkerPool pool(settings(), log_);
    expect_only_one_failed(probe_all(pool, songs_and(order("gibberish"), 40)), 20, core::Errc::corrupt);
    EXPECT_EQ(pool.counts().killed, 0u) << "the frames around it were right";
}

TEST_F(Pool, does_not_blame_files_for_a_worker_that_somebody_else_killed) {
    auto how = settings();
    how.workers = 1;
    WorkerPool pool(how, log_);
    std::vector<std::string> paths(400, test::media_file("song.flac").string());
    std::vector<ProbeRequest> requests;
    for (const auto& path : paths) requests.push_back({.path = path, .kind = ProbeKind::audio});
    std::size_t good = 0;
    pid_t killed = 0;
    pool.probe(
        requests, [] { return false; },
        [&](std::size_t, const ProbeResult& result) {
            good += result.has_value() ? 1u : 0u;
            if (killed == 0) {
                killed = pool.workers().at(0);
                kill(killed, SIGKILL);
            }
        });
    EXPECT_EQ(good, paths.size());
    EXPECT_GE(pool.counts().retried, 1u);
    EXPECT_TRUE(is_gone(killed));
}

TEST_F(Pool, gives_up_on_a_file_over_which_workers_keep_being_killed) {
    auto how = settings();
    how.workers = 1;
    how.file_limit = 60s;
    WorkerPool pool(how, log_);
    std::atomic<bool> over = false;
    std::jthread killer([&] {
        while (!over) {
            for (const pid_t pid : pool.workers()) kill(pid, SIGKILL);
            std::this_thread::yield();
        }
    });
    const auto result = probe_all(pool, {order("spin")})[0];
    over = true;
    EXPECT_EQ(code_of(result), core::Errc::unavailable) << said(result);
}

TEST_F(Pool, ends_its_workers_within_moments_of_being_told_to_stop) {
    WorkerPool pool(settings(), log_);
    std::vector<std::string> paths = {order("spin"), order("spin")};
    paths.insert(paths.end(), 500, test::media_file("song.flac").string());
    std::vector<pid_t> busy;
    std::chrono::steady_clock::time_point told{};
    const auto stop = [&] {
        if (busy.size() < 2) busy = pool.workers();
        if (pool.counts().messages < 2 || busy.size() < 2) return false;
        if (told == std::chrono::steady_clock::time_point{}) told = std::chrono::steady_clock::now();
        return true;
    };
    const auto results = probe_all(pool, paths, ProbeKind::audio, stop);
    const auto took = std::chrono::steady_clock::now() - told;
    EXPECT_LT(took, 100ms * 5) << "100 ms on a quiet machine";
    EXPECT_EQ(code_of(results[0]), core::Errc::cancelled);
    EXPECT_EQ(code_of(results.back()), core::Errc::cancelled);
    EXPECT_GE(pool.counts().killed, 1u);
    std::size_t gone = 0;
    for (const pid_t pid : busy) gone += is_gone(pid) ? 1u : 0u;
    EXPECT_EQ(gone, pool.counts().killed) << "reaped before the call returned";
    EXPECT_TRUE(probe_all(pool, {test::media_file("song.flac").string()})[0]) << "and the pool still works";
}

TEST_F(Pool, one_call_that_is_cancelled_does_not_harm_another) {
    auto how = settings();
    how.batch_patience = 200ms;
    WorkerPool pool(how, log_);
    const std::vector<std::string> good(300, test::media_file("song.flac").string());
    std::atomic<bool> good_done = false;
    std::vector<ProbeResult> results;
    std::jthread other([&] {
        results = probe_all(pool, good);
        good_done = true;
    });
    const auto cancelled = probe_all(pool, {order("spin")}, ProbeKind::audio, [&] { return good_done.load(); });
    other.join();
    EXPECT_EQ(code_of(cancelled[0]), core::Errc::cancelled);
    for (const auto& result : results) EXPECT_TRUE(result) << said(result);
}

TEST_F(Pool, several_callers_get_their_turns) {
    auto how = settings(false);
    how.workers = 1;
    WorkerPool pool(how, log_);
    const auto song = test::media_file("song.flac").string();
    ASSERT_TRUE(probe_all(pool, {song})[0]);
    std::atomic<std::size_t> long_done = 0;
    std::atomic<bool> started = false;
    constexpr std::size_t many = 5000;
    std::jthread long_call([&] {
        const std::vector<ProbeRequest> requests(many, {.path = song, .kind = ProbeKind::audio});
        pool.probe(
            requests, [] { return false; },
            [&](std::size_t, const ProbeResult&) {
                ++long_done;
                started = true;
                started.notify_one();
            });
    });
    started.wait(false);
    probe_all(pool, std::vector<std::string>(20, song));
    EXPECT_LT(long_done.load(), many) << "the short call did not wait for the long one";
}

TEST_F(Pool, an_exception_of_the_caller_leaves_nothing_behind) {
    WorkerPool pool(settings(false), log_);
    const std::vector<ProbeRequest> requests(
        200, {.path = test::media_file("song.flac").string(), .kind = ProbeKind::audio});
    EXPECT_THROW(pool.probe(
                     requests, [] { return false; },
                     [](std::size_t, const ProbeResult&) { throw std::runtime_error("full disc"); }),
                 std::runtime_error);
    EXPECT_TRUE(probe_all(pool, {requests[0].path})[0]);
}

TEST_F(Pool, lets_idle_workers_go) {
    auto how = settings(false);
    how.idle_limit = 50ms;
    WorkerPool pool(how, log_);
    ASSERT_TRUE(probe_all(pool, {test::media_file("song.flac").string()})[0]);
    while (!pool.workers().empty()) std::this_thread::yield();
    EXPECT_EQ(pool.counts().killed, 0u) << "it was asked, not killed";
    ASSERT_TRUE(probe_all(pool, {test::media_file("song.flac").string()})[0]);
    EXPECT_EQ(pool.counts().spawned, 2u);
}

TEST_F(Pool, reaps_all_workers_at_its_end) {
    std::vector<pid_t> pids;
    {
        WorkerPool pool(settings(false), log_);
        probe_all(pool, std::vector<std::string>(200, test::media_file("song.flac").string()));
        pids = pool.workers();
        ASSERT_FALSE(pids.empty());
    }
    for (const pid_t pid : pids) EXPECT_TRUE(is_gone(pid));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

TEST_F(Pool, workers_die_with_a_server_that_is_killed) {
    // A child stands for the server. It must be a process of its own with one thread, so it is this program run again.
    if (const char* report = std::getenv("UNDERSTUDY_TEST_REPORT")) {
        WorkerPool pool(settings(), log_);
        std::jthread prober([&] { probe_all(pool, {order("spin")}); });
        while (pool.counts().messages == 0) std::this_thread::yield();
        std::ofstream(std::string(report) + ".part") << pool.workers().at(0) << '\n' << folder_.path().string() << '\n';
        std::filesystem::rename(std::string(report) + ".part", report);
        for (;;) pause();
    }
    const auto report = folder_.path() / "report";
    const pid_t server = fork();
    ASSERT_GE(server, 0);
    if (server == 0) {
        setenv("UNDERSTUDY_TEST_REPORT", report.c_str(), 1);
        execl("/proc/self/exe", "server", "--gtest_filter=Pool.workers_die_with_a_server_that_is_killed", nullptr);
        _exit(127);
    }
    while (!std::filesystem::exists(report)) std::this_thread::yield();
    pid_t worker = 0;
    std::string left_folder;
    std::ifstream(report) >> worker >> left_folder;
    ASSERT_FALSE(is_gone(worker));
    kill(server, SIGKILL);
    waitpid(server, nullptr, 0);
    // Whoever inherits it (init) reaps it; a container without one leaves a zombie, which is dead too.
    const auto is_dead = [&] {
        const auto status = test::read_bytes("/proc/" + std::to_string(worker) + "/status");
        return status.empty() || status.find("State:\tZ") != std::string::npos;
    };
    while (!is_dead()) std::this_thread::yield();
    std::filesystem::remove_all(left_folder);
}

TEST_F(Pool, names_the_path_and_the_setting_when_there_is_no_worker) {
    auto how = settings();
    how.worker = folder_.path() / "understudy-media";
    WorkerPool pool(how, log_);
    for (const auto& result : probe_all(pool, std::vector<std::string>(300, test::media_file("song.flac").string()))) {
        EXPECT_EQ(code_of(result), core::Errc::unavailable);
        EXPECT_NE(said(result).find(how.worker.string()), std::string::npos) << said(result);
        EXPECT_NE(said(result).find("Jellyfin:Media:WorkerPath"), std::string::npos) << said(result);
    }
}

TEST_F(Pool, says_so_when_the_worker_is_some_other_program) {
    auto how = settings();
    how.worker = "/bin/true";
    WorkerPool pool(how, log_);
    const auto result = probe_all(pool, {test::media_file("song.flac").string()})[0];
    EXPECT_EQ(code_of(result), core::Errc::unavailable);
    EXPECT_NE(said(result).find("/bin/true"), std::string::npos) << said(result);
}

TEST_F(Pool, lowers_the_priority_of_its_workers_if_asked) {
    auto how = settings(false);
    how.nice = 7;
    WorkerPool pool(how, log_);
    ASSERT_TRUE(probe_all(pool, {test::media_file("song.flac").string()})[0]);
    const auto stat = test::read_bytes("/proc/" + std::to_string(pool.workers().at(0)) + "/stat");
    std::istringstream fields(stat.substr(stat.rfind(')') + 2));
    std::string field;
    for (int i = 0; i < 17; ++i) fields >> field;  // proc(5): the 19th, the 17th after the name
    EXPECT_EQ(std::stoi(field), std::min(19, getpriority(PRIO_PROCESS, 0) + 7));
}

TEST(TimeLimit, grows_with_the_file_and_ends_somewhere) {
    constexpr std::int64_t gibibyte = 1LL << 30;
    EXPECT_EQ(time_limit(15s, ProbeKind::video, 1000), 15s);
    EXPECT_EQ(time_limit(15s, ProbeKind::video, 40 * gibibyte), 25s);
    EXPECT_EQ(time_limit(15s, ProbeKind::audio, 2 * gibibyte), 23s);
    EXPECT_EQ(time_limit(15s, ProbeKind::audio, 4000 * gibibyte), 75s);
}

}  // namespace
}  // namespace understudy::media
