// The filters, the order and the wishes for pictures of /Items: what of a query string they become.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/described_shelf.h"
#include "http/official_ratings.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using store::ItemSort;
using testing::DescribedShelf;
using testing::id_of;
using Texts = std::vector<std::string>;

struct Asked : DescribedShelf {
    store::ItemFilters filters(const std::string& query) {
        const auto answer = get("/Items?recursive=true&" + query);
        EXPECT_EQ(answer.status, 200) << query << ": " << answer.body;
        return catalog.last_query.filters;
    }
    bool finds_nothing(const std::string& query) {
        const auto page = json::parse(get("/Items?recursive=true&" + query).body);
        return page.at("Items").as_array().empty() && page.at("TotalRecordCount") == 0;
    }
};

const std::string one(32, '1'), two(32, '2');

TEST(ItemFilters, of_names_stand_behind_bars_since_names_hold_commas) {
    Asked house;
    EXPECT_EQ(house.filters("genres=Drama, slow|Comedy").genres, (Texts{"Drama, slow", "Comedy"}));
    EXPECT_EQ(house.filters("genres=Drama, slow").genres, Texts{"Drama, slow"});
    EXPECT_EQ(house.filters("tags=a|b").tags, (Texts{"a", "b"}));
    EXPECT_EQ(house.filters("studios=Foam %26 Co").studios, Texts{"Foam & Co"});
    EXPECT_EQ(house.filters("artists=A|B").artists, (Texts{"A", "B"}));
    EXPECT_EQ(house.filters("albums=Coast").albums, Texts{"Coast"});
    EXPECT_EQ(house.filters("officialRatings=FSK-6|PG").official_ratings, (Texts{"FSK-6", "PG"}));
}

TEST(ItemFilters, of_ids_come_in_either_list_and_drop_what_is_none) {
    Asked house;
    const std::vector ids{id_of<core::ItemId>('1'), id_of<core::ItemId>('2')};
    const auto both = one + "," + two, bar = one + "|x|" + two;
    EXPECT_EQ(house.filters("genreIds=" + both).genre_ids, ids);
    EXPECT_EQ(house.filters("studioIds=" + bar).studio_ids, ids);
    EXPECT_EQ(house.filters("artistIds=" + both).artist_ids, ids);
    EXPECT_EQ(house.filters("albumArtistIds=" + both).album_artist_ids, ids);
    EXPECT_EQ(house.filters("contributingArtistIds=" + both).contributing_artist_ids, ids);
    EXPECT_EQ(house.filters("excludeArtistIds=" + both).excluded_artist_ids, ids);
    EXPECT_EQ(house.filters("albumIds=" + both).album_ids, ids);
    EXPECT_EQ(house.filters("excludeItemIds=" + both).excluded_ids, ids);
    EXPECT_EQ(house.filters("personIds=" + one).people, std::vector{id_of<core::PersonId>('1')});
    EXPECT_EQ(house.filters("person=Ann Lee&personTypes=Actor,gueststar,Nobody").credit_kinds,
              (std::vector{model::CreditKind::actor, model::CreditKind::guest_star}));
    EXPECT_EQ(house.filters("person= Ann Lee ").person, "Ann Lee");
}

TEST(ItemFilters, of_official_ratings_go_by_the_age_they_mean) {
    for (const auto& [text, age] : {std::pair{"PG-13", 13},
                                    {"us:pg-13", 13},
                                    {"Rated R", 17},
                                    {"TV MA", 17},
                                    {"FSK 12", 12},
                                    {"de-16", 16},
                                    {"DE:FSK-6", 6},
                                    {"gb-pg", 8},
                                    {"UK:15", 15},
                                    {"PG", 10},
                                    {"16", 16},
                                    {"18+", 18}})
        EXPECT_EQ(rating_age(text), age) << text;
    for (const char* text : {"", "NR", "Unrated", "xx-12", "99", "-3"})
        EXPECT_EQ(rating_age(text), std::nullopt) << text;
    Asked house;
    EXPECT_EQ(house.filters("minOfficialRating=PG-13").unfit_ratings, Texts{"FSK-6"});
    EXPECT_EQ(house.filters("maxOfficialRating=G").unfit_ratings, Texts{"FSK-6"});
    EXPECT_EQ(house.filters("maxOfficialRating=FSK-6&minOfficialRating=6").unfit_ratings, Texts{});
    EXPECT_EQ(house.filters("minOfficialRating=").unfit_ratings, Texts{});
    const auto refused = house.get("/Items?minOfficialRating=Nonsense");
    EXPECT_EQ(refused.status, 400);
    EXPECT_NE(refused.body.find("minOfficialRating"), std::string::npos) << refused.body;
}

