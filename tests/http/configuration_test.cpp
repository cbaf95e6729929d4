// /System/Configuration, /Branding and /Repositories: set once, the same for all pods, and honest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/system_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::get;
using ::testing::HasSubstr;
using testing::parsed;
using testing::post;
using testing::SystemHouse;

TEST(Configuration, names_this_server_for_all_who_ask) {
    SystemHouse house;
    house.finish_wizard();
    auto whole = house.got("/System/Configuration");
    EXPECT_EQ(whole.at("IsStartupWizardCompleted"), true);
    EXPECT_EQ(whole.at("QuickConnectAvailable"), false);
    EXPECT_EQ(whole.at("UICulture"), "en-US");
    whole["ServerName"] = "Haus";
    whole["MetadataCountryCode"] = "DE";
    whole["PreferredMetadataLanguage"] = "de";
    ASSERT_EQ(house.as_admin(post, "/System/Configuration", json::serialize(whole)).status, 204);
    EXPECT_EQ(house.got("/System/Configuration").at("ServerName"), "Haus");
    EXPECT_EQ(parsed(house.as({}, get, "/System/Info/Public")).at("ServerName"), "Haus");
    EXPECT_EQ(house.got("/Startup/Configuration").at("PreferredMetadataLanguage"), "de");
    ASSERT_EQ(house.as_admin(post, "/System/Configuration", R"({"ServerName":""})").status, 204);
    EXPECT_EQ(parsed(house.as({}, get, "/System/Info/Public")).at("ServerName"), "Understudy") << "the pod's own again";
}

TEST(Configuration, what_is_not_acted_on_comes_back_as_it_was_sent) {
    SystemHouse house;
    house.finish_wizard();
    auto whole = house.got("/System/Configuration");
    whole["MinResumePct"] = 7;
    whole["SortRemoveWords"] = {"der", "die", "das"};
    whole["ImageSavingConvention"] = "Compatible";
    whole["TrickplayOptions"] = {{"Interval", 5000}, {"WidthResolutions", {320, 640}}};
    whole["Invented"] = true;
    ASSERT_EQ(house.as_admin(post, "/System/Configuration", json::serialize(whole)).status, 204);
    const auto first = house.got("/System/Configuration");
    EXPECT_EQ(first.at("MinResumePct"), 7);
    EXPECT_EQ(first.at("SortRemoveWords"), (json::value{"der", "die", "das"}));
    EXPECT_EQ(first.at("ImageSavingConvention"), "Compatible");
    EXPECT_EQ(first.at("TrickplayOptions").at("Interval"), 5000);
    EXPECT_EQ(first.at("TrickplayOptions").at("TileWidth"), 10) << "the reference's default";
    EXPECT_FALSE(first.contains("Invented"));
    ASSERT_EQ(house.as_admin(post, "/System/Configuration", json::serialize(first)).status, 204);
    EXPECT_EQ(house.got("/System/Configuration"), first) << "nothing drifts";

    for (const char* section : {"network", "encoding", "metadata", "livetv", "xbmcmetadata"}) {
        const auto target = std::string("/System/Configuration/") + section;
        const auto before = house.got(target);
        ASSERT_EQ(house.as_admin(post, target, json::serialize(before)).status, 204) << section;
        EXPECT_EQ(house.got(target), before) << section;
    }
    ASSERT_EQ(
        house.as_admin(post, "/System/Configuration/ENCODING", R"({"h264crf":"18","TonemappingDesat":0.5})").status,
        204);
    EXPECT_EQ(house.got("/System/Configuration/encoding").at("H264Crf"), 18);
    EXPECT_EQ(house.got("/System/Configuration/encoding").at("TonemappingDesat"), 0.5);
    EXPECT_EQ(house.got("/System/Configuration/encoding").at("H265Crf"), 28);
}

TEST(Configuration, refuses_by_name_what_would_promise_a_protection_that_is_not_given) {
    SystemHouse house;
    house.finish_wizard();
    house.services.info.trusted_proxies = {"10.0.0.1"};
    struct Row {
        const char *target, *body, *field;
    };
    constexpr Row rows[] = {
        {"/System/Configuration", R"({"QuickConnectAvailable":true})", "QuickConnectAvailable"},
        {"/System/Configuration", R"({"CorsHosts":["https://a.example"]})", "CorsHosts"},
        {"/System/Configuration", R"({"EnableLegacyAuthorization":false})", "EnableLegacyAuthorization"},
        {"/System/Configuration", R"({"ActivityLogRetentionDays":0})", "ActivityLogRetentionDays"},
        {"/System/Configuration", R"({"ServerName":"a\u0007b"})", "ServerName"},
        {"/System/Configuration", R"({"MinResumePct":"many"})", "MinResumePct"},
        {"/System/Configuration", R"({"MinResumePct":3000000000})", "MinResumePct"},
        {"/System/Configuration", R"({"ChapterImageResolution":"P9"})", "ChapterImageResolution"},
        {"/System/Configuration", R"({"TrickplayOptions":{"WidthResolutions":["wide"]}})", "WidthResolutions"},
        {"/System/Configuration/network", R"({"EnableHttps":true})", "EnableHttps"},
        {"/System/Configuration/network", R"({"RequireHttps":true})", "RequireHttps"},
        {"/System/Configuration/network", R"({"EnableRemoteAccess":false})", "EnableRemoteAccess"},
        {"/System/Configuration/network", R"({"RemoteIPFilter":["10.0.0.0/8"]})", "RemoteIPFilter"},
        {"/System/Configuration/network", R"({"CertificatePassword":"secret"})", "CertificatePassword"},
        {"/System/Configuration/network", R"({"KnownProxies":["10.0.0.2"]})", "KnownProxies"},
        {"/System/Configuration/encoding", R"({"EncoderAppPath":"/bin/sh"})", "EncoderAppPath"},
    };
    for (const auto& row : rows) {
        const auto answer = house.as_admin(post, row.target, row.body);
        EXPECT_EQ(answer.status, 400) << row.body;
        EXPECT_THAT(answer.body, HasSubstr(row.field));
    }
    EXPECT_FALSE(house.configurations.find("system").value().has_value()) << "nothing was kept";
    EXPECT_FALSE(house.configurations.find("network").value().has_value());
    EXPECT_EQ(house
                  .as_admin(post, "/System/Configuration/network",
                            R"({"KnownProxies":["10.0.0.1"],"EnableIPv6":true,"RemoteIPFilter":null})")
                  .status,
              204);
    EXPECT_EQ(house.got("/System/Configuration/network").at("EnableIPv6"), true);
    const auto long_text = std::string(store::longest_configuration, 'x');
    EXPECT_EQ(house.as_admin(post, "/System/Configuration/branding", R"({"CustomCss":")" + long_text + "\"}").status,
              400);
}

