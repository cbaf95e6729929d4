#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "media/media_info_codec.h"
#include "unit/media/pool_fixture.h"
#include "unit/media/test_pattern.h"

namespace understudy::media {
namespace {

using namespace std::chrono_literals;

class Analyses : public PoolTest {
protected:
    static std::vector<AnalysisResult> analyse_all(
        Analyst& pool, const std::vector<AnalysisRequest>& requests,
        const std::function<bool()>& stop = [] { return false; }) {
        std::vector<std::optional<AnalysisResult>> slots(requests.size());
        pool.analyse(requests, stop, [&](std::size_t i, AnalysisResult result) {
            EXPECT_FALSE(slots.at(i).has_value()) << "answered twice";
            slots[i] = std::move(result);
        });
        std::vector<AnalysisResult> results;
        for (auto& slot : slots) {
            EXPECT_TRUE(slot.has_value()) << "never answered";
            results.push_back(slot ? std::move(*slot) : core::fail(core::Errc::invalid, "never answered"));
        }
        return results;
    }
    AnalysisRequest request(const std::string& what, std::string parameters = {}) {
        return {.path = order(what), .job = Job::fingerprint, .parameters = std::move(parameters), .limit = 20s};
    }
    static core::Errc code_of(const AnalysisResult& result) {
        return result ? core::Errc::conflict : result.error().code;
    }
    static std::string said(const AnalysisResult& result) { return result ? "a result" : result.error().context; }
    static bool is_gone(pid_t pid) { return kill(pid, 0) != 0; }  // a zombie would still be there

