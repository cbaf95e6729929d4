#include "http/jellyfin/events/library_events.h"

#include <utility>

#include "http/jellyfin/events/activity.h"
#include "http/json_writer.h"

namespace understudy::http {

void ask_for_refresh(const Services& services) {
    const auto asked = services.tasks.queue(refresh_task, "{}");
    if (!asked)
        services.log.warning("the library refresh asked for was not queued", {{"cause", asked.error().context}});
}

void tell_change(const Services& services, const model::Library& library, const char* change) {
    JsonWriter out(Spelling::camel);
    out.begin_object().field("Library", library.id).field("Change", change).end_object();
    const auto told = services.events.publish("library.changed", out.take());
    if (!told) services.log.debug("an event was not published", {{"cause", told.error().context}});
}

void note_library(const Services& services, const Request& request, const char* kind, std::string title) {
    const auto& caller = request.caller;
    note_activity(services, kind, std::move(title), "By " + (caller ? caller->name : std::string("the start wizard")),
                  caller ? caller->user : core::UserId{});
}

}  // namespace understudy::http
