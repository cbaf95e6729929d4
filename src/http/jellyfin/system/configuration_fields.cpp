// The fields of each section of the configuration, with the defaults of Jellyfin 10.11 (its model classes).
#include <array>

#include "http/jellyfin/system/configuration_sections.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using enum FieldShape;
using Word = std::string_view;

constexpr std::array<Word, 2> saving_conventions{"Legacy", "Compatible"};
constexpr std::array<Word, 9> resolutions{"MatchSource", "P144",  "P240",  "P360", "P480",
                                          "P720",        "P1080", "P1440", "P2160"};
constexpr std::array<Word, 2> trickplay_behaviors{"Blocking", "NonBlocking"};
constexpr std::array<Word, 6> priorities{"Normal", "Idle", "High", "RealTime", "BelowNormal", "AboveNormal"};
constexpr std::array<Word, 5> down_mixes{"None", "Dave750", "NightmodeDialogue", "Rfc7845", "Ac4"};
constexpr std::array<Word, 8> accelerations{"none", "amf", "qsv", "nvenc", "v4l2m2m", "vaapi", "videotoolbox", "rkmpp"};
constexpr std::array<Word, 8> tone_maps{"none", "clip", "linear", "gamma", "reinhard", "hable", "mobius", "bt2390"};
constexpr std::array<Word, 5> tone_modes{"auto", "max", "rgb", "lum", "itp"};
constexpr std::array<Word, 3> tone_ranges{"auto", "tv", "pc"};
constexpr std::array<Word, 11> presets{"auto", "placebo", "veryslow", "slower",    "slow",     "medium",
                                       "fast", "faster",  "veryfast", "superfast", "ultrafast"};
constexpr std::array<Word, 2> deinterlacers{"yadif", "bwdif"};

constexpr auto metadata_option_fields = std::to_array<SectionField>({
    {"ItemType", text, ""},
    {"DisabledMetadataSavers", texts, "[]"},
    {"LocalMetadataReaderOrder", texts, "[]"},
    {"DisabledMetadataFetchers", texts, "[]"},
    {"MetadataFetcherOrder", texts, "[]"},
    {"DisabledImageFetchers", texts, "[]"},
    {"ImageFetcherOrder", texts, "[]"},
});
constexpr auto pair_fields = std::to_array<SectionField>({{"Name", text, ""}, {"Value", text, ""}});
constexpr auto repository_fields =
    std::to_array<SectionField>({{"Name", text, ""}, {"Url", text, ""}, {"Enabled", flag, "false"}});
constexpr auto substitution_fields = std::to_array<SectionField>({{"From", text, "\"\""}, {"To", text, "\"\""}});
constexpr auto receiver_fields = std::to_array<SectionField>({{"Id", text, "\"\""}, {"Name", text, "\"\""}});
constexpr auto trickplay_fields = std::to_array<SectionField>({
    {"EnableHwAcceleration", flag, "false"},
    {"EnableHwEncoding", flag, "false"},
    {"EnableKeyFrameOnlyExtraction", flag, "false"},
    {"ScanBehavior", word, "\"NonBlocking\"", trickplay_behaviors},
    {"ProcessPriority", word, "\"BelowNormal\"", priorities},
    {"Interval", whole, "10000"},
    {"WidthResolutions", wholes, "[320]"},
    {"TileWidth", whole, "10"},
    {"TileHeight", whole, "10"},
    {"Qscale", whole, "4"},
    {"JpegQuality", whole, "90"},
    {"ProcessThreads", whole, "1"},
});

