// Home screens and shows against the reference contract (contract_document.h).
#include <gtest/gtest.h>

#include "http/contract_document.h"
#include "http/home_shelf.h"

namespace understudy::http {
namespace {

namespace json = boost::json;

TEST(Reference, knows_home_screens_and_shows) {
    const auto reference = testing::reference_document();
    if (!reference) GTEST_SKIP() << testing::no_reference;
    testing::Contract contract(*reference);
    testing::HomeShelf shelf;
    EXPECT_EQ(shelf.post("/Collections?name=Sea&ids=" + testing::HomeShelf::id("11")).status, 200);
    EXPECT_EQ(shelf.post("/Playlists?name=List&userId=" + shelf.ann_id + "&ids=" + testing::HomeShelf::id("11")).status,
              200);
    shelf.played("44");
    shelf.discovery.latest_items = {{testing::HomeShelf::item_id("22"), 3}, {testing::HomeShelf::item_id("11"), 0}};
    for (auto& row : shelf.catalog.rows) {
        if (row.item.name == "Lee") row.item.about.premiered = shelf.clock.utc_now();
    }
    const auto compare = [&](const char* path, const std::string& target) {
        const auto answer = shelf.as(shelf.ann, Method::get, target);
        ASSERT_EQ(answer.status, 200) << target << ": " << answer.body;
        for (const auto& fault : contract.faults(path, json::parse(answer.body))) ADD_FAILURE() << fault;
    };
    shelf.discovery.similar_items = {testing::HomeShelf::item_id("22"), testing::HomeShelf::item_id("55")};
    shelf.discovery.mixed = {testing::HomeShelf::item_id("55")};
    shelf.discovery.found_hints.total = 6;
    shelf.discovery.found_hints.found.push_back({{}, shelf.people.rows.front().id});
    for (const auto* two : {"11", "22", "33", "44", "55"})
        shelf.discovery.found_hints.found.push_back({testing::HomeShelf::item_id(two), {}});
    const auto film = "/Items/" + testing::HomeShelf::id("11");
    const auto series = "/Shows/" + testing::HomeShelf::id("22");
    compare("/UserViews", "/UserViews");
    compare("/UserViews/GroupingOptions", "/UserViews/GroupingOptions");
    compare("/Items/Root", "/Items/Root");
    compare("/Items/Latest", "/Items/Latest?fields=Overview,Genres,DateCreated");
    compare("/Shows/NextUp", "/Shows/NextUp?fields=MediaSources,Path");
    compare("/Shows/Upcoming", "/Shows/Upcoming");
    compare("/Shows/{seriesId}/Seasons", series + "/Seasons?fields=ChildCount");
    compare("/Shows/{seriesId}/Episodes", series + "/Episodes?fields=Overview,People");
    compare("/Items/{itemId}/Ancestors", "/Items/" + testing::HomeShelf::id("44") + "/Ancestors");
    compare("/Items/{itemId}/Similar", film + "/Similar");
    compare("/Shows/{itemId}/Similar", series + "/Similar");
    compare("/Items/{itemId}/ThemeMedia", film + "/ThemeMedia");
    compare("/Items/{itemId}/ThemeSongs", film + "/ThemeSongs");
    compare("/Items/{itemId}/ThemeVideos", film + "/ThemeVideos");
    compare("/Items/Suggestions", "/Items/Suggestions");
    compare("/Movies/Recommendations", "/Movies/Recommendations");
    compare("/Items/{itemId}/InstantMix", "/Items/" + testing::HomeShelf::id("55") + "/InstantMix");
    compare("/MusicGenres/{name}/InstantMix", "/MusicGenres/Folk/InstantMix");
    compare("/Search/Hints", "/Search/Hints?searchTerm=e");
    compare("/UserItems/Resume", "/UserItems/Resume");
    compare("/Items/{itemId}/Intros", film + "/Intros");
    compare("/Videos/{itemId}/AdditionalParts", "/Videos/" + testing::HomeShelf::id("11") + "/AdditionalParts");
    testing::FakeSegments segments;
    segments.rows[testing::HomeShelf::item_id("44")] = {
        {"edl", {model::SegmentKind::intro, core::Millis{1}, core::Millis{2}}}};
    shelf.services.media.segments = &segments;
    compare("/MediaSegments/{itemId}", "/MediaSegments/" + testing::HomeShelf::id("44"));
}

}  // namespace
}  // namespace understudy::http