TEST(Configuration, is_for_administrators_to_change_and_passwords_in_it_for_them_to_see) {
    SystemHouse house;
    house.finish_wizard();
    EXPECT_EQ(house.as_kid(get, "/System/Configuration").status, 200);
    EXPECT_EQ(house.as_kid(get, "/System/Configuration/encoding").status, 200);
    EXPECT_EQ(house.as_kid(get, "/System/Configuration/livetv").status, 403);
    EXPECT_EQ(house.as_kid(get, "/System/Configuration/network").status, 403);
    for (const char* target : {"/System/Configuration", "/System/Configuration/encoding", "/Repositories"})
        EXPECT_EQ(house.as_kid(post, target, "{}").status, 403) << target;
    EXPECT_EQ(house.as_admin(get, "/System/Configuration/system").status, 404);
    EXPECT_EQ(house.as_admin(get, "/System/Configuration/nonsense").status, 404);
    EXPECT_EQ(house.as_admin(post, "/System/Configuration/nonsense", "{}").status, 404);
}

TEST(Configuration, branding_is_seen_by_everybody_and_css_is_css) {
    SystemHouse house;
    house.finish_wizard();
    EXPECT_EQ(house.as({}, get, "/Branding/Css").status, 204) << "none is set";
    ASSERT_EQ(
        house
            .as_admin(post, "/System/Configuration/Branding",
                      R"({"LoginDisclaimer":"Hello","CustomCss":"a { color: \"red\" }","SplashscreenEnabled":true})")
            .status,
        204);
    const auto shown = parsed(house.as({}, get, "/Branding/Configuration"));
    EXPECT_EQ(shown.at("LoginDisclaimer"), "Hello");
    EXPECT_EQ(shown.at("SplashscreenEnabled"), true);
    for (const char* target : {"/Branding/Css", "/branding/css.css"}) {
        const auto css = house.as({}, get, target);
        EXPECT_EQ(css.body, "a { color: \"red\" }");
        EXPECT_THAT(css.content_type, HasSubstr("text/css"));
    }
    EXPECT_EQ(house.as({}, get, "/Branding/Splashscreen").status, 404);
}

TEST(Configuration, repositories_are_kept_beside_the_rest) {
    SystemHouse house;
    house.finish_wizard();
    ASSERT_EQ(house.as_admin(post, "/System/Configuration", R"({"MinResumePct":7})").status, 204);
    EXPECT_EQ(house.as_admin(get, "/Repositories").body, "[]");
    ASSERT_EQ(
        house.as_admin(post, "/Repositories", R"([{"Name":"A","Url":"https://a.example","Enabled":true},{}])").status,
        204);
    EXPECT_EQ(house.as_admin(get, "/Repositories").body,
              R"([{"Name":"A","Url":"https://a.example","Enabled":true},{"Enabled":false}])");
    const auto whole = house.got("/System/Configuration");
    EXPECT_EQ(whole.at("PluginRepositories").as_array().size(), 2U);
    EXPECT_EQ(whole.at("MinResumePct"), 7);
    EXPECT_EQ(house.as_admin(post, "/Repositories", "[1]").status, 400);
    EXPECT_EQ(house.as_admin(post, "/Repositories", R"([],"MinResumePct":1})").status, 400);
    ASSERT_EQ(house.as_admin(post, "/Repositories", "[]").status, 204);
    EXPECT_EQ(house.as_admin(get, "/Repositories").body, "[]");
}

TEST(Configuration, the_settings_of_a_pod_are_shown_to_administrators_without_secrets) {
    SystemHouse house;
    house.finish_wizard();
    house.services.system.settings = {
        {"Jellyfin:Log:Level", "debug", "environment Jellyfin__Log__Level", "info", "the least that is logged", false},
        {"Jellyfin:Api:BootstrapKey", std::nullopt, "file k", "(made)", "the admin key", true}};
    EXPECT_EQ(house.as_kid(get, "/cluster/settings").status, 403);
    EXPECT_EQ(
        house.as_admin(get, "/cluster/settings").body,
        R"x({"pod":"a","items":[{"name":"Jellyfin:Log:Level","value":"debug",)x"
        R"x("source":"environment Jellyfin__Log__Level","default":"info","help":"the least that is logged",)x"
        R"x("secret":false},{"name":"Jellyfin:Api:BootstrapKey","value":null,"source":"file k","default":"(made)",)x"
        R"x("help":"the admin key","secret":true}]})x");
}

}  // namespace
}  // namespace understudy::http
