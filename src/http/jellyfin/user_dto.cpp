#include "http/jellyfin/user_dto.h"

#include <array>

namespace understudy::http {
namespace {

struct Flag {
    std::string_view name;
    bool value;
};
struct Number {
    std::string_view name;
    int value;
};
struct Text {
    std::string_view name, value;
};

// Jellyfin 10.11: User.AddDefaultPermissions and UserPolicy's constructor.
constexpr std::array policy_flags{
    Flag{"IsAdministrator", false},
    Flag{"IsHidden", true},
    Flag{"EnableCollectionManagement", false},
    Flag{"EnableSubtitleManagement", false},
    Flag{"EnableLyricManagement", false},
    Flag{"IsDisabled", false},
    Flag{"EnableUserPreferenceAccess", true},
    Flag{"EnableRemoteControlOfOtherUsers", false},
    Flag{"EnableSharedDeviceControl", true},
    Flag{"EnableRemoteAccess", true},
    Flag{"EnableLiveTvManagement", true},
    Flag{"EnableLiveTvAccess", true},
    Flag{"EnableMediaPlayback", true},
    Flag{"EnableAudioPlaybackTranscoding", true},
    Flag{"EnableVideoPlaybackTranscoding", true},
    Flag{"EnablePlaybackRemuxing", true},
    Flag{"ForceRemoteSourceTranscoding", false},
    Flag{"EnableContentDeletion", false},
    Flag{"EnableContentDownloading", true},
    Flag{"EnableSyncTranscoding", true},
    Flag{"EnableMediaConversion", true},
    Flag{"EnableAllDevices", true},
    Flag{"EnableAllChannels", true},
    Flag{"EnableAllFolders", true},
    Flag{"EnablePublicSharing", true},
};
constexpr std::array policy_numbers{
    Number{"InvalidLoginAttemptCount", 0},
    Number{"LoginAttemptsBeforeLockout", -1},
    Number{"MaxActiveSessions", 0},
    Number{"RemoteClientBitrateLimit", 0},
};
constexpr std::array policy_texts{
    Text{"AuthenticationProviderId", "Jellyfin.Server.Implementations.Users.DefaultAuthenticationProvider"},
    Text{"PasswordResetProviderId", "Jellyfin.Server.Implementations.Users.DefaultPasswordResetProvider"},
    Text{"SyncPlayAccess", "CreateAndJoinGroups"},
};
constexpr std::array<std::string_view, 10> policy_lists{
    "BlockedTags",    "AllowedTags",     "AccessSchedules", "BlockUnratedItems",   "EnableContentDeletionFromFolders",
    "EnabledDevices", "EnabledChannels", "EnabledFolders",  "BlockedMediaFolders", "BlockedChannels"};

constexpr std::array configuration_flags{
    Flag{"PlayDefaultAudioTrack", true},      Flag{"DisplayMissingEpisodes", false},
    Flag{"DisplayCollectionsView", false},    Flag{"EnableLocalPassword", false},
    Flag{"HidePlayedInLatest", true},         Flag{"RememberAudioSelections", true},
    Flag{"RememberSubtitleSelections", true}, Flag{"EnableNextEpisodeAutoPlay", true},
};
constexpr std::array configuration_texts{Text{"SubtitleMode", "Default"}, Text{"CastReceiverId", "F007D354"}};
constexpr std::array<std::string_view, 4> configuration_lists{"GroupedFolders", "OrderedViews", "LatestItemsExcludes",
                                                              "MyMediaExcludes"};

template <class Fields>
void write_fields(JsonWriter& out, const Fields& fields) {
    for (const auto& field : fields) out.field(field.name, field.value);
}
template <class Names>
void write_empty_lists(JsonWriter& out, const Names& names) {
    for (const auto name : names) out.name(name).begin_array().end_array();
}

}  // namespace

void write_user(JsonWriter& out, const store::User& user, std::string_view server_id) {
    out.begin_object().field("Name", user.name).field("ServerId", server_id).field("Id", user.id);
    out.field("HasPassword", false).field("HasConfiguredPassword", false).field("HasConfiguredEasyPassword", false);
    out.field("EnableAutoLogin", false);
    out.name("Configuration").begin_object();
    write_fields(out, configuration_flags);
    write_fields(out, configuration_texts);
    write_empty_lists(out, configuration_lists);
    out.end_object();
    out.name("Policy").begin_object();
    write_fields(out, policy_flags);
    write_fields(out, policy_numbers);
    write_fields(out, policy_texts);
    write_empty_lists(out, policy_lists);
    out.end_object().end_object();
}

}  // namespace understudy::http
