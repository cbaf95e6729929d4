// What belongs to an item: what it is in, its theme music, its segments.
#include <gtest/gtest.h>

#include "http/home_shelf.h"
#include "http/jellyfin/items/user_views.h"

namespace understudy::http {
namespace {

using testing::HomeShelf;

std::string of_item(const char* two, const char* rest) {
    return "/Items/" + HomeShelf::id(two) + rest;
}

TEST(Ancestors, go_up_to_the_root) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.as_ann(of_item("44", "/Ancestors")), "Season 1 Harbour Shows Media Folders");
    EXPECT_EQ(shelf.as_ann(of_item("11", "/Ancestors")), "Films Media Folders");
    EXPECT_EQ(shelf.value(shelf.ann, of_item("44", "/Ancestors")).at(3).at("Id"),
              boost::json::value(root_folder.str()));
    EXPECT_EQ(shelf.status(shelf.kid, of_item("44", "/Ancestors")), 404);
    EXPECT_EQ(shelf.status(shelf.ann, of_item("0a", "/Ancestors")), 404);
}

TEST(ThemeMedia, is_what_extras_say) {
    HomeShelf shelf;
    const auto songs = shelf.value(shelf.ann, of_item("11", "/ThemeSongs"));
    EXPECT_EQ(songs.at("TotalRecordCount"), 1);
    EXPECT_EQ(songs.at("Items").at(0).at("Name"), "Theme");
    EXPECT_EQ(songs.at("Items").at(0).at("Type"), "Audio");
    EXPECT_EQ(songs.at("OwnerId"), boost::json::value(HomeShelf::id("11")));
    EXPECT_EQ(shelf.total(of_item("11", "/ThemeVideos")), 0);
    const auto all = shelf.value(shelf.ann, of_item("11", "/ThemeMedia"));
    EXPECT_EQ(all.at("ThemeSongsResult"), songs);
    EXPECT_EQ(all.at("ThemeVideosResult").at("TotalRecordCount"), 0);
    EXPECT_EQ(all.at("SoundtrackSongsResult").at("TotalRecordCount"), 0);
    EXPECT_EQ(shelf.status(shelf.kid, of_item("22", "/ThemeMedia")), 404);
    EXPECT_EQ(shelf.status(shelf.ann, of_item("11", "/ThemeSongs?inheritFromParent=x")), 400);
}

TEST(ThemeMedia, is_taken_from_above_where_asked) {
    HomeShelf shelf;
    auto theme = shelf.extra('9', "Hum", "theme_song");
    theme.item.id = HomeShelf::item_id("e8");
    theme.item.parent = HomeShelf::item_id("22");
    theme.item.library = shelf.shows.id;
    shelf.catalog.rows.push_back(theme);
    EXPECT_EQ(shelf.as_ann(of_item("44", "/ThemeSongs")), "");
    EXPECT_EQ(shelf.value(shelf.ann, of_item("44", "/ThemeSongs")).at("OwnerId"),
              boost::json::value(HomeShelf::id("44")));
    EXPECT_EQ(shelf.as_ann(of_item("44", "/ThemeSongs?inheritFromParent=true")), "Hum");
    EXPECT_EQ(shelf.value(shelf.ann, of_item("44", "/ThemeSongs?inheritFromParent=true")).at("OwnerId"),
              boost::json::value(HomeShelf::id("22")));
}

TEST(NothingThere, is_an_empty_list_of_an_item_that_is_there) {
    HomeShelf shelf;
    const auto parts = "/Videos/" + HomeShelf::id("11") + "/AdditionalParts";
    const auto old_intros = "/Users/" + shelf.ann_id + of_item("11", "/Intros");
    for (const auto& target : {of_item("11", "/Intros"), old_intros, parts})
        EXPECT_EQ(shelf.as(shelf.ann, Method::get, target).body, R"({"Items":[],"TotalRecordCount":0,"StartIndex":0})");
    EXPECT_EQ(shelf.status(shelf.ann, of_item("0a", "/Intros")), 404);
    EXPECT_EQ(shelf.get(of_item("11", "/ExternalIdInfos")).body, "[]");
    EXPECT_EQ(shelf.status(shelf.ann, of_item("11", "/ExternalIdInfos")), 403) << "an administrator's";
}

