// http/jellyfin/user_dto.h: a user as UserDto. Used by the handlers of users.
#pragma once

#include <string_view>

#include "http/json_writer.h"
#include "store/user_data.h"

namespace understudy::http {

/// With the reference's defaults as Policy and Configuration: neither can be changed yet.
void write_user(JsonWriter& out, const store::User& user, std::string_view server_id);

}  // namespace understudy::http
