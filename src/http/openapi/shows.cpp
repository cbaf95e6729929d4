// What to see next: views, latest, shows, segments, what resembles what,
// search.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"AllThemeMediaResult",
     "ThemeVideosResult:ThemeMediaResult? ThemeSongsResult:ThemeMediaResult? "
     "SoundtrackSongsResult:ThemeMediaResult?"},
    {"ThemeMediaResult",
     "Items:[BaseItemDto] TotalRecordCount:int32 "
     "StartIndex:int32 OwnerId:uuid"},
    {"MediaSegmentDtoQueryResult", "Items:[MediaSegmentDto] TotalRecordCount:int32 StartIndex:int32"},
    {"MediaSegmentDto",
     "Id:uuid ItemId:uuid Type:MediaSegmentType "
     "StartTicks:int64 EndTicks:int64"},
    {"MediaSegmentType", "(Unknown|Commercial|Preview|Recap|Outro|Intro)"},
    {"ExternalIdInfo", "Name:string Key:string Type:ExternalIdMediaType?"},
    {"ExternalIdMediaType",
     "(Album|AlbumArtist|Artist|BoxSet|Episode|Movie|OtherArtist|Person|"
     "ReleaseGroup|Season|Series|Track|Book|"
     "Recording)"},
};

constexpr OperationRow operations[] = {
    {get, "/UserViews", "GetUserViews", "UserViews",
     "The libraries as a user sees them, and their collections and playlists.", "200:BaseItemDtoQueryResult",
     "userId:uuid includeHidden:bool"},
    {get, "/Items/{id}/Ancestors", "GetAncestors", "Library", "What an item is in, the nearest first.",
     "200:[BaseItemDto]", "userId:uuid"},
    {get, "/Items/{id}/Intros", "GetIntros", "UserLibrary", "Nothing: no intros are kept.",
     "200:BaseItemDtoQueryResult"},
    {get, "/Videos/{id}/AdditionalParts", "GetAdditionalPart", "Videos", "Nothing: no further parts are kept.",
     "200:BaseItemDtoQueryResult"},
    {get, "/Items/{id}/ThemeMedia", "GetThemeMedia", "Library", "The theme music and videos of an item.",
     "200:AllThemeMediaResult", "userId:uuid inheritFromParent:bool"},
    {get, "/Items/{id}/ThemeSongs", "GetThemeSongs", "Library", "The theme music of an item.", "200:ThemeMediaResult",
     "userId:uuid inheritFromParent:bool"},
    {get, "/Items/{id}/ThemeVideos", "GetThemeVideos", "Library", "The theme videos of an item.",
     "200:ThemeMediaResult", "userId:uuid inheritFromParent:bool"},
    {get, "/MediaSegments/{id}", "GetItemSegments", "MediaSegments", "Intros, recaps and the like of an item.",
     "200:MediaSegmentDtoQueryResult", "includeSegmentTypes:[MediaSegmentType]"},
    {get, "/Items/{id}/ExternalIdInfos", "GetExternalIdInfos", "ItemLookup",
     "The kinds of ids that an item may have elsewhere.", "200:[ExternalIdInfo]"},
    {get, "/Items/Suggestions", "GetSuggestions", "Suggestions", "Something by chance.", "200:BaseItemDtoQueryResult",
     "userId:uuid mediaType:[MediaType] type:[BaseItemKind] startIndex:int32 "
     "limit:int32 "
     "enableTotalRecordCount:bool"},
    {get, "/Shows/{seriesId}/Seasons", "GetSeasons", "TvShows", "The seasons of a series.",
     "200:BaseItemDtoQueryResult",
     "userId:uuid fields:[ItemFields] isSpecialSeason:bool isMissing:bool "
     "adjacentTo:uuid enableUserData:bool"},
};

constexpr LegacyRow legacy[] = {
    {get, "/Users/{userId}/Views", "GetUserViews"},
    {get, "/Users/{userId}/Items/{id}/Intros", "GetIntros"},
    {get, "/Users/{userId}/Suggestions", "GetSuggestions"},
    {get, "/Users/{userId}/Items/{id}/LocalTrailers", "GetLocalTrailers"},
    {get, "/Users/{userId}/Items/{id}/SpecialFeatures", "GetSpecialFeatures"},
};

}  // namespace

Group show_group() {
    return {schemas, operations, legacy};
}

}  // namespace understudy::http::openapi
