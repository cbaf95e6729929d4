// What to see next: views, latest, shows, segments, what resembles what, search.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"SpecialViewOptionDto", "Name:string? Id:string?"},
    {"AllThemeMediaResult",
     "ThemeVideosResult:ThemeMediaResult? ThemeSongsResult:ThemeMediaResult? SoundtrackSongsResult:ThemeMediaResult?"},
    {"ThemeMediaResult", "Items:[BaseItemDto] TotalRecordCount:int32 StartIndex:int32 OwnerId:uuid"},
    {"MediaSegmentDtoQueryResult", "Items:[MediaSegmentDto] TotalRecordCount:int32 StartIndex:int32"},
    {"MediaSegmentDto", "Id:uuid ItemId:uuid Type:MediaSegmentType StartTicks:int64 EndTicks:int64"},
    {"MediaSegmentType", "(Unknown|Commercial|Preview|Recap|Outro|Intro)"},
    {"ExternalIdInfo", "Name:string Key:string Type:ExternalIdMediaType?"},
    {"ExternalIdMediaType",
     "(Album|AlbumArtist|Artist|BoxSet|Episode|Movie|OtherArtist|Person|"
     "ReleaseGroup|Season|Series|Track|Book|"
     "Recording)"},
    {"RecommendationDto",
     "Items:[BaseItemDto]? RecommendationType:RecommendationType BaselineItemName:string? CategoryId:uuid"},
    {"RecommendationType",
     "(SimilarToRecentlyPlayed|SimilarToLikedItem|"
     "HasDirectorFromRecentlyPlayed|HasActorFromRecentlyPlayed|"
     "HasLikedDirector|HasLikedActor)"},
    {"SearchHintResult", "SearchHints:[SearchHint] TotalRecordCount:int32"},
    {"SearchHint",
     "ItemId:uuid Id:uuid Name:string IndexNumber:int32? ProductionYear:int32? ParentIndexNumber:int32? "
     "PrimaryImageTag:string? ThumbImageTag:string? ThumbImageItemId:string? BackdropImageTag:string? "
     "BackdropImageItemId:string? Type:BaseItemKind IsFolder:bool? RunTimeTicks:int64? MediaType:MediaType "
     "StartDate:time? EndDate:time? Series:string? Status:string? Album:string? AlbumId:uuid? AlbumArtist:string? "
     "Artists:[string]"},
};

