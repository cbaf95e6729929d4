#include "http/jellyfin/dto/user_dto.h"

#include "http/jellyfin/dto/user_settings.h"
#include "http/text.h"

namespace understudy::http {

void write_user(JsonWriter& out, const store::User& user, std::string_view server_id) {
    const bool has_password = !user.password_hash.empty();
    out.begin_object().field("Name", user.name).field("ServerId", server_id).field("Id", user.id);
    out.field("HasPassword", has_password).field("HasConfiguredPassword", has_password);
    out.field("HasConfiguredEasyPassword", false).field("EnableAutoLogin", false);
    if (!user.image.empty()) out.field("PrimaryImageTag", user.image.str());
    if (user.last_login_at) out.field("LastLoginDate", to_jellyfin_time(*user.last_login_at));
    if (user.last_activity_at) out.field("LastActivityDate", to_jellyfin_time(*user.last_activity_at));
    out.name("Configuration");
    write_configuration(out, user);
    out.name("Policy");
    write_policy(out, user);
    out.end_object();
}

}  // namespace understudy::http