    /// `bad` among echoes: it alone may fail.
    void expect_harm_to_one(WorkerPool& pool, const std::string& bad, core::Errc code) {
        std::vector<AnalysisRequest> requests;
        for (int i = 0; i < 9; ++i)
            requests.push_back(i == 4 ? request(bad) : request("echo", "number " + std::to_string(i)));
        requests[4].limit = 300ms;
        const auto results = analyse_all(pool, requests);
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (i == 4) {
                EXPECT_EQ(code_of(results[i]), code) << said(results[i]);
            } else {
                ASSERT_TRUE(results[i]) << said(results[i]);
                EXPECT_EQ(results[i]->payload, "number " + std::to_string(i));
            }
        }
        EXPECT_EQ(pool.counts().retried, 0u) << "nobody else was in the same boat";
    }
};

TEST_F(Analyses, each_file_gets_its_own_parameters_and_answer) {
    WorkerPool pool(settings(), log_);
    std::vector<AnalysisRequest> requests;
    for (int i = 0; i < 50; ++i)
        requests.push_back(request("echo", std::string(static_cast<std::size_t>(i * 97), 'a')));
    const auto results = analyse_all(pool, requests);
    for (std::size_t i = 0; i < results.size(); ++i) {
        ASSERT_TRUE(results[i]) << said(results[i]);
        EXPECT_EQ(results[i]->payload, requests[i].parameters);
    }
    EXPECT_EQ(pool.counts().messages, requests.size()) << "one file a message";
    EXPECT_EQ(pool.counts().spawned, 2u) << "a heavy file is worth a worker";
}

TEST_F(Analyses, parameters_arrive_whole_up_to_their_bound_and_are_refused_beyond) {
    WorkerPool pool(settings(), log_);
    const auto most = test_pattern(max_parameter_bytes);
    const auto results = analyse_all(pool, {request("echo", most), request("echo", most + "x")});
    ASSERT_TRUE(results[0]) << said(results[0]);
    EXPECT_EQ(results[0]->payload == most, true);
    EXPECT_EQ(code_of(results[1]), core::Errc::invalid) << said(results[1]);
}

TEST_F(Analyses, a_probe_is_a_job_like_any_other) {
    WorkerPool pool(settings(false), log_);
    const auto song = test::media_file("song.flac").string();
    const auto results = analyse_all(pool, {{.path = song, .job = Job::probe_audio}});
    ASSERT_TRUE(results[0]) << said(results[0]);
    const auto info = decode_media_info(results[0]->payload);
    ASSERT_TRUE(info);
    EXPECT_EQ(info->tags.album, "The Album");
}

TEST_F(Analyses, a_job_that_the_worker_does_not_know_is_unsupported) {
    WorkerPool pool(settings(false), log_);
    const auto results =
        analyse_all(pool, {{.path = test::media_file("song.flac").string(), .job = static_cast<Job>(job_count)}});
    EXPECT_EQ(code_of(results[0]), core::Errc::unsupported) << said(results[0]);
}

TEST_F(Analyses, a_crash_costs_its_file_alone) {
    for (const char* how : {"abort", "segfault", "leave"}) {
        WorkerPool pool(settings(), log_);
        expect_harm_to_one(pool, how, core::Errc::corrupt);
        EXPECT_EQ(pool.counts().crashed, 1u);
    }
}

TEST_F(Analyses, a_hang_ends_at_the_files_own_limit) {
    WorkerPool pool(settings(), log_);
    expect_harm_to_one(pool, "spin", core::Errc::timed_out);
    EXPECT_EQ(pool.counts().killed, 1u);
}

TEST_F(Analyses, nonsense_costs_its_file_alone) {
    for (const char* how : {"nonsense", "flood"}) {
        WorkerPool pool(settings(), log_);
        expect_harm_to_one(pool, how, core::Errc::corrupt);
        EXPECT_EQ(pool.counts().killed, 1u);
    }
}

TEST_F(Analyses, a_huge_payload_arrives_whole) {
    WorkerPool pool(settings(), log_);
    const auto results = analyse_all(pool, {request("8 MiB"), request("16 MiB"), request("more"), request("8 MiB")});
    for (const std::size_t i : {0u, 3u}) {
        ASSERT_TRUE(results[i]) << said(results[i]);
        EXPECT_EQ(results[i]->payload == test_pattern(8 * 1024 * 1024), true);
    }
    ASSERT_TRUE(results[1]) << said(results[1]);
    EXPECT_EQ(results[1]->payload.size(), max_payload_bytes);
    EXPECT_EQ(code_of(results[2]), core::Errc::corrupt) << said(results[2]);
    EXPECT_EQ(pool.counts().killed + pool.counts().crashed, 0u);
}

TEST_F(Analyses, a_cancelled_job_has_no_process_within_a_second) {
    auto how = settings();
    how.idle = true;
    WorkerPool pool(how, log_);
    std::vector<pid_t> busy;
    std::chrono::steady_clock::time_point told{};
    const auto stop = [&] {
        if (busy.size() < 2) busy = pool.workers();
        if (pool.counts().messages < 2 || busy.size() < 2) return false;
        if (told == std::chrono::steady_clock::time_point{}) told = std::chrono::steady_clock::now();
        return true;
    };
    const auto results = analyse_all(pool, {request("spin"), request("spin"), request("echo"), request("echo")}, stop);
    EXPECT_LT(std::chrono::steady_clock::now() - told, 1s);
    for (const auto& result : results) EXPECT_EQ(code_of(result), core::Errc::cancelled) << said(result);
    for (const pid_t pid : busy) EXPECT_TRUE(is_gone(pid)) << "reaped before the call returned";
    EXPECT_TRUE(analyse_all(pool, {request("echo")})[0]) << "and the pool still works";
}

TEST_F(Analyses, size_and_date_are_those_after_the_job) {
    auto how = settings();
    how.workers = 1;
    WorkerPool pool(how, log_);
    // The second file is open and waits behind the first, which hangs: meanwhile it grows.
    std::vector<AnalysisRequest> requests = {request("spin"), request("echo")};
    requests[0].limit = 300ms;
    bool grown = false;
    const auto results = analyse_all(pool, requests, [&] {
        if (pool.counts().messages == 1 && !std::exchange(grown, true))
            std::ofstream(requests[1].path, std::ios::app | std::ios::binary) << "!";
        return false;
    });
    ASSERT_TRUE(grown);
    ASSERT_TRUE(results[1]) << said(results[1]);
    struct stat state {};
    ASSERT_EQ(stat(requests[1].path.c_str(), &state), 0);
    EXPECT_EQ(results[1]->mtime_ns, std::int64_t{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec);
    EXPECT_EQ(results[1]->size_bytes, state.st_size);
}

TEST_F(Analyses, probes_and_analyses_share_a_pool_in_turns) {
    auto how = settings();
    how.workers = 1;
    WorkerPool pool(how, log_);
    std::atomic<bool> enough = false;
    std::atomic<int> probed = 0, analysed = 0;
    // Both go on until each has had its share while the other had work without end: if one starved, this would not end.
    const auto both = [&] {
        if (probed > 100 && analysed > 10) enough = true;
        return enough.load();
    };
    std::jthread prober([&] {
        const std::vector<ProbeRequest> songs(
            100'000, {.path = test::media_file("song.flac").string(), .kind = ProbeKind::audio});
        pool.probe(songs, both, [&](std::size_t, const ProbeResult& result) { probed += result ? 1 : 0; });
    });
    const std::vector<AnalysisRequest> echoes(100'000, request("echo"));
    pool.analyse(echoes, both, [&](std::size_t, const AnalysisResult& result) { analysed += result ? 1 : 0; });
    prober.join();
    EXPECT_GT(probed.load(), 100);
    EXPECT_GT(analysed.load(), 10);
}

TEST_F(Analyses, an_idle_pool_runs_only_when_nobody_else_wants_to) {
    auto how = settings();
    how.idle = true;
    WorkerPool pool(how, log_);
    const auto begun = analyse_all(pool, {request("policy at start")})[0];
    ASSERT_TRUE(begun) << said(begun);
    EXPECT_EQ(begun->payload, std::to_string(sched_getscheduler(0))) << "else it would not come up on a busy machine";
    const pid_t pid = pool.workers().at(0);
    const auto stat = test::read_bytes("/proc/" + std::to_string(pid) + "/stat");
    std::istringstream fields(stat.substr(stat.rfind(')') + 2));
    std::vector<std::string> after_name;
    for (std::string field; fields >> field;) after_name.push_back(field);
    ASSERT_GT(after_name.size(), 38u);
    EXPECT_EQ(after_name[16], "19") << "proc(5): nice is field 19, the 17th after the name";
    EXPECT_EQ(after_name[38], std::to_string(SCHED_IDLE)) << "and policy field 41";
    constexpr int who_process = 1;
    EXPECT_EQ(syscall(SYS_ioprio_get, who_process, pid) >> 13, 3) << "IOPRIO_CLASS_IDLE";
}

}  // namespace
}  // namespace understudy::media
