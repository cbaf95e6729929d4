// Names that items share: genres, studios, artists, years; and by which of them a list can be narrowed.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"QueryFilters", "Genres:[NameGuidPair]? Tags:[string]?"},
    {"QueryFiltersLegacy", "Genres:[string]? Tags:[string]? OfficialRatings:[string]? Years:[int32]?"},
};

constexpr OperationRow operations[] = {
    {get, "/Genres", "GetGenres", "Genres", "The genres of what a user may see.", "200:BaseItemDtoQueryResult 404",
     "startIndex:int32 limit:int32 searchTerm:string parentId:uuid fields:[ItemFields] "
     "excludeItemTypes:[BaseItemKind] includeItemTypes:[BaseItemKind] isFavorite:bool imageTypeLimit:int32 "
     "enableImageTypes:[ImageType] userId:uuid nameStartsWithOrGreater:string nameStartsWith:string "
     "nameLessThan:string sortBy:[ItemSortBy] sortOrder:[SortOrder] enableImages:bool enableTotalRecordCount:bool"},
    {get, "/Genres/{name}", "GetGenre", "Genres", "One genre.", "200:BaseItemDto", "userId:uuid"},
    {get, "/MusicGenres", "GetMusicGenres", "MusicGenres", "The genres of music of what a user may see.",
     "200:BaseItemDtoQueryResult 404",
     "startIndex:int32 limit:int32 searchTerm:string parentId:uuid fields:[ItemFields] "
     "excludeItemTypes:[BaseItemKind] includeItemTypes:[BaseItemKind] isFavorite:bool imageTypeLimit:int32 "
     "enableImageTypes:[ImageType] userId:uuid nameStartsWithOrGreater:string nameStartsWith:string "
     "nameLessThan:string sortBy:[ItemSortBy] sortOrder:[SortOrder] enableImages:bool enableTotalRecordCount:bool"},
    {get, "/MusicGenres/{name}", "GetMusicGenre", "MusicGenres", "One genre of music.", "200:BaseItemDto",
     "userId:uuid"},
    {get, "/Studios", "GetStudios", "Studios", "The studios of what a user may see.", "200:BaseItemDtoQueryResult 404",
     "startIndex:int32 limit:int32 searchTerm:string parentId:uuid fields:[ItemFields] "
     "excludeItemTypes:[BaseItemKind] includeItemTypes:[BaseItemKind] isFavorite:bool enableUserData:bool "
     "imageTypeLimit:int32 enableImageTypes:[ImageType] userId:uuid nameStartsWithOrGreater:string "
     "nameStartsWith:string nameLessThan:string enableImages:bool enableTotalRecordCount:bool"},
    {get, "/Studios/{name}", "GetStudio", "Studios", "One studio.", "200:BaseItemDto", "userId:uuid"},
    {get, "/Artists", "GetArtists", "Artists", "The artists of what a user may see.", "200:BaseItemDtoQueryResult 404",
     "minCommunityRating:double startIndex:int32 limit:int32 searchTerm:string parentId:uuid fields:[ItemFields] "
     "excludeItemTypes:[BaseItemKind] includeItemTypes:[BaseItemKind] filters:[ItemFilter] isFavorite:bool "
     "mediaTypes:[MediaType] genres:[string] genreIds:[uuid] officialRatings:[string] tags:[string] years:[int32] "
     "enableUserData:bool imageTypeLimit:int32 enableImageTypes:[ImageType] person:string personIds:[uuid] "
     "personTypes:[string] studios:[string] studioIds:[uuid] userId:uuid nameStartsWithOrGreater:string "
     "nameStartsWith:string nameLessThan:string sortBy:[ItemSortBy] sortOrder:[SortOrder] enableImages:bool "
     "enableTotalRecordCount:bool"},
    {get, "/Artists/AlbumArtists", "GetAlbumArtists", "Artists", "The artists of albums.",
     "200:BaseItemDtoQueryResult 404",
     "minCommunityRating:double startIndex:int32 limit:int32 searchTerm:string parentId:uuid fields:[ItemFields] "
     "excludeItemTypes:[BaseItemKind] includeItemTypes:[BaseItemKind] filters:[ItemFilter] isFavorite:bool "
     "mediaTypes:[MediaType] genres:[string] genreIds:[uuid] officialRatings:[string] tags:[string] years:[int32] "
     "enableUserData:bool imageTypeLimit:int32 enableImageTypes:[ImageType] person:string personIds:[uuid] "
     "personTypes:[string] studios:[string] studioIds:[uuid] userId:uuid nameStartsWithOrGreater:string "
     "nameStartsWith:string nameLessThan:string sortBy:[ItemSortBy] sortOrder:[SortOrder] enableImages:bool "
     "enableTotalRecordCount:bool"},
    {get, "/Artists/{name}", "GetArtistByName", "Artists", "One artist.", "200:BaseItemDto", "userId:uuid"},
    {get, "/Years", "GetYears", "Years", "The years of what a user may see.", "200:BaseItemDtoQueryResult 404",
     "startIndex:int32 limit:int32 sortOrder:[SortOrder] parentId:uuid fields:[ItemFields] "
     "excludeItemTypes:[BaseItemKind] includeItemTypes:[BaseItemKind] mediaTypes:[MediaType] sortBy:[ItemSortBy] "
     "enableUserData:bool imageTypeLimit:int32 enableImageTypes:[ImageType] userId:uuid recursive:bool "
     "enableImages:bool"},
    {get, "/Years/{year}", "GetYear", "Years", "One year.", "200:BaseItemDto", "year:int32 userId:uuid"},
    {get, "/Items/Filters", "GetQueryFiltersLegacy", "Filter", "By what a list of items can be narrowed, in words.",
     "200:QueryFiltersLegacy 404", "userId:uuid parentId:uuid includeItemTypes:[BaseItemKind] mediaTypes:[MediaType]"},
    {get, "/Items/Filters2", "GetQueryFilters", "Filter", "By what a list of items can be narrowed, by id.",
     "200:QueryFilters 404",
     "userId:uuid parentId:uuid includeItemTypes:[BaseItemKind] isSports:bool isKids:bool isNews:bool "
     "recursive:bool"},
};

}  // namespace

Group name_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
