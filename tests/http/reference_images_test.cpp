// Pictures against the reference contract, which stays outside the repository: each operation that it knows of items'
// and users' pictures answers as it says, with all its parameters, and users with a picture are UserDtos.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/contract_document.h"
#include "http/fake_scaler.h"
#include "http/login_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;

/// A value as clients would send it.
std::string sample(const json::object& parameter, const std::string& user) {
    const std::string name(parameter.at("name").as_string());
    if (name == "userId") return user;
    if (name == "itemId") return std::string(32, '1');
    if (name == "imageType") return "Primary";
    if (name == "imageIndex" || name == "percentPlayed" || name == "unplayedCount") return "0";
    if (name == "format") return "Webp";
    const auto& schema = parameter.at("schema").as_object();
    const auto* type = schema.if_contains("type");
    return type && type->as_string() == "integer" ? "90" : "x";
}

TEST(ReferenceImages, answer_with_every_parameter_and_users_with_a_picture_are_as_it_says) {
    const auto reference = testing::reference_document();
    if (!reference) GTEST_SKIP() << testing::no_reference;
    const auto& document = *reference;
    testing::Contract contract(document);

    testing::LoginHouse house;
    testing::PictureWorkshop workshop(house.random, house.clock, house.log);
    testing::FakeBlobs blobs;
    house.services.scaled = &workshop.pictures;
    house.services.media.blobs = &blobs;
    const auto bo = house.add("Bo", "bay", true);
    const auto token = house.log_in("Bo", "bay");
    ASSERT_EQ(house.as(token, Method::post, "/UserImage?userId=" + bo, testing::png_header(80, 80)).status, 204);
    const auto blob = blobs.put(testing::png_header(800, 800, "cover"));
    house.catalog.rows[0].item.images.clear();
    house.catalog.rows[0].cover = store::Cover{*blob, 10, 800, 800};

    int compared = 0;
    for (const char* path :
         {"/Items/{itemId}/Images/{imageType}", "/Items/{itemId}/Images/{imageType}/{imageIndex}",
          "/Items/{itemId}/Images/{imageType}/{imageIndex}/{tag}/{format}/{maxWidth}/{maxHeight}/{percentPlayed}/"
          "{unplayedCount}",
          "/UserImage"}) {
        for (const auto& [word, method] : {std::pair{"get", Method::get}, std::pair{"head", Method::head}}) {
            const auto& operation = document.at("paths").at(path).at(word).as_object();
            std::string target(path);
            char mark = '?';
            for (const auto& each : operation.at("parameters").as_array()) {
                const auto& parameter = each.as_object();
                const std::string name(parameter.at("name").as_string());
                const auto value = sample(parameter, bo);
                if (const auto at = target.find('{' + name + '}'); at != std::string::npos)
                    target.replace(at, name.size() + 2, value);
                else
                    target += std::exchange(mark, '&') + name + '=' + value;
            }
            Request request;
            request.method = method;
            request.target = target;
            const auto answer = house.ask(request);
            EXPECT_EQ(answer.status, 200) << word << ' ' << target << ": " << answer.body;
            EXPECT_TRUE(answer.content_type.starts_with("image/"));
            ++compared;
        }
    }
    EXPECT_EQ(compared, 8);
    for (const auto& [path, target] :
         {std::pair{"/Users/{userId}", "/Users/" + bo}, std::pair{"/Users/Me", std::string("/Users/Me")},
          std::pair{"/Users", std::string("/Users")}}) {
        const auto answer = house.as(token, Method::get, target);
        EXPECT_NE(answer.body.find("PrimaryImageTag"), std::string::npos);
        for (const auto& fault : contract.faults(path, json::parse(answer.body))) ADD_FAILURE() << fault;
    }
    EXPECT_EQ(house.as(token, Method::del, "/UserImage?userId=" + bo).status, 204);
}

}  // namespace
}  // namespace understudy::http
