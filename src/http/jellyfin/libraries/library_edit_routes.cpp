// Libraries changed later: their names and folders, and what may be set for them. Ids stay, so rights and watched marks
// do.
#include <algorithm>
#include <functional>
#include <utility>

#include "http/jellyfin/events/library_events.h"
#include "http/jellyfin/libraries/library_rules.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// As a handler answers: an edit of the library that is called `name`, given all libraries. The edit says in a word
/// what it did, for the event.
using Edit = std::function<core::Result<const char*>(model::Library& library, const std::vector<model::Library>& all)>;

Response edit_library(const Services& services, const Request& request, std::string_view field, const std::string& name,
                      const Edit& edit) {
    const auto refresh = request.query.boolean("refreshLibrary");
    if (!refresh) return binding_problem(refresh.error());
    if (trim(name).empty()) return binding_problem(field, std::string(field) + ": missing; name the library");
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    const auto* known = find_library(*libraries, name);
    if (!known) return problem(no_library(*libraries, name));
    auto library = *known;
    const auto change = edit(library, *libraries);
    if (!change) return binding_problem(change.error());
    if (library.name != known->name || library.paths != known->paths) {
        const auto updated = services.libraries.update(library);
        if (!updated) return problem(updated.error());
        services.log.info("a library was changed",
                          {{"library", library.name}, {"before", known->name}, {"change", *change}});
        tell_change(services, library, *change);
    }
    if (refresh->value_or(false)) ask_for_refresh(services);
    return no_content();
}

Response rename_library(const Services& services, const Request& request) {
    return edit_library(
        services, request, "name", request.query.text("name"),
        [&](model::Library& library, const std::vector<model::Library>& all) -> core::Result<const char*> {
            auto name = checked_name("newName", request.query.text("newName"));
            if (!name) return tl::unexpected(name.error());
            for (const auto& other : all) {
                if (other.id == library.id || !iequals(other.name, *name)) continue;
                return core::fail(core::Errc::conflict,
                                  "There is a library '" + other.name + "' already; choose another name.");
            }
            library.name = std::move(*name);
            return "renamed";
        });
}

/// `Path`, or what its `PathInfo` says.
core::Result<std::string> said_path(const JsonBody& body) {
    const auto path = body.text("Path");
    if (!path) return tl::unexpected(path.error());
    if (*path && !(*path)->empty()) return **path;
    const auto info = body.object("PathInfo");
    if (!info) return tl::unexpected(info.error());
    if (*info) {
        const auto inside = (*info)->text("Path");
        if (!inside) return tl::unexpected(inside.error());
        if (*inside && !(*inside)->empty()) return **inside;
    }
    return core::fail(core::Errc::invalid, "Path: missing; name a folder");
}

std::string without_slash(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}

/// Errors: not_found, with the library's folders.
core::Result<std::size_t> place_of(const model::Library& library, const std::string& path) {
    const auto at = std::ranges::find(library.paths, without_slash(path));
    if (at != library.paths.end()) return static_cast<std::size_t>(at - library.paths.begin());
    std::string all;
    for (const auto& each : library.paths) all += (all.empty() ? "" : ", ") + printable(each);
    return core::fail(core::Errc::not_found, "Library '" + library.name + "' has no folder " + printable(path) +
                                                 "; it has " + (all.empty() ? "none" : all) + ".");
}

Response add_path(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto name = body->text("Name");
    if (!name) return binding_problem(name.error());
    const auto path = said_path(*body);
    if (!path) return binding_problem(path.error());
    return edit_library(
        services, request, "Name", name->value_or(""),
        [&](model::Library& library, const std::vector<model::Library>& all) -> core::Result<const char*> {
            if (std::ranges::find(library.paths, without_slash(*path)) != library.paths.end())
                return "paths";  // asked for again: it is so already
            auto checked = check_paths({*path}, all, services.info.data_dir);
            if (!checked) return tl::unexpected(checked.error());
            library.paths.push_back(std::move(checked->front()));
            return "paths";
        });
}

Response remove_path(const Services& services, const Request& request) {
    const auto path = request.query.text("path");
    if (path.empty()) return binding_problem("path", "path: missing; name a folder of the library");
    return edit_library(services, request, "name", request.query.text("name"),
                        [&](model::Library& library, const std::vector<model::Library>&) -> core::Result<const char*> {
                            const auto at = place_of(library, path);
                            if (!at) return tl::unexpected(at.error());
                            if (library.paths.size() == 1) {
                                return core::fail(core::Errc::conflict,
                                                  "It is the only folder of library '" + library.name +
                                                      "'; add another one first, or remove the library.");
                            }
                            library.paths.erase(library.paths.begin() + static_cast<std::ptrdiff_t>(*at));
                            return "paths";
                        });
}

