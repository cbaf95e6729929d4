#include "library/watch/library_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "store/memory/memory_library_store.h"
#include "support/library/faulty_file_system.h"
#include "support/library/media_tree.h"
#include "support/library/tricky_notifier.h"

namespace understudy::library {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Paths = std::set<std::string>;

/// What the watch said, with a wait for it.
class Heard final : public core::Log {
public:
    void write(core::LogLevel, std::string_view message, std::span<const core::LogField> fields) noexcept override {
        std::string line(message);
        for (const auto& field : fields) line += " " + std::string(field.name) + "=" + field.value;
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(line));
        changed_.notify_all();
    }
    core::Result<void> report(const Paths& paths) {
        const std::lock_guard lock(mutex_);
        if (refuse) {
            ++refused_;
            changed_.notify_all();
            return core::fail(core::Errc::unavailable, "the database is away");
        }
        reports_.push_back(paths);
        changed_.notify_all();
        return {};
    }
    bool await(const std::function<bool()>& done) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 20s, done);
    }
    bool await_line(const std::string& part, long times = 1) {
        return await([&] { return count(part) >= times; });
    }
    /// Everything reported so far or by the time that `path` is.
    Paths await_report(const std::string& path) {
        EXPECT_TRUE(await([&] { return all().contains(path); })) << path << " was not reported";
        const std::lock_guard lock(mutex_);
        auto paths = all();
        reports_.clear();
        return paths;
    }
    bool await_refusals(int times) {
        return await([&] { return refused_ >= times; });
    }
    long lines(const std::string& part) {
        const std::lock_guard lock(mutex_);
        return count(part);
    }
    std::atomic<bool> refuse{false};

private:
    [[nodiscard]] long count(const std::string& part) const {
        return std::ranges::count_if(lines_, [&](const auto& line) { return line.find(part) != std::string::npos; });
    }
    [[nodiscard]] Paths all() const {
        Paths paths;
        for (const auto& report : reports_) paths.insert(report.begin(), report.end());
        return paths;
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> lines_;
    std::vector<Paths> reports_;
    int refused_ = 0;
};

struct Watch : ::testing::Test {
    Watch() {
        settings.times = {.quiet = 30ms, .latest = 2s};
        settings.tick = 10ms;
        settings.look_again = 50ms;
        settings.poll_every = 20ms;
        settings.report_again = 20ms;
        settings.catch_up = 0ms;
        tree.file("lib/Show/Season 01/Show S01E01.mkv");
        tree.file("lib/Other/Season 01/Other S01E01.mkv");
        for (const char* folder : {"lib", "lib/Show", "lib/Show/Season 01", "lib/Other", "lib/Other/Season 01"})
            tree.set_mtime(folder, 1'000'000'000'000'000'000);
    }
    ~Watch() override {
        files->release();
        watch.reset();
    }
    void add_library(const std::string& root, const std::string& options = "{}") {
        model::Library library;
        library.id = core::LibraryId::make(random);
        library.name = root;
        library.kind = model::LibraryKind::tvshows;
        library.paths = {tree.path(root)};
        library.options = options;
        ASSERT_TRUE(libraries.add(library));
    }
    void start() {
        LibraryWatchParts parts{
            .may_watch = [this] { return may.load(); },
            .report = [this](const Paths& paths) { return heard.report(paths); },
            .libraries = libraries,
            .files = files,
            .make_notifier = [tricks = tricks](int&) { return std::make_unique<testing::TrickyNotifier>(tricks); },
            .is_network = [this](const std::string& path) { return network.contains(path); },
            .clock = clock,
            .log = heard};
        watch = std::make_unique<LibraryWatch>(settings, std::move(parts));
        watch->start();
    }
    void start_watching() {
        start();
        ASSERT_TRUE(heard.await_line("a library folder is watched"));
    }

    testing::MediaTree tree;
    std::shared_ptr<testing::FaultyFileSystem> files = std::make_shared<testing::FaultyFileSystem>();
    std::shared_ptr<testing::Tricks> tricks = std::make_shared<testing::Tricks>();
    core::SystemClock clock;
    core::SystemRandom random;
    store::MemoryLibraryStore libraries{std::make_shared<store::MemoryTables>()};
    Heard heard;
    std::set<std::string> network;
    std::atomic<bool> may{true};
    LibraryWatchSettings settings;
    std::unique_ptr<LibraryWatch> watch;
};