constexpr auto system_fields = std::to_array<SectionField>({
    {"LogFileRetentionDays", whole, "3"},
    {"IsStartupWizardCompleted", flag, "false"},
    {"CachePath", text, ""},
    {"PreviousVersion", text, ""},
    {"PreviousVersionStr", text, ""},
    {"EnableMetrics", flag, "false"},
    {"EnableNormalizedItemByNameIds", flag, "true"},
    {"IsPortAuthorized", flag, "false"},
    {"QuickConnectAvailable", flag, "false"},  // the reference has it on; here it is not served
    {"EnableCaseSensitiveItemIds", flag, "true"},
    {"DisableLiveTvChannelUserDataName", flag, "true"},
    {"MetadataPath", text, "\"\""},
    {"PreferredMetadataLanguage", text, "\"en\""},
    {"MetadataCountryCode", text, "\"US\""},
    {"SortReplaceCharacters", texts, R"([".","+","%"])"},
    {"SortRemoveCharacters", texts, R"([",","&","-","{","}","'"])"},
    {"SortRemoveWords", texts, R"(["the","a","an"])"},
    {"MinResumePct", whole, "5"},
    {"MaxResumePct", whole, "90"},
    {"MinResumeDurationSeconds", whole, "300"},
    {"MinAudiobookResume", whole, "5"},
    {"MaxAudiobookResume", whole, "5"},
    {"InactiveSessionThreshold", whole, "0"},
    {"LibraryMonitorDelay", whole, "60"},
    {"LibraryUpdateDuration", whole, "30"},
    {"CacheSize", whole, "0"},
    {"ImageSavingConvention", word, "\"Legacy\"", saving_conventions},
    {"MetadataOptions", objects, "[]", {}, metadata_option_fields},
    {"SkipDeserializationForBasicTypes", flag, "true"},
    {"ServerName", text, "\"\""},
    {"UICulture", text, "\"en-US\""},
    {"SaveMetadataHidden", flag, "false"},
    {"ContentTypes", objects, "[]", {}, pair_fields},
    {"RemoteClientBitrateLimit", whole, "0"},
    {"EnableFolderView", flag, "false"},
    {"EnableGroupingMoviesIntoCollections", flag, "false"},
    {"EnableGroupingShowsIntoCollections", flag, "false"},
    {"DisplaySpecialsWithinSeasons", flag, "true"},
    {"CodecsUsed", texts, "[]"},
    {"PluginRepositories", objects, "[]", {}, repository_fields},
    {"EnableExternalContentInSuggestions", flag, "true"},
    {"ImageExtractionTimeoutMs", whole, "0"},
    {"PathSubstitutions", objects, "[]", {}, substitution_fields},
    {"EnableSlowResponseWarning", flag, "true"},
    {"SlowResponseThresholdMs", whole, "500"},
    {"CorsHosts", texts, R"(["*"])"},
    {"ActivityLogRetentionDays", whole, "30"},
    {"LibraryScanFanoutConcurrency", whole, "0"},
    {"LibraryMetadataRefreshConcurrency", whole, "0"},
    {"AllowClientLogUpload", flag, "true"},
    {"DummyChapterDuration", whole, "0"},
    {"ChapterImageResolution", word, "\"MatchSource\"", resolutions},
    {"ParallelImageEncodingLimit", whole, "0"},
    {"CastReceiverApplications",
     objects,
     R"([{"Id":"F007D354","Name":"Stable"},{"Id":"6F511C87","Name":"Unstable"}])",
     {},
     receiver_fields},
    {"TrickplayOptions", object, "{}", {}, trickplay_fields},
    {"EnableLegacyAuthorization", flag, "true"},
});

constexpr auto network_fields = std::to_array<SectionField>({
    {"BaseUrl", text, "\"\""},
    {"EnableHttps", flag, "false"},
    {"RequireHttps", flag, "false"},
    {"CertificatePath", text, "\"\""},
    {"CertificatePassword", text, "\"\""},
    {"InternalHttpPort", whole, "8096"},
    {"InternalHttpsPort", whole, "8920"},
    {"PublicHttpPort", whole, "8096"},
    {"PublicHttpsPort", whole, "8920"},
    {"AutoDiscovery", flag, "true"},
    {"EnableUPnP", flag, "false"},
    {"EnableIPv4", flag, "true"},
    {"EnableIPv6", flag, "false"},
    {"EnableRemoteAccess", flag, "true"},
    {"LocalNetworkSubnets", texts, "[]"},
    {"LocalNetworkAddresses", texts, "[]"},
    {"KnownProxies", texts, "[]"},
    {"IgnoreVirtualInterfaces", flag, "true"},
    {"VirtualInterfaceNames", texts, R"(["veth"])"},
    {"EnablePublishedServerUriByRequest", flag, "false"},
    {"PublishedServerUriBySubnet", texts, "[]"},
    {"RemoteIPFilter", texts, "[]"},
    {"IsRemoteIPFilterBlacklist", flag, "false"},
});

constexpr auto encoding_fields = std::to_array<SectionField>({
    {"EncodingThreadCount", whole, "-1"},
    {"TranscodingTempPath", text, ""},
    {"FallbackFontPath", text, ""},
    {"EnableFallbackFont", flag, "false"},
    {"EnableAudioVbr", flag, "false"},
    {"DownMixAudioBoost", real, "2"},
    {"DownMixStereoAlgorithm", word, "\"None\"", down_mixes},
    {"MaxMuxingQueueSize", whole, "2048"},
    {"EnableThrottling", flag, "false"},
    {"ThrottleDelaySeconds", whole, "180"},
    {"EnableSegmentDeletion", flag, "false"},
    {"SegmentKeepSeconds", whole, "720"},
    {"HardwareAccelerationType", word, "\"none\"", accelerations},
    {"EncoderAppPath", text, ""},
    {"EncoderAppPathDisplay", text, ""},
    {"VaapiDevice", text, "\"/dev/dri/renderD128\""},
    {"QsvDevice", text, "\"\""},
    {"EnableTonemapping", flag, "false"},
    {"EnableVppTonemapping", flag, "false"},
    {"EnableVideoToolboxTonemapping", flag, "false"},
    {"TonemappingAlgorithm", word, "\"bt2390\"", tone_maps},
    {"TonemappingMode", word, "\"auto\"", tone_modes},
    {"TonemappingRange", word, "\"auto\"", tone_ranges},
    {"TonemappingDesat", real, "0"},
    {"TonemappingPeak", real, "100"},
    {"TonemappingParam", real, "0"},
    {"VppTonemappingBrightness", real, "16"},
    {"VppTonemappingContrast", real, "1"},
    {"H264Crf", whole, "23"},
    {"H265Crf", whole, "28"},
    {"EncoderPreset", word, "\"auto\"", presets},
    {"DeinterlaceDoubleRate", flag, "false"},
    {"DeinterlaceMethod", word, "\"yadif\"", deinterlacers},
    {"EnableDecodingColorDepth10Hevc", flag, "true"},
    {"EnableDecodingColorDepth10Vp9", flag, "true"},
    {"EnableDecodingColorDepth10HevcRext", flag, "false"},
    {"EnableDecodingColorDepth12HevcRext", flag, "false"},
    {"EnableEnhancedNvdecDecoder", flag, "true"},
    {"PreferSystemNativeHwDecoder", flag, "true"},
    {"EnableIntelLowPowerH264HwEncoder", flag, "false"},
    {"EnableIntelLowPowerHevcHwEncoder", flag, "false"},
    {"EnableHardwareEncoding", flag, "true"},
    {"AllowHevcEncoding", flag, "false"},
    {"AllowAv1Encoding", flag, "false"},
    {"EnableSubtitleExtraction", flag, "true"},
    {"HardwareDecodingCodecs", texts, R"(["h264","vc1"])"},
    {"AllowOnDemandMetadataBasedKeyframeExtractionForExtensions", texts, R"(["mkv"])"},
});

constexpr auto metadata_fields = std::to_array<SectionField>({{"UseFileCreationTimeForDateAdded", flag, "true"}});

constexpr auto tuner_fields = std::to_array<SectionField>({
    {"Id", text, ""},
    {"Url", text, ""},
    {"Type", text, ""},
    {"DeviceId", text, ""},
    {"FriendlyName", text, ""},
    {"ImportFavoritesOnly", flag, "false"},
    {"AllowHWTranscoding", flag, "true"},
    {"AllowFmp4TranscodingContainer", flag, "false"},
    {"AllowStreamSharing", flag, "true"},
    {"FallbackMaxStreamingBitrate", whole, "30000000"},
    {"EnableStreamLooping", flag, "false"},
    {"Source", text, ""},
    {"TunerCount", whole, "0"},
    {"UserAgent", text, ""},
    {"IgnoreDts", flag, "true"},
    {"ReadAtNativeFramerate", flag, "false"},
});
constexpr auto listing_fields = std::to_array<SectionField>({
    {"Id", text, ""},
    {"Type", text, ""},
    {"Username", text, ""},
    {"Password", text, ""},
    {"ListingsId", text, ""},
    {"ZipCode", text, ""},
    {"Country", text, ""},
    {"Path", text, ""},
    {"EnabledTuners", texts, "[]"},
    {"EnableAllTuners", flag, "true"},
    {"NewsCategories", texts, "[]"},
    {"SportsCategories", texts, "[]"},
    {"KidsCategories", texts, "[]"},
    {"MovieCategories", texts, "[]"},
    {"ChannelMappings", objects, "[]", {}, pair_fields},
    {"MoviePrefix", text, ""},
    {"PreferredLanguage", text, ""},
    {"UserAgent", text, ""},
});
constexpr auto livetv_fields = std::to_array<SectionField>({
    {"GuideDays", whole, ""},
    {"RecordingPath", text, ""},
    {"MovieRecordingPath", text, ""},
    {"SeriesRecordingPath", text, ""},
    {"EnableRecordingSubfolders", flag, "false"},
    {"EnableOriginalAudioWithEncodedRecordings", flag, "false"},
    {"TunerHosts", objects, "[]", {}, tuner_fields},
    {"ListingProviders", objects, "[]", {}, listing_fields},
    {"PrePaddingSeconds", whole, "0"},
    {"PostPaddingSeconds", whole, "0"},
    {"MediaLocationsCreated", texts, "[]"},
    {"RecordingPostProcessor", text, ""},
    {"RecordingPostProcessorArguments", text, R"("\"{path}\"")"},
    {"SaveRecordingNFO", flag, "true"},
    {"SaveRecordingImages", flag, "true"},
});

constexpr auto branding_fields = std::to_array<SectionField>(
    {{"LoginDisclaimer", text, ""}, {"CustomCss", text, ""}, {"SplashscreenEnabled", flag, "false"}});

constexpr auto xbmc_fields = std::to_array<SectionField>({
    {"UserId", text, ""},
    {"ReleaseDateFormat", text, "\"yyyy-MM-dd\""},
    {"SaveImagePathsInNfo", flag, "true"},
    {"EnablePathSubstitution", flag, "true"},
    {"EnableExtraThumbsDuplication", flag, "false"},
});

constexpr auto sections = std::to_array<ConfigurationSection>({
    {"system", system_fields},
    {"network", network_fields},
    {"encoding", encoding_fields},
    {"metadata", metadata_fields},
    {"livetv", livetv_fields},
    {"branding", branding_fields},
    {"xbmcmetadata", xbmc_fields},
});
constexpr ConfigurationSection metadata_options{"metadataoptions", metadata_option_fields};

}  // namespace

const ConfigurationSection* find_section(std::string_view key) noexcept {
    for (const auto& section : sections) {
        if (iequals(section.key, key)) return &section;
    }
    return nullptr;
}

const ConfigurationSection& metadata_options_section() noexcept {
    return metadata_options;
}

}  // namespace understudy::http