TEST(ItemFilters, of_members_of_collections_show_these_where_nothing_else_is_asked) {
    Asked house;
    const auto collapses = [&](const std::string& query) {
        (void)house.filters(query);
        return house.catalog.last_query.collapse_box_sets;
    };
    EXPECT_TRUE(collapses("collapseBoxSetItems=true&includeItemTypes=Movie&nameStartsWith=A"));
    for (const auto& more : Texts{"years=1999", "searchTerm=a", "ids=" + one, "minOfficialRating=PG", "genres=Drama"})
        EXPECT_FALSE(collapses("collapseBoxSetItems=true&" + more)) << more;
    EXPECT_FALSE(collapses("collapseBoxSetItems=false"));
    EXPECT_FALSE(collapses(""));
    EXPECT_EQ(house.get("/Items?collapseBoxSetItems=x").status, 400);
}

TEST(ItemFilters, of_facts_are_read_with_their_types) {
    Asked house;
    EXPECT_EQ(house.filters("years=1999,x,2001").years, (std::vector{1999, 2001}));
    EXPECT_EQ(house.filters("nameStartsWith=T").name_prefix, "T");
    EXPECT_EQ(house.filters("nameStartsWithOrGreater=T").name_from, "T");
    EXPECT_EQ(house.filters("nameLessThan=A").name_before, "A");
    const auto noon = core::from_iso8601("2026-11-30T12:00:00Z");
    EXPECT_EQ(house.filters("minDateLastSaved=2026-11-30T12:00:00Z").saved_since, noon);
    EXPECT_EQ(
        house.filters("minDateLastSavedForUser=2026-11-30T12:00:00.0000000Z&minDateLastSaved=2001-01-01").saved_since,
        noon);
    EXPECT_EQ(house.filters("minPremiereDate=2026-11-30T12:00:00").premiered_since, noon);
    EXPECT_EQ(house.filters("maxPremiereDate=2026-11-30T12:00:00Z").premiered_until, noon);
    EXPECT_EQ(house.filters("minCommunityRating=7.5").least_rating, 7.5);
    EXPECT_EQ(house.filters("hasOverview=true").has_overview, true);
    EXPECT_EQ(house.filters("hasSubtitles=false").has_subtitles, false);
    EXPECT_EQ(house.filters("hasParentalRating=true").has_official_rating, true);
    EXPECT_EQ(house.filters("isHd=true&is4K=false").hd, true);
    EXPECT_EQ(house.filters("isHd=true&is4K=false").uhd, false);
    EXPECT_EQ(house.filters("minWidth=700").least_width, 700);
    EXPECT_EQ(house.filters("isUnaired=true").unaired, true);
    EXPECT_EQ(house.filters("indexNumber=2&parentIndexNumber=1").index_number, 2);
    EXPECT_EQ(house.filters("indexNumber=2&parentIndexNumber=1").parent_index_number, 1);
    EXPECT_EQ(house.filters("seriesStatus=ended,Continuing").statuses, (Texts{"Ended", "Continuing"}));
    EXPECT_EQ(house.filters("imageTypes=Backdrop,x").images, std::vector{model::ImageKind::backdrop});
    using Extra = std::pair<std::string, bool>;
    EXPECT_EQ(house.filters("hasTrailer=true&hasThemeSong=false").extras,
              (std::vector<Extra>{{"trailer", true}, {"theme_song", false}}));
    EXPECT_EQ(house.filters("hasTmdbId=true").id_providers, (std::vector<Extra>{{"Tmdb", true}}));
    EXPECT_EQ(house.filters("anyProviderIdEquals=imdb.tt1,x,tvdb.7").provider_ids,
              (std::vector<std::pair<std::string, std::string>>{{"imdb", "tt1"}, {"tvdb", "7"}}));
}

TEST(ItemFilters, that_no_item_here_can_fit_find_nothing) {
    Asked house;
    for (const char* query :
         {"isMissing=true", "isLocked=true", "is3D=true", "minCriticRating=1", "locationTypes=Virtual",
          "excludeLocationTypes=FileSystem,Offline", "videoTypes=Dvd", "isNews=true"}) {
        EXPECT_TRUE(house.finds_nothing(query)) << query;
    }
    for (const char* query :
         {"isMissing=false", "isLocked=false", "excludeLocationTypes=Virtual", "videoTypes=VideoFile"}) {
        EXPECT_FALSE(house.finds_nothing(query)) << query;
    }
    EXPECT_EQ(house.filters("locationTypes=FileSystem").available, true);
    EXPECT_EQ(house.filters("locationTypes=Offline,Virtual").available, false);
}

