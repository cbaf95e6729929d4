#include "http/api_calls.h"

namespace understudy::testing {

std::vector<ApiCall> show_calls(const ApiWorld& world) {
    return {
        {"GetUserViews", std::string("/UserViews") + ("?userId=" + world.root)},
        {"GetGroupingOptions", std::string("/UserViews/GroupingOptions") + ("?userId=" + world.root)},
        {"GetRootFolder", std::string("/Items/Root") + ("?userId=" + world.root)},
        {"GetLatestMedia", std::string("/Items/Latest") + ("?userId=" + world.root)},
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
        {"GetInstantMixFromItem", std::string("/Items/") + world.hex('1') + "/InstantMix" + ("?userId=" + world.root)},
        {"GetInstantMixFromAlbum",
         std::string("/Albums/") + world.hex('5') + "/InstantMix" + ("?userId=" + world.root)},
        {"GetInstantMixFromArtists",
         std::string("/Artists/") + world.hex('1') + "/InstantMix" + ("?userId=" + world.root)},
        {"GetInstantMixFromSong", std::string("/Songs/") + world.hex('1') + "/InstantMix" + ("?userId=" + world.root)},
        {"GetInstantMixFromPlaylist",
         std::string("/Playlists/") + world.playlist + "/InstantMix" + ("?userId=" + world.root)},
        {"GetInstantMixFromArtists2",
         std::string("/Artists/InstantMix?id=") + world.hex('5') + ("&userId=" + world.root)},
        {"GetInstantMixFromMusicGenreByName", std::string("/MusicGenres/Rock/InstantMix") + ("?userId=" + world.root)},
        {"GetSimilarItems", std::string("/Items/") + world.hex('1') + "/Similar" + ("?userId=" + world.root)},
        {"GetSimilarMovies", std::string("/Movies/") + world.hex('1') + "/Similar" + ("?userId=" + world.root)},
        {"GetSimilarShows", std::string("/Shows/") + world.hex('2') + "/Similar" + ("?userId=" + world.root)},
        {"GetSimilarAlbums", std::string("/Albums/") + world.hex('5') + "/Similar" + ("?userId=" + world.root)},
        {"GetSimilarArtists", std::string("/Artists/") + world.hex('1') + "/Similar" + ("?userId=" + world.root)},
        {"GetSimilarTrailers", std::string("/Trailers/") + world.hex('1') + "/Similar" + ("?userId=" + world.root)},
        {"GetSuggestions", std::string("/Items/Suggestions") + ("?userId=" + world.root)},
        {"GetMovieRecommendations", std::string("/Movies/Recommendations") + ("?userId=" + world.root)},
        {"GetSearchHints", std::string("/Search/Hints?searchTerm=Tide") + ("&userId=" + world.root)},
        {"GetNextUp", std::string("/Shows/NextUp") + ("?userId=" + world.root)},
        {"GetUpcomingEpisodes", std::string("/Shows/Upcoming") + ("?userId=" + world.root)},
        {"GetSeasons", std::string("/Shows/") + world.hex('2') + "/Seasons" + ("?userId=" + world.root)},
        {"GetEpisodes", std::string("/Shows/") + world.hex('2') + "/Episodes" + ("?userId=" + world.root)},
        {"GetUserViewsLegacy", std::string("/Users/") + world.root + "/Views"},
        {"GetGroupingOptionsLegacy", std::string("/Users/") + world.root + "/GroupingOptions"},
        {"GetRootFolderLegacy", std::string("/Users/") + world.root + "/Items/Root"},
        {"GetLatestMediaLegacy", std::string("/Users/") + world.root + "/Items/Latest"},
        {"GetIntrosLegacy", std::string("/Users/") + world.root + "/Items/" + world.hex('1') + "/Intros"},
        {"GetSuggestionsLegacy", std::string("/Users/") + world.root + "/Suggestions"},
        {"GetLocalTrailersLegacy", std::string("/Users/") + world.root + "/Items/" + world.hex('1') + "/LocalTrailers"},
        {"GetSpecialFeaturesLegacy",
         std::string("/Users/") + world.root + "/Items/" + world.hex('1') + "/SpecialFeatures"},
    };
}

std::vector<ApiCall> name_calls(const ApiWorld& /*world*/) {
    return {
        {"GetGenres", "/Genres"},
        {"GetGenre", "/Genres/Sea"},
        {"GetMusicGenres", "/MusicGenres"},
        {"GetMusicGenre", "/MusicGenres/Rock"},
        {"GetStudios", "/Studios"},
        {"GetStudio", "/Studios/A"},
        {"GetArtists", "/Artists"},
        {"GetAlbumArtists", "/Artists/AlbumArtists"},
        {"GetArtistByName", "/Artists/A"},
        {"GetYears", "/Years"},
        {"GetYear", "/Years/2001"},
        {"GetQueryFiltersLegacy", "/Items/Filters"},
        {"GetQueryFilters", "/Items/Filters2"},
    };
}

}  // namespace understudy::testing
