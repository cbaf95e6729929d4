#include "http/auth/credentials.h"

#include <gtest/gtest.h>

namespace understudy::http {
namespace {

TEST(ClientInfo, reads_the_variants_that_clients_send) {
    struct Row {
        const char* text;
        const char *client, *device, *device_id, *token;
    };
    const Row rows[] = {
        {R"(Client="X", Device="PC", DeviceId="1", Version="2", Token="t")", "X", "PC", "1", "t"},
        {"Token=abc", "", "", "", "abc"},
        {R"(Device="a, b", DeviceId="eA==", Token="x")", "", "a, b", "eA==", "x"},
        {"client=\"X\"", "X", "", "", ""},
        {"DeviceId=eA==,Token=x", "", "", "eA==", "x"},
        {R"(Device="Pixel%208%20Pro")", "", "Pixel 8 Pro", "", ""},
        {R"(Device="100% me", Token="t")", "", "100% me", "", "t"},
        {R"(Device="a=b,Token=no" , Token = "yes")", "", "a=b,Token=no", "", "yes"},
        {R"(Device="say \"hi\"",Token="t")", "", "say \"hi\"", "", "t"},
        {R"(Token="",Client=X)", "X", "", "", ""},
        {R"(Other="x", TOKEN="t")", "", "", "", "t"},
        {R"(Token="never closed)", "", "", "", "never closed"},
        {R"(Token="x" trailing, Client="y")", "y", "", "", "x"},
        {"Token", "", "", "", ""},
        {", ,=,Token=t", "", "", "", "t"},
        {"", "", "", "", ""},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.text);
        const auto info = parse_client_info(row.text);
        EXPECT_EQ(info.client, row.client);
        EXPECT_EQ(info.device, row.device);
        EXPECT_EQ(info.device_id, row.device_id);
        EXPECT_EQ(info.token, row.token);
    }
}

Credentials find(std::vector<Header> headers, std::string_view query = "", bool legacy = true) {
    Request request;
    request.headers = std::move(headers);
    request.query = Query(query);
    return find_credentials(request, legacy);
}

TEST(Credentials, takes_the_scheme_in_any_case_and_no_other) {
    EXPECT_EQ(find({{"authorization", "mediabrowser token=\"t\""}}).token, "t");
    EXPECT_EQ(find({{"Authorization", "  EMBY   Token=t"}}).form, CredentialForm::emby_scheme);
    EXPECT_EQ(find({{"Authorization", "Bearer t"}}).token, "");
    EXPECT_EQ(find({{"Authorization", "MediaBrowser"}}).token, "");
}

TEST(Credentials, prefers_forms_in_the_order_of_the_reference) {
    const std::vector<Header> all{{"X-MediaBrowser-Token", "5"},
                                  {"X-Emby-Token", "4"},
                                  {"X-Emby-Authorization", "MediaBrowser Token=3"},
                                  {"Authorization", "MediaBrowser Token=1"}};
    EXPECT_EQ(find(all, "ApiKey=6&api_key=7").token, "1");
    EXPECT_EQ(find({all.begin(), all.begin() + 3}, "ApiKey=6").token, "3");
    EXPECT_EQ(find({all.begin(), all.begin() + 2}, "ApiKey=6").token, "4");
    EXPECT_EQ(find({all.begin(), all.begin() + 1}, "ApiKey=6").token, "5");
    EXPECT_EQ(find({}, "api_key=7&apikey=6").form, CredentialForm::api_key);
    EXPECT_EQ(find({}, "API_KEY=7").form, CredentialForm::legacy_api_key);
}

TEST(Credentials, skips_legacy_forms_that_are_off_and_remembers_them) {
    const auto found =
        find({{"X-Emby-Token", "4"}, {"X-Emby-Authorization", "Emby Client=\"c\", Token=3"}}, "ApiKey=6", false);
    EXPECT_EQ(found.token, "6");
    EXPECT_EQ(found.form, CredentialForm::api_key);
    EXPECT_EQ(found.refused, (std::vector{CredentialForm::x_emby_authorization, CredentialForm::x_emby_token}));
    EXPECT_EQ(found.client.client, "");
    EXPECT_TRUE(find({{"X-Emby-Token", ""}}, "", false).refused.empty());
}

TEST(Credentials, keeps_who_the_client_says_it_is) {
    const auto found = find({{"Authorization", R"(MediaBrowser Client="c", DeviceId="d")"}, {"X-Emby-Token", "4"}});
    EXPECT_EQ(found.token, "4");
    EXPECT_EQ(found.client.client, "c");
    EXPECT_EQ(found.client.device_id, "d");
}

}  // namespace
}  // namespace understudy::http
