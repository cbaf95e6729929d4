// Libraries renamed and given other folders, items refreshed and counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>

#include "http/system_house.h"
#include "library/scan_options.h"

namespace understudy::http {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::get;
using ::testing::HasSubstr;
using testing::parsed;
using testing::post;
using testing::SystemHouse;

struct Libraries : SystemHouse {
    Libraries() {
        finish_wizard();
        std::filesystem::create_directories(folder / "one");
        std::filesystem::create_directories(folder / "two");
        one = (folder / "one").string();
        two = (folder / "two").string();
        libraries.rows[0].paths = {one};
        events.published.clear();
    }
    const model::Library& films_now() { return libraries.rows[0]; }
    std::string one, two;
};

TEST(LibraryEdits, a_library_keeps_its_id_when_it_is_renamed) {
    Libraries house;
    const auto id = house.films_now().id;
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Name?name=Films&newName=Cinema").status, 204);
    EXPECT_EQ(house.films_now().name, "Cinema");
    EXPECT_EQ(house.films_now().id, id);
    EXPECT_THAT(house.events.published,
                Contains(std::pair<std::string, std::string>(
                    "library.changed", R"({"library":")" + id.str() + R"(","change":"renamed"})")));
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Name?name=Cinema&newName=CINEMA").status, 204);
    EXPECT_EQ(house.films_now().name, "CINEMA") << "another case of its own name";
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Name?name=Cinema&newName=shows").status, 409);
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Name?name=Cinema").status, 400);
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Name?name=Nothing&newName=X").status, 404);
    EXPECT_EQ(house.as_kid(post, "/Library/VirtualFolders/Name?name=Cinema&newName=Mine").status, 403);
}

TEST(LibraryEdits, folders_come_and_go_one_at_a_time) {
    Libraries house;
    const auto id = house.films_now().id;
    const auto body = [](const std::string& path) { return R"({"Name":"Films","Path":")" + path + "\"}"; };
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Paths", body(house.two + "/")).status, 204);
    EXPECT_THAT(house.films_now().paths, ElementsAre(house.one, house.two));
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Paths", body(house.two)).status, 204) << "it is so already";
    EXPECT_THAT(house.films_now().paths, ElementsAre(house.one, house.two));
    EXPECT_EQ(house.events.published.size(), 1U) << "said once";
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Paths", body(house.one + "/below")).status, 400) << "none";
    EXPECT_EQ(house.as_admin(post, "/Library/VirtualFolders/Paths", body(house.folder.path().string())).status, 409)
        << "over its own";
    EXPECT_EQ(house
                  .as_admin(post, "/Library/VirtualFolders/Paths/Update",
                            R"({"Name":"Films","PathInfo":{"Path":")" + house.two + "\"}}")
                  .status,
              204);
    EXPECT_EQ(house
                  .as_admin(post, "/Library/VirtualFolders/Paths/Update",
                            R"({"Name":"Films","PathInfo":{"Path":"/elsewhere"}})")
                  .status,
              404);
    EXPECT_THAT(house.as_admin(get, "/Library/PhysicalPaths").body, HasSubstr(house.two));
    EXPECT_EQ(house.as_admin(Method::del, "/Library/VirtualFolders/Paths?name=Films&path=" + house.one).status, 204);
    EXPECT_THAT(house.films_now().paths, ElementsAre(house.two));
    EXPECT_EQ(house.films_now().id, id);
    const auto last = house.as_admin(Method::del, "/Library/VirtualFolders/Paths?name=Films&path=" + house.two);
    EXPECT_EQ(last.status, 409) << "a library without a folder would lose everything at the next scan";
    EXPECT_EQ(house.as_admin(Method::del, "/Library/VirtualFolders/Paths?name=Films&path=/other").status, 404);
    EXPECT_EQ(house.as_admin(Method::del, "/Library/VirtualFolders/Paths?name=Films").status, 400);
    EXPECT_EQ(house.as_kid(Method::del, "/Library/VirtualFolders/Paths?name=Films&path=" + house.two).status, 403);
}

