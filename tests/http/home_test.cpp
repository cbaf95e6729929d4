// /UserViews, /Items/Root and /Items/Latest: where clients begin.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/home_shelf.h"
#include "http/jellyfin/items/user_views.h"

namespace understudy::http {
namespace {

using testing::HomeShelf;
using testing::id_of;

TEST(UserViews, are_the_libraries_and_what_people_put_together) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.as_ann("/UserViews"), "Films Shows");
    EXPECT_EQ(shelf.post("/Collections?name=Sea&ids=" + HomeShelf::id("11")).status, 200);
    EXPECT_EQ(shelf.as_ann("/UserViews"), "Films Shows Collections");
    EXPECT_EQ(shelf.as(shelf.ann, Method::post, "/Playlists?name=Mine&ids=" + HomeShelf::id("11")).status, 200);
    EXPECT_EQ(shelf.as_ann("/UserViews"), "Films Shows Collections Playlists");
    EXPECT_EQ(shelf.as_ann("/Users/" + shelf.ann_id + "/Views"), "Films Shows Collections Playlists");
    const auto views = shelf.value(shelf.ann, "/UserViews");
    EXPECT_EQ(views.at("TotalRecordCount"), 4);
    EXPECT_EQ(views.at("Items").at(0).at("Type"), "CollectionFolder");
    EXPECT_EQ(views.at("Items").at(0).at("CollectionType"), "movies");
    EXPECT_EQ(views.at("Items").at(2).at("CollectionType"), "boxsets");
    EXPECT_EQ(views.at("Items").at(3).at("CollectionType"), "playlists");
    EXPECT_EQ(shelf.as_ann("/Items?parentId=" + box_sets_view.str()), "Sea");
    EXPECT_EQ(shelf.as_ann("/Items?parentId=" + playlists_view.str()), "Mine");
    EXPECT_EQ(shelf.as_ann("/Items?includeItemTypes=Playlist&parentId=" + playlists_view.str()), "Mine");
    EXPECT_EQ(shelf.as_ann("/Items?recursive=true&includeItemTypes=Movie&parentId=" + box_sets_view.str()), "");
    for (const auto& view : views.at("Items").as_array()) {
        const std::string id(view.at("Id").as_string());
        EXPECT_EQ(shelf.value(shelf.ann, "/Items/" + id).at("Name"), view.at("Name"));
    }
}

TEST(UserViews, come_as_the_user_wants_them) {
    HomeShelf shelf;
    shelf.configure(R"({"OrderedViews":["bbbbbbbb-bbbb-bbbb-bbbb-bbbbbbbbbbbb"]})");
    EXPECT_EQ(shelf.as_ann("/UserViews"), "Shows Films");
    EXPECT_EQ(shelf.as_kid("/UserViews"), "Films") << "and nothing that is closed";
    shelf.configure(R"({"MyMediaExcludes":[")" + shelf.films.id.str() + "\"]}");
    EXPECT_EQ(shelf.as_ann("/UserViews"), "Shows");
    EXPECT_EQ(shelf.as_ann("/UserViews?includeHidden=true"), "Films Shows");
    EXPECT_EQ(shelf.status(shelf.ann, "/UserViews?includeHidden=perhaps"), 400);
    EXPECT_EQ(shelf.get("/UserViews").status, 200) << "a key has no configuration";
}

TEST(UserViews, of_films_and_shows_could_be_grouped) {
    HomeShelf shelf;
    shelf.libraries.rows.push_back(shelf.films);
    shelf.libraries.rows.back().kind = model::LibraryKind::music;
    shelf.libraries.rows.back().name = "Music";
    EXPECT_EQ(shelf.as(shelf.ann, Method::get, "/UserViews/GroupingOptions").body,
              R"([{"Name":"Films","Id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},)"
              R"({"Name":"Shows","Id":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}])");
    EXPECT_EQ(shelf.as_kid("/UserViews/GroupingOptions"), "Films");
}

TEST(Root, has_the_libraries_below_it) {
    HomeShelf shelf;
    const auto root = shelf.value(shelf.ann, "/Items/Root");
    EXPECT_EQ(root.at("Type"), "UserRootFolder");
    const std::string id(root.at("Id").as_string());
    EXPECT_EQ(shelf.as_ann("/Items?parentId=" + id), "Films Shows");
    EXPECT_EQ(shelf.as_kid("/Items?parentId=" + id), "Films");
    EXPECT_EQ(shelf.value(shelf.ann, "/Items/" + id), root);
    EXPECT_EQ(shelf.value(shelf.ann, "/Users/" + shelf.ann_id + "/Items/Root"), root);
    EXPECT_THAT(shelf.as_ann("/Items?recursive=true&includeItemTypes=Movie&parentId=" + id), "Tide \"Pool\"");
}

