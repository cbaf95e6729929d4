// http/jellyfin/dto/session_dto.h: a login as SessionInfoDto, a device as DeviceInfoDto. Used by the handlers of
// logins, sessions and devices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/json_body.h"
#include "http/json_writer.h"
#include "store/sessions.h"

namespace understudy::http {

/// What of ClientCapabilitiesDto is kept.
struct Capabilities {
    std::vector<std::string> media_types, commands;
    bool media_control = false;
    bool persistent_identifier = false;
};

/// Of a body of a client, or of what write_capabilities() wrote before. Words that nobody knows are dropped. Errors:
/// invalid, naming the field.
[[nodiscard]] core::Result<Capabilities> read_capabilities(const JsonBody& body);
/// Words that nobody knows are dropped.
[[nodiscard]] Capabilities known_capabilities(Capabilities said);
/// As the reference spells it; empty where nobody knows it.
[[nodiscard]] std::string_view known_command(std::string_view said);
void write_capabilities(JsonWriter& out, const Capabilities& capabilities);

/// Can commands be sent to it? Its client must say that it takes them, and have a socket on which they come.
[[nodiscard]] bool takes_commands(const store::UserSession& session, bool has_socket);
/// `has_socket`: an event socket is open, on whatever pod.
void write_session(JsonWriter& out, const store::UserSession& session, bool has_socket, std::string_view server_id,
                   core::UtcTime now);
/// `last`: who used it last.
void write_device(JsonWriter& out, const store::UserSession& last);

}  // namespace understudy::http