/// The reference keeps nothing of a folder but its path, so there is nothing to update: it must be there.
Response update_path(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto name = body->text("Name");
    if (!name) return binding_problem(name.error());
    const auto path = said_path(*body);
    if (!path) return binding_problem(path.error());
    return edit_library(services, request, "Name", name->value_or(""),
                        [&](model::Library& library, const std::vector<model::Library>&) -> core::Result<const char*> {
                            const auto at = place_of(library, *path);
                            if (!at) return tl::unexpected(at.error());
                            return "paths";
                        });
}

Response physical_paths(const Services& services, const Request& request) {
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& library : *libraries) {
        for (const auto& path : library.paths) out.value(path);
    }
    out.end_array();
    return json_answer(out.take());
}

struct TypeFacts {
    model::LibraryKind kind;
    const char* type;
    const char* pictures_from_files;  ///< as TypeOptions name it (library/library_options.h); null: none
    const char* image_types;          ///< JSON: those that are taken up from beside the media
};
constexpr TypeFacts type_facts[] = {
    {model::LibraryKind::movies, "Movie", "Embedded Image Extractor",
     R"(["Primary","Art","Backdrop","Banner","Logo","Thumb","Disc"])"},
    {model::LibraryKind::tvshows, "Series", nullptr, R"(["Primary","Art","Backdrop","Banner","Logo","Thumb"])"},
    {model::LibraryKind::tvshows, "Season", nullptr, R"(["Primary","Backdrop","Banner","Thumb"])"},
    {model::LibraryKind::tvshows, "Episode", "Embedded Image Extractor", R"(["Primary","Thumb"])"},
    {model::LibraryKind::music, "MusicArtist", nullptr, R"(["Primary","Art","Backdrop","Banner","Logo","Thumb"])"},
    {model::LibraryKind::music, "MusicAlbum", nullptr, R"(["Primary","Backdrop","Disc"])"},
    {model::LibraryKind::music, "Audio", "Image Extractor", R"(["Primary"])"},
};

void write_choice(JsonWriter& out, const char* name, bool by_default) {
    out.begin_object().field("Name", name).field("DefaultEnabled", by_default).end_object();
}

void write_type_options(JsonWriter& out, const TypeFacts& facts) {
    out.begin_object().field("Type", facts.type).name("MetadataFetchers").begin_array().end_array();
    out.name("ImageFetchers").begin_array();
    if (facts.pictures_from_files) write_choice(out, facts.pictures_from_files, true);
    out.end_array().name("SupportedImageTypes").raw(facts.image_types);
    out.name("DefaultImageOptions").begin_array().end_array().end_object();
}

/// What LibraryOptions may name. Nothing is fetched from the network, and nothing written beside the media.
Response available_options(const Services& /*services*/, const Request& request) {
    const auto text = request.query.text("libraryContentType");
    const auto said = trim(text);
    const auto kind = model::parse_library_kind(said);
    JsonWriter out(request.spelling);
    out.begin_object().name("MetadataSavers").begin_array().end_array();
    out.name("MetadataReaders").begin_array();
    write_choice(out, "Nfo", true);
    out.end_array();
    for (const char* none : {"SubtitleFetchers", "LyricFetchers"}) out.name(none).begin_array().end_array();
    out.name("MediaSegmentProviders").begin_array();
    if (kind != model::LibraryKind::music) {
        for (const char* provider : {"chapters", "edl"}) write_choice(out, provider, true);
        if (!kind || *kind == model::LibraryKind::tvshows) write_choice(out, "fingerprint", true);
    }
    out.end_array().name("TypeOptions").begin_array();
    for (const auto& facts : type_facts) {
        if (said.empty() || kind == facts.kind) write_type_options(out, facts);
    }
    out.end_array().end_object();
    return json_answer(out.take());
}

}  // namespace

void add_library_edit_routes(Router& router, const Services& services) {
    add_route(router, services, Method::post, "/Library/VirtualFolders/Name", rename_library, Access::wizard);
    add_route(router, services, Method::post, "/Library/VirtualFolders/Paths", add_path, Access::wizard);
    add_route(router, services, Method::del, "/Library/VirtualFolders/Paths", remove_path, Access::wizard);
    add_route(router, services, Method::post, "/Library/VirtualFolders/Paths/Update", update_path, Access::wizard);
    add_route(router, services, Method::get, "/Library/PhysicalPaths", physical_paths);
    add_route(router, services, Method::get, "/Libraries/AvailableOptions", available_options, Access::wizard_or_user);
}

}  // namespace understudy::http
