// The jobs pictures, fingerprint, edges and cover through the pool, in the real worker: its sandbox must let them work.
#include "media/cover.h"
#include "media/edges.h"
#include "media/fingerprint.h"
#include "media/pictures.h"
#include "unit/media/pool_fixture.h"

namespace understudy::media {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class PoolJobs : public PoolTest {
protected:
    std::vector<AnalysisResult> analyse(const std::vector<std::string>& paths, Job job, const std::string& parameters) {
        std::vector<AnalysisRequest> requests;
        for (const auto& path : paths)
            requests.push_back({.path = path, .job = job, .parameters = parameters, .limit = seconds{60}});
        std::vector<AnalysisResult> results(paths.size(), core::fail(core::Errc::invalid, "never answered"));
        pool_.analyse(
            requests, [] { return false; },
            [&](std::size_t i, AnalysisResult result) { results.at(i) = std::move(result); });
        return results;
    }
    void no_worker_was_lost() {
        EXPECT_EQ(pool_.counts().crashed, 0u);
        EXPECT_EQ(pool_.counts().killed, 0u);
    }
    static std::vector<std::string> paths_of(const std::vector<std::string>& names) {
        std::vector<std::string> paths;
        for (const auto& name : names) paths.push_back(test::media_file(name).string());
        return paths;
    }

    WorkerPool pool_{settings(false), log_};
};

TEST_F(PoolJobs, pictures_of_every_kind_of_video) {
    const auto paths = paths_of(test::video_file_names());
    for (const auto choice : {PictureChoice::exact, PictureChoice::keyframe}) {
        for (const auto format : {PictureFormat::jpeg, PictureFormat::webp}) {
            PicturesParameters parameters;
            parameters.times = {milliseconds{0}, milliseconds{300}};
            parameters.choice = choice;
            parameters.format = format;
            const auto results = analyse(paths, Job::pictures, encode(parameters));
            for (std::size_t i = 0; i < paths.size(); ++i) {
                ASSERT_TRUE(results[i]) << paths[i] << ": " << results[i].error().context;
                const auto result = decode_pictures_result(results[i]->payload);
                ASSERT_TRUE(result) << paths[i];
                ASSERT_EQ(result->pictures.size(), 2u);
                for (const auto& picture : result->pictures) EXPECT_EQ(picture.reason, "") << paths[i];
            }
        }
    }
    no_worker_was_lost();
}

TEST_F(PoolJobs, fingerprints_of_every_kind_of_audio) {
    const auto paths = paths_of(test::audio_file_names());
    const auto results =
        analyse(paths, Job::fingerprint, encode(FingerprintParameters{.windows = {{seconds{0}, seconds{2}}}}));
    for (std::size_t i = 0; i < paths.size(); ++i) {
        ASSERT_TRUE(results[i]) << paths[i] << ": " << results[i].error().context;
        ASSERT_TRUE(decode_fingerprint_result(results[i]->payload)) << paths[i];
    }
    no_worker_was_lost();
}

TEST_F(PoolJobs, edges_and_covers) {
    const auto edges = analyse(paths_of({"film.mkv", "film.mp4"}), Job::edges,
                               encode(EdgesParameters{.windows = {{seconds{0}, seconds{2}}}}));
    for (const auto& result : edges) {
        ASSERT_TRUE(result) << result.error().context;
        EXPECT_TRUE(decode_edges_result(result->payload));
    }
    CoverParameters parameters;
    parameters.original_bytes = 0;  // decoded and coded anew
    const auto covers =
        analyse(paths_of({"song.mp3", "song.flac", "song.m4a", "song.wav"}), Job::cover, encode(parameters));
    for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_TRUE(covers[i]) << covers[i].error().context;
        const auto cover = decode_cover_result(covers[i]->payload);
        ASSERT_TRUE(cover);
        EXPECT_EQ(cover->width, 64);
        EXPECT_FALSE(cover->is_original);
    }
    EXPECT_EQ(covers[3].error().code, core::Errc::unsupported);
    no_worker_was_lost();
}

TEST_F(PoolJobs, parameters_that_make_no_sense_are_refused) {
    for (const Job job : {Job::pictures, Job::fingerprint, Job::edges, Job::cover}) {
        const auto results = analyse(paths_of({"film.mkv"}), job, "\xFF\xFF");
        ASSERT_FALSE(results[0]);
        EXPECT_EQ(results[0].error().code, core::Errc::invalid);
    }
    no_worker_was_lost();
}

TEST_F(PoolJobs, broken_files_have_a_reason_and_cost_no_worker) {
    std::vector<std::string> paths;
    for (const auto& name :
         {"film.mkv", "film.mp4", "show.ts", "hevc.mp4", "clip.webm", "av1.mkv", "song.mp3", "song.m4a"}) {
        auto bytes = test::read_bytes(test::media_file(name));
        paths.push_back(folder_.write("cut " + std::string(name), bytes.substr(0, bytes.size() / 3)).string());
        for (std::size_t i = 500; i < bytes.size(); i += 997) bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
        paths.push_back(folder_.write("flipped " + std::string(name), bytes).string());
    }
    PicturesParameters pictures;
    pictures.times = {milliseconds{100}, milliseconds{1'500}};
    const std::vector<TimeSpan> windows{{seconds{0}, seconds{2}}};
    for (const auto& [job, parameters] : {std::pair{Job::pictures, encode(pictures)},
                                          {Job::fingerprint, encode(FingerprintParameters{.windows = windows})},
                                          {Job::edges, encode(EdgesParameters{.windows = windows})},
                                          {Job::cover, encode(CoverParameters{})}}) {
        const auto results = analyse(paths, job, parameters);
        for (std::size_t i = 0; i < paths.size(); ++i)
            if (!results[i]) {
                EXPECT_NE(results[i].error().context, "") << paths[i];
                EXPECT_TRUE(results[i].error().code == core::Errc::corrupt ||
                            results[i].error().code == core::Errc::unsupported)
                    << paths[i] << ": " << results[i].error().context;
            }
    }
    no_worker_was_lost();
}

}  // namespace
}  // namespace understudy::media
