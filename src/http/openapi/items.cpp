// Items and people.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"BaseItemDtoQueryResult", "Items:[BaseItemDto] TotalRecordCount:int32 StartIndex:int32"},
    {"BaseItemDto",
     "Name:string? OriginalTitle:string? ServerId:string? Id:uuid PlaylistItemId:string? DateCreated:time? "
     "ExtraType:ExtraType? CanDelete:bool? CanDownload:bool? HasSubtitles:bool? "
     "Container:string? SortName:string? ForcedSortName:string? PremiereDate:time? MediaSources:[MediaSourceInfo]? "
     "ProductionLocations:[string]? Path:string? OfficialRating:string? Overview:string? Taglines:[string]? "
     "Genres:[string]? CommunityRating:float? RunTimeTicks:int64? ProductionYear:int32? IndexNumber:int32? "
     "IndexNumberEnd:int32? ParentIndexNumber:int32? RemoteTrailers:[MediaUrl]? ProviderIds:{string}? IsHD:bool? "
     "IsFolder:bool? ParentId:uuid? Type:BaseItemKind People:[BaseItemPerson]? Studios:[NameGuidPair]? "
     "ParentLogoItemId:uuid? ParentBackdropItemId:uuid? ParentBackdropImageTags:[string]? LocalTrailerCount:int32? "
     "UserData:UserItemDataDto? ChildCount:int32? TrailerCount:int32? MovieCount:int32? SeriesCount:int32? "
     "ProgramCount:int32? "
     "EpisodeCount:int32? SongCount:int32? AlbumCount:int32? ArtistCount:int32? MusicVideoCount:int32? "
     "SeriesName:string? SeriesId:uuid? SeasonId:uuid? "
     "SpecialFeatureCount:int32? Status:string? Tags:[string]? Artists:[string]? Album:string? "
     "CollectionType:CollectionType? AlbumId:uuid? AlbumPrimaryImageTag:string? SeriesPrimaryImageTag:string? "
     "AlbumArtist:string? SeasonName:string? MediaStreams:[MediaStream]? VideoType:VideoType? "
     "MediaSourceCount:int32? ImageTags:{string}? BackdropImageTags:[string]? ParentLogoImageTag:string? "
     "ParentArtItemId:uuid? ParentArtImageTag:string? ParentThumbItemId:uuid? ParentThumbImageTag:string? "
     "Chapters:[ChapterInfo]? LocationType:LocationType? MediaType:MediaType ArtistItems:[NameGuidPair]? "
     "AlbumArtists:[NameGuidPair]? GenreItems:[NameGuidPair]? DisplayPreferencesId:string? "
     "EnableMediaSourceDisplay:bool? Etag:string? ExternalUrls:[ExternalUrl]? PlayAccess:PlayAccess? "
     "PrimaryImageAspectRatio:double? RecursiveItemCount:int32? EndDate:time? Width:int32? "
     "Height:int32? NormalizationGain:float?"},
    {"BaseItemKind",
     "(AggregateFolder|Audio|AudioBook|BasePluginFolder|Book|BoxSet|Channel|ChannelFolderItem|CollectionFolder|"
     "Episode|Folder|Genre|ManualPlaylistsFolder|Movie|LiveTvChannel|LiveTvProgram|MusicAlbum|MusicArtist|"
     "MusicGenre|MusicVideo|Person|Photo|PhotoAlbum|Playlist|PlaylistsFolder|Program|Recording|Season|Series|"
     "Studio|Trailer|TvChannel|TvProgram|UserRootFolder|UserView|Video|Year)"},
    {"BaseItemPerson", "Name:string? Id:uuid Role:string? Type:PersonKind PrimaryImageTag:string?"},
    {"PersonKind",
     "(Unknown|Actor|Director|Composer|Writer|GuestStar|Producer|Conductor|Lyricist|Arranger|Engineer|Mixer|"
     "Remixer|Creator|Artist|AlbumArtist|Author|Illustrator|Penciller|Inker|Colorist|Letterer|CoverArtist|Editor|"
     "Translator)"},
    {"NameGuidPair", "Name:string? Id:uuid"},
    {"ExternalUrl", "Name:string? Url:string?"},
    {"PlayAccess", "(Full|None)"},
    {"SeriesStatus", "(Continuing|Ended|Unreleased)"},
    {"MediaUrl", "Url:string? Name:string?"},
    {"CollectionType",
     "(unknown|movies|tvshows|music|musicvideos|trailers|homevideos|boxsets|books|photos|livetv|playlists|folders)"},
    {"ExtraType",
     "(Unknown|Clip|Trailer|BehindTheScenes|DeletedScene|Interview|Scene|Sample|ThemeSong|ThemeVideo|Featurette|"
     "Short)"},
    {"LocationType", "(FileSystem|Remote|Virtual|Offline)"},
    {"ItemFields",
     "(AirTime|CanDelete|CanDownload|ChannelInfo|Chapters|Trickplay|ChildCount|CumulativeRunTimeTicks|CustomRating|"
     "DateCreated|DateLastMediaAdded|DisplayPreferencesId|Etag|ExternalUrls|Genres|ItemCounts|MediaSourceCount|"
     "MediaSources|OriginalTitle|Overview|ParentId|Path|People|PlayAccess|ProductionLocations|ProviderIds|"
     "PrimaryImageAspectRatio|RecursiveItemCount|Settings|SeriesStudio|SortName|SpecialEpisodeNumbers|Studios|"
     "Taglines|Tags|RemoteTrailers|MediaStreams|SeasonUserData|DateLastRefreshed|DateLastSaved|RefreshState|"
     "ChannelImage|EnableMediaSourceDisplay|Width|Height|ExtraIds|LocalTrailerCount|IsHD|SpecialFeatureCount)"},
    {"ItemFilter",
     "(IsFolder|IsNotFolder|IsUnplayed|IsPlayed|IsFavorite|IsResumable|Likes|Dislikes|IsFavoriteOrLikes)"},
    {"ItemSortBy",
     "(Default|AiredEpisodeOrder|Album|AlbumArtist|Artist|DateCreated|OfficialRating|DatePlayed|PremiereDate|"
     "StartDate|SortName|Name|Random|Runtime|CommunityRating|ProductionYear|PlayCount|CriticRating|IsFolder|"
     "IsUnplayed|IsPlayed|SeriesSortName|VideoBitRate|AirTime|Studio|IsFavoriteOrLiked|DateLastContentAdded|"
     "SeriesDatePlayed|ParentIndexNumber|IndexNumber)"},
    {"SortOrder", "(Ascending|Descending)"},
    {"ItemEdit", "Name:string"},
};

