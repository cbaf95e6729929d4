#include "http/api_calls.h"

namespace understudy::testing {

std::vector<ApiCall> item_calls(const ApiWorld& world) {
    const auto film = "/Items/" + world.hex('1');
    const auto by_user = "/Users/" + world.root;
    const std::string all_fields =
        "fields=MediaSources,MediaStreams,Chapters,Path,ProviderIds,Genres,SortName,ParentId,People,Overview,Studios,"
        "Tags,"
        "Taglines,OriginalTitle,ProductionLocations,RemoteTrailers,LocalTrailerCount,SpecialFeatureCount,ChildCount,"
        "CanDelete,CanDownload,DateCreated,Settings";
    std::vector<ApiCall> calls{
        {"GetItems", "/Items"},
        {"GetItems", "/Items?recursive=true&userId=" + world.root + "&" + all_fields},
        {"GetItems", "/Items?recursive=true&isPlayed=false&filters=IsFavorite&userId=" + world.root},
        {"GetItemsLegacy", by_user + "/Items?recursive=true&sortBy=Random&limit=2"},
        {"GetItem", "/Items/" + world.films.id.str()},
        {"GetItem", "/Items/" + world.people.rows.front().id.str()},
        {"GetItem", "/Items/" + world.playlist + "?userId=" + world.root},
        {"GetItemLegacy", by_user + film},
        {"GetSpecialFeatures", film + "/SpecialFeatures"},
        {"GetLocalTrailers", film + "/LocalTrailers?userId=" + world.root},
        {"GetResumeItems", "/UserItems/Resume?userId=" + world.root},
        {"GetResumeItemsLegacy", by_user + "/Items/Resume"},
        {"GetPersons", "/Persons?fields=Overview,ProviderIds,DateCreated,CanDelete,SortName"},
        {"GetPersons", "/Persons?searchTerm=Lee&limit=1&appearsInItemId=" + world.hex('1')},
        {"GetPerson", "/Persons/Ann%20Lee"},
        {"UpdateItem", "/Items/" + world.collection, R"({"Name":"Seas"})", 204},
        {"DeleteItem", "/Items/" + world.collection, "", 204},
        {"DeleteItems", "/Items?ids=" + world.playlist, "", 204},
    };
    for (const auto& row : world.catalog.rows) {
        const auto id = row.item.id.str();
        if (id != world.playlist && id != world.collection)
            calls.insert(calls.begin(), ApiCall{"GetItem", "/Items/" + id + "?userId=" + world.root});
    }
    return calls;
}

std::vector<ApiCall> user_data_calls(const ApiWorld& world) {
    const auto who = "userId=" + world.root, by_user = "/Users/" + world.root;
    const std::string change = R"({"PlaybackPositionTicks":600000000,"Rating":8,"PlayCount":2,"IsFavorite":true,)"
                               R"("Played":false,"LastPlayedDate":"2026-11-30T10:00:00Z"})";
    std::vector<ApiCall> calls;
    for (const char digit : {'1', '2', '5'}) {
        const auto id = world.hex(digit);
        const std::vector<ApiCall> of_one{
            {"UpdateItemUserData", "/UserItems/" + id + "/UserData?" + who, change},
            {"GetItemUserData", "/UserItems/" + id + "/UserData?" + who},
            {"UpdateUserItemRating", "/UserItems/" + id + "/Rating?likes=true&" + who},
            {"DeleteUserItemRating", "/UserItems/" + id + "/Rating?" + who},
            {"MarkFavoriteItem", "/UserFavoriteItems/" + id + "?" + who},
            {"UnmarkFavoriteItem", "/UserFavoriteItems/" + id + "?" + who},
            {"MarkPlayedItem", "/UserPlayedItems/" + id + "?datePlayed=2026-11-30T10:00:00Z&" + who},
            {"MarkUnplayedItem", "/UserPlayedItems/" + id + "?" + who},
            {"UpdateItemUserDataLegacy", by_user + "/Items/" + id + "/UserData", change},
            {"GetItemUserDataLegacy", by_user + "/Items/" + id + "/UserData"},
            {"UpdateUserItemRatingLegacy", by_user + "/Items/" + id + "/Rating?likes=false"},
            {"DeleteUserItemRatingLegacy", by_user + "/Items/" + id + "/Rating"},
            {"MarkFavoriteItemLegacy", by_user + "/FavoriteItems/" + id},
            {"UnmarkFavoriteItemLegacy", by_user + "/FavoriteItems/" + id},
            {"MarkPlayedItemLegacy", by_user + "/PlayedItems/" + id},
            {"MarkUnplayedItemLegacy", by_user + "/PlayedItems/" + id},
        };
        calls.insert(calls.end(), of_one.begin(), of_one.end());
    }
    return calls;
}

std::vector<ApiCall> list_calls(const ApiWorld& world) {
    const auto who = "userId=" + world.root, film = world.hex('1');
    const auto collection = "/Collections/" + world.collection, playlist = "/Playlists/" + world.playlist;
    return {
        {"CreateCollection", "/Collections?name=Coast&isLocked=true&ids=" + film},
        {"AddToCollection", collection + "/Items?ids=" + world.hex('5'), "", 204},
        {"RemoveFromCollection", collection + "/Items?ids=" + film, "", 204},
        {"CreatePlaylist", "/Playlists",
         R"({"Name":"L","Ids":[")" + film + R"("],"UserId":")" + world.root + R"(","IsPublic":false})"},
        {"CreatePlaylist", "/Playlists?name=M&ids=" + film + "&" + who},
        {"GetPlaylist", playlist},
        {"UpdatePlaylist", playlist, R"({"Name":"Tunes","IsPublic":true})", 204},
        {"GetPlaylistItems", playlist + "/Items?fields=Path&limit=5&" + who},
        {"AddItemToPlaylist", playlist + "/Items?position=0&ids=" + film + "&" + who, "", 204},
        {"MoveItem", playlist + "/Items/" + world.entry + "/Move/0", "", 204},
        {"RemoveItemFromPlaylist", playlist + "/Items?entryIds=" + world.entry, "", 204},
        {"GetPlaylistUsers", playlist + "/Users"},
        {"GetPlaylistUser", playlist + "/Users/" + world.root},
    };
}

}  // namespace understudy::testing
