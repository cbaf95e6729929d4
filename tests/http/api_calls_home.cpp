#include "http/api_calls.h"

namespace understudy::testing {

std::vector<ApiCall> show_calls(const ApiWorld& world) {
    return {
        {"GetUserViews", std::string("/UserViews") + ("?userId=" + world.root)},
        {"GetAncestors", std::string("/Items/") + world.hex('1') + "/Ancestors" + ("?userId=" + world.root)},
        {"GetIntros", std::string("/Items/") + world.hex('1') + "/Intros" + ("?userId=" + world.root)},
        {"GetAdditionalPart",
         std::string("/Videos/") + world.hex('1') + "/AdditionalParts" + ("?userId=" + world.root)},
        {"GetThemeMedia", std::string("/Items/") + world.hex('1') + "/ThemeMedia" + ("?userId=" + world.root)},
        {"GetThemeSongs", std::string("/Items/") + world.hex('1') + "/ThemeSongs" + ("?userId=" + world.root)},
        {"GetThemeVideos", std::string("/Items/") + world.hex('1') + "/ThemeVideos" + ("?userId=" + world.root)},
        {"GetItemSegments", std::string("/MediaSegments/") + world.hex('1') + ("?userId=" + world.root)},
        {"GetExternalIdInfos",
         std::string("/Items/") + world.hex('1') + "/ExternalIdInfos" + ("?userId=" + world.root)},
        {"GetSuggestions", std::string("/Items/Suggestions") + ("?userId=" + world.root)},
        {"GetSeasons", std::string("/Shows/") + world.hex('2') + "/Seasons" + ("?userId=" + world.root)},
        {"GetGroupingOptions", "/UserViews/GroupingOptions"},
        {"GetGroupingOptionsLegacy", "/Users/" + world.root + "/GroupingOptions"},
        {"GetRootFolder", "/Items/Root"},
        {"GetRootFolderLegacy", "/Users/" + world.root + "/Items/Root"},
        {"GetLatestMedia", "/Items/Latest?fields=Overview,Genres,DateCreated&userId=" + world.root},
        {"GetLatestMediaLegacy", "/Users/" + world.root + "/Items/Latest"},
        {"GetNextUp", "/Shows/NextUp?fields=MediaSources,Path&userId=" + world.root},
        {"GetNextUp",
         "/Shows/NextUp?enableTotalRecordCount=false&seriesId=" + world.hex('2') + "&userId=" + world.root},
        {"GetUpcomingEpisodes", "/Shows/Upcoming?userId=" + world.root},
        {"GetEpisodes", "/Shows/" + world.hex('2') + "/Episodes?season=1&fields=Overview,People"},
        {"GetEpisodes", "/Shows/" + world.hex('2') + "/Episodes?sortBy=Random&seasonId=" + world.hex('3')},
        {"GetSimilarItems", "/Items/" + world.hex('1') + "/Similar?userId=" + world.root},
        {"GetSimilarMovies", "/Movies/" + world.hex('1') + "/Similar?limit=3"},
        {"GetSimilarShows", "/Shows/" + world.hex('2') + "/Similar"},
        {"GetSimilarAlbums", "/Albums/" + world.hex('6') + "/Similar"},
        {"GetSimilarArtists", "/Artists/" + world.artist + "/Similar"},
        {"GetSimilarTrailers", "/Trailers/" + world.hex('7') + "/Similar"},
        {"GetMovieRecommendations", "/Movies/Recommendations?fields=Overview&userId=" + world.root},
        {"GetInstantMixFromItem", "/Items/" + world.hex('5') + "/InstantMix?userId=" + world.root},
        {"GetInstantMixFromAlbum", "/Albums/" + world.hex('6') + "/InstantMix"},
        {"GetInstantMixFromArtists", "/Artists/" + world.artist + "/InstantMix"},
        {"GetInstantMixFromArtists2", "/Artists/InstantMix?id=" + world.artist},
        {"GetInstantMixFromSong", "/Songs/" + world.hex('5') + "/InstantMix"},
        {"GetInstantMixFromPlaylist", "/Playlists/" + world.playlist + "/InstantMix"},
        {"GetInstantMixFromMusicGenreByName", "/MusicGenres/Folk/InstantMix"},
        {"GetInstantMixFromMusicGenreById", "/MusicGenres/InstantMix?id=" + world.genre_id("Folk")},
        {"GetSearchHints", "/Search/Hints?searchTerm=e&userId=" + world.root},
        {"GetSearchHints",
         "/Search/Hints?searchTerm=e&includeGenres=false&includeStudios=true&parentId=" + world.films.id.str()},
        {"GetUserViewsLegacy", std::string("/Users/") + world.root + "/Views"},
        {"GetIntrosLegacy", std::string("/Users/") + world.root + "/Items/" + world.hex('1') + "/Intros"},
        {"GetSuggestionsLegacy", std::string("/Users/") + world.root + "/Suggestions"},
        {"GetLocalTrailersLegacy", std::string("/Users/") + world.root + "/Items/" + world.hex('1') + "/LocalTrailers"},
        {"GetSpecialFeaturesLegacy",
         std::string("/Users/") + world.root + "/Items/" + world.hex('1') + "/SpecialFeatures"},
    };
}

std::vector<ApiCall> name_calls(const ApiWorld& world) {
    return {
        {"GetGenre", "/Genres/Drama,%20slow?userId=" + world.root},
        {"GetMusicGenre", "/MusicGenres/Folk?userId=" + world.root},
        {"GetStudio", "/Studios/Foam%20%26%20Co?userId=" + world.root},
        {"GetArtistByName", "/Artists/The%20Piers?userId=" + world.root},
        {"GetArtistByName", "/Artists/Guest"},
        {"GetYear", "/Years/1999?userId=" + world.root},
        {"GetGenres", "/Genres"},
        {"GetMusicGenres", "/MusicGenres"},
        {"GetStudios", "/Studios"},
        {"GetArtists", "/Artists"},
        {"GetAlbumArtists", "/Artists/AlbumArtists"},
        {"GetYears", "/Years"},
        {"GetQueryFiltersLegacy", "/Items/Filters"},
        {"GetQueryFilters", "/Items/Filters2"},
    };
}

}  // namespace understudy::testing
