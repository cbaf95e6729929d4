#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"
#include "task_fakes.h"
#include "tasks/pod/clean_activity_log.h"
#include "tasks/pod/clean_log_files.h"
#include "tasks/pod/delete_cache_files.h"

namespace understudy::tasks::pod {
namespace {

namespace fs = std::filesystem;
using testing::FakeDatabase;
using testing::FakeLedger;
using testing::LinesLog;
using testing::ManualClock;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

class PodTasksTest : public ::testing::Test {
protected:
    PodTasksTest() { fs::create_directories(cache); }

    void make(const fs::path& file, std::chrono::days age, const std::string& content = "12345") {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << content;
        set_age(file, age);
    }
    void set_age(const fs::path& file, std::chrono::days age) {
        const auto at = std::chrono::duration_cast<std::chrono::seconds>(clock.now().real - age);
        const timespec times[2] = {{at.count(), 0}, {at.count(), 0}};
        ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
    }
    /// Runs the task to its end; its row as stored.
    RunRow execute(ScheduledTask& task) {
        const auto scope = task.info().scope == Scope::pod ? "a" : "cluster";
        EXPECT_TRUE(ledger.ledger.ensure_task(task.info(), scope));
        const PodRef pod{"a", core::BootId::make(random), {}};
        const auto claim =
            ledger.ledger.claim_manual(pod, {std::string(task.info().key), scope}, core::RunId::make(random), "{}", {});
        ActiveRun run(task, *claim->run, clock.now(), {}, ledger.ledger, clock, log, nullptr);
        EXPECT_EQ(run.execute(), RunFate::ended);
        return ledger.ledger.find_run(run.id()).value().value();
    }
    LibraryPaths libraries(std::vector<std::string> paths = {}) {
        return [paths] { return core::Result<std::vector<std::string>>(paths); };
    }

