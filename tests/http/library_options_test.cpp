// /Library/VirtualFolders/LibraryOptions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/shelf.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using testing::Shelf;

constexpr const char* target = "/Library/VirtualFolders/LibraryOptions";

std::string body_of(const std::string& options, char library = 'a') {
    return R"({"Id":")" + std::string(32, library) + R"(","LibraryOptions":)" + options + "}";
}

TEST(LibraryOptions, are_replaced_as_the_reference_does) {
    Shelf shelf;
    shelf.libraries.rows[0].options = R"({"EnableLUFSScan":false})";
    EXPECT_EQ(shelf.post(target, body_of(R"({"enablePhotos":"false","Unknown":1,"RemoveMissingAfterDays":2})")).status,
              204);
    EXPECT_EQ(json::parse(shelf.libraries.rows[0].options),
              json::parse(R"({"EnablePhotos":false,"RemoveMissingAfterDays":2})"));
    EXPECT_EQ(shelf.libraries.rows[0].remove_missing_after, std::chrono::days{2});
    EXPECT_EQ(shelf.events.published.back().first, "library.changed");
    shelf.post(target, body_of("{}"));
    EXPECT_FALSE(shelf.libraries.rows[0].remove_missing_after);
}

TEST(LibraryOptions, change_one_by_one_where_the_request_is_partial) {
    Shelf shelf;
    auto& library = shelf.libraries.rows[0];
    library.options = R"({"EnableLUFSScan":false,"EnablePhotos":false})";
    library.remove_missing_after = std::chrono::days{2};
    const auto partial = std::string(target) + "?partial=true";
    EXPECT_EQ(shelf.post(partial, body_of(R"({"enableChapterImageExtraction":true,"EnablePhotos":null})")).status, 204);
    EXPECT_EQ(json::parse(library.options),
              json::parse(R"({"EnableLUFSScan":false,"EnableChapterImageExtraction":true})"));
    EXPECT_EQ(library.remove_missing_after, std::chrono::days{2});
    EXPECT_EQ(shelf.post(partial, body_of(R"({"RemoveMissingAfterDays":null})")).status, 204);
    EXPECT_FALSE(library.remove_missing_after);
    const auto unknown = shelf.post(partial, body_of(R"({"EnableLUFScan":true})"));
    EXPECT_EQ(unknown.status, 400);
    EXPECT_THAT(unknown.body, HasSubstr("EnableLUFScan: is no option of a library; did you mean EnableLUFSScan?"));
}

TEST(LibraryOptions, refuse_what_they_cannot_be) {
    Shelf shelf;
    struct Row {
        std::string body;
        int status;
        const char* says;
    };
    const Row rows[] = {
        {"{}", 400, "Id: missing"},
        {R"({"Id":"a"})", 400, "LibraryOptions: missing"},
        {R"({"Id":"a","LibraryOptions":3})", 400, "LibraryOptions: 3"},
        {body_of("{}", '9'), 404, "There is no library '9999"},
        {body_of(R"({"RemoveMissingAfterDays":-1})"), 400, "RemoveMissingAfterDays: -1"},
        {body_of(R"({"EnablePhotos":"maybe"})"), 400, "EnablePhotos: "},
    };
    for (const auto& row : rows) {
        const auto answer = shelf.post(target, row.body);
        EXPECT_EQ(answer.status, row.status) << row.body;
        EXPECT_THAT(answer.body, HasSubstr(row.says)) << row.body;
    }
    EXPECT_EQ(shelf.post(std::string(target) + "?partial=x", body_of("{}")).status, 400);
    EXPECT_TRUE(shelf.events.published.empty());
}

}  // namespace
}  // namespace understudy::http
