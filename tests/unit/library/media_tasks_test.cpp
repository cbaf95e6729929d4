// The tasks that decode, on real files with real workers: what is stored, what a second run does, what broken files
// cost.
#include "library/keyframe_extraction.h"
#include "library/refresh_chapter_images.h"
#include "media/keyframes.h"
#include "unit/library/media_tasks_fixture.h"

namespace understudy::library {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_P(MediaTasks, keyframes_of_each_film_are_stored_and_a_second_run_starts_no_worker) {
    film_file("lib/A (2001)/A (2001).mkv");
    tree.file("lib/B (2002)/B (2002).mkv", "no film at all");
    films("{}");
    KeyframeExtraction task(*library_store, analyses, pool, clock);
    auto done = execute(task);
    ASSERT_TRUE(done) << done.error().context;
    EXPECT_EQ(count("files"), 1);
    EXPECT_EQ(count("failed"), 1);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("B (2002)")));

    std::vector<store::ContentKey> known;
    ASSERT_TRUE(analyses.sources(KeyframeExtraction::kind, store::AnalysisState::done, {}, [&](auto&& source) {
        known.push_back(source.content);
        return true;
    }));
    const auto rows = analyses.get(KeyframeExtraction::kind, known);
    ASSERT_TRUE(rows);
    ASSERT_FALSE(rows->empty());
    for (const auto& row : *rows) {
        if (!row.failure.empty()) continue;
        const auto index = media::decode_keyframes(row.payload);
        ASSERT_TRUE(index);
        ASSERT_THAT(index->times, SizeIs(30));
        EXPECT_EQ(index->times[1] - index->times[0], 2s);
    }

    const auto spawned = pool.counts().spawned;
    const auto asked = pool.counts().messages;
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("files"), 0);
    EXPECT_EQ(pool.counts().spawned, spawned);
    EXPECT_EQ(pool.counts().messages, asked);
}

TEST_P(MediaTasks, pictures_are_made_for_chapters_where_the_library_asks) {
    film_file("lib/A (2001)/A (2001).mkv");
    films(R"({"EnableChapterImageExtraction":true})", {{0s, "One"}, {20s, "Two"}, {40s, "Three"}, {90s, "Beyond"}});
    RefreshChapterImages task({}, *library_store, *scan_store, analyses, facts, blobs, pool, clock);
    const auto done = execute(task);
    ASSERT_TRUE(done) << done.error().context;
    EXPECT_EQ(count("pictures"), 3);
    const auto film = only(model::ItemKind::movie);
    const auto stored = facts.pictures({film.id});
    ASSERT_TRUE(stored);
    ASSERT_TRUE(stored->contains({film.id, 0}));
    const auto& pictures = stored->at({film.id, 0});
    ASSERT_THAT(pictures, SizeIs(3));
    EXPECT_EQ(pictures[0].width, 320) << "never scaled up";
    for (const auto& picture : pictures) {
        const auto bytes = blobs.get(picture.blob);
        ASSERT_TRUE(bytes && *bytes);
        EXPECT_TRUE((*bytes)->starts_with("\xff\xd8\xff"));
    }
    const auto messages = pool.counts().messages;
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(pool.counts().messages, messages);
}

TEST_P(MediaTasks, another_width_replaces_the_pictures) {
    film_file("lib/A (2001)/A (2001).mkv");
    films(R"({"EnableChapterImageExtraction":true})", {{0s, "One"}, {20s, "Two"}});
    RefreshChapterImages wide({}, *library_store, *scan_store, analyses, facts, blobs, pool, clock);
    ASSERT_TRUE(execute(wide));
    RefreshChapterImages narrow({.width = 160}, *library_store, *scan_store, analyses, facts, blobs, pool, clock);
    ASSERT_TRUE(execute(narrow));
    EXPECT_EQ(count("pictures"), 2);
    const auto film = only(model::ItemKind::movie);
    const auto stored = facts.pictures({film.id});
    ASSERT_TRUE(stored);
    for (const auto& picture : stored->at({film.id, 0})) EXPECT_EQ(picture.width, 160);
}

TEST_P(MediaTasks, nothing_is_decoded_where_no_library_asks) {
    film_file("lib/A (2001)/A (2001).mkv");
    films("{}", {{0s, "One"}, {20s, "Two"}});
    RefreshChapterImages task({}, *library_store, *scan_store, analyses, facts, blobs, pool, clock);
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(pool.counts().spawned, 0U);
}

INSTANTIATE_TEST_SUITE_P(Stores, MediaTasks, databases(), store_name);

std::vector<std::pair<int, core::Millis>> times(const std::vector<model::Chapter>& chapters, core::Millis runtime) {
    std::vector<std::pair<int, core::Millis>> out;
    for (const auto& time : chapter_times(chapters, runtime)) out.emplace_back(time.number, time.at);
    return out;
}

TEST(ChapterTimes, the_first_is_taken_from_behind_the_dark_beginning) {
    EXPECT_THAT(times({{0s, ""}, {300s, ""}, {600s, ""}}, 1200s),
                ::testing::ElementsAre(std::pair{0, 15'000ms}, std::pair{1, 300'000ms}, std::pair{2, 600'000ms}));
    EXPECT_THAT(times({{0s, ""}}, 9s), ::testing::ElementsAre(std::pair{0, 9'000ms}));
}

TEST(ChapterTimes, beyond_the_runtime_there_is_none_and_before_the_start_is_the_start) {
    EXPECT_THAT(times({{-5s, ""}, {300s, ""}, {3300s, ""}}, 1200s),
                ::testing::ElementsAre(std::pair{0, 15'000ms}, std::pair{1, 300'000ms}));
}

TEST(ChapterTimes, chapters_less_than_a_second_apart_are_none) {
    std::vector<model::Chapter> chapters;
    for (int i = 0; i < 100; ++i) chapters.push_back({core::Millis{i * 500}, ""});
    EXPECT_THAT(times(chapters, 1200s), IsEmpty());
}

TEST(ChapterTimes, a_file_without_chapters_gets_some_where_asked) {
    EXPECT_THAT(dummy_chapters(1000s, 0s), IsEmpty());
    EXPECT_THAT(dummy_chapters(1000s, 300s), SizeIs(4));
    EXPECT_THAT(dummy_chapters(std::chrono::hours{100}, 60s), SizeIs(200));
}

}  // namespace
}  // namespace understudy::library
