// /Branding/Splashscreen: the picture behind the login, for everybody; an administrator may give another.
#include <memory>

#include "http/jellyfin/pictures/given_picture.h"
#include "http/jellyfin/pictures/splash_screen.h"
#include "http/jellyfin/system/kept_configuration.h"
#include "http/problem.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

constexpr const char* given_setting = "splash_screen";  // named by SqlBlobReferences too
constexpr int most_side = 3840;

Response none() {
    return problem({core::Errc::not_found, "There is no splash screen."});
}

core::Result<bool> enabled(const Services& services) {
    const auto& section = *find_section("branding");
    const auto kept = kept_section(services, section);
    if (!kept) return tl::unexpected(kept.error());
    return field_of(section, *kept, "SplashscreenEnabled") == "true";
}

core::Result<std::optional<store::BlobHash>> given(const Services& services) {
    if (services.users.settings == nullptr) return std::optional<store::BlobHash>();
    const auto all = services.users.settings->all();
    if (!all) return tl::unexpected(all.error());
    const auto at = all->find(given_setting);
    return at == all->end() ? std::nullopt : store::BlobHash::parse(at->second);
}

Response show(const Services& services, Collage& collage, const Request& request) {
    const auto wish = read_picture_wish(request);
    if (!wish) return binding_problem(wish.error());
    const auto on = enabled(services);
    // Where configuration is not kept nobody has turned it on.
    if (!on && on.error().code != core::Errc::unsupported) return problem(on.error());
    if (!on || !*on || services.scaled == nullptr) return none();
    const auto answered = [](core::Result<Response> answer) {
        if (answer) return std::move(*answer);
        return answer.error().code == core::Errc::not_found ? none() : problem(answer.error());
    };
    const auto blob = given(services);
    if (!blob) return problem(blob.error());
    if (*blob) return answered(answer_with_blob(services, request, *wish, **blob));
    const auto source = collage.source();
    if (!source) return problem(source.error());
    return *source ? answered(answer_with_picture(services, request, *wish, **source)) : none();
}

Response keep(const Services& services, const std::string& value) {
    if (services.users.settings == nullptr)
        return problem({core::Errc::unsupported, "Settings of all pods are not kept here."});
    const auto set = services.users.settings->set({{given_setting, value}});
    return set ? no_content() : problem(set.error());
}

Response take(const Services& services, const Request& request) {
    if (services.media.blobs == nullptr) return problem({core::Errc::unsupported, "Pictures are not kept here."});
    const auto picture = given_picture(services, request, most_side);
    if (!picture) return binding_problem(picture.error());
    const auto blob = services.media.blobs->put(picture->bytes);
    if (!blob) return problem(blob.error());
    auto kept = keep(services, blob->str());
    if (kept.status == 204) services.log.info("there is a new splash screen", {{"by", request.caller->name}});
    return kept;
}

Response drop(const Services& services, const Request& request) {
    auto kept = keep(services, {});
    if (kept.status == 204) services.log.info("the splash screen was taken away", {{"by", request.caller->name}});
    return kept;
}

}  // namespace

void add_splash_screen_routes(Router& router, const Services& services) {
    const auto add = [&](Method method, Access access, std::function<Response(const Request&)> handler) {
        Route route;
        route.method = method;
        route.path = "/Branding/Splashscreen";
        route.access = access;
        route.where = Where::pictures;
        route.large_body = method == Method::post;
        route.handler = std::move(handler);
        router.add(std::move(route));
    };
    const auto collage = std::make_shared<Collage>(services);
    add(Method::get, Access::open,
        [&services, collage](const Request& request) { return show(services, *collage, request); });
    add(Method::post, Access::admin, [&services](const Request& request) { return take(services, request); });
    add(Method::del, Access::admin, [&services](const Request& request) { return drop(services, request); });
}

}  // namespace understudy::http
