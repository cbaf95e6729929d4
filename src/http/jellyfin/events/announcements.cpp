#include "http/jellyfin/events/announcements.h"

#include <algorithm>

#include "http/json_writer.h"

namespace understudy::http {
namespace {

void tell(const Services& services, const std::string& kind, const std::string& payload) {
    const auto told = services.events.publish(kind, payload);
    if (!told) services.log.debug("an event was not published", {{"kind", kind}, {"cause", told.error().context}});
}

}  // namespace

void tell_sessions_changed(const Services& services) {
    tell(services, "session.changed", "{}");
}

void tell_tokens_changed(const Services& services, core::UserId user, const std::string& device) {
    JsonWriter out(Spelling::camel);
    out.begin_object();
    if (!user.empty()) out.field("UserId", user);
    out.text_if_any("DeviceId", device).end_object();
    tell(services, "session.tokens", out.take());
}

void tell_keys_changed(const Services& services) {
    tell(services, "session.tokens", R"({"keys":true})");
}

void tell_user_changed(const Services& services, core::UserId user, bool removed) {
    JsonWriter out(Spelling::camel);
    out.begin_object().field("UserId", user).end_object();
    tell(services, removed ? "user.removed" : "user.changed", out.take());
}

void tell_user_data_changed(const Services& services, core::UserId user, const std::vector<core::ItemId>& items) {
    constexpr std::size_t most = 500;
    JsonWriter out(Spelling::camel);
    out.begin_object().field("UserId", user).name("ItemIds").begin_array();
    for (std::size_t i = 0; i < std::min(most, items.size()); ++i) out.value(items[i]);
    tell(services, "user_data.changed", out.end_array().end_object().take());
}

}  // namespace understudy::http
