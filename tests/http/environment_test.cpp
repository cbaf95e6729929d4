// /Environment and /DisplayPreferences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>

#include "http/jellyfin/libraries/folder_browser.h"
#include "http/system_house.h"

namespace understudy::http {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::get;
using ::testing::HasSubstr;
using testing::parsed;
using testing::post;
using testing::SystemHouse;

struct Tree : SystemHouse {
    Tree() {
        finish_wizard();
        fs::create_directories(folder / "media/films");
        fs::create_directories(folder / "media/music");
        folder.write("media/list.txt", "x");
        fs::create_directory_symlink(folder / "media/films", folder / "media/again");
        media = (folder / "media").string();
    }
    std::vector<std::string> names(const std::string& query) {
        const auto answer = as_admin(http::Method::get, "/Environment/DirectoryContents?path=" + media + query);
        EXPECT_EQ(answer.status, 200) << answer.body;
        std::vector<std::string> found;
        const auto list = parsed(answer);
        for (const auto& entry : list.as_array()) found.emplace_back(entry.at("Name").as_string());
        return found;
    }
    std::string media;
};

TEST(Environment, lists_folders_and_files_by_name_and_says_which_is_which) {
    Tree tree;
    EXPECT_THAT(tree.names("&includeDirectories=true"), ElementsAre("again", "films", "music"));
    EXPECT_THAT(tree.names("/&includeFiles=true"), ElementsAre("list.txt"));
    EXPECT_THAT(tree.names(""), ElementsAre()) << "neither was asked for";
    const auto both = tree.as_admin(
        get, "/Environment/DirectoryContents?includeFiles=true&includeDirectories=true&path=" + tree.media);
    EXPECT_THAT(both.body, HasSubstr(R"({"Name":"films","Path":")" + tree.media + R"(/films","Type":"Directory"})"));
    EXPECT_THAT(both.body, HasSubstr(R"({"Name":"list.txt","Path":")" + tree.media + R"(/list.txt","Type":"File"})"));
}

TEST(Environment, leaves_out_names_that_json_cannot_say_and_counts_them) {
    Tree tree;
    tree.folder.write("media/\xff\xfe.mkv", "x");
    const auto answer = tree.as_admin(get, "/Environment/DirectoryContents?includeFiles=true&path=" + tree.media);
    EXPECT_EQ(parsed(answer).as_array().size(), 1U);
    EXPECT_EQ(answer.header("X-Understudy-Left-Out"), "1");
}

TEST(Environment, is_bounded) {
    testing::TempFolder folder;
    for (std::size_t i = 0; i <= most_folder_entries; ++i) folder.write(std::to_string(i), "");
    const auto listing = list_folder(folder.path().string());
    EXPECT_EQ(listing.entries.size(), most_folder_entries);
    EXPECT_EQ(listing.left_out, 1U);
}

TEST(Environment, refuses_what_is_not_there_not_allowed_or_no_folder) {
    Tree tree;
    const auto status = [&](const std::string& path) {
        return tree.as_admin(get, "/Environment/DirectoryContents?includeFiles=true&path=" + path).status;
    };
    EXPECT_EQ(status(tree.media + "/nothing"), 404);
    EXPECT_EQ(status(tree.media + "/list.txt"), 404);
    EXPECT_EQ(status("media"), 400);
    EXPECT_EQ(status(""), 400);
    EXPECT_EQ(status("/a%00b"), 400);
    for (const char* kernel : {"/proc", "/proc/self/fd", "/sys", "/dev", "/tmp/../proc"})
        EXPECT_EQ(status(kernel), 403) << kernel;
    fs::create_directory_symlink("/proc", tree.folder / "media/way");
    EXPECT_EQ(status(tree.media + "/way"), 403) << "links are followed before that is decided";
    if (::geteuid() != 0) {
        ::chmod((tree.media + "/films").c_str(), 0);
        EXPECT_EQ(status(tree.media + "/films"), 403);
        ::chmod((tree.media + "/films").c_str(), 0700);
    }
}

TEST(Environment, is_for_administrators_and_for_everybody_while_the_wizard_is_open) {
    SystemHouse open;
    EXPECT_EQ(open.as({}, get, "/Environment/Drives").status, 200);
    Tree tree;
    for (const char* target :
         {"/Environment/Drives", "/Environment/DirectoryContents?path=/", "/Environment/ParentPath?path=/a",
          "/Environment/DefaultDirectoryBrowser", "/Environment/NetworkShares"}) {
        EXPECT_EQ(tree.as({}, get, target).status, 401) << target;
        EXPECT_EQ(tree.as_kid(get, target).status, 403) << target;
        EXPECT_EQ(tree.as_admin(get, target).status, 200) << target;
    }
    EXPECT_EQ(tree.as_kid(post, "/Environment/ValidatePath", R"({"Path":"/"})").status, 403);
}

TEST(Environment, checks_a_path_without_touching_it) {
    Tree tree;
    const auto check = [&](const std::string& path, const std::string& more = {}) {
        return tree.as_admin(post, "/Environment/ValidatePath", R"({"Path":")" + path + "\"" + more + "}").status;
    };
    EXPECT_EQ(check(tree.media), 204);
    EXPECT_EQ(check(tree.media, R"(,"ValidateWritable":true,"IsFile":false)"), 204);
    EXPECT_EQ(check(tree.media, R"(,"IsFile":true)"), 404);
    EXPECT_EQ(check(tree.media + "/list.txt", R"(,"IsFile":true)"), 204);
    EXPECT_EQ(check(tree.media + "/list.txt", R"(,"IsFile":false)"), 404);
    EXPECT_EQ(check(tree.media + "/nothing"), 404);
    EXPECT_EQ(check("/proc"), 403);
    EXPECT_EQ(check("relative"), 400);
    EXPECT_EQ(check(""), 400);
    EXPECT_EQ(std::distance(fs::directory_iterator(tree.media), fs::directory_iterator()), 4) << "nothing was made";
}

