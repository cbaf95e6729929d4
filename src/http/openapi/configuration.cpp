// What the server and its clients are set to.
#include "http/openapi/tables.h"

namespace understudy::http::openapi {
namespace {

using enum Method;

constexpr SchemaRow schemas[] = {
    {"ServerConfiguration",
     "LogFileRetentionDays:int32 IsStartupWizardCompleted:bool CachePath:string? PreviousVersion:string? "
     "PreviousVersionStr:string? EnableMetrics:bool EnableNormalizedItemByNameIds:bool IsPortAuthorized:bool "
     "QuickConnectAvailable:bool EnableCaseSensitiveItemIds:bool DisableLiveTvChannelUserDataName:bool "
     "MetadataPath:string PreferredMetadataLanguage:string MetadataCountryCode:string "
     "SortReplaceCharacters:[string] SortRemoveCharacters:[string] SortRemoveWords:[string] MinResumePct:int32 "
     "MaxResumePct:int32 MinResumeDurationSeconds:int32 MinAudiobookResume:int32 MaxAudiobookResume:int32 "
     "InactiveSessionThreshold:int32 LibraryMonitorDelay:int32 LibraryUpdateDuration:int32 CacheSize:int32 "
     "ImageSavingConvention:ImageSavingConvention MetadataOptions:[MetadataOptions] "
     "SkipDeserializationForBasicTypes:bool ServerName:string UICulture:string SaveMetadataHidden:bool "
     "ContentTypes:[NameValuePair] RemoteClientBitrateLimit:int32 EnableFolderView:bool "
     "EnableGroupingMoviesIntoCollections:bool EnableGroupingShowsIntoCollections:bool "
     "DisplaySpecialsWithinSeasons:bool CodecsUsed:[string] PluginRepositories:[RepositoryInfo] "
     "EnableExternalContentInSuggestions:bool ImageExtractionTimeoutMs:int32 PathSubstitutions:[PathSubstitution] "
     "EnableSlowResponseWarning:bool SlowResponseThresholdMs:int64 CorsHosts:[string] "
     "ActivityLogRetentionDays:int32? LibraryScanFanoutConcurrency:int32 LibraryMetadataRefreshConcurrency:int32 "
     "AllowClientLogUpload:bool DummyChapterDuration:int32 ChapterImageResolution:ImageResolution "
     "ParallelImageEncodingLimit:int32 CastReceiverApplications:[CastReceiverApplication] "
     "TrickplayOptions:TrickplayOptions EnableLegacyAuthorization:bool"},
    {"ImageSavingConvention", "(Legacy|Compatible)"},
    {"MetadataOptions",
     "ItemType:string? DisabledMetadataSavers:[string]? LocalMetadataReaderOrder:[string]? "
     "DisabledMetadataFetchers:[string]? MetadataFetcherOrder:[string]? DisabledImageFetchers:[string]? "
     "ImageFetcherOrder:[string]?"},
    {"NameValuePair", "Name:string? Value:string?"},
    {"RepositoryInfo", "Name:string? Url:string? Enabled:bool"},
    {"PathSubstitution", "From:string To:string"},
    {"ImageResolution", "(MatchSource|P144|P240|P360|P480|P720|P1080|P1440|P2160)"},
    {"TrickplayOptions",
     "EnableHwAcceleration:bool EnableHwEncoding:bool EnableKeyFrameOnlyExtraction:bool "
     "ScanBehavior:TrickplayScanBehavior ProcessPriority:ProcessPriorityClass Interval:int32 "
     "WidthResolutions:[int32] TileWidth:int32 TileHeight:int32 Qscale:int32 JpegQuality:int32 ProcessThreads:int32"},
    {"TrickplayScanBehavior", "(Blocking|NonBlocking)"},
    {"ProcessPriorityClass", "(Normal|Idle|High|RealTime|BelowNormal|AboveNormal)"},
    {"BrandingOptionsDto", "LoginDisclaimer:string? CustomCss:string? SplashscreenEnabled:bool"},
    {"DisplayPreferencesDto",
     "Id:string? ViewType:string? SortBy:string? IndexBy:string? RememberIndexing:bool PrimaryImageHeight:int32 "
     "PrimaryImageWidth:int32 CustomPrefs:{string} ScrollDirection:ScrollDirection ShowBackdrop:bool "
     "RememberSorting:bool SortOrder:SortOrder ShowSidebar:bool Client:string?"},
    {"ScrollDirection", "(Horizontal|Vertical)"},
};

constexpr OperationRow operations[] = {
    {get, "/System/Configuration", "GetConfiguration", "Configuration", "What the server is set to.",
     "200:ServerConfiguration"},
    {post, "/System/Configuration", "UpdateConfiguration", "Configuration", "Sets it.", "204", "",
     "ServerConfiguration*"},
    {get, "/System/Configuration/{key}", "GetNamedConfiguration", "Configuration",
     "A named part of what the server is set to.", "200:object"},
    {post, "/System/Configuration/{key}", "UpdateNamedConfiguration", "Configuration", "Sets a named part.", "204", "",
     "object"},
    {get, "/System/Configuration/MetadataOptions/Default", "GetDefaultMetadataOptions", "Configuration",
     "What is set for a kind of item of which nothing is said.", "200:MetadataOptions"},
    {get, "/Repositories", "GetRepositories", "Package", "Repositories of plugins, which are kept and not looked at.",
     "200:[RepositoryInfo]"},
    {post, "/Repositories", "SetRepositories", "Package", "Keeps them.", "204", "", "[RepositoryInfo]"},
    {get, "/Branding/Configuration", "GetBrandingOptions", "Branding", "What a login page shows.",
     "200:BrandingOptionsDto"},
    {get, "/Branding/Css", "GetBrandingCss", "Branding", "Style that a client adds to its own.", "200:css 204"},
    {get, "/Branding/Css.css", "GetBrandingCss_2", "Branding", "Style that a client adds to its own.", "200:css 204"},
    {get, "/Branding/Splashscreen", "GetSplashscreen", "Image",
     "The picture behind the login: a given one, else posters of what everybody may see.", "200:picture 304 404",
     "tag:string format:ImageFormat maxWidth:int32 maxHeight:int32 width:int32 height:int32 quality:int32 "
     "fillWidth:int32 fillHeight:int32"},
    {post, "/Branding/Splashscreen", "UploadCustomSplashscreen", "Image", "Gives the picture behind the login.", "204",
     "", "picture!"},
    {del, "/Branding/Splashscreen", "DeleteCustomSplashscreen", "Image", "Takes the given picture away.", "204"},
    {get, "/DisplayPreferences/{key}", "GetDisplayPreferences", "DisplayPreferences", "How a client shows something.",
     "200:DisplayPreferencesDto", "userId:uuid client:string!"},
    {post, "/DisplayPreferences/{key}", "UpdateDisplayPreferences", "DisplayPreferences",
     "Keeps how a client shows something.", "204", "userId:uuid client:string!", "DisplayPreferencesDto*"},
};

}  // namespace

Group configuration_group() {
    return {schemas, operations, {}};
}

}  // namespace understudy::http::openapi
