// /Items: which items a request means, and what of them clients see.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/shelf.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using testing::Shelf;

json::object parsed(const Response& response) {
    return json::parse(response.body).as_object();
}

using Names = std::vector<std::string>;

TEST(Items, lists_the_libraries_at_the_top) {
    Shelf shelf;
    EXPECT_EQ(
        shelf.get("/Items").body,
        R"({"Items":[{"Name":"Films","ServerId":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","Id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",)"
        R"("IsFolder":true,"Type":"CollectionFolder","CollectionType":"movies","ImageTags":{},"BackdropImageTags":[],)"
        R"("LocationType":"FileSystem","MediaType":"Unknown"},)"
        R"({"Name":"Shows","ServerId":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","Id":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",)"
        R"("IsFolder":true,"Type":"CollectionFolder","CollectionType":"tvshows","ImageTags":{},"BackdropImageTags":[],)"
        R"("LocationType":"FileSystem","MediaType":"Unknown"}],"TotalRecordCount":2,"StartIndex":0})");
    EXPECT_EQ(shelf.names("startIndex=1&limit=5"), Names{"Shows"});
}

TEST(Items, takes_a_library_or_an_item_as_parent) {
    Shelf shelf;
    EXPECT_EQ(shelf.names("parentId=" + std::string(32, 'A')), Names{"Tide \"Pool\""});
    EXPECT_EQ(shelf.names("ParentId=bbbbbbbb-bbbb-bbbb-bbbb-bbbbbbbbbbbb&Recursive=True"),
              (Names{"Harbour", "Season 1", "Fog"}));
    EXPECT_EQ(shelf.names("parentId=" + std::string(32, 'b')), Names{"Harbour"});
    EXPECT_EQ(shelf.names("parentId=" + std::string(32, '3')), Names{"Fog"});
    EXPECT_EQ(shelf.names("parentId=" + std::string(32, '4')), Names{});  // empty, but there
    EXPECT_EQ(shelf.get("/Items?parentId=" + std::string(32, '9')).status, 404);
    EXPECT_EQ(shelf.get("/Items?parentId=nonsense").status, 400);
}

TEST(Items, filters_by_kind_in_every_list_form) {
    Shelf shelf;
    EXPECT_EQ(shelf.names("recursive=true&includeItemTypes=Movie,Audio"), (Names{"Tide \"Pool\"", "Swell"}));
    EXPECT_EQ(shelf.names("recursive=true&IncludeItemTypes=movie&includeitemtypes=AUDIO"),
              (Names{"Tide \"Pool\"", "Swell"}));
    EXPECT_EQ(shelf.names("recursive=true&excludeItemTypes=Movie,Audio,Season"), (Names{"Harbour", "Fog"}));
    EXPECT_EQ(shelf.names("recursive=true&mediaTypes=Audio"), Names{"Swell"});
    EXPECT_EQ(shelf.names("recursive=true&includeItemTypes=BoxSet"), Names{});
    EXPECT_EQ(shelf.names("recursive=true&includeItemTypes=BoxSet,Movie"), Names{"Tide \"Pool\""});
    EXPECT_EQ(shelf.names("recursive=true&includeItemTypes=Nonsense").size(),
              5U);  // dropped silently, as the reference does
    EXPECT_EQ(shelf.names("searchTerm=fo"), Names{"Fog"});
    EXPECT_EQ(shelf.names("ids=" + std::string(32, '5') + "," + std::string(32, '1') + ",x"),
              (Names{"Tide \"Pool\"", "Swell"}));
    EXPECT_EQ(shelf.names("ids=x"), Names{});
}

TEST(Items, sorts_and_pages) {
    Shelf shelf;
    EXPECT_EQ(shelf.names("recursive=true&sortBy=DateCreated,Nonsense,SortName,Name&sortOrder=descending,Ascending&"
                          "startIndex=1&limit=2"),
              (Names{"Harbour", "Season 1"}));
    EXPECT_EQ(shelf.catalog.last_query.sort_by, (std::vector{store::ItemSort::date_created, store::ItemSort::name}));
    EXPECT_TRUE(shelf.catalog.last_query.descending);
    const auto counted = parsed(shelf.get("/Items?recursive=true&limit=0"));
    EXPECT_EQ(counted.at("TotalRecordCount"), 5);
    EXPECT_TRUE(counted.at("Items").as_array().empty());
    EXPECT_EQ(shelf.names("recursive=true").size(), 5U);  // no limit: all
    for (const char* query : {"limit=-1", "limit=ten", "startIndex=-1", "recursive=maybe"}) {
        EXPECT_EQ(shelf.get("/Items?" + std::string(query)).status, 400) << query;
    }
}

