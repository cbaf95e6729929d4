// What files beside the media say of an item, as clients see it: descriptions, tags of pictures, external streams and
// extras.
#include <gtest/gtest.h>

#include "http/described_shelf.h"
#include "http/entity_tags.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::DescribedShelf;
using Kind = model::ImageKind;

json::object parsed(const Response& answer) {
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::parse(answer.body).as_object();
}
std::string item_path(char digit) {
    return "/Items/" + std::string(32, digit);
}
json::object in_list(DescribedShelf& shelf, char digit, const std::string& fields = {}) {
    return parsed(shelf.get("/Items?ids=" + std::string(32, digit) + "&fields=" + fields))
        .at("Items")
        .at(0)
        .as_object();
}
std::string tag(Kind kind, const char* name) {
    return image_tag(DescribedShelf::image(kind, name));
}

TEST(Descriptions, an_item_says_all_that_is_known_of_it) {
    DescribedShelf shelf;
    const auto film = parsed(shelf.get(item_path('1')));
    EXPECT_EQ(film.at("OriginalTitle"), "Gezeitentümpel");
    EXPECT_EQ(film.at("ForcedSortName"), "Tide 01");
    EXPECT_EQ(film.at("Overview"), "Water comes.\nAnd goes.");
    EXPECT_EQ(film.at("Taglines"), (json::array{"Twice a day"}));
    EXPECT_EQ(film.at("OfficialRating"), "FSK-6");
    EXPECT_EQ(film.at("CommunityRating"), 7.5);
    EXPECT_EQ(film.at("PremiereDate"), "1999-03-25T00:00:00.0000000Z");
    EXPECT_EQ(film.at("EndDate"), "2026-11-30T09:46:40.0000000Z");
    EXPECT_EQ(film.at("Tags"), (json::array{"sea"}));
    EXPECT_EQ(film.at("ProductionLocations"), (json::array{"Norway"}));
    const auto& studio = film.at("Studios").at(0);
    EXPECT_EQ(studio.at("Name"), "Foam & Co");
    EXPECT_TRUE(core::ItemId::parse(std::string(studio.at("Id").as_string())));
    ASSERT_EQ(film.at("RemoteTrailers").as_array().size(), 1U) << "no scheme that a browser would run";
    EXPECT_EQ(film.at("RemoteTrailers").at(0).at("Url"), "https://example.org/t");
    EXPECT_FALSE(film.contains("Status"));
    EXPECT_EQ(parsed(shelf.get(item_path('2'))).at("Status"), "Ended");
    EXPECT_EQ(parsed(shelf.get(item_path('2'))).at("Path"), "/m/shows/Harbour");
}

TEST(Descriptions, what_is_not_known_is_left_out) {
    DescribedShelf shelf;
    const auto season = parsed(shelf.get(item_path('3')));
    for (const char* name :
         {"OriginalTitle", "ForcedSortName", "Overview", "OfficialRating", "CommunityRating", "PremiereDate", "EndDate",
          "Status", "ParentBackdropItemId", "SeriesPrimaryImageTag", "ExtraType"}) {
        EXPECT_FALSE(season.contains(name)) << name;
    }
    EXPECT_TRUE(season.at("Taglines").as_array().empty());
}

TEST(Descriptions, lists_say_the_long_things_only_where_asked) {
    DescribedShelf shelf;
    const auto plain = in_list(shelf, '1');
    for (const char* name : {"Overview", "OriginalTitle", "Taglines", "Studios", "Tags", "ProductionLocations",
                             "RemoteTrailers", "People", "LocalTrailerCount", "SpecialFeatureCount"}) {
        EXPECT_FALSE(plain.contains(name)) << name;
        EXPECT_TRUE(in_list(shelf, '1', name).contains(name)) << name;
    }
    EXPECT_FALSE(plain.contains("ForcedSortName"));
    EXPECT_TRUE(in_list(shelf, '1', "Settings").contains("ForcedSortName")) << "as in the reference";
    for (const char* name : {"OfficialRating", "CommunityRating", "PremiereDate", "ImageTags", "BackdropImageTags"}) {
        EXPECT_TRUE(plain.contains(name)) << name;
    }
}

TEST(Descriptions, tags_say_which_pictures_there_are) {
    DescribedShelf shelf;
    const auto film = in_list(shelf, '1');
    EXPECT_EQ(film.at("ImageTags"),
              (json::object{{"Primary", tag(Kind::primary, "poster")}, {"Logo", tag(Kind::logo, "logo")}}));
    EXPECT_EQ(film.at("BackdropImageTags"), (json::array{tag(Kind::backdrop, "b1"), tag(Kind::backdrop, "b2")}));
    EXPECT_FALSE(film.contains("ParentBackdropItemId"));
}

TEST(Descriptions, an_episode_and_a_track_borrow_from_above) {
    DescribedShelf shelf;
    const auto episode = in_list(shelf, '4');
    EXPECT_EQ(episode.at("SeriesPrimaryImageTag"), json::string(tag(Kind::primary, "series")));
    EXPECT_EQ(episode.at("ParentBackdropItemId"), json::string(std::string(32, '2')));
    EXPECT_EQ(episode.at("ParentBackdropImageTags"), (json::array{tag(Kind::backdrop, "sb")}));
    EXPECT_FALSE(episode.contains("ParentThumbItemId")) << "it has its own";
    const auto track = in_list(shelf, '5');
    EXPECT_EQ(track.at("AlbumPrimaryImageTag"), json::string(tag(Kind::primary, "album")));
    EXPECT_FALSE(track.contains("SeriesPrimaryImageTag"));
}

