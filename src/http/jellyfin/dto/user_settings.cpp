#include "http/jellyfin/dto/user_settings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "core/ids.h"
#include "http/problem.h"
#include "http/text.h"

namespace understudy::http {
namespace {

enum class Shape { flag, number, text, word, texts, ids, words, none };

struct Field {
    std::string_view name;
    Shape shape;
    std::string_view otherwise;  ///< JSON; empty: left out
    std::span<const std::string_view> words = {};
};

using Words = std::string_view;
constexpr std::array<Words, 3> sync_play{"CreateAndJoinGroups", "JoinGroups", "None"};
constexpr std::array<Words, 9> unrated{"Movie",         "Trailer",       "Series",         "Music", "Book",
                                       "LiveTvChannel", "LiveTvProgram", "ChannelContent", "Other"};
constexpr std::array<Words, 5> subtitle_modes{"Default", "Always", "OnlyForced", "None", "Smart"};

// Jellyfin 10.11: User.AddDefaultPermissions and UserPolicy's constructor.
constexpr auto policy_fields = std::to_array<Field>({
    {"IsAdministrator", Shape::flag, "false"},
    {"IsHidden", Shape::flag, "true"},
    {"EnableCollectionManagement", Shape::flag, "false"},
    {"EnableSubtitleManagement", Shape::flag, "false"},
    {"EnableLyricManagement", Shape::flag, "false"},
    {"IsDisabled", Shape::flag, "false"},
    {"MaxParentalRating", Shape::number, ""},
    {"MaxParentalSubRating", Shape::number, ""},
    {"BlockedTags", Shape::texts, "[]"},
    {"AllowedTags", Shape::texts, "[]"},
    {"EnableUserPreferenceAccess", Shape::flag, "true"},
    {"AccessSchedules", Shape::none, "[]"},
    {"BlockUnratedItems", Shape::words, "[]", unrated},
    {"EnableRemoteControlOfOtherUsers", Shape::flag, "false"},
    {"EnableSharedDeviceControl", Shape::flag, "true"},
    {"EnableRemoteAccess", Shape::flag, "true"},
    {"EnableLiveTvManagement", Shape::flag, "true"},
    {"EnableLiveTvAccess", Shape::flag, "true"},
    {"EnableMediaPlayback", Shape::flag, "true"},
    {"EnableAudioPlaybackTranscoding", Shape::flag, "true"},
    {"EnableVideoPlaybackTranscoding", Shape::flag, "true"},
    {"EnablePlaybackRemuxing", Shape::flag, "true"},
    {"ForceRemoteSourceTranscoding", Shape::flag, "false"},
    {"EnableContentDeletion", Shape::flag, "false"},
    {"EnableContentDeletionFromFolders", Shape::texts, "[]"},
    {"EnableContentDownloading", Shape::flag, "true"},
    {"EnableSyncTranscoding", Shape::flag, "true"},
    {"EnableMediaConversion", Shape::flag, "true"},
    {"EnabledDevices", Shape::texts, "[]"},
    {"EnableAllDevices", Shape::flag, "true"},
    {"EnabledChannels", Shape::ids, "[]"},
    {"EnableAllChannels", Shape::flag, "true"},
    {"EnabledFolders", Shape::ids, "[]"},
    {"EnableAllFolders", Shape::flag, "true"},
    {"InvalidLoginAttemptCount", Shape::number, "0"},
    {"LoginAttemptsBeforeLockout", Shape::number, "-1"},
    {"MaxActiveSessions", Shape::number, "0"},
    {"EnablePublicSharing", Shape::flag, "true"},
    {"BlockedMediaFolders", Shape::ids, "[]"},
    {"BlockedChannels", Shape::ids, "[]"},
    {"RemoteClientBitrateLimit", Shape::number, "0"},
    {"AuthenticationProviderId", Shape::text,
     "\"Jellyfin.Server.Implementations.Users.DefaultAuthenticationProvider\""},
    {"PasswordResetProviderId", Shape::text, "\"Jellyfin.Server.Implementations.Users.DefaultPasswordResetProvider\""},
    {"SyncPlayAccess", Shape::word, "\"CreateAndJoinGroups\"", sync_play},
});

constexpr auto configuration_fields = std::to_array<Field>({
    {"AudioLanguagePreference", Shape::text, ""},
    {"PlayDefaultAudioTrack", Shape::flag, "true"},
    {"SubtitleLanguagePreference", Shape::text, ""},
    {"DisplayMissingEpisodes", Shape::flag, "false"},
    {"GroupedFolders", Shape::ids, "[]"},
    {"SubtitleMode", Shape::word, "\"Default\"", subtitle_modes},
    {"DisplayCollectionsView", Shape::flag, "false"},
    {"EnableLocalPassword", Shape::flag, "false"},
    {"OrderedViews", Shape::ids, "[]"},
    {"LatestItemsExcludes", Shape::ids, "[]"},
    {"MyMediaExcludes", Shape::ids, "[]"},
    {"HidePlayedInLatest", Shape::flag, "true"},
    {"RememberAudioSelections", Shape::flag, "true"},
    {"RememberSubtitleSelections", Shape::flag, "true"},
    {"EnableNextEpisodeAutoPlay", Shape::flag, "true"},
    {"CastReceiverId", Shape::text, "\"F007D354\""},
});

/// Restrictions that nothing here keeps, with the value that restricts nothing.
constexpr auto not_kept = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"EnableAllDevices", "true"},
    {"EnableRemoteAccess", "true"},
    {"BlockedMediaFolders", "[]"},
    {"BlockedTags", "[]"},
    {"AllowedTags", "[]"},
    {"AccessSchedules", "[]"},
    {"BlockUnratedItems", "[]"},
    {"MaxParentalRating", ""},
    {"MaxParentalSubRating", ""},
    {"MaxActiveSessions", "0"},
});