TEST(ItemFilters, that_cannot_be_read_name_themselves) {
    Asked house;
    for (const char* name : {"minCommunityRating", "minPremiereDate", "hasOverview", "indexNumber", "adjacentTo",
                             "enableImages", "imageTypeLimit", "enableTotalRecordCount"}) {
        const auto answer = house.get("/Items?recursive=true&" + std::string(name) + "=nonsense");
        EXPECT_EQ(answer.status, 400) << name;
        EXPECT_NE(answer.body.find(name), std::string::npos) << answer.body;
    }
}

TEST(ItemFilters, without_a_place_mean_everywhere) {
    Asked house;
    EXPECT_EQ(house.get("/Items?genres=Drama").status, 200);
    EXPECT_TRUE(house.catalog.last_query.recursive);
    EXPECT_EQ(house.get("/Items?genres=Drama&parentId=" + std::string(32, 'a')).status, 200);
    EXPECT_FALSE(house.catalog.last_query.recursive);
}

TEST(ItemFilters, of_folders_and_what_is_played_itself) {
    Asked house;
    EXPECT_EQ(house.names("recursive=true&isFolder=true"), (Texts{"Harbour", "Season 1"}));
    EXPECT_EQ(house.names("recursive=true&filters=IsNotFolder"), (Texts{"Tide \"Pool\"", "Fog", "Swell"}));
}

TEST(ItemOrder, has_a_direction_for_each_word) {
    Asked house;
    (void)house.get(
        "/Items?recursive=true&sortBy=CommunityRating,Nonsense,SortName&sortOrder=Descending,Ascending,Ascending");
    EXPECT_EQ(house.catalog.last_query.sort_by, (std::vector{ItemSort::community_rating, ItemSort::name}));
    EXPECT_EQ(house.catalog.last_query.directions, (std::vector{true, false}));
    (void)house.get("/Items?recursive=true&sortBy=ParentIndexNumber,IndexNumber&sortOrder=Descending");
    EXPECT_EQ(house.catalog.last_query.sort_by, (std::vector{ItemSort::parent_index, ItemSort::own_index}));
    EXPECT_TRUE(house.catalog.last_query.descending) << "the first goes on";
    EXPECT_TRUE(house.catalog.last_query.directions.empty());
    (void)house.get("/Items?recursive=true&sortBy=SeriesSortName,PremiereDate,DateLastContentAdded,AlbumArtist,Studio");
    EXPECT_EQ(house.catalog.last_query.sort_by,
              (std::vector{ItemSort::series_name, ItemSort::premiere_date, ItemSort::date_content_added,
                           ItemSort::album_artist, ItemSort::studio}));
}

TEST(ItemOrder, around_one_item_is_that_of_its_siblings) {
    Asked house;
    (void)house.get("/Items?adjacentTo=" + std::string(32, '4'));
    EXPECT_EQ(house.catalog.last_query.parent, id_of<core::ItemId>('3'));
    EXPECT_EQ(house.catalog.last_query.sort_by, (std::vector{ItemSort::index_number, ItemSort::name}));
    EXPECT_EQ(house.get("/Items?adjacentTo=" + std::string(32, '0')).status, 404);
}

TEST(ItemTotal, is_zero_where_nobody_wants_it) {
    Asked house;
    const auto page = json::parse(house.get("/Items?recursive=true&enableTotalRecordCount=false").body);
    EXPECT_EQ(page.at("TotalRecordCount"), 0);
    EXPECT_FALSE(page.at("Items").as_array().empty());
    EXPECT_FALSE(house.catalog.last_query.with_total);
}

TEST(ItemPictures, are_told_as_far_as_they_are_wanted) {
    Asked house;
    const auto film = [&](const std::string& query) {
        return json::parse(house.get("/Items?ids=" + one + query).body).at("Items").at(0).as_object();
    };
    const auto all = film("");
    EXPECT_EQ(all.at("ImageTags").as_object().size(), 2U);
    EXPECT_EQ(all.at("BackdropImageTags").as_array().size(), 2U);
    const auto some = film("&enableImageTypes=Primary,Backdrop&imageTypeLimit=1");
    EXPECT_EQ(some.at("ImageTags").as_object().size(), 1U);
    EXPECT_TRUE(some.at("ImageTags").as_object().contains("Primary"));
    EXPECT_EQ(some.at("BackdropImageTags").as_array().size(), 1U);
    const auto none = film("&enableImages=false");
    EXPECT_FALSE(none.contains("ImageTags"));
    EXPECT_FALSE(none.contains("BackdropImageTags"));
}

}  // namespace
}  // namespace understudy::http