constexpr OperationRow operations[] = {
    {get, "/UserViews", "GetUserViews", "UserViews",
     "The libraries as a user sees them, and their collections and playlists.", "200:BaseItemDtoQueryResult 404",
     "userId:uuid includeHidden:bool"},
    {get, "/UserViews/GroupingOptions", "GetGroupingOptions", "UserViews", "The libraries that could be shown as one.",
     "200:[SpecialViewOptionDto]"},
    {get, "/Items/Root", "GetRootFolder", "UserLibrary", "The folder above all libraries.", "200:BaseItemDto"},
    {get, "/Items/Latest", "GetLatestMedia", "UserLibrary", "What came last, by library.", "200:[BaseItemDto] 404",
     "userId:uuid parentId:uuid fields:[ItemFields] includeItemTypes:[BaseItemKind] isPlayed:bool enableUserData:bool "
     "limit:int32 groupItems:bool"},
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
    {get, "/Items/{id}/InstantMix", "GetInstantMixFromItem", "InstantMix", "Tracks that go with an item.",
     "200:BaseItemDtoQueryResult", "userId:uuid limit:int32 fields:[ItemFields] enableUserData:bool"},
    {get, "/Albums/{id}/InstantMix", "GetInstantMixFromAlbum", "InstantMix", "Tracks that go with an album.",
     "200:BaseItemDtoQueryResult", "userId:uuid limit:int32 fields:[ItemFields] enableUserData:bool"},
    {get, "/Artists/{id}/InstantMix", "GetInstantMixFromArtists", "InstantMix", "Tracks that go with an artist.",
     "200:BaseItemDtoQueryResult", "userId:uuid limit:int32 fields:[ItemFields] enableUserData:bool"},
    {get, "/Songs/{id}/InstantMix", "GetInstantMixFromSong", "InstantMix", "Tracks that go with a track.",
     "200:BaseItemDtoQueryResult", "userId:uuid limit:int32 fields:[ItemFields] enableUserData:bool"},
    {get, "/Playlists/{id}/InstantMix", "GetInstantMixFromPlaylist", "InstantMix", "Tracks that go with a playlist.",
     "200:BaseItemDtoQueryResult", "userId:uuid limit:int32 fields:[ItemFields] enableUserData:bool"},
    {get, "/Artists/InstantMix", "GetInstantMixFromArtists2", "InstantMix", "Tracks that go with an artist.",
     "200:BaseItemDtoQueryResult 404", "id:uuid! userId:uuid limit:int32 fields:[ItemFields] enableUserData:bool"},
    {get, "/MusicGenres/InstantMix", "GetInstantMixFromMusicGenreById", "InstantMix", "Tracks of a genre.",
     "200:BaseItemDtoQueryResult 404", "id:uuid! userId:uuid limit:int32 fields:[ItemFields] enableUserData:bool"},
    {get, "/MusicGenres/{name}/InstantMix", "GetInstantMixFromMusicGenreByName", "InstantMix", "Tracks of a genre.",
     "200:BaseItemDtoQueryResult", "userId:uuid limit:int32 fields:[ItemFields] enableUserData:bool"},
    {get, "/Items/{id}/Similar", "GetSimilarItems", "Library", "What resembles an item.", "200:BaseItemDtoQueryResult",
     "excludeArtistIds:[uuid] userId:uuid limit:int32 fields:[ItemFields]"},
    {get, "/Movies/{id}/Similar", "GetSimilarMovies", "Library", "What resembles a film.", "200:BaseItemDtoQueryResult",
     "excludeArtistIds:[uuid] userId:uuid limit:int32 fields:[ItemFields]"},
    {get, "/Shows/{id}/Similar", "GetSimilarShows", "Library", "What resembles a series.", "200:BaseItemDtoQueryResult",
     "excludeArtistIds:[uuid] userId:uuid limit:int32 fields:[ItemFields]"},
    {get, "/Albums/{id}/Similar", "GetSimilarAlbums", "Library", "What resembles an album.",
     "200:BaseItemDtoQueryResult", "excludeArtistIds:[uuid] userId:uuid limit:int32 fields:[ItemFields]"},
    {get, "/Artists/{id}/Similar", "GetSimilarArtists", "Library", "What resembles an artist.",
     "200:BaseItemDtoQueryResult", "excludeArtistIds:[uuid] userId:uuid limit:int32 fields:[ItemFields]"},
    {get, "/Trailers/{id}/Similar", "GetSimilarTrailers", "Library", "What resembles a trailer.",
     "200:BaseItemDtoQueryResult", "excludeArtistIds:[uuid] userId:uuid limit:int32 fields:[ItemFields]"},
    {get, "/Items/Suggestions", "GetSuggestions", "Suggestions", "Something by chance.",
     "200:BaseItemDtoQueryResult 404",
     "userId:uuid mediaType:[MediaType] type:[BaseItemKind] startIndex:int32 limit:int32 enableTotalRecordCount:bool"},
    {get, "/Movies/Recommendations", "GetMovieRecommendations", "Movies", "Films after what a user has seen and likes.",
     "200:[RecommendationDto] 404",
     "userId:uuid parentId:uuid fields:[ItemFields] categoryLimit:int32 itemLimit:int32"},
    {get, "/Search/Hints", "GetSearchHints", "Search", "What has a name that holds a word.", "200:SearchHintResult 404",
     "startIndex:int32 limit:int32 userId:uuid searchTerm:string! includeItemTypes:[BaseItemKind] "
     "excludeItemTypes:[BaseItemKind] mediaTypes:[MediaType] parentId:uuid includePeople:bool includeMedia:bool "
     "includeArtists:bool includeGenres:bool includeStudios:bool"},
    {get, "/Shows/NextUp", "GetNextUp", "TvShows", "The episode that comes next in each series.",
     "200:BaseItemDtoQueryResult 404",
     "userId:uuid startIndex:int32 limit:int32 fields:[ItemFields] seriesId:uuid parentId:uuid enableUserData:bool "
     "nextUpDateCutoff:time enableTotalRecordCount:bool disableFirstEpisode:bool enableResumable:bool "
     "enableRewatching:bool"},
    {get, "/Shows/Upcoming", "GetUpcomingEpisodes", "TvShows", "Episodes that are to come.",
     "200:BaseItemDtoQueryResult 404",
     "userId:uuid startIndex:int32 limit:int32 fields:[ItemFields] parentId:uuid enableUserData:bool"},
    {get, "/Shows/{seriesId}/Seasons", "GetSeasons", "TvShows", "The seasons of a series.",
     "200:BaseItemDtoQueryResult",
     "userId:uuid fields:[ItemFields] isSpecialSeason:bool isMissing:bool adjacentTo:uuid enableUserData:bool"},
    {get, "/Shows/{seriesId}/Episodes", "GetEpisodes", "TvShows", "The episodes of a series.",
     "200:BaseItemDtoQueryResult",
     "userId:uuid fields:[ItemFields] season:int32 seasonId:uuid isMissing:bool adjacentTo:uuid startItemId:uuid "
     "startIndex:int32 limit:int32 enableUserData:bool sortBy:ItemSortBy"},
};

constexpr LegacyRow legacy[] = {
    {get, "/Users/{userId}/Views", "GetUserViews"},
    {get, "/Users/{userId}/GroupingOptions", "GetGroupingOptions"},
    {get, "/Users/{userId}/Items/Root", "GetRootFolder"},
    {get, "/Users/{userId}/Items/Latest", "GetLatestMedia"},
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
