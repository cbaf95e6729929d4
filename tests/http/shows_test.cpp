// /Shows: what to watch next, what comes, and the seasons and episodes of a series.
#include <gtest/gtest.h>

#include "http/home_shelf.h"

namespace understudy::http {
namespace {

using testing::HomeShelf;

std::string series_lists(const char* rest) {
    return "/Shows/" + HomeShelf::id("22") + rest;
}

TEST(NextUpRoute, goes_on_behind_the_last_played_episode) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp"), "") << "nothing is begun";
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?seriesId=" + HomeShelf::id("22")), "Fog")
        << "asked for, it begins at the start";
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?disableFirstEpisode=true&seriesId=" + HomeShelf::id("22")), "");
    shelf.played("44", "2026-11-20T10:00:00Z");
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp"), "Gale") << "the special before the next episode";
    shelf.played("e1", "2026-11-21T10:00:00Z");
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp"), "Tow");
    const auto page = shelf.value(shelf.ann, "/Shows/NextUp?limit=1&fields=Path");
    EXPECT_EQ(page.at("TotalRecordCount"), 1);
    EXPECT_EQ(page.at("StartIndex"), 0);
    EXPECT_EQ(page.at("Items").at(0).at("SeriesName"), "Harbour");
    EXPECT_EQ(page.at("Items").at(0).at("UserData").at("Played"), false);
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?startIndex=1"), "");
    EXPECT_EQ(shelf.total("/Shows/NextUp?startIndex=1"), 1);
    EXPECT_EQ(shelf.total("/Shows/NextUp?limit=0"), 1);
    EXPECT_EQ(shelf.total("/Shows/NextUp?enableTotalRecordCount=false"), 0) << "as the reference: nobody counted";
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?enableTotalRecordCount=false&limit=5"), "Tow");
}

TEST(NextUpRoute, heeds_a_day_a_place_and_what_is_to_be_resumed) {
    HomeShelf shelf;
    shelf.played("44", "2026-11-20T10:00:00Z");
    shelf.played("e1", "2026-11-21T10:00:00Z");
    for (const auto* since : {"2026-11-21", "2026-11-21T10:00:00", "2026-11-21T10:00:00.000Z"})
        EXPECT_EQ(shelf.as_ann(std::string("/Shows/NextUp?nextUpDateCutoff=") + since), "Tow") << since;
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?nextUpDateCutoff=2026-11-21T10:00:01Z"), "");
    EXPECT_EQ(shelf.status(shelf.ann, "/Shows/NextUp?nextUpDateCutoff=soon"), 400);
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?parentId=" + shelf.shows.id.str()), "Tow");
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?parentId=" + shelf.films.id.str()), "");
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?parentId=" + HomeShelf::id("22")), "Tow");
    shelf.user_data.rows[{*core::UserId::parse(shelf.ann_id), HomeShelf::item_id("e2")}].position =
        core::Millis{60'000};
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp"), "Tow");
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?enableResumable=false"), "");
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?enableResumable=false&enableTotalRecordCount=false"), "");
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?enableRewatching=true"), "Tow Gale") << "the special again";
    shelf.played("e4", "2026-11-19T10:00:00Z");
    EXPECT_EQ(shelf.as_ann("/Shows/NextUp?enableRewatching=true"), "Gale") << "behind the last one in order is none";
}

TEST(NextUpRoute, asks_once_for_all_series_of_a_page) {
    HomeShelf shelf;
    shelf.played("44");
    shelf.shows_store.looks = 0;
    (void)shelf.as_ann("/Shows/NextUp?limit=20");
    EXPECT_EQ(shelf.shows_store.looks, 1);
}

TEST(ShowLists, seasons_are_those_of_the_series) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.as_ann(series_lists("/Seasons")), "Season 1 Specials Season 2") << "in the order of the store";
    EXPECT_EQ(shelf.catalog.last_query.sort_by.front(), store::ItemSort::index_number);
    EXPECT_EQ(shelf.total(series_lists("/Seasons")), 3);
    EXPECT_EQ(shelf.as_ann(series_lists("/Seasons?isSpecialSeason=true")), "Specials");
    EXPECT_EQ(shelf.as_ann(series_lists("/Seasons?isSpecialSeason=false")), "Season 1 Season 2");
    EXPECT_EQ(shelf.as_ann(series_lists("/Seasons?isMissing=true")), "");
    EXPECT_EQ(shelf.as_ann(series_lists("/Seasons?adjacentTo=") + HomeShelf::id("33")), "Season 1 Specials");
    EXPECT_EQ(shelf.as_ann(series_lists("/Seasons?adjacentTo=") + HomeShelf::id("e0")), "Season 1 Specials Season 2");
    EXPECT_EQ(shelf.as_ann(series_lists("/Seasons?adjacentTo=") + HomeShelf::id("0a")), "");
    EXPECT_EQ(shelf.status(shelf.ann, "/Shows/" + HomeShelf::id("11") + "/Seasons"), 404) << "a film";
    EXPECT_EQ(shelf.status(shelf.ann, "/Shows/" + HomeShelf::id("0a") + "/Seasons"), 404);
}