constexpr OperationRow operations[] = {
    {get, "/Items", "GetItems", "Items", "A page of items, or the libraries.", "200:BaseItemDtoQueryResult 404",
     "userId:uuid parentId:uuid recursive:bool includeItemTypes:[BaseItemKind] excludeItemTypes:[BaseItemKind] "
     "mediaTypes:[MediaType] ids:[uuid] searchTerm:string sortBy:[ItemSortBy] sortOrder:[SortOrder] "
     "startIndex:int32 limit:int32 fields:[ItemFields] enableUserData:bool isPlayed:bool isFavorite:bool "
     "filters:[ItemFilter] adjacentTo:uuid albumArtistIds:[uuid] albumIds:[uuid] albums:[string] "
     "anyProviderIdEquals:string artistIds:[uuid] artists:[string] contributingArtistIds:[uuid] enableImages:bool "
     "enableImageTypes:[ImageType] enableTotalRecordCount:bool excludeArtistIds:[uuid] excludeItemIds:[uuid] "
     "excludeLocationTypes:[LocationType] genreIds:[uuid] genres:[string] hasImdbId:bool hasOfficialRating:bool "
     "hasOverview:bool hasParentalRating:bool hasSpecialFeature:bool hasSubtitles:bool hasThemeSong:bool "
     "hasThemeVideo:bool hasTmdbId:bool hasTrailer:bool hasTvdbId:bool imageTypeLimit:int32 imageTypes:[ImageType] "
     "indexNumber:int32 is3D:bool is4K:bool isFolder:bool isHd:bool isKids:bool isLocked:bool isMissing:bool "
     "isNews:bool isPlaceHolder:bool isSports:bool isUnaired:bool locationTypes:[LocationType] maxHeight:int32 "
     "maxPremiereDate:time maxWidth:int32 minCommunityRating:double minCriticRating:double minDateLastSaved:time "
     "minDateLastSavedForUser:time minHeight:int32 minPremiereDate:time minWidth:int32 nameLessThan:string "
     "nameStartsWith:string nameStartsWithOrGreater:string officialRatings:[string] parentIndexNumber:int32 "
     "person:string personIds:[uuid] personTypes:[string] seriesStatus:[SeriesStatus] studioIds:[uuid] "
     "studios:[string] tags:[string] videoTypes:[VideoType] years:[int32] collapseBoxSetItems:bool "
     "maxOfficialRating:string minOfficialRating:string"},
    {del, "/Items", "DeleteItems", "Library", "Removes collections and playlists.", "204 404 409", "ids:[uuid]!"},
    {get, "/Items/{id}", "GetItem", "UserLibrary", "One item with all its fields, a library, or a person.",
     "200:BaseItemDto", "userId:uuid"},
    {post, "/Items/{id}", "UpdateItem", "ItemUpdate", "Renames a collection or playlist.", "204 409", "", "ItemEdit!"},
    {del, "/Items/{id}", "DeleteItem", "Library", "Removes a collection or playlist.", "204 409"},
    {get, "/Items/{id}/SpecialFeatures", "GetSpecialFeatures", "UserLibrary",
     "The extras of an item, but trailers and theme music.", "200:[BaseItemDto]", "userId:uuid"},
    {get, "/Items/{id}/LocalTrailers", "GetLocalTrailers", "UserLibrary", "The trailers of an item.",
     "200:[BaseItemDto]", "userId:uuid"},
    {get, "/UserItems/Resume", "GetResumeItems", "Items", "What a user has begun, last played first.",
     "200:BaseItemDtoQueryResult 404",
     "userId:uuid parentId:uuid mediaTypes:[MediaType] startIndex:int32 limit:int32 excludeActiveSessions:bool"},
    {get, "/Persons", "GetPersons", "Persons", "People by name, or in the order of the credits of an item.",
     "200:BaseItemDtoQueryResult",
     "searchTerm:string limit:int32 fields:[ItemFields] appearsInItemId:uuid filters:[ItemFilter] isFavorite:bool "
     "personTypes:[string] excludePersonTypes:[string] enableUserData:bool userId:uuid"},
    {get, "/Persons/{name}", "GetPerson", "Persons", "Somebody by their whole name.", "200:BaseItemDto", "userId:uuid"},
};

constexpr LegacyRow legacy[] = {
    {get, "/Users/{userId}/Items", "GetItems"},
    {get, "/Users/{userId}/Items/{id}", "GetItem"},
    {get, "/Users/{userId}/Items/Resume", "GetResumeItems"},
};

}  // namespace

Group item_group() {
    return {schemas, operations, legacy};
}

}  // namespace understudy::http::openapi
