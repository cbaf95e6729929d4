// The walk's order and bounds, and the diff over made-up walks.
#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "library/diff.h"
#include "library/walk.h"
#include "support/library/faulty_file_system.h"
#include "support/library/media_tree.h"

namespace understudy::library {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Seen {
    std::vector<std::string> files, folders;
    std::map<std::string, std::string> reasons;
    std::int64_t entries = 0;
};

Seen walk_all(std::shared_ptr<const FileSystem> files, WalkSettings settings, const std::vector<std::string>& roots) {
    Seen seen;
    Walk walk(std::move(files), std::move(settings), roots, [] { return false; });
    WalkEvent event;
    while (walk.next(event) == WalkSource::Step::event) {
        if (event.kind == WalkEvent::Kind::file) {
            seen.files.emplace_back(event.path);
        } else {
            seen.folders.emplace_back(event.path);
            if (event.listed != Listed::complete) seen.reasons.emplace(event.path, event.reason);
            seen.entries += event.entries;
        }
    }
    return seen;
}

TEST(Walk, hands_files_over_in_the_byte_order_of_their_whole_paths) {
    testing::MediaTree tree;
    for (const auto* name : {"a/x.mkv", "a-b.mkv", "a.mkv", "a b/y.mkv", "a!/z.mkv", "a/b/c.mkv", "a/b.mkv", "a/b-.mkv",
                             "A.mkv", "\xFF.mkv", "z/\xC3\xA9/1.mkv", "z/e/1.mkv", "z/e.mkv"}) {
        tree.file(std::string("lib/") + name);
    }
    for (const unsigned threads : {1U, 2U, 8U}) {
        WalkSettings settings;
        settings.threads = threads;
        settings.ahead_entries = threads == 2 ? 1 : 100'000;  // a bound that is always reached must not lock up
        const auto seen = walk_all(std::make_shared<PosixFileSystem>(), settings, {tree.path("lib")});
        EXPECT_EQ(seen.files.size(), 13U);
        EXPECT_TRUE(std::ranges::is_sorted(seen.files)) << "as the store's byte order";
    }
}

TEST(Walk, takes_a_root_inside_another_only_once_and_roots_in_order) {
    testing::MediaTree tree;
    tree.file("lib/sub/a.mkv");
    tree.file("lib-2/b.mkv");
    const auto seen = walk_all(std::make_shared<PosixFileSystem>(), {},
                               {tree.path("lib/sub"), tree.path("lib"), tree.path("lib-2"), tree.path("lib")});
    EXPECT_THAT(seen.files, ElementsAre(tree.path("lib-2/b.mkv"), tree.path("lib/sub/a.mkv")));
}

TEST(Walk, looks_only_at_what_its_scope_names_and_the_way_there) {
    testing::MediaTree tree;
    tree.file("lib/a/1.mkv");
    tree.file("lib/b/c/2.mkv");
    tree.file("lib/b/d/3.mkv");
    tree.file("lib/b/4.mkv");
    WalkSettings settings;
    settings.scope = ScanScope({tree.path("lib/b/c")});
    const auto seen = walk_all(std::make_shared<PosixFileSystem>(), settings, {tree.path("lib")});
    EXPECT_THAT(seen.folders, ElementsAre(tree.path("lib"), tree.path("lib/b"), tree.path("lib/b/c")));
    EXPECT_THAT(seen.files, ElementsAre(tree.path("lib/b/4.mkv"), tree.path("lib/b/c/2.mkv")));
}

// A disc of any size without any disc: folders of 100 files each.
class SyntheticFileSystem final : public FileSystem {
public:
    explicit SyntheticFileSystem(int folders) : folders_(folders) {}
    int open_directory(const std::string& path, FileStatus& self,
                       std::unique_ptr<OpenDirectory>& directory) const override {
        self.kind = FileKind::directory;
        self.device = 1;
        self.inode = std::hash<std::string>{}(path);
        directory = std::make_unique<Directory>(path == "/lib" ? folders_ : 100, path == "/lib");
        return 0;
    }
    int status(const std::string&, FileStatus& status) const override {
        status.kind = FileKind::file;
        return 0;
    }
    int read_file(const std::string&, std::size_t, std::string&) const override { return ENOENT; }

private:
    class Directory final : public OpenDirectory {
    public:
        Directory(int count, bool folders) : count_(count), folders_(folders) {}
        bool next(std::string_view& name, FileKind& kind, int& error) override {
            if (at_ == count_) {
                error = 0;
                return false;
            }
            name_ = folders_ ? "Artist and album " + std::to_string(100'000 + at_)
                             : std::to_string(at_) + " - A song of some length.flac";
            ++at_;
            name = name_;
            kind = folders_ ? FileKind::directory : FileKind::file;
            return true;
        }
        int status(const char*, bool, FileStatus& status) override {
            status.kind = FileKind::file;
            status.size_bytes = 1000 + at_;
            status.inode = static_cast<std::uint64_t>(at_);
            return 0;
        }

    private:
        int count_, at_ = 0;
        bool folders_;
        std::string name_;
    };
    int folders_;
};

std::size_t resident_bytes() {
    std::ifstream in("/proc/self/statm");
    std::size_t pages = 0, resident = 0;
    in >> pages >> resident;
    return resident * 4096;
}

TEST(Walk, stays_small_over_two_hundred_thousand_files) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer keeps freed memory and shadows the rest";
#endif
    const auto before = resident_bytes();
    WalkSettings settings;
    settings.kind = model::LibraryKind::music;
    settings.ahead_entries = 20'000;
    Walk walk(std::make_shared<SyntheticFileSystem>(2'000), settings, {"/lib"}, [] { return false; });
    WalkEvent event;
    std::size_t files = 0, most = 0;
    while (walk.next(event) == WalkSource::Step::event) {
        if (event.kind == WalkEvent::Kind::file && ++files % 1'000 == 0) most = std::max(most, resident_bytes());
    }
    EXPECT_EQ(files, 200'000U);
    EXPECT_LT(most, before + 40'000'000) << "only what runs ahead is held";
}

TEST(Diff, of_a_million_files_fits_into_its_share_of_memory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer keeps freed memory and shadows the rest";
#endif
    // 400 MB for everything at 1,000,000 files; the stored tree and the work list are the largest parts. A fifth here.
    const auto before = resident_bytes();
    StoredTree stored;
    Difference difference;
    WalkSettings settings;
    settings.kind = model::LibraryKind::music;
    Walk walk(std::make_shared<SyntheticFileSystem>(2'000), settings, {"/lib"}, [] { return false; });
    ASSERT_EQ(compare(walk, stored, {}, difference), WalkSource::Step::end);
    EXPECT_EQ(difference.work.size(), 200'000U);
    EXPECT_LT(resident_bytes() - before, 80'000'000U);
}

// Events as a test writes them.
class ScriptedWalk final : public WalkSource {
public:
    void folder(std::string path, Listed listed = Listed::complete, std::string reason = {}, bool root = false) {
        Line line;
        line.path = std::move(path);
        line.reason = std::move(reason);
        line.event.listed = listed;
        line.event.is_root = root;
        line.event.device = 1;
        lines_.push_back(std::move(line));
    }
    void root(std::string path) { folder(std::move(path), Listed::complete, {}, true); }
    void file(std::string path, std::int64_t size = 1) {
        Line line;
        line.path = std::move(path);
        line.event.kind = WalkEvent::Kind::file;
        line.event.size_bytes = size;
        line.event.file_class = naming::FileClass::media;
        lines_.push_back(std::move(line));
    }
    void unusable(std::string name) { lines_.back().unusable.push_back({std::move(name), "links to nothing"}); }
    WalkEvent& last() { return lines_.back().event; }

    Step next(WalkEvent& event) override {
        if (at_ == lines_.size()) return Step::end;
        auto& line = lines_[at_++];
        line.event.path = line.path;
        line.event.reason = line.reason;
        line.event.unusable = &line.unusable;
        event = line.event;
        return Step::event;
    }

private:
    struct Line {
        std::string path, reason;
        std::vector<UnusableEntry> unusable;
        WalkEvent event;
    };
    std::vector<Line> lines_;
    std::size_t at_ = 0;
};

class DiffTest : public ::testing::Test {
protected:
    void know(const std::string& path, std::int64_t size = 1, bool available = true, const std::string& failure = {}) {
        store::StoredFile file;
        file.file.path = path;
        file.file.size_bytes = size;
        file.available = available;
        file.failure = failure;
        stored.add(file);
    }
    void run() {
        stored.finish();
        ASSERT_EQ(compare(walk, stored, input, difference), WalkSource::Step::end);
    }
    Fate fate(const std::string& path) {
        const auto row = stored.find(path);
        EXPECT_TRUE(row) << path;
        return row ? stored.row(*row).fate : Fate::unseen;
    }

    StoredTree stored;
    ScriptedWalk walk;
    DiffInput input;
    Difference difference;
};

TEST_F(DiffTest, tells_new_changed_unchanged_returned_and_vanished_apart) {
    for (const auto* path : {"/l/a.mkv", "/l/b.mkv", "/l/gone.mkv", "/l/z.mkv"}) know(path);
    know("/l/back.mkv", 1, false);
    walk.root("/l");
    walk.file("/l/a.mkv");
    walk.file("/l/b.mkv", 2);
    walk.file("/l/back.mkv");
    walk.file("/l/new.mkv");
    walk.file("/l/z.mkv");
    run();
    EXPECT_EQ(fate("/l/a.mkv"), Fate::unchanged);
    EXPECT_EQ(fate("/l/b.mkv"), Fate::changed);
    EXPECT_EQ(fate("/l/back.mkv"), Fate::returned);
    EXPECT_EQ(fate("/l/gone.mkv"), Fate::vanished);
    EXPECT_EQ(fate("/l/z.mkv"), Fate::unchanged);
    ASSERT_EQ(difference.work.size(), 2U);
    EXPECT_EQ(difference.paths.path(difference.work[0].path), "/l/b.mkv");
    EXPECT_EQ(difference.paths.path(difference.work[1].path), "/l/new.mkv");
}

TEST_F(DiffTest, asks_the_nearest_listed_ancestor_for_the_proof) {
    know("/l/a/b/c/x.mkv");  // all of a is gone: its parent proves it
    know("/l/d/e/x.mkv");    // d could not be read
    know("/l/f/g/x.mkv");    // g leads nowhere: it is in the listing
    know("/l/h/x.mkv");      // h was listed, x is not in it
    know("/l/h/y/x.mkv");    // nor is y
    know("/l/h-/x.mkv");     // sorts before "h/…" and is no part of it
    walk.root("/l");
    walk.folder("/l/d", Listed::incomplete, "Permission denied");
    walk.folder("/l/f");
    walk.unusable("g");
    walk.folder("/l/h");
    run();
    EXPECT_EQ(fate("/l/a/b/c/x.mkv"), Fate::vanished);
    EXPECT_EQ(fate("/l/d/e/x.mkv"), Fate::kept);
    EXPECT_EQ(fate("/l/f/g/x.mkv"), Fate::kept);
    EXPECT_EQ(fate("/l/h/x.mkv"), Fate::vanished);
    EXPECT_EQ(fate("/l/h/y/x.mkv"), Fate::vanished);
    EXPECT_EQ(fate("/l/h-/x.mkv"), Fate::vanished);
    ASSERT_EQ(difference.notes.size(), 2U);
    EXPECT_THAT(difference.notes[0].text(), HasSubstr("/l/d: Permission denied"));
    EXPECT_THAT(difference.notes[1].text(), HasSubstr("/l/f/g: links to nothing"));
}

TEST_F(DiffTest, believes_an_empty_folder_only_on_the_device_it_was_on) {
    know("/l/same/x.mkv");
    know("/l/other/deep/x.mkv");
    input.stored_devices = {{"/l", 1}, {"/l/same", 1}, {"/l/other", 9}};
    walk.root("/l");
    walk.folder("/l/other");
    walk.last().holds_nothing = true;
    walk.folder("/l/same");
    walk.last().holds_nothing = true;
    run();
    EXPECT_EQ(fate("/l/same/x.mkv"), Fate::vanished);
    EXPECT_EQ(fate("/l/other/deep/x.mkv"), Fate::kept);
    EXPECT_THAT(difference.mounts_gone, ElementsAre("/l/same")) << "but the mount that is away is remembered";
}

TEST_F(DiffTest, takes_what_left_the_library_and_leaves_what_is_out_of_scope) {
    know("/l/in/x.mkv");
    know("/l/out/x.mkv");
    know("/m/x.mkv");
    const ScanScope scope({"/l/in"});
    input.scope = &scope;
    walk.root("/l");
    run();
    EXPECT_EQ(fate("/l/in/x.mkv"), Fate::vanished);
    EXPECT_EQ(fate("/l/out/x.mkv"), Fate::unseen);
    EXPECT_EQ(fate("/m/x.mkv"), Fate::unseen);
}

TEST_F(DiffTest, remembers_failures_but_not_io_errors) {
    know("/l/broken.mkv", 1, true, "no media in it");
    know("/l/unreadable.mkv", 1, false, "Input/output error");
    walk.root("/l");
    walk.file("/l/broken.mkv");
    walk.file("/l/unreadable.mkv");
    run();
    EXPECT_EQ(fate("/l/broken.mkv"), Fate::unchanged);
    EXPECT_EQ(fate("/l/unreadable.mkv"), Fate::changed);
}

}  // namespace
}  // namespace understudy::library
