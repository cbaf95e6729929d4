// /Environment: which folders there are on the pod that is asked, for who chooses those of a library. Administrators,
// and anybody while the start wizard is open, as in the reference.
#include <cerrno>
#include <memory>

#include "http/jellyfin/libraries/folder_browser.h"
#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/patience.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "library/file_system.h"

namespace understudy::http {
namespace {

core::Result<std::string> checked_path(std::string_view field, std::string_view said) {
    constexpr std::size_t longest = 4'096;
    const std::string name(field);
    if (said.empty()) return core::fail(core::Errc::invalid, name + ": missing; name a folder");
    if (said.front() != '/' || said.size() > longest || said.find('\0') != std::string_view::npos) {
        return core::fail(core::Errc::invalid, name + ": '" + printable(said) +
                                                   "' is no absolute path; begin with / and use at most 4096 bytes");
    }
    return without_trailing_slash(said);
}

Response forbidden(const std::string& path) {
    return text_answer(403, "This server may not read " + printable(path) + ".");
}

Response not_there(const std::string& path) {
    return problem({core::Errc::not_found, "There is no " + printable(path) + " on this pod."});
}

void write_entry(JsonWriter& out, std::string_view name, std::string_view path, bool directory) {
    out.begin_object().field("Name", name).field("Path", path);
    out.field("Type", directory ? "Directory" : "File").end_object();
}

Response contents(const Services& services, const Request& request, const Patience& patience) {
    const auto path = checked_path("path", request.query.text("path"));
    if (!path) return binding_problem(path.error());
    const auto files = request.query.boolean("includeFiles");
    if (!files) return binding_problem(files.error());
    const auto directories = request.query.boolean("includeDirectories");
    if (!directories) return binding_problem(directories.error());
    const auto listing = patience.ask<FolderListing>(
        *path, [folder = *path]() -> core::Result<FolderListing> { return list_folder(folder); });
    if (!listing) return problem(listing.error());
    const int error = listing->error;
    if (listing->closed || error == EACCES || error == EPERM) return forbidden(*path);
    if (error == ENOENT || error == ENOTDIR || error == ELOOP) return not_there(*path);
    if (error != 0)
        return problem({core::Errc::unavailable, printable(*path) + ": " + library::error_text(error) + "."});
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& entry : listing->entries) {
        if (!(entry.directory ? directories : files)->value_or(false)) continue;
        write_entry(out, entry.name, *path == "/" ? "/" + entry.name : *path + "/" + entry.name, entry.directory);
    }
    out.end_array();
    auto answer = json_answer(out.take());
    if (listing->left_out > 0) answer.with("X-Understudy-Left-Out", std::to_string(listing->left_out));
    return answer.with("X-Understudy-Pod", services.info.pod);
}

Response validate(const Request& request, const Patience& patience) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto said = body->text("Path");
    if (!said) return binding_problem(said.error());
    const auto path = checked_path("Path", said->value_or(""));
    if (!path) return binding_problem(path.error());
    const auto writable = body->boolean("ValidateWritable");
    if (!writable) return binding_problem(writable.error());
    const auto is_file = body->boolean("IsFile");
    if (!is_file) return binding_problem(is_file.error());
    const auto kind = !*is_file ? PathKind::any : **is_file ? PathKind::file : PathKind::directory;
    const bool write = writable->value_or(false);
    const auto verdict = patience.ask<PathVerdict>(
        *path, [path = *path, kind, write]() -> core::Result<PathVerdict> { return check_path(path, kind, write); });
    if (!verdict) return problem(verdict.error());
    switch (*verdict) {
        case PathVerdict::fine:
            return no_content();
        case PathVerdict::not_there:
            return not_there(*path);
        case PathVerdict::forbidden:
            return forbidden(*path);
        case PathVerdict::failed:
            break;
    }
    return problem({core::Errc::unavailable, printable(*path) + " cannot be looked at now."});
}

Response parent(const Services& /*services*/, const Request& request) {
    const auto path = checked_path("path", request.query.text("path"));
    if (!path) return binding_problem(path.error());
    if (*path == "/") return no_content();  // the reference's null
    JsonWriter out(request.spelling);
    const auto slash = path->rfind('/');
    return json_answer(out.value(slash == 0 ? std::string("/") : path->substr(0, slash)).take());
}

Response drives(const Services& services, const Request& request) {
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& place : mount_points()) write_entry(out, place, place, true);
    out.end_array();
    return json_answer(out.take()).with("X-Understudy-Pod", services.info.pod);
}

}  // namespace

void add_environment_routes(Router& router, const Services& services) {
    const auto patience = std::make_shared<Patience>();
    Route list;
    list.path = "/Environment/DirectoryContents";
    list.access = Access::wizard;
    list.handler = [&services, patience](const Request& request) { return contents(services, request, *patience); };
    router.add(std::move(list));
    Route check;
    check.method = Method::post;
    check.path = "/Environment/ValidatePath";
    check.access = Access::wizard;
    check.handler = [patience](const Request& request) { return validate(request, *patience); };
    router.add(std::move(check));
    add_route(router, services, Method::get, "/Environment/ParentPath", parent, Access::wizard);
    add_route(router, services, Method::get, "/Environment/Drives", drives, Access::wizard);
    // Where to begin: nowhere in particular.
    add_route(
        router, services, Method::get, "/Environment/DefaultDirectoryBrowser",
        [](const Services&, const Request&) { return json_answer("{}"); }, Access::wizard);
    // Shares are mounted by whoever runs the pod.
    add_route(
        router, services, Method::get, "/Environment/NetworkShares",
        [](const Services&, const Request&) { return json_answer("[]"); }, Access::wizard);
}

}  // namespace understudy::http
