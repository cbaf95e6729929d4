// Pictures of users: who may set them, what is taken, what is kept of it, and who sees it.
#include <gtest/gtest.h>

#include "http/fake_scaler.h"
#include "http/jellyfin/pictures/given_picture.h"
#include "http/login_house.h"
#include "http/raw_client.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::png_header;

std::string base64(const std::string& bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63U];
    }
    return text;
}

TEST(Base64, comes_in_all_the_forms_that_clients_send) {
    for (const std::string bytes : {"", "a", "ab", "abc", "abcd", "\xFF\xFE\xFD\xFC"})
        EXPECT_EQ(decode_base64(base64(bytes)), bytes);
    EXPECT_EQ(decode_base64("data:image/png;base64,YWJj"), "abc");
    EXPECT_EQ(decode_base64("YW\r\nJj"), "abc");
    EXPECT_EQ(decode_base64("YQ"), "a") << "without padding";
    EXPECT_EQ(decode_base64("_-8="), "\xFF\xEF") << "as addresses have it";
    for (const char* bad : {"Y", "YQ==Y", "Y*==", "YR==", "===", "data:image/png,YWJj"})
        EXPECT_FALSE(decode_base64(bad)) << bad;
}

/// Ann, who administers, and Bo, who does not.
struct PictureHouse : testing::LoginHouse {
    PictureHouse() {
        services.scaled = &workshop.pictures;
        services.media.blobs = &blobs;
        ann = add("Ann", "sea", true);
        bo = add("Bo", "bay");
        anns_token = log_in("Ann", "sea");
        bos_token = log_in("Bo", "bay");
    }
    Response set(const std::string& token, const std::string& user, const std::string& body) {
        return as(token, Method::post, "/UserImage?userId=" + user, body);
    }
    Response drop(const std::string& token, const std::string& user) {
        return as(token, Method::del, "/UserImage?userId=" + user);
    }
    std::string tag_of(const std::string& user) {
        const auto dto = json::parse(get("/Users/" + user).body).as_object();
        return dto.contains("PrimaryImageTag") ? std::string(dto.at("PrimaryImageTag").as_string()) : "";
    }
    Response see(const std::string& target, std::vector<Header> headers = {}, Method method = Method::get) {
        Request request;
        request.method = method;
        request.target = target;
        request.headers = std::move(headers);
        return ask(request);
    }
    testing::PictureWorkshop workshop{random, clock, log};
    testing::FakeBlobs blobs;
    std::string ann, bo, anns_token, bos_token;
};

TEST(Photos, may_be_larger_than_other_bodies_where_pictures_are_taken) {
    DispatcherSettings settings;
    settings.base_url = "/jf";
    testing::House house(settings);
    const auto large = [&](Method method, const char* target) {
        Request request;
        request.method = method;
        request.target = target;
        return house.dispatcher->takes_large_body(request);
    };
    const std::string id(32, 'a');
    for (const auto& path : {"/UserImage?userId=" + id, std::string("/userimage"), "/Users/" + id + "/Images/Primary",
                             "/emby/Items/" + id + "/Images/Primary", "/Items/" + id + "/Images/Backdrop/0",
                             std::string("/Branding/Splashscreen")}) {
        EXPECT_TRUE(large(Method::post, ("/jf" + path).c_str())) << path;
        EXPECT_FALSE(large(Method::del, ("/jf" + path).c_str())) << path;
        EXPECT_FALSE(large(Method::post, path.c_str())) << "not below the base URL";
    }
    for (const char* path : {"/jf/Items", "/jf/Users/New", "/jf/nothing", "/jf", "*", ""})
        EXPECT_FALSE(large(Method::post, path)) << path;
}

TEST(Photos, of_strangers_are_refused_before_they_come) {
    PictureHouse house;
    const auto port = house.serve();
    const auto announce = [&](const std::string& token, const std::string& user, std::size_t bytes) {
        return "POST /UserImage?userId=" + user +
               " HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nExpect: 100-continue\r\n" +
               (token.empty() ? "" : "Authorization: MediaBrowser Token=\"" + token + "\"\r\n") +
               "Content-Length: " + std::to_string(bytes) + "\r\n\r\n";
    };
    constexpr std::size_t twenty_mib = std::size_t{20} << 20;
    for (const auto& [token, user, status] : {std::tuple{std::string(), house.bo, 401},
                                              {std::string(32, 'f'), house.bo, 401},
                                              {house.bos_token, house.ann, 403}}) {
        testing::RawClient client(port);
        const auto answer = client.ask(announce(token, user, twenty_mib));
        EXPECT_EQ(answer.status, status) << answer.body;
        EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "*");
        EXPECT_TRUE(client.at_end());
    }
    const auto& used = house.counters.forms_used[static_cast<std::size_t>(CredentialForm::media_browser)];
    const auto before = used.load();
    testing::RawClient client(port);
    const auto photo = png_header(3000, 2000, "as it came");
    EXPECT_EQ(client.ask(announce(house.bos_token, house.bo, photo.size())).status, 100);
    EXPECT_EQ(client.ask(photo).status, 204);
    EXPECT_EQ(used, before + 1) << "counted once";
    house.server->stop(core::Millis{0});  // before what it answers from
}

