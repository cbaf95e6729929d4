// …/Similar, suggestions, recommendations, mixes and search hints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/home_shelf.h"

namespace understudy::http {
namespace {

using testing::HomeShelf;
using testing::id_of;

TEST(Similar, has_what_the_store_finds_alike_under_every_spelling) {
    HomeShelf shelf;
    shelf.discovery.similar_items = {HomeShelf::item_id("22"), HomeShelf::item_id("55")};
    for (const auto* group : {"Items", "Movies", "Shows", "Albums", "Artists", "Trailers"}) {
        const auto target = std::string("/") + group + "/" + HomeShelf::id("11") + "/Similar";
        EXPECT_EQ(shelf.as_ann(target), "Harbour Swell") << group;
        EXPECT_EQ(shelf.discovery.last_similar.to, HomeShelf::item_id("11"));
        EXPECT_EQ(shelf.status(shelf.ann, std::string("/") + group + "/" + HomeShelf::id("0a") + "/Similar"), 404);
    }
    EXPECT_EQ(shelf.discovery.last_similar.limit, 50U);
    const auto similar = "/Items/" + HomeShelf::id("11") + "/Similar?limit=3&excludeArtistIds=x," + HomeShelf::id("e0");
    EXPECT_EQ(shelf.total(similar), 2);
    EXPECT_EQ(shelf.discovery.last_similar.limit, 3U);
    EXPECT_EQ(shelf.discovery.last_similar.not_by, std::vector{HomeShelf::item_id("e0")});
    EXPECT_EQ(shelf.as_kid("/Items/" + HomeShelf::id("11") + "/Similar"), "") << "both are closed";
    EXPECT_EQ(shelf.discovery.last_similar.viewer->libraries, std::vector{shelf.films.id});
    EXPECT_EQ(shelf.status(shelf.kid, "/Items/" + HomeShelf::id("22") + "/Similar"), 404);
}

TEST(Suggestions, are_chance_among_the_kinds_asked_for) {
    HomeShelf shelf;
    EXPECT_EQ(shelf.as_ann("/Items/Suggestions"), "Tide \"Pool\" Harbour");
    EXPECT_EQ(shelf.catalog.last_query.sort_by, std::vector{store::ItemSort::random});
    EXPECT_EQ(shelf.as_ann("/Items/Suggestions?type=Series,Book"), "Harbour");
    EXPECT_EQ(shelf.as_ann("/Items/Suggestions?mediaType=Audio"), "Swell");
    EXPECT_EQ(shelf.as_ann("/Items/Suggestions?mediaType=Video&type=Movie"), "Tide \"Pool\"");
    EXPECT_EQ(shelf.as_ann("/Items/Suggestions?type=Book"), "");
    EXPECT_EQ(shelf.as_ann("/Users/" + shelf.ann_id + "/Suggestions?limit=1"), "Tide \"Pool\"");
    EXPECT_EQ(shelf.total("/Items/Suggestions?limit=1"), 1) << "as the reference: what is in this answer";
    EXPECT_EQ(shelf.total("/Items/Suggestions?limit=1&enableTotalRecordCount=true"), 2);
    EXPECT_EQ(shelf.as_kid("/Items/Suggestions"), "Tide \"Pool\"");
}

TEST(Recommendations, go_out_from_what_was_seen_and_liked) {
    HomeShelf shelf;
    shelf.discovery.similar_items = {HomeShelf::item_id("22")};
    const auto found = shelf.value(shelf.ann, "/Movies/Recommendations?categoryLimit=3");
    ASSERT_EQ(found.as_array().size(), 2U) << "the fakes do not look at what was played or liked";
    EXPECT_EQ(found.at(0).at("RecommendationType"), "SimilarToRecentlyPlayed");
    EXPECT_EQ(found.at(0).at("BaselineItemName"), "Tide \"Pool\"");
    EXPECT_EQ(found.at(0).at("CategoryId"), boost::json::value(HomeShelf::id("11")));
    EXPECT_EQ(found.at(0).at("Items").at(0).at("Name"), "Harbour");
    EXPECT_EQ(found.at(1).at("RecommendationType"), "SimilarToLikedItem");
    EXPECT_EQ(shelf.value(shelf.ann, "/Movies/Recommendations?categoryLimit=1").as_array().size(), 1U);
    EXPECT_EQ(shelf.discovery.last_similar.limit, 8U);
    (void)shelf.value(shelf.ann, "/Movies/Recommendations?itemLimit=2");
    EXPECT_EQ(shelf.discovery.last_similar.limit, 2U);
    EXPECT_EQ(shelf.value(shelf.ann, "/Movies/Recommendations?parentId=" + shelf.shows.id.str()).as_array().size(), 0U);
}

TEST(Recommendations, name_who_made_what_was_seen) {
    HomeShelf shelf;
    auto film = shelf.film();
    for (const auto* two : {"a1", "a2", "a3", "a4", "a5", "a6", "a7"}) {  // seven are looked at, the first ones
        film.item.id = HomeShelf::item_id(two);
        film.item.name = two;
        shelf.catalog.rows.push_back(film);
    }
    const auto bo = id_of<core::PersonId>('f');  // directs the first film
    shelf.people.items_by[bo] = {HomeShelf::item_id("11"), HomeShelf::item_id("a7"), HomeShelf::item_id("22")};
    const auto found = shelf.value(shelf.ann, "/Movies/Recommendations");
    ASSERT_EQ(found.as_array().size(), 1U);
    EXPECT_EQ(found.at(0).at("RecommendationType"), "HasDirectorFromRecentlyPlayed");
    EXPECT_EQ(found.at(0).at("BaselineItemName"), "Bo Lee");
    EXPECT_EQ(found.at(0).at("CategoryId"), boost::json::value(bo.str()));
    ASSERT_EQ(found.at(0).at("Items").as_array().size(), 1U) << "films alone, and not what was seen";
    EXPECT_EQ(found.at(0).at("Items").at(0).at("Name"), "a7");
}

TEST(InstantMix, goes_by_the_genres_of_what_it_is_made_from) {
    HomeShelf shelf;
    auto& track = shelf.catalog.rows.at(4);
    ASSERT_EQ(track.item.name, "Swell");
    track.item.genres = {"Folk", "Sea"};
    auto album = HomeShelf::listed('6', model::ItemKind::album, "Coast", track.item.library);
    track.item.parent = album.item.id;
    shelf.catalog.rows.push_back(album);
    auto second = shelf.catalog.rows.at(4);
    second.item.id = HomeShelf::item_id("e8");
    second.item.name = "Surf";
    shelf.catalog.rows.push_back(second);
    shelf.discovery.mixed = {HomeShelf::item_id("e8"), HomeShelf::item_id("55")};
    const auto of = [](const char* group, const char* two) {
        return std::string("/") + group + "/" + HomeShelf::id(two) + "/InstantMix";
    };
    EXPECT_EQ(shelf.as_ann(of("Songs", "55")), "Swell Surf") << "a track comes first in its own mix";
    EXPECT_EQ(shelf.discovery.last_mix.genres, (std::vector<std::string>{"Folk", "Sea"}));
    EXPECT_EQ(shelf.discovery.last_mix.limit, 200U);
    EXPECT_EQ(shelf.discovery.last_mix.seed, 0x55);
    EXPECT_EQ(shelf.as_ann(of("Songs", "55") + "?limit=1"), "Swell");
    for (const auto* group : {"Items", "Albums", "Artists", "Playlists"}) {
        EXPECT_EQ(shelf.as_ann(of(group, "66")), "Surf Swell") << group;
        EXPECT_EQ(shelf.discovery.last_mix.genres, (std::vector<std::string>{"Folk", "Sea"})) << "its tracks say";
    }
    EXPECT_EQ(shelf.as_ann("/Artists/InstantMix?id=" + HomeShelf::id("66")), "Surf Swell");
    EXPECT_EQ(shelf.status(shelf.ann, "/Artists/InstantMix"), 400);
    EXPECT_EQ(shelf.as_ann("/MusicGenres/Folk%20metal/InstantMix"), "Surf Swell");
    EXPECT_EQ(shelf.discovery.last_mix.genres, std::vector<std::string>{"Folk metal"});
    shelf.discovery.mixed.clear();
    EXPECT_EQ(shelf.as_ann(of("Albums", "66")), "Swell Surf") << "where nothing goes with it: itself";
    EXPECT_EQ(shelf.status(shelf.kid, of("Songs", "55")), 404);
}

TEST(SearchHints, show_items_and_people_as_the_store_finds_them) {
    HomeShelf shelf;
    shelf.discovery.found_hints = {
        {{{}, id_of<core::PersonId>('d')}, {HomeShelf::item_id("44"), {}}, {HomeShelf::item_id("55"), {}}}, 7};
    const auto found = shelf.value(shelf.ann, "/Search/Hints?searchTerm=fo&limit=3");
    EXPECT_EQ(found.at("TotalRecordCount"), 7);
    const auto& hints = found.at("SearchHints").as_array();
    ASSERT_EQ(hints.size(), 3U);
    EXPECT_EQ(hints[0].at("Name"), "Ann Lee");
    EXPECT_EQ(hints[0].at("Type"), "Person");
    EXPECT_EQ(hints[1].at("Name"), "Fog");
    EXPECT_EQ(hints[1].at("Series"), "Harbour");
    EXPECT_EQ(hints[1].at("IndexNumber"), 2);
    EXPECT_EQ(hints[1].at("ThumbImageItemId"), boost::json::value(HomeShelf::id("44")));
    EXPECT_EQ(hints[1].at("BackdropImageItemId"), boost::json::value(HomeShelf::id("22"))) << "of its series";
    EXPECT_EQ(hints[2].at("Album"), "Coast");
    EXPECT_EQ(hints[2].at("MediaType"), "Audio");
    const auto& asked = shelf.discovery.last_hint;
    EXPECT_EQ(asked.term, "fo");
    EXPECT_EQ(asked.limit, 3U);
    EXPECT_TRUE(asked.people);
    EXPECT_EQ(asked.kinds.size(), 9U);
    EXPECT_EQ(shelf.status(shelf.ann, "/Search/Hints"), 400);
    EXPECT_EQ(shelf.value(shelf.kid, "/Search/Hints?searchTerm=fo").at("SearchHints").as_array().size(), 0U);
    EXPECT_EQ(asked.viewer->libraries, std::vector{shelf.films.id});
}

TEST(SearchHints, show_genres_studios_and_artists_that_open) {
    HomeShelf shelf;
    using store::NameKind;
    const auto genre = store::name_id(NameKind::genre, "drama, slow"),
               studio = store::name_id(NameKind::studio, "foam & co");
    const auto artist = store::name_id(NameKind::artist, "guest");
    for (const auto& id : {genre, studio, artist}) {
        store::Hint hint;
        hint.name = id;
        shelf.discovery.found_hints.found.push_back(hint);
    }
    const auto hints = shelf.value(shelf.ann, "/Search/Hints?searchTerm=o").at("SearchHints").as_array();
    ASSERT_EQ(hints.size(), 3U);
    const std::pair<const char*, const char*> expected[] = {
        {"Drama, slow", "Genre"}, {"Foam & Co", "Studio"}, {"Guest", "MusicArtist"}};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(hints[i].at("Name"), expected[i].first);
        EXPECT_EQ(hints[i].at("Type"), expected[i].second);
        const std::string id(hints[i].at("Id").as_string());
        EXPECT_EQ(shelf.value(shelf.ann, "/Items/" + id).at("Name"), expected[i].first) << "opens";
    }
    const auto of_kid = shelf.value(shelf.kid, "/Search/Hints?searchTerm=o").at("SearchHints").as_array();
    EXPECT_EQ(of_kid.size(), 2U) << "Kid sees films alone";
}

TEST(SearchHints, leave_out_what_nobody_asked_for) {
    HomeShelf shelf;
    const auto& asked = shelf.discovery.last_hint;
    const auto search = [&](const std::string& more) {
        (void)shelf.value(shelf.ann, "/Search/Hints?searchTerm=a&" + more);
    };
    using model::ItemKind;
    search("includeItemTypes=Movie,Episode");
    EXPECT_EQ(asked.kinds, (std::vector{ItemKind::movie, ItemKind::episode}));
    EXPECT_FALSE(asked.people);
    search("includeItemTypes=Person");
    EXPECT_TRUE(asked.kinds.empty());
    EXPECT_TRUE(asked.people);
    search("includePeople=false&includeArtists=false");
    EXPECT_FALSE(asked.people);
    EXPECT_EQ(asked.kinds.size(), 8U);
    search("includeMedia=false");
    EXPECT_EQ(asked.kinds, std::vector{ItemKind::artist});
    using store::NameKind;
    EXPECT_EQ(asked.names, (std::vector{NameKind::genre, NameKind::music_genre, NameKind::studio, NameKind::artist}));
    search("includeGenres=false&includeArtists=false");
    EXPECT_EQ(asked.names, std::vector{NameKind::studio});
    search("includeStudios=false&excludeItemTypes=MusicGenre");
    EXPECT_EQ(asked.names, (std::vector{NameKind::genre, NameKind::artist}));
    search("includeItemTypes=Genre,Studio");
    EXPECT_EQ(asked.names, (std::vector{NameKind::genre, NameKind::studio}));
    EXPECT_TRUE(asked.kinds.empty());
    search("includeItemTypes=Movie");
    EXPECT_TRUE(asked.names.empty());
    search("mediaTypes=Audio");
    EXPECT_EQ(asked.kinds, std::vector{ItemKind::track});
    search("parentId=" + shelf.shows.id.str());
    EXPECT_EQ(asked.library, shelf.shows.id);
    search("parentId=" + HomeShelf::id("22") + "&startIndex=4");
    EXPECT_EQ(asked.parent, HomeShelf::item_id("22"));
    EXPECT_EQ(asked.start_index, 4U);
}

}  // namespace
}  // namespace understudy::http
