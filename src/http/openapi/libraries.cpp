// Libraries, their options, and being told what changed.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"VirtualFolderInfo",
     "Name:string? Locations:[string]? CollectionType:CollectionTypeOptions? LibraryOptions:LibraryOptions? "
     "ItemId:string? RefreshProgress:double? RefreshStatus:string?"},
    {"CollectionTypeOptions", "(movies|tvshows|music|musicvideos|homevideos|boxsets|books|mixed)"},
    {"LibraryOptions",
     "Enabled:bool EnablePhotos:bool EnableRealtimeMonitor:bool EnableLUFSScan:bool "
     "EnableChapterImageExtraction:bool ExtractChapterImagesDuringLibraryScan:bool "
     "EnableTrickplayImageExtraction:bool ExtractTrickplayImagesDuringLibraryScan:bool PathInfos:[MediaPathInfo] "
     "SaveLocalMetadata:bool EnableInternetProviders:bool EnableAutomaticSeriesGrouping:bool "
     "EnableEmbeddedTitles:bool EnableEmbeddedExtrasTitles:bool EnableEmbeddedEpisodeInfos:bool "
     "AutomaticRefreshIntervalDays:int32 PreferredMetadataLanguage:string? MetadataCountryCode:string? "
     "SeasonZeroDisplayName:string MetadataSavers:[string]? DisabledLocalMetadataReaders:[string] "
     "LocalMetadataReaderOrder:[string]? DisabledSubtitleFetchers:[string] SubtitleFetcherOrder:[string] "
     "DisabledMediaSegmentProviders:[string] MediaSegmentProviderOrder:[string] "
     "SkipSubtitlesIfEmbeddedSubtitlesPresent:bool SkipSubtitlesIfAudioTrackMatches:bool "
     "SubtitleDownloadLanguages:[string]? RequirePerfectSubtitleMatch:bool SaveSubtitlesWithMedia:bool "
     "SaveLyricsWithMedia:bool SaveTrickplayWithMedia:bool DisabledLyricFetchers:[string] "
     "LyricFetcherOrder:[string] PreferNonstandardArtistsTag:bool UseCustomTagDelimiters:bool "
     "CustomTagDelimiters:[string] DelimiterWhitelist:[string] AutomaticallyAddToCollection:bool "
     "AllowEmbeddedSubtitles:EmbeddedSubtitleOptions TypeOptions:[TypeOptions] RemoveMissingAfterDays:int32?"},
    {"MediaPathInfo", "Path:string"},
    {"TypeOptions",
     "Type:string? MetadataFetchers:[string]? MetadataFetcherOrder:[string]? ImageFetchers:[string]? "
     "ImageFetcherOrder:[string]? ImageOptions:[ImageOption]?"},
    {"ImageOption", "Type:ImageType Limit:int32 MinWidth:int32"},
    {"EmbeddedSubtitleOptions", "(AllowAll|AllowText|AllowImage|AllowNone)"},
    {"AddVirtualFolderDto", "LibraryOptions:LibraryOptions*?"},
    {"UpdateLibraryOptionsDto", "Id:uuid LibraryOptions:LibraryOptions*"},
    {"MediaUpdateInfoDto", "Updates:[MediaUpdateInfoPathDto]"},
    {"MediaUpdateInfoPathDto", "Path:string? UpdateType:string?"},
};

constexpr OperationRow operations[] = {
    {get, "/Library/VirtualFolders", "GetVirtualFolders", "LibraryStructure", "Lists the libraries.",
     "200:[VirtualFolderInfo]"},
    {post, "/Library/VirtualFolders", "AddVirtualFolder", "LibraryStructure", "Adds a library.", "204 409",
     "name:string! collectionType:CollectionTypeOptions! paths:[string] refreshLibrary:bool strict:bool",
     "AddVirtualFolderDto"},
    {del, "/Library/VirtualFolders", "RemoveVirtualFolder", "LibraryStructure", "Forgets a library; its files stay.",
     "204 404", "name:string! refreshLibrary:bool"},
    {post, "/Library/VirtualFolders/LibraryOptions", "UpdateLibraryOptions", "LibraryStructure",
     "Sets the options of a library.", "204 404", "partial:bool", "UpdateLibraryOptionsDto!"},
    {post, "/Library/Refresh", "RefreshLibrary", "Library", "Scans all libraries.", "204"},
    {post, "/Library/Media/Updated", "PostUpdatedMedia", "Library",
     "Scans the folders and files that somebody has changed.", "204", "", "MediaUpdateInfoDto"},
};

}  // namespace

Group library_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