TEST(UserImages, are_taken_as_bytes_and_as_base64_and_made_anew) {
    PictureHouse house;
    EXPECT_EQ(house.see("/UserImage?userId=" + house.bo).status, 404);
    EXPECT_EQ(house.tag_of(house.bo), "");
    const auto photo = png_header(3000, 2000, "as it came");
    for (const auto& body : {photo, base64(photo), "data:image/png;base64," + base64(photo)}) {
        ASSERT_EQ(house.set(house.bos_token, house.bo, body).status, 204);
        const auto answer = house.see("/UserImage?userId=" + house.bo);
        ASSERT_EQ(answer.status, 200) << answer.body;
        EXPECT_EQ(answer.content_type, "image/png");
        EXPECT_EQ(answer.body.find("as it came"), std::string::npos) << "nothing foreign is handed on";
        const auto& asked = house.workshop.scaler.asked.back();
        EXPECT_EQ(asked.max_width, 512);
        EXPECT_EQ(asked.max_height, 512);
        ASSERT_EQ(house.drop(house.bos_token, house.bo).status, 204);
        EXPECT_EQ(house.see("/UserImage?userId=" + house.bo).status, 404);
    }
    EXPECT_EQ(house.drop(house.bos_token, house.bo).status, 204) << "there is none any more: fine";
    EXPECT_EQ(house.events.published.back().first, "user.changed");
    EXPECT_EQ(house.events.published.back().second, R"({"userId":")" + house.bo + "\"}");
}

TEST(UserImages, what_is_no_picture_is_refused) {
    PictureHouse house;
    for (const std::string body : {"", "no picture", "bm8gcGljdHVyZQ==", "<svg/>"}) {
        const auto answer = house.set(house.bos_token, house.bo, body);
        EXPECT_EQ(answer.status, 400) << body;
        EXPECT_NE(answer.body.find("no picture"), std::string::npos) << answer.body;
    }
    EXPECT_TRUE(house.workshop.scaler.asked.empty());
    house.workshop.scaler.broken = core::Error{core::Errc::corrupt, "it does not decode"};
    const auto broken = house.set(house.bos_token, house.bo, png_header(9, 9));
    EXPECT_EQ(broken.status, 400);
    EXPECT_NE(broken.body.find("it does not decode"), std::string::npos);
    EXPECT_EQ(house.tag_of(house.bo), "");
    house.workshop.scaler.broken = core::Error{core::Errc::unavailable, "no worker"};
    EXPECT_EQ(house.set(house.bos_token, house.bo, png_header(9, 9)).status, 503);
    house.services.scaled = nullptr;
    EXPECT_EQ(house.set(house.bos_token, house.bo, png_header(9, 9)).status, 501);
}

TEST(UserImages, are_ones_own_or_an_administrators_to_set) {
    PictureHouse house;
    const auto photo = png_header(30, 20);
    EXPECT_EQ(house.set(house.bos_token, house.ann, photo).status, 403);
    EXPECT_EQ(house.drop(house.bos_token, house.ann).status, 403);
    EXPECT_EQ(house.as(house.bos_token, Method::post, "/Users/" + house.ann + "/Images/Primary", photo).status, 403);
    EXPECT_EQ(house.set("", house.bo, photo).status, 401);
    EXPECT_EQ(house.drop("", house.bo).status, 401);
    EXPECT_EQ(house.set(house.anns_token, house.bo, photo).status, 204);
    EXPECT_EQ(house.as(house.anns_token, Method::post, "/UserImage", photo).status, 204) << "one's own needs no name";
    EXPECT_NE(house.tag_of(house.ann), "");
    EXPECT_EQ(house.drop(house.anns_token, house.bo).status, 204);
    ASSERT_EQ(house.post("/Users/" + house.bo + "/Policy", R"({"EnableUserPreferenceAccess":false})").status, 204);
    EXPECT_EQ(house.set(house.bos_token, house.bo, photo).status, 403);
    EXPECT_EQ(house.drop(house.bos_token, house.bo).status, 403);
    EXPECT_EQ(house.set(house.anns_token, std::string(32, '7'), photo).status, 404);
    EXPECT_EQ(house.set(house.anns_token, "x", photo).status, 400);
}

