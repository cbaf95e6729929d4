#include "tasks/catalogue.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;

TEST(Catalogue, has_twelve_tasks_with_keys_and_ids_of_their_own) {
    std::set<std::string> keys, ids;
    for (const auto& entry : catalogue()) {
        keys.emplace(entry.key);
        ids.emplace(entry.id);
        EXPECT_EQ(entry.id.size(), 32U) << entry.key;
        EXPECT_FALSE(entry.name.empty()) << entry.key;
        EXPECT_FALSE(entry.description.empty()) << entry.key;
    }
    EXPECT_EQ(keys.size(), 12U);
    EXPECT_EQ(ids.size(), 12U);
}

TEST(Catalogue, gates_nine_tasks_by_default) {
    std::set<std::string> gated;
    for (const auto& entry : catalogue()) {
        if (entry.gated_by_default) gated.emplace(entry.key);
    }
    EXPECT_EQ(gated,
              (std::set<std::string>{"RefreshLibrary", "RefreshPeople", "RefreshChapterImages", "AudioNormalization",
                                     "TaskExtractMediaSegments", "KeyframeExtraction", "CleanCollectionsAndPlaylists",
                                     "CleanupUserDataTask", "OptimizeDatabaseTask"}));
}

TEST(Catalogue, cleans_discs_on_each_pod_and_everything_else_once) {
    for (const auto& entry : catalogue()) {
        const bool disc = entry.key == "DeleteCacheFiles" || entry.key == "CleanLogFiles";
        EXPECT_EQ(entry.scope, disc ? Scope::pod : Scope::cluster) << entry.key;
    }
}

TEST(Catalogue, finds_a_task_by_key_or_id_in_any_spelling) {
    const auto* scan = find_task("RefreshLibrary");
    ASSERT_NE(scan, nullptr);
    EXPECT_EQ(scan->id, "7738148ffcd07979c7ceb148e06b3aed");
    EXPECT_EQ(find_task("refreshlibrary"), scan);
    EXPECT_EQ(find_task("7738148FFCD07979C7CEB148E06B3AED"), scan);
    EXPECT_EQ(find_task("7738148f-fcd0-7979-c7ce-b148e06b3aed"), scan);
    EXPECT_EQ(find_task("7738148ffcd07979c7ceb148e06b3aee"), nullptr);
    EXPECT_EQ(find_task(""), nullptr);
}

TEST(Catalogue, has_valid_default_triggers) {
    for (const auto& entry : catalogue()) {
        for (const auto& trigger : entry.default_triggers()) EXPECT_TRUE(validate(trigger)) << entry.key;
    }
    const auto chapters = find_task("RefreshChapterImages")->default_triggers();
    ASSERT_EQ(chapters.size(), 1U);
    EXPECT_EQ(chapters[0].when, decltype(Trigger::when)(DailyTrigger{2h}));
    EXPECT_EQ(chapters[0].max_runtime, core::Millis{4h});
    EXPECT_TRUE(find_task("KeyframeExtraction")->default_triggers().empty());
}

}  // namespace
}  // namespace understudy::tasks
