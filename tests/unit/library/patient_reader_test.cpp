// Small files are read ahead of need, several at once, and no file that hangs holds up another.
#include "library/patient_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "support/library/faulty_file_system.h"
#include "support/library/media_tree.h"

namespace understudy::library {
namespace {

using ::testing::SizeIs;

constexpr std::size_t enough = 1000;

class PatientReaderTest : public ::testing::Test {
protected:
    ~PatientReaderTest() override { files->release(); }
    [[nodiscard]] std::string path(int number) const { return tree.path("f" + std::to_string(number)); }
    [[nodiscard]] std::vector<std::string> make(int count) {
        std::vector<std::string> paths;
        for (int i = 0; i < count; ++i) {
            tree.file("f" + std::to_string(i), "text " + std::to_string(i));
            paths.push_back(path(i));
        }
        return paths;
    }
    void expect_text(PatientReader& reader, int number) const {
        const auto text = reader.read(path(number), enough);
        ASSERT_TRUE(text) << number << ": " << text.error().context;
        EXPECT_EQ(*text, "text " + std::to_string(number));
    }

    testing::MediaTree tree;
    std::shared_ptr<testing::FaultyFileSystem> files = std::make_shared<testing::FaultyFileSystem>();
    core::Millis patience{20'000};
};

TEST_F(PatientReaderTest, reads_what_is_expected_several_at_once_and_each_once) {
    const auto paths = make(100);
    files->meet(PatientReader::most_at_once);
    PatientReader reader(files, patience, [] { return false; });
    reader.expect(paths, enough, 0);
    for (int i = 0; i < 100; ++i) expect_text(reader, i);
    EXPECT_THAT(files->files_read(), SizeIs(100));
    EXPECT_GE(files->most_read_at_once(), PatientReader::most_at_once);
    EXPECT_LE(files->most_read_at_once(), PatientReader::most_at_once + 1);
    expect_text(reader, 3);  // asked for again: read again
    EXPECT_EQ(files->files_read().count(path(3)), 2U);
}

// Counts what was begun and not yet asked for, at its worst.
class CountingFiles final : public PosixFileSystem {
public:
    [[nodiscard]] int read_file(const std::string& path, std::size_t at_most, std::string& bytes) const override {
        const auto ahead = ++begun - asked;
        for (auto most = worst.load(); ahead > most && !worst.compare_exchange_weak(most, ahead);) {
        }
        return PosixFileSystem::read_file(path, at_most, bytes);
    }
    mutable std::atomic<int> begun{0}, worst{0};
    std::atomic<int> asked{0};
};

TEST_F(PatientReaderTest, reads_only_so_far_ahead) {
    const auto paths = make(400);
    const auto counting = std::make_shared<CountingFiles>();
    PatientReader reader(counting, patience, [] { return false; });
    reader.expect(paths, enough, 0);
    for (int i = 0; i < 400; ++i) {
        ++counting->asked;
        expect_text(reader, i);
    }
    EXPECT_EQ(counting->begun, 400);
    EXPECT_LE(counting->worst, static_cast<int>(PatientReader::most_ahead) + 1);
}

TEST_F(PatientReaderTest, what_is_asked_for_waits_for_nothing_that_hangs_ahead) {
    const auto paths = make(40);
    for (int i = 0; i < 20; ++i) files->hang(path(i));
    PatientReader reader(files, patience, [] { return false; });
    reader.expect(paths, enough, 0);
    for (int i = 20; i < 40; ++i) expect_text(reader, i);
    files->release();
    for (int i = 0; i < 20; ++i) expect_text(reader, i);
}

TEST_F(PatientReaderTest, what_is_forgotten_makes_room) {
    std::vector<std::string> paths = make(200);
    PatientReader reader(files, patience, [] { return false; });
    for (std::uint64_t batch = 0; batch < 10; ++batch) {
        const auto first = paths.begin() + static_cast<std::ptrdiff_t>(batch * 20);
        reader.expect({first, first + 20}, enough, batch);
        reader.forget(batch);
    }
    files->meet(2);
    reader.expect({path(198), path(199)}, enough, 10);
    expect_text(reader, 198);
    expect_text(reader, 199);
}

TEST_F(PatientReaderTest, what_cannot_be_read_is_told_when_it_is_asked_for) {
    const auto paths = make(3);
    files->fail_file(path(1), EIO);
    tree.remove("f2");
    PatientReader reader(files, patience, [] { return false; });
    reader.expect(paths, enough, 0);
    expect_text(reader, 0);
    EXPECT_EQ(reader.read(path(1), enough).error().code, core::Errc::unavailable);
    EXPECT_EQ(reader.read(path(2), enough).error().code, core::Errc::not_found);
    EXPECT_EQ(reader.read(path(0), 4).value(), "text");
}

}  // namespace
}  // namespace understudy::library