TEST(UserImages, are_seen_by_everybody_and_kept_by_their_tag) {
    PictureHouse house;
    ASSERT_EQ(house.set(house.bos_token, house.bo, png_header(400, 400)).status, 204);
    const auto tag = house.tag_of(house.bo);
    ASSERT_EQ(tag.size(), 64U);
    for (const auto& address : {"/UserImage?userId=" + house.bo, "/Users/" + house.bo + "/Images/Primary?x=1",
                                "/Users/" + house.bo + "/Images/primary/0?x=1"}) {
        const auto answer = house.see(address + "&tag=" + tag);
        EXPECT_EQ(answer.status, 200) << address;
        EXPECT_EQ(answer.header("ETag"), '"' + tag + '"');
        EXPECT_EQ(answer.header("Cache-Control"), "public, max-age=31536000, immutable");
        EXPECT_EQ(house.see(address, {{"If-None-Match", '"' + tag + '"'}}).status, 304);
        EXPECT_EQ(house.see(address, {}, Method::head).status, 200);
        const auto small = house.see(address + "&width=40");
        EXPECT_EQ(small.status, 200);
        EXPECT_NE(small.body, answer.body);
    }
    EXPECT_EQ(house.see("/UserImage").status, 400) << "whose?";
    EXPECT_EQ(house.see("/UserImage?userId=" + house.bo + "&width=x").status, 400);
    EXPECT_EQ(house.see("/UserImage?userId=" + std::string(32, '7')).status, 404);
    EXPECT_EQ(house.see("/Users/" + house.bo + "/Images/Backdrop").status, 404);
    EXPECT_EQ(house.see("/Users/" + house.bo + "/Images/Primary/1").status, 404);
    ASSERT_EQ(house.set(house.bos_token, house.bo, png_header(300, 300)).status, 204);
    EXPECT_NE(house.tag_of(house.bo), tag);
    const auto shown = json::parse(house.as(house.bos_token, Method::get, "/Users").body).as_array();
    EXPECT_TRUE(
        std::ranges::any_of(shown, [](const auto& user) { return user.as_object().contains("PrimaryImageTag"); }));
}

TEST(CollectionImages, are_given_to_collections_and_playlists_and_to_nothing_that_has_files) {
    PictureHouse house;
    const auto made = [&](const Response& response) {
        EXPECT_EQ(response.status, 200) << response.body;
        return std::string(json::parse(response.body).at("Id").as_string());
    };
    const std::string film(32, '1');
    const auto set = made(house.post("/Collections?name=Sea&ids=" + film));
    const auto list = made(house.as(house.bos_token, Method::post, "/Playlists",
                                    R"({"Name":"Evening","IsPublic":false,"Ids":[")" + film + "\"]}"));
    const auto photo = png_header(3000, 2000, "as it came");
    const auto images = [](const std::string& id) { return "/Items/" + id + "/Images"; };
    const auto give = [&](const std::string& token, const std::string& id, const std::string& kind = "/Primary") {
        return house.as(token, Method::post, images(id) + kind, base64(photo)).status;
    };
    EXPECT_EQ(give(house.bos_token, set), 403) << "collections are the administrators'";
    EXPECT_EQ(give(house.anns_token, set), 204);
    EXPECT_EQ(give(house.bos_token, list, "/primary/0"), 204) << "one's own playlist";
    EXPECT_EQ(give("", set), 401);
    EXPECT_EQ(give(house.anns_token, film), 403) << "its pictures lie beside it";
    EXPECT_EQ(give(house.anns_token, std::string(32, 'c')), 404);
    EXPECT_EQ(give(house.anns_token, set, "/Backdrop"), 501);
    EXPECT_EQ(give(house.anns_token, set, "/Poster"), 400);
    EXPECT_EQ(give(house.anns_token, set, "/Primary/1"), 501);
    house.add("Cy", "dune");
    EXPECT_EQ(give(house.log_in("Cy", "dune"), list), 404) << "nobody knows of somebody else's private playlist";
    for (const auto& id : {set, list}) {
        const auto dto = json::parse(house.get("/Items/" + id).body);
        const std::string tag(dto.at("ImageTags").at("Primary").as_string());
        const auto answer = house.see(images(id) + "/Primary?tag=" + tag);
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body.find("as it came"), std::string::npos);
        EXPECT_EQ(answer.header("ETag"), '"' + tag + '"');
    }
    EXPECT_EQ(house.as(house.anns_token, Method::post, images(set) + "/Primary", "no picture").status, 400);
    EXPECT_EQ(house.as(house.bos_token, Method::del, images(set) + "/Primary").status, 403);
    EXPECT_EQ(house.as(house.anns_token, Method::del, images(set) + "/Primary").status, 204);
    EXPECT_EQ(house.see(images(set) + "/Primary").status, 404);
}

}  // namespace
}  // namespace understudy::http
