// http/jellyfin/dto/user_settings.h: UserPolicy and UserConfiguration: their fields with the reference's defaults, read
// from bodies and written from what is stored. Used by the user DTO and the handlers of users.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/json_body.h"
#include "http/json_writer.h"
#include "store/users.h"

namespace understudy::http {

/// A whole policy: what is not said takes its default. Unknown fields are ignored. Errors: invalid, naming the field;
/// also for a restriction that nothing here keeps yet: who sets it must not believe that it holds.
[[nodiscard]] core::Result<store::UserPolicy> read_policy(const JsonBody& body);
/// As above. JSON of what was said.
[[nodiscard]] core::Result<std::string> read_configuration(const JsonBody& body);

void write_policy(JsonWriter& out, const store::User& user);
void write_configuration(JsonWriter& out, const store::User& user);

/// The libraries that a policy opens; nullopt: all.
[[nodiscard]] std::optional<std::vector<core::LibraryId>> open_libraries(const std::string& policy);
/// A flag of the user's policy.
[[nodiscard]] bool policy_flag(const store::User& user, std::string_view name);

}  // namespace understudy::http