TEST(OldExtras, are_found_below_the_user_too) {
    HomeShelf shelf;
    const auto user = "/Users/" + shelf.ann_id;
    EXPECT_EQ(shelf.as_ann(user + of_item("11", "/LocalTrailers")), "Teaser");
    EXPECT_EQ(shelf.as_ann(user + of_item("11", "/SpecialFeatures")), "Cut");
}

TEST(MediaSegments, come_by_start_and_type) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.total("/MediaSegments/" + HomeShelf::id("44")), 0) << "nobody keeps them";
    testing::FakeSegments segments;
    shelf.services.media.segments = &segments;
    using core::Millis;
    segments.rows[HomeShelf::item_id("44")] = {
        {"chapters", {model::SegmentKind::outro, Millis{1'300'000}, Millis{1'380'000}}},
        {"edl", {model::SegmentKind::intro, Millis{30'500}, Millis{90'000}}}};
    const auto found = shelf.value(shelf.ann, "/MediaSegments/" + HomeShelf::id("44"));
    EXPECT_EQ(found.at("TotalRecordCount"), 2);
    const auto& intro = found.at("Items").at(0);
    EXPECT_EQ(intro.at("Type"), "Intro");
    EXPECT_EQ(intro.at("ItemId"), boost::json::value(HomeShelf::id("44")));
    EXPECT_EQ(intro.at("StartTicks"), 305'000'000);
    EXPECT_EQ(intro.at("EndTicks"), 900'000'000);
    EXPECT_NE(intro.at("Id"), found.at("Items").at(1).at("Id"));
    EXPECT_EQ(shelf.value(shelf.ann, "/MediaSegments/" + HomeShelf::id("44")), found) << "the same ids each time";
    EXPECT_EQ(shelf.total("/MediaSegments/" + HomeShelf::id("44") + "?includeSegmentTypes=Outro,Recap"), 1);
    EXPECT_EQ(shelf.total("/MediaSegments/" + HomeShelf::id("44") + "?includeSegmentTypes=recap"), 0);
    EXPECT_EQ(shelf.total("/MediaSegments/" + HomeShelf::id("11")), 0);
    EXPECT_EQ(shelf.status(shelf.kid, "/MediaSegments/" + HomeShelf::id("44")), 404);
}

TEST(Resume, leaves_out_libraries_that_the_user_wants_out) {
    HomeShelf shelf;
    (void)shelf.as_ann("/UserItems/Resume?excludeActiveSessions=true");
    EXPECT_FALSE(shelf.catalog.last_query.viewer->libraries);
    shelf.configure(R"({"LatestItemsExcludes":[")" + shelf.films.id.str() + "\"]}");
    (void)shelf.as_ann("/UserItems/Resume");
    EXPECT_EQ(shelf.catalog.last_query.viewer->libraries, std::vector{shelf.shows.id});
    (void)shelf.as_ann("/UserItems/Resume?parentId=" + shelf.films.id.str());
    EXPECT_FALSE(shelf.catalog.last_query.viewer->libraries) << "asked for by name";
    EXPECT_EQ(shelf.catalog.last_query.library, shelf.films.id);
    (void)shelf.as_kid("/UserItems/Resume?includeItemTypes=Movie");
    EXPECT_EQ(shelf.catalog.last_query.viewer->libraries, std::vector{shelf.films.id});
    EXPECT_EQ(shelf.catalog.last_query.kinds, std::vector{model::ItemKind::movie});
    EXPECT_EQ(shelf.status(shelf.ann, "/UserItems/Resume?excludeActiveSessions=x"), 400);
}

}  // namespace
}  // namespace understudy::http