TEST_F(Watch, a_new_file_is_reported_and_nothing_else) {
    add_library("lib");
    start_watching();
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("lib/Show/Season 01")), ElementsAre(tree.path("lib/Show/Season 01")));
    ASSERT_TRUE(heard.await_line("a scan of them was asked for"));
    const auto counts = watch->counts();
    EXPECT_EQ(counts.reports, 1U);
    EXPECT_EQ(counts.folders_by_inotify, 5U);
}

TEST_F(Watch, a_scan_that_reads_everything_starts_nothing) {  // A7
    add_library("lib");
    start_watching();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree.path("lib"))) {
        if (!entry.is_regular_file()) continue;
        std::ifstream in(entry.path());
        std::string text((std::istreambuf_iterator<char>(in)), {});
    }
    tree.file("lib/Other/Season 01/Other S01E02.mkv");  // what comes after it is heard, so the reading would have been
    EXPECT_THAT(heard.await_report(tree.path("lib/Other/Season 01")), ElementsAre(tree.path("lib/Other/Season 01")));
}

TEST_F(Watch, one_forbidden_folder_does_not_stop_the_rest) {  // C8
    add_library("lib");
    tricks->forbidden.insert(tree.path("lib/Show"));
    start_watching();
    EXPECT_TRUE(
        heard.await_line("a folder cannot be watched; the rest of its library is path=" + tree.path("lib/Show")));
    tree.file("lib/Other/Season 01/Other S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("lib/Other/Season 01")), ElementsAre(tree.path("lib/Other/Season 01")));
    EXPECT_EQ(heard.lines("a folder cannot be watched"), 1);
}

TEST_F(Watch, only_a_pod_that_may_start_gated_work_watches) {
    add_library("lib");
    may = false;
    start();
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    tree.set_mtime("lib/Show/Season 01", 1'000'000'000'000'000'000);
    may = true;
    ASSERT_TRUE(heard.await_line("a library folder is watched"));
    tree.file("lib/Other/Season 01/Other S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("lib/Other/Season 01")), ElementsAre(tree.path("lib/Other/Season 01")))
        << "what came before the lead is the full scan's";
    may = false;
    ASSERT_TRUE(heard.await_line("library folders are no longer watched"));
    EXPECT_EQ(watch->counts().folders_by_inotify, 0U);
}

TEST_F(Watch, a_pod_that_takes_the_lead_looks_for_what_changed_lately) {  // H11
    settings.catch_up = 10min;
    add_library("lib");
    tree.file("lib/Show/Season 01/Show S01E02.mkv");  // the leader before it died with this in hand
    start();
    EXPECT_THAT(heard.await_report(tree.path("lib/Show/Season 01")), ElementsAre(tree.path("lib/Show/Season 01")));
}

TEST_F(Watch, what_was_seen_and_not_reported_is_reported_when_the_lead_is_lost_or_the_server_stops) {
    settings.times = {.quiet = 1h, .latest = 2h};
    add_library("lib");
    start_watching();
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    tricks->make_up({.kind = NotifyEvent::Kind::overflow, .name = {}});  // comes behind the file's events
    ASSERT_TRUE(heard.await_line("a library folder is watched", 2));
    may = false;
    EXPECT_THAT(heard.await_report(tree.path("lib")), ElementsAre(tree.path("lib")));
    may = true;
    ASSERT_TRUE(heard.await_line("a library folder is watched", 3));
    tree.file("lib/Other/Season 01/Other S01E02.mkv");
    tricks->make_up({.kind = NotifyEvent::Kind::overflow, .name = {}});
    ASSERT_TRUE(heard.await_line("a library folder is watched", 4));
    const auto begun = clock.now();
    watch->stop();
    EXPECT_LT(core::elapsed(begun, clock.now()), core::Nanos{1s});
    EXPECT_THAT(heard.await_report(tree.path("lib")), ElementsAre(tree.path("lib")));
}

TEST_F(Watch, a_report_that_is_refused_is_kept_and_made_again) {
    add_library("lib");
    start_watching();
    heard.refuse = true;
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    ASSERT_TRUE(heard.await_refusals(3));
    heard.refuse = false;
    EXPECT_THAT(heard.await_report(tree.path("lib/Show/Season 01")), ElementsAre(tree.path("lib/Show/Season 01")));
    EXPECT_EQ(heard.lines("could not be reported"), 1) << "said once";
}

TEST_F(Watch, a_library_can_opt_out_and_new_ones_are_watched) {
    add_library("lib", R"({"EnableRealtimeMonitor":false})");
    start();
    tree.file("late/Show C/Show C S01E01.mkv");
    add_library("late");
    watch->wake();
    ASSERT_TRUE(heard.await_line("a library folder is watched path=" + tree.path("late")));
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    tree.file("late/Show C/Show C S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("late/Show C")), ElementsAre(tree.path("late/Show C")));
    EXPECT_EQ(heard.lines("path=" + tree.path("lib") + " "), 0);
}

TEST_F(Watch, network_mounts_are_polled) {
    add_library("lib");
    network.insert(tree.path("lib"));
    start();
    ASSERT_TRUE(heard.await_line("a library folder is polled path="));
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("lib/Show/Season 01")), ElementsAre(tree.path("lib/Show/Season 01")));
    EXPECT_EQ(watch->counts().folders_polled, 5U);
    EXPECT_EQ(heard.lines("a library folder is watched"), 0);
}

TEST_F(Watch, where_the_kernel_has_no_watches_left_the_library_is_polled_and_the_need_is_named) {
    add_library("lib");
    tricks->watches_left = 3;
    start();
    ASSERT_TRUE(heard.await_line("a library folder is polled path="));
    EXPECT_EQ(heard.lines("fs.inotify.max_user_watches"), 1);
    EXPECT_EQ(heard.lines("needed=5 "), 1);
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("lib/Show/Season 01")), Contains(tree.path("lib/Show/Season 01")));
}

