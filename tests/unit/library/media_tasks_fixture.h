// tests/unit/library/media_tasks_fixture.h: a folder of real media, scanned, and real workers for the tasks that
// decode.
#pragma once

#include "media/worker_pool.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_blobs.h"
#include "store/sql/sql_media_facts.h"
#include "support/media_files.h"
#include "unit/library/scan_fixture.h"

namespace understudy::library {

class MediaTasks : public ScanTest {
protected:
    MediaTasks()
        : analyses(*database),
          facts(*database),
          blobs(*database),
          pool({.worker = UNDERSTUDY_MEDIA_WORKER, .workers = 2, .idle = true}, log) {}

    /// A real film of 60 s with a picture that changes each second, a keyframe each 2 s.
    void film_file(const std::string& below, const std::vector<std::string>& more = {}) {
        const auto out = folder.path() / "made.mkv";
        std::vector<std::string> command{"ffmpeg", "-v",    "error", "-y",
                                         "-f",     "lavfi", "-i",    "testsrc2=size=320x180:rate=10:duration=60"};
        command.insert(command.end(), more.begin(), more.end());
        for (const auto* word : {"-c:v", "libx264", "-preset", "ultrafast", "-g", "20"}) command.emplace_back(word);
        command.push_back(out.string());
        (void)test::output_of(command);
        tree.file(below, test::read_bytes(out));
    }
    core::LibraryId films(const std::string& options, std::vector<model::Chapter> chapters = {}) {
        auto info = testing::film(180, std::chrono::seconds{60});
        info.chapters = std::move(chapters);
        prober.say(".mkv", info);
        model::Library made;
        made.id = core::LibraryId::make(random);
        made.name = "Films";
        made.paths = {tree.path("lib")};
        made.options = options;
        EXPECT_TRUE(library_store->add(made));
        scan();
        return made.id;
    }
    /// A song of pink noise: `volume_db` tells songs apart, `more` are options of ffmpeg.
    void song_file(const std::string& below, double volume_db, int seconds = 5,
                   const std::vector<std::string>& more = {}) {
        const auto out = folder.path() / ("made" + below.substr(below.rfind('.')));
        std::vector<std::string> command{
            "ffmpeg", "-v",
            "error",  "-y",
            "-f",     "lavfi",
            "-i",     "anoisesrc=color=pink:seed=" + std::to_string(++seed_) + ":duration=" + std::to_string(seconds),
            "-af",    "volume=" + std::to_string(volume_db) + "dB"};
        command.insert(command.end(), more.begin(), more.end());
        command.push_back(out.string());
        (void)test::output_of(command);
        tree.file(below, test::read_bytes(out));
    }
    core::Result<void> execute(tasks::ScheduledTask& task) {
        run = std::make_unique<testing::FakeRun>();
        register_run();
        return task.execute(*run);
    }

    core::NullLog log;
    test::TempFolder folder;
    store::sql::SqlAnalyses analyses;
    store::sql::SqlMediaFacts facts;
    store::sql::SqlBlobs blobs;
    media::WorkerPool pool;

private:
    int seed_ = 0;
};

inline auto databases() {
    return ::testing::Values(StoreKind::sqlite, StoreKind::postgresql);
}

}  // namespace understudy::library
