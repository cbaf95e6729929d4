// /, /web and /dashboard: what a person's browser opens. Open: the files hold no data, and what they ask needs a key.
#include <memory>

#include "http/routes.h"
#include "http/static_files.h"
#include "http/web_folder.h"

namespace understudy::http {
namespace {

/// What the page may do: load its own files, ask this server, show its pictures. Nothing leaves it.
constexpr const char* page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

bool ends_in_slash(const Request& request) {
    return request.path.ends_with('/');
}

Response dashboard(const Services& services, const Request& request) {
    const auto& path = request.param("path");
    if (path.empty() && !ends_in_slash(request)) return redirect("dashboard/");  // its files are named relative to it
    auto response = embedded_answer(request, services.dashboard, path.empty() ? "index.html" : path);
    if (path.empty() || path == "index.html") {
        response.with("Content-Security-Policy", page_policy).with("Referrer-Policy", "no-referrer");
    }
    return response;
}

/// Where `/` leads: below the last segment of the base URL where the address came without a slash (`/jf`).
Response home(const Services& services, const Request& request, std::string_view to) {
    const auto target = std::string_view(request.target).substr(0, request.target.find('?'));
    const auto& base = services.info.base_url;
    const auto last = target.ends_with('/') || base.empty() ? std::string() : base.substr(base.rfind('/') + 1) + "/";
    return redirect(last + std::string(to));
}

}  // namespace

void add_dashboard_routes(Router& router, const Services& services) {
    const auto add = [&](const char* path, Where where, std::function<Response(const Request&)> handler) {
        Route route;
        route.path = path;
        route.access = Access::open;
        route.where = where;
        route.while_starting = true;  // the page tells why the server does not answer yet
        route.handler = std::move(handler);
        router.add(std::move(route));
    };
    for (const char* path : {"/dashboard", "/dashboard/{path*}"}) {
        add(path, Where::inline_, [&services](const Request& request) { return dashboard(services, request); });
    }
    if (services.web == nullptr) {
        add("/", Where::inline_, [&services](const Request& request) { return home(services, request, "dashboard/"); });
        for (const char* path : {"/web", "/web/index.html"}) {
            add(path, Where::inline_, [](const Request& request) {
                const bool inside = ends_in_slash(request) || request.path.ends_with(".html");
                return redirect(inside ? "../dashboard/" : "dashboard/");
            });
        }
        return;
    }
    add("/", Where::inline_, [&services](const Request& request) { return home(services, request, "web/"); });
    for (const char* path : {"/web", "/web/{path*}"}) {
        add(path, Where::pool, [&services](const Request& request) {
            const auto& file = request.param("path");
            if (file.empty() && !ends_in_slash(request)) return redirect("web/");
            return services.web->answer(request, file);
        });
    }
}

}  // namespace understudy::http