std::optional<std::string_view> word_in(const Field& field, std::string_view text) {
    const auto at = std::ranges::find_if(field.words, [&](Words word) { return iequals(word, text); });
    return at == field.words.end() ? std::nullopt : std::optional<std::string_view>(*at);
}

tl::unexpected<core::Error> no_word(const Field& field, std::string_view text) {
    std::string all;
    for (const auto word : field.words) all += (all.empty() ? "" : ", ") + std::string(word);
    return core::fail(core::Errc::invalid,
                      std::string(field.name) + ": '" + printable(text) + "' is not known; use " + all);
}

core::Result<std::optional<std::string>> read_list(const JsonBody& body, const Field& field) {
    auto texts = body.texts(field.name);
    if (!texts) return tl::unexpected(texts.error());
    if (!*texts) return std::optional<std::string>();
    JsonWriter out;
    out.begin_array();
    for (const auto& text : **texts) {
        if (field.shape == Shape::texts) {
            out.value(text);
        } else if (field.shape == Shape::words) {
            const auto word = word_in(field, text);
            if (!word) return no_word(field, text);
            out.value(*word);
        } else {
            const auto id = core::ItemId::parse(text);
            if (!id) return tl::unexpected(wrong_id(field.name, text));
            out.value(*id);
        }
    }
    out.end_array();
    return std::optional(out.take());
}

/// JSON of one field; nullopt where it is not said.
core::Result<std::optional<std::string>> read_field(const JsonBody& body, const Field& field) {
    JsonWriter out;
    switch (field.shape) {
        case Shape::flag: {
            const auto flag = body.boolean(field.name);
            if (!flag) return tl::unexpected(flag.error());
            if (!*flag) return std::optional<std::string>();
            return std::optional(out.value(**flag).take());
        }
        case Shape::number: {
            const auto number = body.number(field.name);
            if (!number) return tl::unexpected(number.error());
            if (!*number) return std::optional<std::string>();
            constexpr std::int64_t most = 2'147'483'647;
            if (**number < -most || **number > most) {
                return core::fail(core::Errc::invalid, std::string(field.name) + ": " + std::to_string(**number) +
                                                           " is out of range; use " + std::to_string(-most) + " to " +
                                                           std::to_string(most));
            }
            return std::optional(out.value(**number).take());
        }
        case Shape::text:
        case Shape::word: {
            const auto text = body.text(field.name);
            if (!text) return tl::unexpected(text.error());
            if (!*text) return std::optional<std::string>();
            if (field.shape == Shape::text) return std::optional(out.value(**text).take());
            const auto word = word_in(field, **text);
            if (!word) return no_word(field, **text);
            return std::optional(out.value(*word).take());
        }
        case Shape::texts:
        case Shape::ids:
        case Shape::words:
            return read_list(body, field);
        case Shape::none:
            return body.json(field.name);
    }
    return std::optional<std::string>();
}

