// People: in the items that they made, in lists of their own, and by name.
#include <gtest/gtest.h>

#include "http/described_shelf.h"
#include "http/fake_findings.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::DescribedShelf;

json::object parsed(const Response& answer) {
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::parse(answer.body).as_object();
}
const std::string film_path = "/Items/" + std::string(32, '1');
using Names = std::vector<std::string>;
Names names_in(DescribedShelf& shelf, const std::string& query) {
    Names names;
    const auto page = parsed(shelf.get("/Persons" + query));
    for (const auto& person : page.at("Items").as_array()) names.emplace_back(person.at("Name").as_string());
    EXPECT_EQ(page.at("TotalRecordCount"), names.size());
    return names;
}

TEST(People, are_in_the_item_they_made_in_order) {
    DescribedShelf shelf;
    const auto people = parsed(shelf.get(film_path)).at("People").as_array();
    ASSERT_EQ(people.size(), 3U);
    EXPECT_EQ(people[0].at("Name"), "Bo Lee");
    EXPECT_EQ(people[0].at("Type"), "Director");
    EXPECT_FALSE(people[0].as_object().contains("Role"));
    EXPECT_FALSE(people[0].as_object().contains("PrimaryImageTag"));
    EXPECT_EQ(people[1].at("Id"), json::string(std::string(32, 'd')));
    EXPECT_EQ(people[1].at("Type"), "Actor");
    EXPECT_EQ(people[1].at("Role"), "The Diver");
    EXPECT_EQ(people[1].at("PrimaryImageTag"), json::string(shelf.people.rows[0].image.str()));
    EXPECT_EQ(people[2].at("Type"), "GuestStar");
}

TEST(People, of_a_page_are_asked_for_once_and_only_where_wanted) {
    DescribedShelf shelf;
    shelf.names("recursive=true");
    EXPECT_EQ(shelf.people.credit_queries, 0);
    const auto page = parsed(shelf.get("/Items?recursive=true&fields=People"));
    EXPECT_EQ(shelf.people.credit_queries, 1);
    EXPECT_EQ(page.at("Items").at(0).at("People").as_array().size(), 3U);
    EXPECT_TRUE(page.at("Items").at(1).at("People").as_array().empty());
    shelf.services.people = nullptr;
    EXPECT_TRUE(parsed(shelf.get(film_path)).at("People").as_array().empty());
    EXPECT_EQ(names_in(shelf, ""), Names{});
    EXPECT_EQ(shelf.get("/Persons/Ann%20Lee").status, 404);
}

TEST(People, are_listed_searched_and_cut) {
    DescribedShelf shelf;
    EXPECT_EQ(names_in(shelf, ""), (Names{"Ann Lee", "Bo Lee"}));
    EXPECT_EQ(names_in(shelf, "?searchTerm=bo"), Names{"Bo Lee"});
    EXPECT_EQ(names_in(shelf, "?limit=1"), Names{"Ann Lee"});
    EXPECT_EQ(names_in(shelf, "?limit=0"), Names{});
    EXPECT_EQ(shelf.get("/Persons?limit=x").status, 400);
}

TEST(People, of_one_item_come_once_in_the_order_of_its_credits) {
    DescribedShelf shelf;
    const auto in_film = "?appearsInItemId=" + std::string(32, '1');
    EXPECT_EQ(names_in(shelf, in_film), (Names{"Bo Lee", "Ann Lee"}));
    EXPECT_EQ(names_in(shelf, in_film + "&searchTerm=ANN"), Names{"Ann Lee"});
    EXPECT_EQ(names_in(shelf, in_film + "&limit=1"), Names{"Bo Lee"});
    EXPECT_EQ(names_in(shelf, "?appearsInItemId=" + std::string(32, '2')), Names{});
    EXPECT_EQ(shelf.get("/Persons?appearsInItemId=film").status, 400);
}

TEST(People, are_found_by_their_whole_name_among_those_it_is_a_part_of) {
    DescribedShelf shelf;
    auto longer = shelf.people.rows[0];
    longer.id = testing::id_of<core::PersonId>('a');
    shelf.people.rows.clear();
    for (int i = 0; i < 600; ++i) {  // more than the handler reads at once
        longer.name = "Ann Lee " + std::to_string(i);
        shelf.people.rows.push_back(longer);
    }
    auto ann = longer;
    ann.id = testing::id_of<core::PersonId>('d');
    ann.name = "Ann Lee";
    shelf.people.rows.push_back(ann);
    const auto found = parsed(shelf.get("/persons/ANN%20lee"));
    EXPECT_EQ(found.at("Id"), json::string(std::string(32, 'd')));
    EXPECT_EQ(found.at("Type"), "Person");
    EXPECT_EQ(found.at("Overview"), "Acts.");
    EXPECT_EQ(found.at("ProviderIds").at("Imdb"), "nm1");
    EXPECT_EQ(shelf.get("/Persons/Ann").status, 404);
}

TEST(People, are_items_to_clients) {
    DescribedShelf shelf;
    const auto ann = parsed(shelf.get("/Items/" + std::string(32, 'd')));
    EXPECT_EQ(ann.at("Name"), "Ann Lee");
    EXPECT_EQ(ann.at("Type"), "Person");
    EXPECT_EQ(ann.at("ImageTags").at("Primary"), json::string(shelf.people.rows[0].image.str()));
}

TEST(People, have_their_pictures_among_the_blobs) {
    DescribedShelf shelf;
    testing::FakeFindings found;
    found.picture.blob = shelf.people.rows[0].image;
    found.bytes = std::string("GIF89a\x02\x00\x03\x00\x00\x00\x00", 13);
    shelf.services.media.blobs = &found;
    const auto path = "/Items/" + std::string(32, 'd') + "/Images/Primary";
    const auto tag = shelf.people.rows[0].image.str();
    const auto picture = shelf.get(path + "?tag=" + tag);
    ASSERT_EQ(picture.status, 200) << picture.body;
    EXPECT_EQ(picture.content_type, "image/gif");
    EXPECT_EQ(picture.body, found.bytes);
    EXPECT_EQ(picture.header("ETag"), '"' + tag + '"');
    EXPECT_EQ(picture.header("Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(shelf.get(path + "/1").status, 404);
    EXPECT_EQ(shelf.get("/Items/" + std::string(32, 'd') + "/Images/Backdrop").status, 404);
    EXPECT_EQ(shelf.get("/Items/" + std::string(32, 'f') + "/Images/Primary").status, 404) << "has none";
    found.bytes = "no picture";
    EXPECT_EQ(shelf.get(path).status, 404);
}

}  // namespace
}  // namespace understudy::http
