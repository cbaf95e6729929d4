#include "library/watch/changed_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "library/watch/watched_names.h"

namespace understudy::library {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Changed : ::testing::Test {
    ChangedFolders changes{{.quiet = 10s, .latest = 60s}};
    core::Instant now{1h, std::chrono::hours{24 * 365 * 55}};
    void advance(core::Nanos by) { now = core::after(now, by); }
};

TEST_F(Changed, a_folder_is_due_once_it_was_quiet) {
    EXPECT_EQ(changes.next_due(now), std::nullopt);
    changes.changed("/m", "/m/a", now);
    EXPECT_EQ(changes.next_due(now), core::Nanos{10s});
    advance(9s);
    changes.changed("/m", "/m/a", now);
    advance(9s);
    EXPECT_THAT(changes.take_due(now), IsEmpty()) << "it changed again 9 s ago";
    advance(1s);
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/a"));
    EXPECT_TRUE(changes.empty());
    EXPECT_THAT(changes.take_due(now), IsEmpty()) << "once";
}

TEST_F(Changed, constant_change_puts_a_report_off_no_longer_than_the_limit) {
    for (int second = 0; second < 60; ++second) {
        changes.changed("/m", "/m/a", now);
        EXPECT_THAT(changes.take_due(now), IsEmpty()) << second;
        advance(1s);
    }
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/a"));
}

TEST_F(Changed, what_lies_below_a_reported_folder_is_not_reported_by_itself) {
    changes.changed("/m", "/m/a", now);
    changes.changed("/m", "/m/a/b", now);
    changes.changed("/m", "/m/ab", now);
    advance(10s);
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/a", "/m/ab"));
}

TEST_F(Changed, both_halves_of_a_rename_are_reported_together_whatever_else_goes_on) {
    changes.changed("/m", "/m/old", now);
    advance(1ms);
    changes.changed("/n", "/n/new", now);
    advance(9s + 999ms);
    EXPECT_THAT(changes.take_due(now), IsEmpty()) << "the old name alone was quiet for 10 s";
    advance(1ms);
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/old", "/n/new"));
}

TEST_F(Changed, many_renames_in_a_row_are_one_report_and_never_a_half) {
    for (int n = 0; n < 40; ++n) {  // 12 s
        const auto number = std::to_string(n);
        changes.changed("/m", "/m/old " + number, now);
        EXPECT_THAT(changes.take_due(now), IsEmpty());
        changes.changed("/m", "/m/new " + number, now);
        advance(300ms);
        EXPECT_THAT(changes.take_due(now), IsEmpty());
    }
    advance(10s);
    EXPECT_EQ(changes.take_due(now).size(), 80U);
}

TEST_F(Changed, beyond_the_limit_what_has_just_changed_waits_for_its_other_half) {
    changes.changed("/m", "/m/busy", now);
    for (int second = 1; second < 60; ++second) {
        advance(1s);
        changes.changed("/m", "/m/busy", now);
    }
    advance(1s);
    changes.changed("/m", "/m/old", now);
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/busy"));
    changes.changed("/m", "/m/new", now);
    advance(10s);
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/new", "/m/old"));
}

TEST_F(Changed, what_never_rests_is_reported_in_the_end) {
    for (int tick = 0; tick < 1199; ++tick) {  // each 0.1 s
        changes.changed("/m", "/m/a", now);
        EXPECT_THAT(changes.take_due(now), IsEmpty()) << tick;
        advance(100ms);
    }
    changes.changed("/m", "/m/a", now);
    advance(100ms);
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/a"));
}

TEST_F(Changed, very_many_changes_of_one_root_become_the_root) {
    changes.changed("/other", "/other/x", now);
    for (std::size_t i = 0; i < ChangedFolders::most + 10; ++i) changes.changed("/m", "/m/" + std::to_string(i), now);
    advance(10s);
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m", "/other/x"));
    changes.changed("/m", "/m/1", now);
    advance(10s);
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/1")) << "afterwards it is counted anew";
}

TEST_F(Changed, a_report_that_was_refused_is_due_again_at_once_and_nothing_is_lost) {
    changes.changed("/m", "/m/a", now);
    advance(10s);
    const auto due = changes.take_due(now);
    changes.changed("/m", "/m/b", now);
    changes.put_back(due, now);
    EXPECT_EQ(changes.next_due(now), core::Nanos{0});
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/a", "/m/b"));
    changes.changed("/m", "/m/c", now);
    EXPECT_EQ(changes.next_due(now), core::Nanos{10s}) << "that was once";
}

TEST_F(Changed, a_machine_that_slept_counts_the_time) {
    changes.changed("/m", "/m/a", now);
    now.real += 1h;  // stopped: boot time stood still
    EXPECT_THAT(changes.take_due(now), ElementsAre("/m/a"));
}

TEST(WatchedNames, are_those_that_a_scan_may_care_about) {
    using model::LibraryKind;
    struct Row {
        const char* name;
        LibraryKind kind;
        bool want;
    };
    constexpr Row rows[] = {
        {"Film (2001).mkv", LibraryKind::movies, true},
        {"Film (2001).MKV", LibraryKind::movies, true},
        {"song.flac", LibraryKind::music, true},
        {"song.flac", LibraryKind::movies, true},  // a sound track beside a film
        {"Film.de.srt", LibraryKind::movies, true},
        {"movie.nfo", LibraryKind::movies, true},
        {"poster.jpg", LibraryKind::movies, true},
        {"Film.edl", LibraryKind::tvshows, true},
        {"list.m3u8", LibraryKind::music, true},
        {".ignore", LibraryKind::movies, true},
        {"Film.mkv.part", LibraryKind::movies, false},
        {"Film.mkv.!qB", LibraryKind::movies, false},
        {".Film.mkv.x7Gh", LibraryKind::movies, false},  // rsync writes so
        {"Film.mkv.tmp", LibraryKind::movies, false},
        {"Thumbs.db", LibraryKind::movies, false},
        {".DS_Store", LibraryKind::movies, false},
        {"readme.txt", LibraryKind::movies, false},
        {"", LibraryKind::movies, false},
    };
    for (const auto& row : rows) EXPECT_EQ(can_matter(row.name, row.kind), row.want) << row.name;
}

}  // namespace
}  // namespace understudy::library