core::Result<std::string> read_fields(const JsonBody& body, std::span<const Field> fields) {
    JsonWriter out;
    out.begin_object();
    for (const auto& field : fields) {
        const auto value = read_field(body, field);
        if (!value) return tl::unexpected(value.error());
        if (*value) out.key(field.name).raw(**value);
    }
    auto json = out.end_object().take();
    constexpr std::size_t most = 65'536;  // of one user, who is listed with all others
    if (json.size() > most) {
        return core::fail(core::Errc::invalid, "these settings take " + std::to_string(json.size()) +
                                                   " bytes; at most " + std::to_string(most) + " are kept of a user");
    }
    return json;
}

/// What is stored was checked when it came; a row that somebody else wrote shows as if nothing was set.
JsonBody stored(const std::string& json) {
    auto body = JsonBody::parse(json);
    if (!body) body = JsonBody::parse("{}");
    return std::move(*body);
}

void write_fields(JsonWriter& out, const JsonBody& known, std::span<const Field> fields) {
    for (const auto& field : fields) {
        const auto value = read_field(known, field);
        if (value && *value)
            out.name(field.name).raw(**value);
        else if (!field.otherwise.empty())
            out.name(field.name).raw(field.otherwise);
    }
}

}  // namespace

core::Result<store::UserPolicy> read_policy(const JsonBody& body) {
    for (const auto& [name, harmless] : not_kept) {
        const auto value = body.json(name);
        if (!value || *value == harmless || iequals(*value, '"' + std::string(harmless) + '"')) continue;
        return core::fail(core::Errc::invalid,
                          std::string(name) + ": " + printable(*value) +
                              " would restrict this user, and that is not kept here yet; " +
                              (harmless.empty() ? std::string("leave it out") : "use " + std::string(harmless)));
    }
    const auto lockout = body.number("LoginAttemptsBeforeLockout");  // -1: never, 0: as the server does by default
    if (!lockout) return tl::unexpected(lockout.error());
    if (lockout->value_or(0) > 0) {
        return core::fail(core::Errc::invalid, "LoginAttemptsBeforeLockout: nobody is locked out here after " +
                                                   std::to_string(**lockout) +
                                                   " failed logins, they are slowed down instead; use -1 or 0");
    }
    store::UserPolicy policy;
    const auto admin = body.boolean("IsAdministrator");
    if (!admin) return tl::unexpected(admin.error());
    policy.admin = admin->value_or(false);
    const auto disabled = body.boolean("IsDisabled");
    if (!disabled) return tl::unexpected(disabled.error());
    policy.disabled = disabled->value_or(false);
    auto json = read_fields(body, policy_fields);
    if (!json) return tl::unexpected(json.error());
    policy.json = std::move(*json);
    return policy;
}

core::Result<std::string> read_configuration(const JsonBody& body) {
    return read_fields(body, configuration_fields);
}

void write_policy(JsonWriter& out, const store::User& user) {
    out.begin_object().field("IsAdministrator", user.admin).field("IsDisabled", user.disabled);
    std::vector<Field> rest;
    for (const auto& field : policy_fields) {
        if (field.name != "IsAdministrator" && field.name != "IsDisabled") rest.push_back(field);
    }
    write_fields(out, stored(user.policy), rest);
    out.end_object();
}

void write_configuration(JsonWriter& out, const store::User& user) {
    out.begin_object();
    write_fields(out, stored(user.configuration), configuration_fields);
    out.end_object();
}

std::optional<std::vector<core::LibraryId>> open_libraries(const std::string& policy) {
    const auto body = stored(policy);
    if (body.boolean("EnableAllFolders").value_or(std::nullopt).value_or(true)) return std::nullopt;
    std::vector<core::LibraryId> libraries;
    const auto texts = body.texts("EnabledFolders").value_or(std::nullopt);
    for (const auto& text : texts.value_or(std::vector<std::string>{})) {
        if (const auto id = core::LibraryId::parse(text)) libraries.push_back(*id);
    }
    return libraries;
}

bool policy_flag(const store::User& user, std::string_view name) {
    const auto value = stored(user.policy).boolean(name);
    if (value && *value) return **value;
    for (const auto& field : policy_fields) {
        if (field.name == name) return field.otherwise == "true";
    }
    return false;
}

}  // namespace understudy::http