TEST(Latest, shows_what_is_new_with_how_much_it_stands_for) {
    HomeShelf shelf;
    shelf.discovery.latest_items = {{HomeShelf::item_id("22"), 3}, {HomeShelf::item_id("11"), 0}};
    for (const auto& target : {std::string("/Items/Latest"), "/Users/" + shelf.ann_id + "/Items/Latest"}) {
        const auto latest = shelf.value(shelf.ann, target);
        ASSERT_EQ(latest.as_array().size(), 2U) << "a bare array";
        EXPECT_EQ(latest.at(0).at("Name"), "Harbour");
        EXPECT_EQ(latest.at(0).at("ChildCount"), 3);
        EXPECT_EQ(latest.at(1).at("ChildCount"), 0);
        EXPECT_TRUE(latest.at(0).as_object().contains("UserData"));
    }
    const auto& asked = shelf.discovery.last_latest;
    EXPECT_EQ(asked.limit, 20U);
    EXPECT_TRUE(asked.grouped);
    EXPECT_EQ(asked.user.str(), shelf.ann_id);
    ASSERT_EQ(asked.places.size(), 2U);
    EXPECT_EQ(asked.places[0].library, shelf.films.id);
    EXPECT_EQ(asked.places[0].kinds, std::vector{model::ItemKind::movie});
    EXPECT_EQ(asked.places[1].kinds, std::vector{model::ItemKind::episode});
    EXPECT_EQ(asked.places[0].played, false) << "the reference's default hides what was played";
    EXPECT_THAT(shelf.as_kid("/Items/Latest"), "Tide \"Pool\"") << "whatever the store said";
    EXPECT_EQ(shelf.discovery.last_latest.places.size(), 1U);
}

TEST(Latest, asks_for_what_the_request_and_the_user_want) {
    HomeShelf shelf;
    const auto& asked = shelf.discovery.last_latest;
    (void)shelf.as_ann("/Items/Latest?limit=5&groupItems=false&isPlayed=true&includeItemTypes=Series,Movie");
    EXPECT_EQ(asked.limit, 5U);
    EXPECT_FALSE(asked.grouped);
    EXPECT_EQ(asked.places.at(0).played, true);
    EXPECT_THAT(asked.places.at(1).kinds,
                ::testing::UnorderedElementsAre(model::ItemKind::movie, model::ItemKind::series));
    (void)shelf.as_ann("/Items/Latest?parentId=" + shelf.shows.id.str());
    ASSERT_EQ(asked.places.size(), 1U);
    EXPECT_EQ(asked.places[0].library, shelf.shows.id);
    EXPECT_FALSE(asked.parent);
    (void)shelf.as_ann("/Items/Latest?parentId=" + HomeShelf::id("22"));
    EXPECT_EQ(asked.places.at(0).library, shelf.shows.id);
    EXPECT_EQ(asked.parent, HomeShelf::item_id("22"));
    (void)shelf.as_ann("/Items/Latest?includeItemTypes=Book");
    EXPECT_EQ(asked.places.size(), 0U);
    shelf.configure(R"({"HidePlayedInLatest":false,"LatestItemsExcludes":[")" + shelf.films.id.str() + "\"]}");
    (void)shelf.as_ann("/Items/Latest");
    ASSERT_EQ(asked.places.size(), 1U);
    EXPECT_EQ(asked.places[0].library, shelf.shows.id);
    EXPECT_FALSE(asked.places[0].played);
    (void)shelf.as_ann("/Items/Latest?parentId=" + shelf.films.id.str());
    EXPECT_EQ(asked.places.at(0).library, shelf.films.id) << "asked for by name";
    EXPECT_EQ(shelf.status(shelf.kid, "/Items/Latest?parentId=" + HomeShelf::id("22")), 404);
    EXPECT_EQ(shelf.status(shelf.kid, "/Items/Latest?parentId=" + shelf.shows.id.str()), 404);
    EXPECT_EQ(shelf.status(shelf.ann, "/Items/Latest?parentId=x"), 400);
}

TEST(Latest, of_music_shows_what_was_heard_too) {
    HomeShelf shelf;
    shelf.libraries.rows[0].kind = model::LibraryKind::music;
    (void)shelf.as_ann("/Items/Latest?isPlayed=false");
    EXPECT_EQ(shelf.discovery.last_latest.places.at(0).kinds, std::vector{model::ItemKind::track});
    EXPECT_FALSE(shelf.discovery.last_latest.places.at(0).played);
}

}  // namespace
}  // namespace understudy::http
