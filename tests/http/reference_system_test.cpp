// /System and its neighbours against the reference contract, which stays outside the repository.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/contract_document.h"
#include "http/system_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::Contract;

using testing::get;
using testing::post;

/// The reference says of a section only that it is JSON: its model class is the schema.
json::value with_sections(json::value document) {
    const std::pair<const char*, const char*> sections[] = {
        {"network", "NetworkConfiguration"},   {"encoding", "EncodingOptions"},
        {"metadata", "MetadataConfiguration"}, {"livetv", "LiveTvOptions"},
        {"branding", "BrandingOptionsDto"},    {"xbmcmetadata", "XbmcMetadataOptions"}};
    for (const auto& [key, schema] : sections) {
        const auto text =
            std::string(R"({"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":")") +
            "#/components/schemas/" + schema + R"("}}}}}}})";
        document.at("paths").as_object()[std::string("section ") + key] = json::parse(text);
    }
    return document;
}

TEST(Reference, knows_the_system_its_configuration_and_the_activity_log) {
    const auto reference = testing::reference_document();
    if (!reference) GTEST_SKIP() << testing::no_reference;
    Contract contract(with_sections(*reference));
    testing::SystemHouse house;
    house.finish_wizard();
    house.folder.write("understudy-2026-11-30.log", "one line\n");
    const auto compare = [&](const char* path, const std::string& target, const char* method = "get",
                             const std::string& body = {}) {
        const auto answer = house.as_admin(std::string_view(method) == "get" ? get : post, target, body);
        ASSERT_EQ(answer.status, 200) << target << ": " << answer.body;
        for (const auto& fault : contract.faults(path, json::parse(answer.body), method)) ADD_FAILURE() << fault;
    };
    const auto compare_same = [&](const char* path) { compare(path, path); };
    for (const char* path : {"/System/Info",
                             "/System/Info/Public",
                             "/System/Info/Storage",
                             "/System/Endpoint",
                             "/System/Logs",
                             "/System/ActivityLog/Entries",
                             "/System/Configuration",
                             "/System/Configuration/MetadataOptions/Default",
                             "/GetUtcTime",
                             "/Branding/Configuration",
                             "/Localization/Options",
                             "/Localization/Cultures",
                             "/Localization/Countries",
                             "/Localization/ParentalRatings",
                             "/Plugins",
                             "/web/ConfigurationPages",
                             "/Packages",
                             "/Repositories",
                             "/Channels",
                             "/Channels/Features",
                             "/Channels/Items/Latest",
                             "/SyncPlay/List",
                             "/LiveTv/Info",
                             "/LiveTv/GuideInfo",
                             "/LiveTv/Channels",
                             "/LiveTv/Programs",
                             "/LiveTv/Programs/Recommended",
                             "/LiveTv/Recordings",
                             "/LiveTv/Recordings/Folders",
                             "/LiveTv/Recordings/Series",
                             "/LiveTv/Timers",
                             "/LiveTv/SeriesTimers",
                             "/LiveTv/TunerHosts/Types"})
        compare_same(path);
    for (const char* section : {"network", "encoding", "metadata", "livetv", "branding", "xbmcmetadata"})
        compare((std::string("section ") + section).c_str(), std::string("/System/Configuration/") + section);
    compare("/LiveTv/Programs", "/LiveTv/Programs", "post", "{}");
    compare("/Environment/DirectoryContents",
            "/Environment/DirectoryContents?includeFiles=true&path=" + house.folder.path().string());
    compare("/Environment/ParentPath", "/Environment/ParentPath?path=/media/films");
    const auto shown = std::string("/DisplayPreferences/usersettings?client=emby");
    compare("/DisplayPreferences/{displayPreferencesId}", shown);
    EXPECT_EQ(house.as_admin(post, shown, R"({"ViewType":"list","CustomPrefs":{"a":"b"}})").status, 204);
    compare("/DisplayPreferences/{displayPreferencesId}", shown);
    compare("/Users/ForgotPassword", "/Users/ForgotPassword", "post", R"({"EnteredUsername":"root"})");
    compare("/Users/ForgotPassword/Pin", "/Users/ForgotPassword/Pin", "post", R"({"Pin":"1234"})");
    compare("/ClientLog/Document", "/ClientLog/Document", "post", "a line of a client's log");

    // And as somebody has set them.
    EXPECT_EQ(house
                  .as_admin(post, "/System/Configuration/livetv",
                            R"({"GuideDays":7,"TunerHosts":[{"Url":"http://tuner"}],)"
                            R"("ListingProviders":[{"Type":"xmltv","ChannelMappings":[{"Name":"a","Value":"b"}]}]})")
                  .status,
              204);
    EXPECT_EQ(
        house.as_admin(post, "/System/Configuration/branding", R"({"LoginDisclaimer":"Hi","CustomCss":"a{}"})").status,
        204);
    EXPECT_EQ(
        house
            .as_admin(
                post, "/System/Configuration",
                R"({"MetadataOptions":[{"ItemType":"Movie"}],"PathSubstitutions":[{"From":"/a"}],)"
                R"("ContentTypes":[{"Name":"n"}],"TrickplayOptions":{"Interval":5000,"WidthResolutions":[320,640]},)"
                R"("PluginRepositories":[{"Name":"r","Url":"https://r.example"}],"ChapterImageResolution":"p720"})")
            .status,
        204);
    compare("section livetv", "/System/Configuration/livetv");
    compare("section branding", "/System/Configuration/branding");
    compare_same("/Branding/Configuration");
    compare_same("/System/Configuration");
    compare_same("/Repositories");
    compare_same("/System/Logs");
}

}  // namespace
}  // namespace understudy::http