    ManualClock clock;
    FakeDatabase database{clock};
    FakeLedger ledger{database};
    core::SeededRandom random{4};
    LinesLog log;
    const testing::TempFolder temp;
    const fs::path root = temp.path(), cache = root / "cache";
};

TEST_F(PodTasksTest, old_cache_files_go_and_new_ones_stay) {
    make(cache / "old", 31 * std::chrono::days{1});
    make(cache / "new", 29 * std::chrono::days{1});
    make(cache / "deep" / "er" / "old", 90 * std::chrono::days{1});
    make(cache / "mixed" / "old", 90 * std::chrono::days{1});
    make(cache / "mixed" / "new", 1 * std::chrono::days{1});
    for (const auto* folder : {"deep/er", "deep", "mixed"}) set_age(cache / folder, 90 * std::chrono::days{1});
    fs::create_directories(cache / "just-made");
    set_age(cache / "just-made", 0 * std::chrono::days{1});
    DeleteCacheFiles task(cache, 30 * std::chrono::days{1}, libraries({"/media"}), clock);
    const auto row = execute(task);
    EXPECT_EQ(row.state, RunState::completed);
    EXPECT_EQ(row.counts, (Counts{{"removed", 3}, {"bytes_freed", 15}, {"kept", 2}}));
    EXPECT_FALSE(fs::exists(cache / "old"));
    EXPECT_FALSE(fs::exists(cache / "deep"));
    EXPECT_TRUE(fs::exists(cache / "new"));
    EXPECT_TRUE(fs::exists(cache / "mixed" / "new"));
    EXPECT_TRUE(fs::exists(cache / "just-made"));
    EXPECT_EQ(row.progress, 100);
}

TEST_F(PodTasksTest, a_link_goes_and_what_it_leads_to_stays) {
    make(root / "precious" / "film.mkv", 400 * std::chrono::days{1});
    fs::create_directory_symlink(root / "precious", cache / "link");
    set_age(cache / "link", 400 * std::chrono::days{1});
    DeleteCacheFiles task(cache, 30 * std::chrono::days{1}, libraries(), clock);
    EXPECT_EQ(execute(task).state, RunState::completed);
    EXPECT_TRUE(fs::exists(root / "precious" / "film.mkv"));
    EXPECT_FALSE(fs::exists(fs::symlink_status(cache / "link")));
}

TEST_F(PodTasksTest, a_folder_that_overlaps_a_library_is_refused) {
    fs::create_directories(root / "media");
    fs::create_directory_symlink(cache, root / "media" / "link-to-cache");
    const fs::path libraries_that_overlap[] = {
        cache, root, cache / "films", cache / "", root / "x" / ".." / "cache", root / "media" / "link-to-cache"};
    for (const auto& library : libraries_that_overlap) {
        SCOPED_TRACE(library.string());
        make(cache / "films" / "film.mkv", 400 * std::chrono::days{1});
        DeleteCacheFiles task(cache, 30 * std::chrono::days{1}, libraries({"/somewhere", library.string()}), clock);
        const auto row = execute(task);
        EXPECT_EQ(row.state, RunState::failed);
        EXPECT_THAT(row.error, HasSubstr("Jellyfin:CacheDir=" + cache.string()));
        EXPECT_THAT(row.error, HasSubstr(library.string()));
        EXPECT_TRUE(fs::exists(cache / "films" / "film.mkv"));
    }
    EXPECT_FALSE(overlap(cache, root / "cache2"));
    EXPECT_FALSE(overlap(cache, root / "media"));
}

TEST_F(PodTasksTest, libraries_that_are_not_known_now_stop_the_cleaning) {
    make(cache / "old", 90 * std::chrono::days{1});
    DeleteCacheFiles task(
        cache, 30 * std::chrono::days{1},
        [] {
            return core::Result<std::vector<std::string>>(core::fail(core::Errc::unavailable, "the database is away"));
        },
        clock);
    EXPECT_EQ(execute(task).state, RunState::failed);
    EXPECT_TRUE(fs::exists(cache / "old"));
}

TEST_F(PodTasksTest, a_cache_that_was_never_made_is_clean) {
    DeleteCacheFiles task(root / "nothing", 30 * std::chrono::days{1}, libraries(), clock);
    EXPECT_EQ(execute(task).state, RunState::completed);
}

TEST_F(PodTasksTest, old_log_files_go_and_other_files_stay) {
    make(cache / "understudy-2026-01-01.log", 4 * std::chrono::days{1});
    make(cache / "understudy-2026-01-03.log", 2 * std::chrono::days{1});
    make(cache / "notes.txt", 400 * std::chrono::days{1});
    make(cache / "understudy-2026-01-01.log.keep", 400 * std::chrono::days{1});
    make(cache / "below" / "understudy-2026-01-01.log", 400 * std::chrono::days{1});
    CleanLogFiles task(
        cache, [] { return std::chrono::days{3}; }, libraries(), clock);
    const auto row = execute(task);
    EXPECT_EQ(row.state, RunState::completed);
    EXPECT_EQ(row.counts.at("removed"), 1);
    EXPECT_FALSE(fs::exists(cache / "understudy-2026-01-01.log"));
    EXPECT_TRUE(fs::exists(cache / "understudy-2026-01-03.log"));
    EXPECT_TRUE(fs::exists(cache / "notes.txt"));
    EXPECT_TRUE(fs::exists(cache / "understudy-2026-01-01.log.keep"));
    EXPECT_TRUE(fs::exists(cache / "below" / "understudy-2026-01-01.log"));
}

TEST_F(PodTasksTest, log_files_are_known_by_their_names) {
    EXPECT_TRUE(is_log_file("understudy-2026-01-01.log"));
    EXPECT_TRUE(is_log_file("upload_Web_1.0_20260101.log")) << "a client left it";
    EXPECT_FALSE(is_log_file("upload_Web_1.0_20260101.txt"));
    for (const auto* name : {"understudy-2026-1-01.log", "understudy-2026-01-01.txt", "understudx-2026-01-01.log",
                             "understudy-dddd-dd-dd.log", "", "understudy-2026-01-01.log2"})
        EXPECT_FALSE(is_log_file(name)) << name;
}

class CountedActivity final : public ActivityLog {
public:
    core::Result<std::int64_t> add(const ActivityEntry&) override { return 1; }
    core::Result<std::int64_t> remove_older_than(core::Millis age, std::int64_t limit,
                                                 const core::Fence& fence) override {
        keep = age;
        if (const auto passed = ledger->checkpoint(fence); !passed) return tl::unexpected(passed.error());
        const auto now = std::min(limit, old);
        old -= now;
        return now;
    }
    RunLedger* ledger = nullptr;
    std::int64_t old = 12'345;
    core::Millis keep{};
};

TEST_F(PodTasksTest, old_activity_goes_in_batches_under_the_fence) {
    CountedActivity activity;
    activity.ledger = &ledger.ledger;
    CleanActivityLog task(activity, [] { return std::chrono::days{30}; });
    const auto row = execute(task);
    EXPECT_EQ(row.state, RunState::completed);
    EXPECT_EQ(row.counts, (Counts{{"removed", 12'345}}));
    EXPECT_EQ(row.cursor_seq, 4);  // three batches and the end
    EXPECT_EQ(activity.keep, 30 * 24h);
}

}  // namespace
}  // namespace understudy::tasks::pod
