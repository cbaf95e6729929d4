// /Library/VirtualFolders/LibraryOptions: what a library is set to, changed later.
#include "http/jellyfin/libraries/library_options.h"
#include "http/json_body.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// All options; with `partial` only those that the request names.
core::Result<void> change(model::Library& library, const JsonBody& options, bool partial) {
    const auto input = read_library_options(options);
    if (!input) return tl::unexpected(input.error());
    if (!partial) {
        library.options = input->json;
        library.remove_missing_after = input->remove_missing_after;
        return {};
    }
    auto merged = changed_library_options(library.options, options);
    if (!merged) return tl::unexpected(merged.error());
    library.options = std::move(*merged);
    if (options.has("RemoveMissingAfterDays")) library.remove_missing_after = input->remove_missing_after;
    return {};
}

Response set_options(const Services& services, const Request& request) {
    const auto partial = request.query.boolean("partial");
    if (!partial) return binding_problem(partial.error());
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto id = body->text("Id");
    if (!id) return binding_problem(id.error());
    if (!*id || trim(**id).empty()) return binding_problem("Id", "Id: missing; name the library by its id");
    const auto options = body->object("LibraryOptions");
    if (!options) return binding_problem(options.error());
    if (!*options) return binding_problem("LibraryOptions", "LibraryOptions: missing; say what to set");
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    const auto* known = find_library(*libraries, **id);
    if (!known) return problem(no_library(*libraries, **id));
    auto library = *known;
    if (const auto changed = change(library, **options, partial->value_or(false)); !changed)
        return binding_problem(changed.error());
    const auto updated = services.libraries.update(library);
    if (!updated) return problem(updated.error());
    services.log.info("the options of a library were changed", {{"library", library.name}});
    JsonWriter out(Spelling::camel);
    out.begin_object().field("Library", library.id).field("Change", "options").end_object();
    const auto told = services.events.publish("library.changed", out.take());
    if (!told) services.log.debug("an event was not published", {{"cause", told.error().context}});
    return no_content();
}

}  // namespace

void add_library_options_routes(Router& router, const Services& services) {
    add_route(router, services, Method::post, "/Library/VirtualFolders/LibraryOptions", set_options, Access::wizard);
}

}  // namespace understudy::http