TEST(Descriptions, a_tag_changes_with_path_size_and_time_alone) {
    const auto one = image_tag("/a", 1, 2);
    EXPECT_EQ(one, image_tag("/a", 1, 2));
    const std::set<std::string> all{one,
                                    image_tag("/b", 1, 2),
                                    image_tag("/a", 2, 2),
                                    image_tag("/a", 1, 3),
                                    image_tag("/a", 12, 0),
                                    image_tag("/a", 1, 20)};
    EXPECT_EQ(all.size(), 6U);
    for (const auto& each : all) EXPECT_EQ(each.size(), 16U);
}

TEST(Descriptions, streams_in_files_of_their_own_follow_those_inside) {
    DescribedShelf shelf;
    const auto film = parsed(shelf.get(item_path('1')));
    EXPECT_EQ(film.at("HasSubtitles"), true);
    const auto& streams = film.at("MediaSources").at(0).at("MediaStreams").as_array();
    ASSERT_EQ(streams.size(), 6U);
    const auto& text = streams[4].as_object();
    EXPECT_EQ(text.at("Index"), 5) << "after the attachment, which is not listed here";
    EXPECT_EQ(text.at("IsExternal"), true);
    EXPECT_EQ(text.at("IsExternalUrl"), false);
    EXPECT_EQ(text.at("Path"), "/m/films/Tide/Tide.de.srt");
    EXPECT_EQ(text.at("Codec"), "subrip");
    EXPECT_EQ(text.at("Language"), "deu");
    EXPECT_EQ(text.at("IsForced"), true);
    EXPECT_EQ(text.at("IsHearingImpaired"), true);
    EXPECT_EQ(text.at("IsTextSubtitleStream"), true);
    EXPECT_EQ(text.at("SupportsExternalStream"), true);
    EXPECT_EQ(text.at("DisplayTitle"), "deu - SUBRIP - Forced - External");
    EXPECT_EQ(streams[5].at("Index"), 6);
    EXPECT_EQ(streams[5].at("SupportsExternalStream"), false) << "pictures";
    EXPECT_FALSE(streams[0].as_object().contains("Path"));
    EXPECT_EQ(streams[0].at("IsExternal"), false);
    EXPECT_EQ(film.at("MediaSources").at(1).at("MediaStreams").as_array().size(), 4U) << "another version";
}

TEST(Descriptions, subtitles_beside_a_film_without_any_inside_count) {
    DescribedShelf shelf;
    auto& source = shelf.catalog.rows[0].item.sources[0];
    std::erase_if(source.info.streams, [](const auto& stream) { return stream.kind == model::StreamKind::subtitle; });
    EXPECT_EQ(parsed(shelf.get(item_path('1'))).at("HasSubtitles"), true);
    source.external.clear();
    EXPECT_EQ(parsed(shelf.get(item_path('1'))).at("HasSubtitles"), false);
}

TEST(Extras, are_counted_with_their_film_and_listed_below_it) {
    DescribedShelf shelf;
    const auto film = parsed(shelf.get(item_path('1')));
    EXPECT_EQ(film.at("LocalTrailerCount"), 1);
    EXPECT_EQ(film.at("SpecialFeatureCount"), 2) << "neither trailers nor theme music";
    const auto features = json::parse(shelf.get(item_path('1') + "/SpecialFeatures").body).as_array();
    ASSERT_EQ(features.size(), 1U);
    EXPECT_EQ(features[0].at("Name"), "Cut");
    EXPECT_EQ(features[0].at("Type"), "Video");
    EXPECT_EQ(features[0].at("ExtraType"), "DeletedScene");
    EXPECT_EQ(features[0].at("MediaSources").at(0).at("VideoType"), "VideoFile");
    const auto trailers = json::parse(shelf.get(item_path('1') + "/LocalTrailers").body).as_array();
    ASSERT_EQ(trailers.size(), 1U);
    EXPECT_EQ(trailers[0].at("Type"), "Trailer");
    EXPECT_EQ(trailers[0].at("ExtraType"), "Trailer");
    EXPECT_EQ(trailers[0].at("MediaType"), "Video");
    const auto theme = parsed(shelf.get(item_path('9')));
    EXPECT_EQ(theme.at("ExtraType"), "ThemeSong");
    EXPECT_EQ(theme.at("MediaType"), "Audio");
}

TEST(Extras, of_an_item_without_any_are_none_and_of_no_item_404) {
    DescribedShelf shelf;
    EXPECT_EQ(shelf.get(item_path('4') + "/SpecialFeatures").body, "[]");
    EXPECT_EQ(shelf.get(item_path('1') + "/LocalTrailers").status, 200);
    EXPECT_EQ(shelf.get(item_path('c') + "/LocalTrailers").status, 404);
    EXPECT_EQ(shelf.get("/Items/nonsense/SpecialFeatures").status, 400);
}

TEST(Extras, are_in_no_list_of_items) {
    DescribedShelf shelf;
    EXPECT_EQ(shelf.names("recursive=true").size(), 5U);
    shelf.names("recursive=true&fields=SpecialFeatureCount");
    EXPECT_TRUE(shelf.catalog.last_query.with_extra_counts);
    shelf.names("recursive=true");
    EXPECT_FALSE(shelf.catalog.last_query.with_extra_counts);
}

}  // namespace
}  // namespace understudy::http
