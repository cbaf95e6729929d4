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
        {"GetUserViewsLegacy", std::string("/Users/") + world.root + "/Views"},
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
