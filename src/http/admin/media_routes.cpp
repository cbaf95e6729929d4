// /cluster/problems, /cluster/items/{id}/media, /Library/Missing/Remove.
#include "http/json_writer.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

core::Error no_library(std::string_view text) {
    return {core::Errc::not_found, "There is no library '" + printable(text) + "'."};
}

Response list_problems(const Services& services, const Request& request) {
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    std::optional<core::LibraryId> only;
    if (const auto text = request.query.text("library"); !text.empty()) {
        const auto* library = find_library(*libraries, text);
        if (!library) return problem(no_library(text));
        only = library->id;
    }
    const auto problems = services.catalog.problems(only);
    if (!problems) return problem(problems.error());
    JsonWriter out(Spelling::camel);
    out.begin_object().name("Items").begin_array();
    for (const auto& each : *problems) {
        const auto* library = find_library(*libraries, each.library);
        out.begin_object().field("Path", each.path);
        out.field("Library", library ? library->name : each.library.str());
        out.field("Task", each.task)
            .field("Reason", each.reason)
            .field("Since", core::to_iso8601(each.since))
            .end_object();
    }
    out.end_array().field("Total", problems->size()).end_object();
    return json_answer(out.take());
}

/// What the tasks have found in an item's file; what no task has found yet is null.
Response item_media(const Services& services, const Request& request) {
    const auto none = [&] {
        return problem({core::Errc::not_found, "There is no item " + printable(request.param("id")) + "."});
    };
    const auto id = core::ItemId::parse(request.param("id"));
    if (!id) return none();
    const auto found = services.catalog.find(*id);
    if (!found) return problem(found.error());
    if (!*found) return none();
    const auto& sources = (*found)->item.sources;
    JsonWriter out(Spelling::camel);
    out.begin_object();
    for (const char* name : {"KeyframesMs", "LoudnessLufs", "AlbumLoudnessLufs", "TruePeakDb", "Segments"})
        out.name(name).null();
    out.name("Chapters");
    if (sources.empty()) {
        out.null();
    } else {
        out.begin_array();
        for (const auto& chapter : sources.front().info.chapters) {
            out.begin_object()
                .field("StartMs", chapter.start.count())
                .field("Name", chapter.name)
                .name("Image")
                .null()
                .end_object();
        }
        out.end_array();
    }
    out.end_object();
    return json_answer(out.take());
}

Response remove_missing(const Services& services, const Request& request) {
    const auto confirm = request.query.boolean("confirm");
    if (!confirm) return binding_problem(confirm.error());
    if (!confirm->value_or(false)) {
        return binding_problem(
            "confirm",
            "confirm: missing; this removes all items whose files are gone, with their history: repeat the "
            "request with confirm=true");
    }
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    std::vector<core::LibraryId> chosen;
    if (const auto text = request.query.text("library"); !text.empty()) {
        const auto* library = find_library(*libraries, text);
        if (!library) return problem(no_library(text));
        chosen.push_back(library->id);
    } else {
        for (const auto& library : *libraries) chosen.push_back(library.id);
    }
    std::int64_t removed = 0;
    for (const auto& id : chosen) {
        const auto gone = services.scans.remove_missing(id);
        if (!gone) return problem(gone.error());
        removed += *gone;
    }
    if (removed > 0) {
        services.log.info("missing items were removed as asked",
                          {{"removed", std::to_string(removed)}, {"by", request.caller ? request.caller->name : ""}});
        const auto told = services.events.publish("library.changed", R"({"change":"missing_removed"})");
        if (!told) services.log.debug("an event was not published", {{"cause", told.error().context}});
    }
    JsonWriter out(Spelling::camel);
    out.begin_object().field("Removed", removed).end_object();
    return json_answer(out.take());
}

}  // namespace

void add_media_routes(Router& router, const Services& services) {
    const auto add = [&](Method method, const char* path, Response (*handler)(const Services&, const Request&)) {
        Route route;
        route.method = method;
        route.path = path;
        route.handler = [&services, handler](const Request& request) { return handler(services, request); };
        router.add(std::move(route));
    };
    add(Method::get, "/cluster/problems", list_problems);
    add(Method::get, "/cluster/items/{id}/media", item_media);
    add(Method::post, "/Library/Missing/Remove", remove_missing);
}

}  // namespace understudy::http
