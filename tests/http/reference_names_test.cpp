// Lists of names and filters, and the fields that clients ask of lists, against the reference contract.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/contract_document.h"
#include "http/login_house.h"

namespace understudy::http {
namespace {

namespace json = boost::json;

TEST(Reference, knows_names_filters_and_the_fields_of_lists) {
    const auto reference = testing::reference_document();
    if (!reference) GTEST_SKIP() << testing::no_reference;
    testing::Contract contract(*reference);
    testing::LoginHouse house;
    house.catalog.rows[4].item.genres = {"Rock"};
    house.catalog.rows.push_back(
        testing::Shelf::listed('6', model::ItemKind::artist, "The Piers", house.catalog.rows[4].item.library));
    const auto user = house.add("Ann", "sea");
    const auto compare = [&](const char* path, const std::string& target) {
        const auto answer = house.get(target);
        ASSERT_EQ(answer.status, 200) << target << ": " << answer.body;
        for (const auto& fault : contract.faults(path, json::parse(answer.body)))
            ADD_FAILURE() << target << ": " << fault;
    };
    const std::string all =
        "fields=ItemCounts,SortName,Etag,CanDelete,CanDownload,PlayAccess,DisplayPreferencesId,DateCreated,"
        "PrimaryImageAspectRatio,Genres,Studios,Tags,Overview,ExternalUrls,ParentId,MediaSourceCount,Width,Height,IsHD,"
        "ChildCount,RecursiveItemCount,EnableMediaSourceDisplay,ProviderIds,Path,MediaSources,MediaStreams,Chapters&"
        "userId=" +
        user;
    for (const char* list : {"/Genres", "/MusicGenres", "/Studios", "/Artists", "/Artists/AlbumArtists", "/Years"}) {
        compare(list, list);
        compare(list, std::string(list) + "?" + all);
    }
    compare("/Genres/{genreName}", "/Genres/Drama,%20slow");
    compare("/MusicGenres/{genreName}", "/MusicGenres/Rock");
    compare("/Studios/{name}", "/Studios/Foam%20%26%20Co");
    compare("/Artists/{name}", "/Artists/Guest");
    compare("/Artists/{name}", "/Artists/The%20Piers?userId=" + user);
    compare("/Years/{year}", "/Years/1999");
    compare("/Items/Filters", "/Items/Filters");
    compare("/Items/Filters2", "/Items/Filters2");
    compare("/Items", "/Items?recursive=true&" + all);
    compare("/Persons", "/Persons?personTypes=Actor");
    compare("/Items/{itemId}", "/Items/" + store::name_id(store::NameKind::year, "1999").str());
}

}  // namespace
}  // namespace understudy::http
