#include "http/pictures/picture_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

#include "core/random.h"
#include "support/manual_clock.h"
#include "support/temp_folder.h"

namespace understudy::http {
namespace {

using namespace std::chrono_literals;

struct Room {
    PictureCache cache(std::int64_t most_bytes) { return {{folder.path() / "images", most_bytes}, random, clock, log}; }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& at : std::filesystem::recursive_directory_iterator(folder.path() / "images"))
            if (at.is_regular_file()) all.push_back(at.path().filename().string());
        std::ranges::sort(all);
        return all;
    }
    testing::TempFolder folder;
    testing::ManualClock clock;
    core::SeededRandom random{3};
    core::NullLog log;
};

struct CountingLog final : core::Log {
    void write(core::LogLevel, std::string_view, std::span<const core::LogField>) noexcept override { ++lines; }
    int lines = 0;
};

TEST(PictureCache, keeps_what_is_put_also_for_the_next_process) {
    Room room;
    auto cache = room.cache(1'000);
    EXPECT_FALSE(cache.get("aa-1"));
    cache.put("aa-1", "one");
    cache.put("aa-2", std::string("\0two", 4));
    EXPECT_EQ(cache.get("aa-1"), "one");
    EXPECT_EQ(room.cache(1'000).get("aa-2"), std::string("\0two", 4));
    cache.put("aa-1", "another");
    EXPECT_EQ(cache.get("aa-1"), "another");
    EXPECT_EQ(room.names(), (std::vector<std::string>{"aa-1", "aa-2"})) << "nothing half-written is left";
}

TEST(PictureCache, the_longest_unused_go_first) {
    Room room;
    auto cache = room.cache(1'000);
    for (char name = 'a'; name <= 'j'; ++name) {
        cache.put(std::string("k") + name, std::string(100, name));
        room.clock.advance(2h);
    }
    EXPECT_TRUE(cache.get("ka")) << "1,000 bytes fit";
    cache.put("kk", std::string(100, 'k'));
    EXPECT_TRUE(cache.get("ka")) << "it was used a moment ago";
    EXPECT_FALSE(cache.get("kb"));
    EXPECT_FALSE(cache.get("kc")) << "until a tenth is free";
    EXPECT_TRUE(cache.get("kd"));
    EXPECT_TRUE(cache.get("kk"));
    cache.put("large", std::string(1'001, 'x'));
    EXPECT_FALSE(cache.get("large"));
    EXPECT_TRUE(cache.get("kk")) << "what would never fit drives nobody out";
}

TEST(PictureCache, a_smaller_limit_holds_from_the_first_picture_on) {
    Room room;
    {
        auto cache = room.cache(1'000);
        for (char name = 'a'; name <= 'j'; ++name) cache.put(std::string("k") + name, std::string(100, name));
    }
    room.clock.advance(1h);
    auto cache = room.cache(300);
    cache.put("new", std::string(100, 'n'));
    EXPECT_LE(room.names().size(), 3U);
    EXPECT_TRUE(cache.get("new"));
    auto none = room.cache(0);
    none.put("more", "m");
    EXPECT_FALSE(none.get("more"));
    EXPECT_FALSE(none.get("new"));
}

TEST(PictureCache, what_a_dead_process_left_half_written_goes) {
    Room room;
    std::filesystem::create_directories(room.folder / "images/aa");
    const auto half = room.folder / "images/aa/.half-0123";
    std::ofstream(half) << "half a pict";
    const auto start = core::to_unix_ms(room.clock.utc_now()) / 1000;
    const std::array<::timespec, 2> then{::timespec{start, 0}, ::timespec{start, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, half.c_str(), then.data(), 0), 0);
    room.cache(1'000).put("aa-1", "one");
    EXPECT_TRUE(std::filesystem::exists(half)) << "somebody may be writing it";
    room.clock.advance(2h);
    room.cache(1'000).put("aa-1", "one");
    EXPECT_EQ(room.names(), std::vector<std::string>{"aa-1"});
}

TEST(PictureCache, what_is_damaged_on_the_disc_is_none_and_goes) {
    struct Row {
        const char* why;
        void (*damage)(const std::filesystem::path& file);
    };
    constexpr Row rows[] = {
        {"half of it is left", [](const auto& file) { std::filesystem::resize_file(file, 500); }},
        {"nothing of it is left", [](const auto& file) { std::filesystem::resize_file(file, 0); }},
        {"zeros behind it", [](const auto& file) { std::filesystem::resize_file(file, 2'000); }},
        {"more than any memory holds", [](const auto& file) { std::filesystem::resize_file(file, 1ULL << 40U); }},
        {"a byte is another",
         [](const auto& file) {
             std::fstream out(file, std::ios::in | std::ios::out);
             out.seekp(600);
             out << 'y';
         }},
        {"a pipe, which nobody writes to",
         [](const auto& file) {
             std::filesystem::remove(file);
             ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
         }},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.why);
        Room room;
        CountingLog log;
        PictureCache cache({room.folder.path() / "images", 10'000}, room.random, room.clock, log);
        const std::string picture(1'000, 'x');
        cache.put("aa-1", picture);
        row.damage(room.folder / "images/v2/aa/aa-1");
        EXPECT_FALSE(cache.get("aa-1"));
        EXPECT_TRUE(room.names().empty()) << "it is not looked at again";
        EXPECT_LE(log.lines, 1);
        cache.put("aa-1", picture);
        EXPECT_EQ(cache.get("aa-1"), picture);
    }
}

TEST(PictureCache, what_another_version_kept_is_neither_taken_nor_called_damaged) {
    Room room;
    std::filesystem::create_directories(room.folder / "images/aa");
    const auto old = room.folder / "images/aa/aa-1";
    std::ofstream(old) << std::string(600, 'x');  // as before there were checksums
    const auto start = core::to_unix_ms(room.clock.utc_now()) / 1000;
    const std::array<::timespec, 2> then{::timespec{start, 0}, ::timespec{start, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, old.c_str(), then.data(), 0), 0);
    room.clock.advance(1h);
    CountingLog log;
    PictureCache cache({room.folder.path() / "images", 1'000}, room.random, room.clock, log);
    EXPECT_FALSE(cache.get("aa-1"));
    EXPECT_EQ(log.lines, 0);
    cache.put("aa-2", std::string(500, 'y'));
    EXPECT_EQ(room.names(), std::vector<std::string>{"aa-2"}) << "it goes where there is no room for both";
}

TEST(PictureCache, does_without_a_folder_and_follows_no_link) {
    Room room;
    std::ofstream(room.folder / "images") << "in the way";
    auto cache = room.cache(1'000);
    cache.put("aa-1", "one");
    EXPECT_FALSE(cache.get("aa-1"));
    std::filesystem::remove(room.folder / "images");
    std::filesystem::create_directories(room.folder / "images/v2/aa");
    std::ofstream(room.folder / "secret") << "secret";
    std::filesystem::create_symlink(room.folder / "secret", room.folder / "images/v2/aa/aa-1");
    EXPECT_FALSE(cache.get("aa-1"));
    cache.put("aa-1", "one");
    EXPECT_EQ(cache.get("aa-1"), "one");
    std::string secret;
    std::ifstream(room.folder / "secret") >> secret;
    EXPECT_EQ(secret, "secret");
}

}  // namespace
}  // namespace understudy::http
