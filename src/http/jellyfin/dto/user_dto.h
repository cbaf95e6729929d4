// http/jellyfin/dto/user_dto.h: a user as UserDto. Used by the handlers of users and logins.
#pragma once

#include <string_view>

#include "http/json_writer.h"
#include "store/users.h"

namespace understudy::http {

void write_user(JsonWriter& out, const store::User& user, std::string_view server_id);

}  // namespace understudy::http