TEST(LibraryEdits, say_what_may_be_set_and_only_what_is_acted_on) {
    Libraries house;
    const auto shows = parsed(house.as_kid(get, "/Libraries/AvailableOptions?libraryContentType=tvshows"));
    EXPECT_EQ(shows.at("MediaSegmentProviders").as_array().size(), 3U);
    ASSERT_EQ(shows.at("TypeOptions").as_array().size(), 3U);
    EXPECT_EQ(shows.at("TypeOptions").at(2).at("Type"), "Episode");
    EXPECT_EQ(shows.at("TypeOptions").at(2).at("ImageFetchers").at(0).at("Name"), "Embedded Image Extractor");
    EXPECT_EQ(parsed(house.as_kid(get, "/Libraries/AvailableOptions?libraryContentType=music"))
                  .at("MediaSegmentProviders")
                  .as_array()
                  .size(),
              0U);
    EXPECT_EQ(parsed(house.as_kid(get, "/Libraries/AvailableOptions?libraryContentType=books"))
                  .at("TypeOptions")
                  .as_array()
                  .size(),
              0U);
    EXPECT_EQ(parsed(house.as_kid(get, "/Libraries/AvailableOptions")).at("TypeOptions").as_array().size(), 7U);
}

TEST(ItemRefresh, scans_what_the_item_is_made_from) {
    Libraries house;
    const auto asked = [&](const std::string& id) {
        EXPECT_EQ(house.as_admin(post, "/Items/" + id + "/Refresh?metadataRefreshMode=FullRefresh").status, 204) << id;
        return house.tasks.queued_options;
    };
    house.tasks.add("RefreshLibrary");
    EXPECT_THAT(asked(std::string(32, '1')), HasSubstr("/m/films/Tide/Tide.mkv"));
    EXPECT_THAT(asked(house.films.id.str()), HasSubstr(house.films.id.str()));
    EXPECT_EQ(house.as_admin(post, "/Items/" + std::string(32, 'd') + "/Refresh").status, 404);
    EXPECT_EQ(house.as_kid(post, "/Items/" + std::string(32, '1') + "/Refresh").status, 403);
}

TEST(ItemCounts, count_what_the_caller_may_see) {
    Libraries house;
    const auto all = house.got("/Items/Counts");
    EXPECT_EQ(all.at("MovieCount"), 1);
    EXPECT_EQ(all.at("SeriesCount"), 1);
    EXPECT_EQ(all.at("EpisodeCount"), 1);
    EXPECT_EQ(all.at("SongCount"), 1);
    EXPECT_EQ(all.at("BookCount"), 0);
    ASSERT_EQ(house
                  .as_admin(post, "/Users/" + house.kid + "/Policy",
                            R"({"EnableAllFolders":false,"EnabledFolders":[")" + house.shows.id.str() + "\"]}")
                  .status,
              204);
    const auto some = parsed(house.as_kid(get, "/Items/Counts"));
    EXPECT_EQ(some.at("MovieCount"), 0);
    EXPECT_EQ(some.at("SongCount"), 0);
    EXPECT_EQ(some.at("SeriesCount"), 1);
    EXPECT_EQ(some.at("ItemCount"), 2);
    EXPECT_EQ(house.as_kid(get, "/Items/Counts?isFavorite=true").status, 200);
    EXPECT_TRUE(house.catalog.last_query.favourite.value());
    EXPECT_EQ(house.catalog.last_query.user.str(), house.kid);
    EXPECT_EQ(house.as_kid(get, "/Items/Counts?isFavorite=perhaps").status, 400);
    EXPECT_EQ(house.got("/Library/MediaFolders").at("TotalRecordCount"), 2);
    EXPECT_EQ(house.got("/Library/MediaFolders?isHidden=true").at("TotalRecordCount"), 0);
    EXPECT_EQ(house.as_kid(get, "/Library/MediaFolders").status, 403);
}

}  // namespace
}  // namespace understudy::http