TEST(ShowLists, episodes_come_as_aired_and_specials_within_their_season) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes")), "Fog Gale Tow Lee");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?season=1")), "Fog Gale Tow");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?season=0")), "Gale");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?season=7")), "");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?season=99999999999")), "");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?seasonId=") + HomeShelf::id("33")), "Fog Gale Tow");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?seasonId=") + HomeShelf::id("e0")), "Gale");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?seasonId=") + HomeShelf::id("e3")), "Lee");
    EXPECT_EQ(shelf.status(shelf.ann, series_lists("/Episodes?seasonId=") + HomeShelf::id("0a")), 404);
    EXPECT_EQ(shelf.status(shelf.ann, series_lists("/Episodes?seasonId=x")), 400);
}

TEST(ShowLists, episodes_are_paged_and_cut_where_asked) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?startIndex=1&limit=2")), "Gale Tow");
    EXPECT_EQ(shelf.total(series_lists("/Episodes?startIndex=1&limit=2")), 4);
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?startItemId=") + HomeShelf::id("e2")), "Tow Lee");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?startItemId=") + HomeShelf::id("0a")), "");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?adjacentTo=") + HomeShelf::id("44")), "Fog Gale");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?adjacentTo=") + HomeShelf::id("e2")), "Gale Tow Lee");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?adjacentTo=") + HomeShelf::id("e4")), "Tow Lee");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?isMissing=true")), "");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?isMissing=false")), "Fog Gale Tow Lee");
    EXPECT_EQ(shelf.as_ann(series_lists("/Episodes?sortBy=Random")).size(), std::string("Fog Gale Tow Lee").size());
    const auto special = shelf.value(shelf.ann, series_lists("/Episodes?season=0")).at("Items").at(0);
    EXPECT_EQ(special.at("AirsBeforeSeasonNumber"), 1);
    EXPECT_EQ(special.at("AirsBeforeEpisodeNumber"), 4);
}

TEST(Upcoming, lists_episodes_from_yesterday_on) {
    HomeShelf shelf;  // it is 2026-11-30
    EXPECT_EQ(shelf.as_ann("/Shows/Upcoming"), "");
    for (auto& row : shelf.catalog.rows) {
        if (row.item.name == "Tow") row.item.about.premiered = core::from_iso8601("2026-11-28T00:00:00Z");
        if (row.item.name == "Lee") row.item.about.premiered = core::from_iso8601("2026-11-29T00:00:00Z");
    }
    EXPECT_EQ(shelf.as_ann("/Shows/Upcoming"), "Lee");
    EXPECT_EQ(shelf.total("/Shows/Upcoming?limit=0"), 1);
    EXPECT_EQ(shelf.as_ann("/Shows/Upcoming?parentId=" + shelf.films.id.str()), "");
    EXPECT_EQ(shelf.as_kid("/Shows/Upcoming"), "");
}

TEST(ClosedLibraries, have_nothing_to_watch_next) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.status(shelf.kid, series_lists("/Seasons")), 404);
    EXPECT_EQ(shelf.status(shelf.kid, series_lists("/Episodes")), 404);
    EXPECT_EQ(shelf.status(shelf.kid, "/Shows/NextUp?seriesId=" + HomeShelf::id("22")), 404);
    EXPECT_EQ(shelf.as_kid("/Shows/NextUp?parentId=" + shelf.shows.id.str()), "");
    ASSERT_TRUE(shelf.shows_store.last_filter.viewer);
    EXPECT_EQ(shelf.shows_store.last_filter.viewer->libraries, std::vector{shelf.films.id});
    EXPECT_EQ(shelf.status(shelf.kid, "/Shows/NextUp?userId=" + shelf.ann_id), 403);
}

}  // namespace
}  // namespace understudy::http