TEST_F(Watch, dropped_events_report_the_whole_root) {
    add_library("lib");
    start_watching();
    tricks->make_up({.kind = NotifyEvent::Kind::overflow, .name = {}});
    EXPECT_THAT(heard.await_report(tree.path("lib")), ElementsAre(tree.path("lib")));
    EXPECT_EQ(watch->counts().overflows, 1U);
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("lib/Show/Season 01")), Contains(tree.path("lib/Show/Season 01")))
        << "and it goes on";
}

TEST_F(Watch, a_root_that_comes_back_is_reported_and_watched_again) {  // C6
    add_library("late");
    start();
    ASSERT_TRUE(heard.await_line("is away"));
    tree.file("late/Show C/Show C S01E01.mkv");
    EXPECT_THAT(heard.await_report(tree.path("late")), ElementsAre(tree.path("late")));
    ASSERT_TRUE(heard.await_line("a library folder is watched"));
    tree.file("late/Show C/Show C S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("late/Show C")), ElementsAre(tree.path("late/Show C")));
}

TEST_F(Watch, a_root_that_hangs_holds_up_neither_the_others_nor_the_end) {
    tree.file("hung/Show C/Show C S01E01.mkv");
    files->hang(tree.path("hung/Show C"));
    add_library("hung");
    add_library("lib");
    start_watching();
    tree.file("lib/Show/Season 01/Show S01E02.mkv");
    EXPECT_THAT(heard.await_report(tree.path("lib/Show/Season 01")), ElementsAre(tree.path("lib/Show/Season 01")));
    const auto begun = clock.now();
    watch->stop();
    EXPECT_LT(core::elapsed(begun, clock.now()), core::Nanos{1s});
}

TEST_F(Watch, off_means_off) {
    settings.mode = WatchMode::off;
    add_library("lib");
    start();
    watch->wake();
    watch->stop();
    EXPECT_EQ(watch->counts().folders_by_inotify, 0U);
}

}  // namespace
}  // namespace understudy::library
