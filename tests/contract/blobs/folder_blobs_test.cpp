// What only a folder can do to us: be another one, be full, be read-only, hold damage and leftovers.
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>

#include "contract/blobs/blobs_fixture.h"

namespace understudy::testing {
namespace {

namespace fs = std::filesystem;

class FolderBlobsTest : public ::testing::Test {
protected:
    void SetUp() override {
        base_ = make_test_database(DatabaseKind::sqlite);
        database_ = base_->open();
        ok(store::sql::migrate(*database_));
        registry_ = std::make_unique<store::sql::SqlBlobFolderRegistry>(*database_);
    }
    auto open(const std::string& folder) { return store::FolderBlobs::open(folder, *registry_, clock_, random_); }
    static std::string read(const fs::path& file) {
        std::ifstream in(file);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static std::vector<std::string> files_below(const fs::path& folder) {
        std::vector<std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) files.push_back(entry.path().filename());
        }
        return files;
    }

    ManualClock clock_;
    core::SystemRandom random_;
    TempFolder folder_;
    const std::string root_ = folder_.path().string();
    std::unique_ptr<TestDatabase> base_;
    std::unique_ptr<store::sql::Database> database_;
    std::unique_ptr<store::sql::SqlBlobFolderRegistry> registry_;
};

/// A file system of one megabyte, where this process may mount one.
class SmallDisc {
public:
    explicit SmallDisc(std::string path)
        : path_(std::move(path)), mounted_(::mount("none", path_.c_str(), "tmpfs", 0, "size=1m") == 0) {}
    SmallDisc(const SmallDisc&) = delete;
    SmallDisc& operator=(const SmallDisc&) = delete;
    ~SmallDisc() {
        if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
    }
    [[nodiscard]] bool mounted() const { return mounted_; }
    [[nodiscard]] bool make_read_only() const {
        return ::mount("none", path_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

private:
    std::string path_;
    bool mounted_;
};

TEST_F(FolderBlobsTest, the_first_pod_makes_the_folder_and_its_marker) {
    const auto folder = root_ + "/a/b";
    ok(open(folder));
    const auto token = registry_->token();
    ok(token);
    ASSERT_TRUE(*token);
    EXPECT_EQ(read(folder + "/understudy-blobs"), **token + "\n");
    EXPECT_EQ(files_below(folder).size(), 1U);
    ok(open(folder));  // again, and another pod
    EXPECT_EQ(*registry_->token(), *token);
}

TEST_F(FolderBlobsTest, a_pod_that_sees_another_folder_is_refused_with_the_way_out) {
    ok(open(root_ + "/one"));
    fs::create_directory(root_ + "/two");
    const auto refused = open(root_ + "/two");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().context.find("Jellyfin:Blobs:Folder: " + root_ + "/two"), std::string::npos);
    EXPECT_NE(refused.error().context.find(**registry_->token()), std::string::npos);
    EXPECT_TRUE(files_below(root_ + "/two").empty());
    const auto missing = open(root_ + "/three");
    ASSERT_FALSE(missing);
    EXPECT_FALSE(fs::exists(root_ + "/three"));
    // The way out that the text names.
    std::ofstream(root_ + "/two/understudy-blobs") << **registry_->token();
    ok(open(root_ + "/two"));
}

TEST_F(FolderBlobsTest, a_folder_of_another_cluster_is_refused) {
    ok(open(root_ + "/mine"));
    fs::create_directory(root_ + "/theirs");
    std::ofstream(root_ + "/theirs/understudy-blobs") << "0123";
    const auto refused = open(root_ + "/theirs");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().context.find("says 0123"), std::string::npos);
}

TEST_F(FolderBlobsTest, a_full_disc_is_reported_with_the_path_and_leaves_nothing_behind) {
    const SmallDisc disc(root_);
    if (!disc.mounted()) GTEST_SKIP() << "this process may not mount a small file system (needs CAP_SYS_ADMIN)";
    auto blobs = open(root_);
    ok(blobs);
    const auto full = (*blobs)->put(std::string(2'000'000, 'x'));
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, Errc::unavailable);
    EXPECT_NE(full.error().context.find(root_), std::string::npos);
    EXPECT_NE(full.error().context.find("No space left"), std::string::npos);
    EXPECT_NE(full.error().context.find("make room"), std::string::npos);
    EXPECT_EQ(files_below(root_).size(), 1U);  // the marker
    ok((*blobs)->put("small"));
}

TEST_F(FolderBlobsTest, a_read_only_disc_is_reported_with_the_path) {
    const SmallDisc disc(root_);
    if (!disc.mounted()) GTEST_SKIP() << "this process may not mount a small file system (needs CAP_SYS_ADMIN)";
    auto blobs = open(root_);
    ok(blobs);
    const auto kept = (*blobs)->put("kept");
    ok(kept);
    ASSERT_TRUE(disc.make_read_only());
    const auto refused = (*blobs)->put("new");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().context.find(root_), std::string::npos);
    EXPECT_NE(refused.error().context.find("Read-only"), std::string::npos);
    EXPECT_EQ((*blobs)->get(*kept)->value(), "kept");
}

TEST_F(FolderBlobsTest, a_damaged_file_is_corrupt_until_it_is_put_again) {
    auto blobs = open(root_);
    ok(blobs);
    const auto hash = *(*blobs)->put("picture");
    const auto file = root_ + "/" + hash.str().substr(0, 2) + "/" + hash.str();
    for (const auto* damage : {"pictur", "Picture"}) {
        std::ofstream(file, std::ios::trunc) << damage;
        EXPECT_EQ((*blobs)->get(hash).error().code, Errc::corrupt);
        ok((*blobs)->put("picture"));
        EXPECT_EQ((*blobs)->get(hash)->value(), "picture");
    }
}

TEST_F(FolderBlobsTest, what_a_dead_process_left_half_written_is_swept_and_foreign_files_are_not) {
    auto blobs = open(root_);
    ok(blobs);
    ok((*blobs)->put("x"));
    std::ofstream(root_ + "/tmp/0123456789") << "half";
    std::ofstream(root_ + "/readme.txt") << "mine";
    FakeReferences references;
    const auto young = (*blobs)->remove_unreferenced("tmp", references, store::blob_grace);
    ok(young);
    EXPECT_EQ(young->removed, 0);
    clock_.step_real(24h * 365 * 50);  // beyond the file's own time
    std::int64_t removed = 0;
    for (std::string cursor;;) {
        const auto step = (*blobs)->remove_unreferenced(cursor, references, store::blob_grace);
        ok(step);
        removed += step->removed;
        cursor = step->cursor;
        if (cursor.empty()) break;
    }
    EXPECT_EQ(removed, 2);  // the blob and the leftover
    EXPECT_EQ(files_below(root_).size(), 2U);
}

}  // namespace
}  // namespace understudy::testing
