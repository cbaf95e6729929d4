// http/jellyfin/session_dto.h: a login as SessionInfoDto, a device as DeviceInfoDto. Used by the handlers of logins,
// sessions and devices.
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
void write_capabilities(JsonWriter& out, const Capabilities& capabilities);

void write_session(JsonWriter& out, const store::UserSession& session, std::string_view server_id, core::UtcTime now);
/// `last`: who used it last.
void write_device(JsonWriter& out, const store::UserSession& last);

}  // namespace understudy::http
