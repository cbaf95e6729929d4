#include "http/jellyfin/dto/session_dto.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::array<std::string_view, 5> media_types{"Unknown", "Video", "Audio", "Photo", "Book"};
constexpr std::array<std::string_view, 43> commands{"MoveUp",
                                                    "MoveDown",
                                                    "MoveLeft",
                                                    "MoveRight",
                                                    "PageUp",
                                                    "PageDown",
                                                    "PreviousLetter",
                                                    "NextLetter",
                                                    "ToggleOsd",
                                                    "ToggleContextMenu",
                                                    "Select",
                                                    "Back",
                                                    "TakeScreenshot",
                                                    "SendKey",
                                                    "SendString",
                                                    "GoHome",
                                                    "GoToSettings",
                                                    "VolumeUp",
                                                    "VolumeDown",
                                                    "Mute",
                                                    "Unmute",
                                                    "ToggleMute",
                                                    "SetVolume",
                                                    "SetAudioStreamIndex",
                                                    "SetSubtitleStreamIndex",
                                                    "ToggleFullscreen",
                                                    "DisplayContent",
                                                    "GoToSearch",
                                                    "DisplayMessage",
                                                    "SetRepeatMode",
                                                    "ChannelUp",
                                                    "ChannelDown",
                                                    "Guide",
                                                    "ToggleStats",
                                                    "PlayMediaSource",
                                                    "PlayTrailers",
                                                    "SetShuffleQueue",
                                                    "PlayState",
                                                    "PlayNext",
                                                    "ToggleOsdMenu",
                                                    "Play",
                                                    "SetMaxStreamingBitrate",
                                                    "SetPlaybackOrder"};

std::vector<std::string> known(const std::vector<std::string>& said, std::span<const std::string_view> words) {
    std::vector<std::string> found;
    for (const auto word : words) {
        if (std::ranges::any_of(said, [&](const std::string& text) { return iequals(text, word); }))
            found.emplace_back(word);
    }
    return found;
}

/// As it was stored; nothing where that cannot be read.
Capabilities stored(const std::string& json) {
    const auto body = JsonBody::parse(json);
    if (!body) return {};
    return read_capabilities(*body).value_or(Capabilities{});
}

}  // namespace

Capabilities known_capabilities(Capabilities said) {
    said.media_types = known(said.media_types, media_types);
    said.commands = known(said.commands, commands);
    return said;
}

std::string_view known_command(std::string_view said) {
    const auto* const found =
        std::ranges::find_if(commands, [&](std::string_view word) { return iequals(said, word); });
    return found == commands.end() ? std::string_view() : *found;
}

core::Result<Capabilities> read_capabilities(const JsonBody& body) {
    Capabilities said;
    auto types = body.texts("PlayableMediaTypes");
    if (!types) return tl::unexpected(types.error());
    said.media_types = types->value_or(std::vector<std::string>{});
    auto words = body.texts("SupportedCommands");
    if (!words) return tl::unexpected(words.error());
    said.commands = words->value_or(std::vector<std::string>{});
    const auto control = body.boolean("SupportsMediaControl");
    if (!control) return tl::unexpected(control.error());
    said.media_control = control->value_or(false);
    const auto identifier = body.boolean("SupportsPersistentIdentifier");
    if (!identifier) return tl::unexpected(identifier.error());
    said.persistent_identifier = identifier->value_or(true);
    return known_capabilities(std::move(said));
}

void write_capabilities(JsonWriter& out, const Capabilities& capabilities) {
    out.begin_object().field("PlayableMediaTypes", capabilities.media_types);
    out.field("SupportedCommands", capabilities.commands).field("SupportsMediaControl", capabilities.media_control);
    out.field("SupportsPersistentIdentifier", capabilities.persistent_identifier).end_object();
}

bool takes_commands(const store::UserSession& session, bool has_socket) {
    return has_socket && stored(session.capabilities).media_control;
}

void write_session(JsonWriter& out, const store::UserSession& session, bool has_socket, std::string_view server_id,
                   core::UtcTime now) {
    const auto capabilities = stored(session.capabilities);
    const auto& client = session.client;
    constexpr auto active_for = std::chrono::minutes{10};  // as the reference
    out.begin_object();
    out.name("PlayState").begin_object();
    out.field("CanSeek", false).field("IsPaused", false).field("IsMuted", false);
    out.field("RepeatMode", "RepeatNone").field("PlaybackOrder", "Default").end_object();
    out.name("AdditionalUsers").begin_array().end_array();
    out.name("Capabilities");
    write_capabilities(out, capabilities);
    out.text_if_any("RemoteEndPoint", client.address).field("PlayableMediaTypes", capabilities.media_types);
    out.field("Id", session.id).field("UserId", session.user).field("UserName", session.user_name);
    out.field("Client", client.name).field("LastActivityDate", to_jellyfin_time(session.last_activity_at));
    out.field("LastPlaybackCheckIn", "0001-01-01T00:00:00.0000000Z");  // never: the reference's word for it
    out.field("DeviceName", session.device_name.empty() ? client.device : session.device_name);
    out.field("DeviceId", client.device_id).field("ApplicationVersion", client.version);
    out.field("IsActive", has_socket || now - session.last_activity_at < active_for);
    const bool controlled = has_socket && capabilities.media_control;
    out.field("SupportsMediaControl", controlled).field("SupportsRemoteControl", controlled);
    out.name("NowPlayingQueue").begin_array().end_array();
    out.name("NowPlayingQueueFullItems").begin_array().end_array();
    out.field("HasCustomDeviceName", !session.device_name.empty()).field("ServerId", server_id);
    out.field("SupportedCommands", capabilities.commands).end_object();
}

void write_device(JsonWriter& out, const store::UserSession& last) {
    const auto& client = last.client;
    out.begin_object().field("Name", last.device_name.empty() ? client.device : last.device_name);
    out.text_if_any("CustomName", last.device_name).field("Id", client.device_id);
    out.field("LastUserName", last.user_name).field("AppName", client.name).field("AppVersion", client.version);
    out.field("LastUserId", last.user).field("DateLastActivity", to_jellyfin_time(last.last_activity_at));
    out.name("Capabilities");
    write_capabilities(out, stored(last.capabilities));
    out.end_object();
}

}  // namespace understudy::http