TEST(Items, asks_for_sources_only_where_fields_need_them) {
    Shelf shelf;
    const auto plain = parsed(shelf.get("/Items?parentId=" + std::string(32, 'a')));
    EXPECT_FALSE(shelf.catalog.last_query.with_sources);
    const auto& item = plain.at("Items").as_array().at(0).as_object();
    for (const char* name : {"Path", "MediaSources", "ProviderIds", "Genres", "DateCreated"})
        EXPECT_FALSE(item.contains(name));
    const auto full =
        parsed(shelf.get("/Items?parentId=" + std::string(32, 'a') + "&fields=MediaSources,path,ProviderIds"));
    EXPECT_TRUE(shelf.catalog.last_query.with_sources);
    const auto& rich = full.at("Items").as_array().at(0).as_object();
    EXPECT_EQ(rich.at("Path"), "/m/films/Tide/Tide.mkv");
    EXPECT_EQ(rich.at("ProviderIds").at("Imdb"), "tt0000001");
    EXPECT_EQ(rich.at("MediaSources").as_array().size(), 2U);
}

TEST(Items, shows_a_film_whole) {
    Shelf shelf;
    const auto film = parsed(shelf.get("/Items/" + std::string(32, '1')));
    EXPECT_EQ(film.at("Name"), "Tide \"Pool\"");
    EXPECT_EQ(film.at("Type"), "Movie");
    EXPECT_EQ(film.at("MediaType"), "Video");
    EXPECT_EQ(film.at("IsFolder"), false);
    EXPECT_EQ(film.at("Container"), "mkv");
    EXPECT_EQ(film.at("RunTimeTicks"), 54'000'000'000);
    EXPECT_EQ(film.at("ProductionYear"), 1999);
    EXPECT_EQ(film.at("ParentId").as_string(), std::string(32, 'a'));
    EXPECT_EQ(film.at("DateCreated"), "2026-11-30T09:46:40.0000000Z");
    EXPECT_EQ(film.at("Genres").as_array().at(0), "Drama, slow");
    EXPECT_EQ(film.at("LocationType"), "FileSystem");
    EXPECT_EQ(film.at("Width"), 3840);
    EXPECT_EQ(film.at("IsHD"), true);
    EXPECT_EQ(film.at("HasSubtitles"), true);
    EXPECT_EQ(film.at("Chapters").as_array().at(0).at("StartPositionTicks"), 15'000'000);
    EXPECT_TRUE(film.at("Chapters").as_array().at(0).as_object().contains("ImageDateModified"));
    const auto& sources = film.at("MediaSources").as_array();
    EXPECT_EQ(sources.at(0).at("Id").as_string(), std::string(32, '1'));
    EXPECT_EQ(sources.at(0).at("Name"), "Tide");
    EXPECT_EQ(sources.at(1).at("Name"), "1080p");
    EXPECT_NE(sources.at(1).at("Id"), sources.at(0).at("Id"));
    EXPECT_EQ(sources.at(1).at("Id").as_string().size(), 32U);
    EXPECT_EQ(sources.at(0).at("Size"), 5'000'000'000);
    EXPECT_EQ(sources.at(0).at("DefaultAudioStreamIndex"), 1);
    EXPECT_EQ(sources.at(0).at("MediaAttachments").as_array().at(0).at("FileName"), "font.ttf");
    const auto& streams = sources.at(0).at("MediaStreams").as_array();
    ASSERT_EQ(streams.size(), 4U);
    EXPECT_EQ(streams[0].at("Type"), "Video");
    EXPECT_EQ(streams[0].at("VideoRange"), "HDR");
    EXPECT_EQ(streams[0].at("VideoRangeType"), "HDR10");
    EXPECT_EQ(streams[0].at("AverageFrameRate"), 23.976);
    EXPECT_EQ(streams[0].at("DisplayTitle"), "4K HEVC HDR10");
    EXPECT_EQ(streams[1].at("DisplayTitle"), "eng - EAC3 - 5.1 - Default");
    EXPECT_EQ(streams[2].at("IsTextSubtitleStream"), true);
    EXPECT_EQ(streams[3].at("Type"), "EmbeddedImage");
}

TEST(Items, has_every_property_that_typed_clients_cannot_miss) {
    Shelf shelf;
    const auto film = parsed(shelf.get("/Items/" + std::string(32, '1')));
    for (const char* name : {"Id", "Type", "MediaType"}) EXPECT_TRUE(film.contains(name)) << name;
    const auto& source = film.at("MediaSources").as_array().at(0).as_object();
    for (const char* name :
         {"Protocol", "Type", "IsRemote", "ReadAtNativeFramerate", "IgnoreDts", "IgnoreIndex", "GenPtsInput",
          "SupportsTranscoding", "SupportsDirectStream", "SupportsDirectPlay", "IsInfiniteStream",
          "UseMostCompatibleTranscodingProfile", "RequiresOpening", "RequiresClosing", "RequiresLooping",
          "SupportsProbing", "TranscodingSubProtocol", "HasSegments"}) {
        EXPECT_TRUE(source.contains(name)) << name;
    }
    for (const auto& stream : source.at("MediaStreams").as_array()) {
        for (const char* name :
             {"VideoRange", "VideoRangeType", "AudioSpatialFormat", "IsInterlaced", "IsDefault", "IsForced",
              "IsHearingImpaired", "Type", "Index", "IsExternal", "IsTextSubtitleStream", "SupportsExternalStream"}) {
            EXPECT_TRUE(stream.as_object().contains(name)) << name;
        }
    }
}

TEST(Items, shows_an_episode_and_a_track_with_where_they_belong) {
    Shelf shelf;
    const auto episode = parsed(shelf.get("/Items/44444444-4444-4444-4444-444444444444"));
    EXPECT_EQ(episode.at("IndexNumber"), 2);
    EXPECT_EQ(episode.at("IndexNumberEnd"), 3);
    EXPECT_EQ(episode.at("ParentIndexNumber"), 1);
    EXPECT_EQ(episode.at("SeriesName"), "Harbour");
    EXPECT_EQ(episode.at("SeriesId").as_string(), std::string(32, '2'));
    EXPECT_EQ(episode.at("SeasonId").as_string(), std::string(32, '3'));
    EXPECT_EQ(episode.at("LocationType"), "Offline");
    const auto season = parsed(shelf.get("/Items/" + std::string(32, '3')));
    EXPECT_EQ(season.at("IndexNumber"), 1);
    EXPECT_EQ(season.at("ChildCount"), 8);
    const auto track = parsed(shelf.get("/Items/" + std::string(32, '5')));
    EXPECT_EQ(track.at("IndexNumber"), 7);
    EXPECT_EQ(track.at("ParentIndexNumber"), 2);
    EXPECT_EQ(track.at("Album"), "Coast");
    EXPECT_EQ(track.at("AlbumId").as_string(), std::string(32, '6'));
    EXPECT_EQ(track.at("AlbumArtist"), "The Piers");
    EXPECT_EQ(track.at("Artists").as_array().size(), 2U);
    EXPECT_EQ(track.at("MediaType"), "Audio");
}

TEST(Items, answers_404_for_what_it_does_not_know_and_a_library_for_its_id) {
    Shelf shelf;
    EXPECT_EQ(shelf.get("/Items/" + std::string(32, '9')).status, 404);
    EXPECT_EQ(shelf.get("/Items/nonsense").status, 400);
    EXPECT_EQ(parsed(shelf.get("/Items/" + std::string(32, 'a'))).at("Type"), "CollectionFolder");
}

TEST(Items, spells_every_property_in_camel_case_where_asked_but_no_key_of_a_dictionary) {
    Shelf shelf;
    Request request;
    request.target = "/Items/" + std::string(32, '1') + "?ApiKey=" + testing::admin_key;
    request.headers = {{"Accept", "application/json; profile=\"CamelCase\""}};
    const auto film = parsed(shelf.ask(request));
    EXPECT_TRUE(film.at("providerIds").as_object().contains("Imdb"));
    EXPECT_TRUE(film.contains("isHD"));
    EXPECT_TRUE(
        film.at("mediaSources").as_array().at(0).at("mediaStreams").as_array().at(0).as_object().contains("isAVC"));
    for (const auto& member : film)
        EXPECT_FALSE(std::isupper(static_cast<unsigned char>(member.key()[0]))) << member.key();
}

}  // namespace
}  // namespace understudy::http