TEST(Environment, knows_the_folder_above_and_where_to_begin) {
    Tree tree;
    const auto above = [&](const char* path) {
        return tree.as_admin(get, std::string("/Environment/ParentPath?path=") + path).body;
    };
    EXPECT_EQ(above("/media/films"), "\"/media\"");
    EXPECT_EQ(above("/media/films/"), "\"/media\"");
    EXPECT_EQ(above("/media"), "\"/\"");
    EXPECT_EQ(tree.as_admin(get, "/Environment/ParentPath?path=/").status, 204);
    EXPECT_THAT(tree.as_admin(get, "/Environment/Drives").body,
                HasSubstr(R"({"Name":"/","Path":"/","Type":"Directory"})"));
    EXPECT_THAT(mount_points(), Contains("/"));
}

TEST(DisplayPreferences, are_one_users_in_one_client_and_have_the_references_defaults) {
    SystemHouse house;
    house.finish_wizard();
    const auto fresh = parsed(house.as_kid(get, "/DisplayPreferences/usersettings?client=emby"));
    EXPECT_EQ(fresh.at("Id"), "usersettings");
    EXPECT_EQ(fresh.at("Client"), "emby");
    EXPECT_EQ(fresh.at("SortBy"), "SortName");
    EXPECT_EQ(fresh.at("PrimaryImageHeight"), 250);
    EXPECT_EQ(fresh.at("CustomPrefs").at("skipForwardLength"), "30000");
    auto changed = fresh.as_object();
    changed["SortOrder"] = "Descending";
    changed["CustomPrefs"] = {{"homesection0", "resume"}, {"skipForwardLength", 10000}, {"gone", nullptr}};
    const auto target = "/DisplayPreferences/usersettings?client=emby&userId=" + house.kid;
    ASSERT_EQ(house.as_kid(post, target, boost::json::serialize(changed)).status, 204);
    const auto kept = parsed(house.as_kid(get, target));
    EXPECT_EQ(kept.at("SortOrder"), "Descending");
    EXPECT_EQ(kept.at("CustomPrefs").at("homesection0"), "resume");
    EXPECT_EQ(kept.at("CustomPrefs").at("skipForwardLength"), "10000");
    EXPECT_EQ(kept.at("CustomPrefs").at("chromecastVersion"), "stable");
    EXPECT_FALSE(kept.at("CustomPrefs").as_object().contains("gone"));
    EXPECT_EQ(parsed(house.as_kid(get, "/DisplayPreferences/usersettings?client=web")).at("SortOrder"), "Ascending");
    EXPECT_EQ(parsed(house.as_admin(get, "/DisplayPreferences/usersettings?client=emby")).at("SortOrder"), "Ascending");
    EXPECT_EQ(parsed(house.as_admin(get, target)).at("SortOrder"), "Descending") << "an administrator may look";
}

TEST(DisplayPreferences, refuse_other_users_and_what_is_too_long) {
    SystemHouse house;
    house.finish_wizard();
    const auto root = std::string(house.got("/Users/Me").at("Id").as_string());
    EXPECT_EQ(house.as_kid(get, "/DisplayPreferences/x?client=emby&userId=" + root).status, 403);
    EXPECT_EQ(house.as_kid(post, "/DisplayPreferences/x?client=emby&userId=" + root, "{}").status, 403);
    EXPECT_EQ(house.as_kid(get, "/DisplayPreferences/x").status, 400) << "which client?";
    EXPECT_EQ(house.as_kid(get, "/DisplayPreferences/" + std::string(201, 'x') + "?client=emby").status, 400);
    EXPECT_EQ(house.as_kid(post, "/DisplayPreferences/x?client=emby", R"({"SortOrder":"Sideways"})").status, 400);
    EXPECT_EQ(house.as_kid(post, "/DisplayPreferences/x?client=emby", R"({"CustomPrefs":{"a":[1]}})").status, 400);
    EXPECT_EQ(house
                  .as_kid(post, "/DisplayPreferences/x?client=emby",
                          R"({"CustomPrefs":{"a":")" + std::string(70'000, 'x') + "\"}}")
                  .status,
              400);
}

}  // namespace
}  // namespace understudy::http
