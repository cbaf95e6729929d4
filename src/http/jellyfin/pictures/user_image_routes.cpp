// /UserImage, and /Users/{userId}/Images/… as clients asked before 10.9: pictures of users.
#include <utility>

#include "http/jellyfin/pictures/given_picture.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/pictures/picture_answer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr int most_side = 512;

/// Users have one picture: `Primary`, or `Profile` as some clients call it. nullopt: the path says no other.
std::optional<Response> refuse_other_picture(const Request& request) {
    const auto& kind = request.param("type");
    const auto& index = request.param("index");
    const bool primary = kind.empty() || iequals(kind, "Primary") || iequals(kind, "Profile");
    if (primary && (index.empty() || index == "0")) return std::nullopt;
    return problem({core::Errc::not_found, "A user has one picture: Primary."});
}

Response no_picture(const store::User& user) {
    return problem({core::Errc::not_found, "User " + user.id.str() + " has no picture."});
}

Response send_picture(const Services& services, const Request& request) {
    if (auto refusal = refuse_other_picture(request)) return std::move(*refusal);
    const auto wish = read_picture_wish(request);
    if (!wish) return binding_problem(wish.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    if (!*user) return binding_problem("userId", "userId: missing; whose picture is asked for is not known here");
    if ((*user)->image.empty()) return no_picture(**user);
    auto answer = answer_with_blob(services, request, *wish, (*user)->image);
    if (answer) return std::move(*answer);
    return answer.error().code == core::Errc::not_found ? no_picture(**user) : problem(answer.error());
}

/// Everybody who looks at users is told that this one has changed.
Response changed(const Services& services, const Request& request, const store::User& user, const char* what) {
    const auto told = services.events.publish("user.changed", R"({"userId":")" + user.id.str() + "\"}");
    if (!told) services.log.debug("an event was not published", {{"cause", told.error().context}});
    services.log.info(what, {{"user", user.name}, {"by", request.caller->name}});
    return no_content();
}

Response take_picture(const Services& services, const Request& request) {
    if (auto refusal = refuse_other_picture(request)) return std::move(*refusal);
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    if (auto refusal = refuse_preferences(request, *user)) return std::move(*refusal);
    if (services.media.blobs == nullptr)
        return problem({core::Errc::unsupported, "Pictures of users are not kept here."});
    const auto picture = given_picture(services, request, most_side);
    if (!picture) return binding_problem(picture.error());
    const auto blob = services.media.blobs->put(picture->bytes);
    if (!blob) return problem(blob.error());
    const auto set = services.users.accounts->set_image(user->id, *blob);
    if (!set) return problem(set.error());
    return changed(services, request, *user, "a user has a new picture");
}

Response drop_picture(const Services& services, const Request& request) {
    if (auto refusal = refuse_other_picture(request)) return std::move(*refusal);
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    if (auto refusal = refuse_preferences(request, *user)) return std::move(*refusal);
    if (user->image.empty()) return no_content();
    const auto set = services.users.accounts->set_image(user->id, {});
    if (!set) return problem(set.error());
    return changed(services, request, *user, "a user has no picture any more");
}

}  // namespace

void add_user_image_routes(Router& router, const Services& services) {
    const auto add = [&](Method method, const char* path, Handler handler, Access access) {
        Route route;
        route.method = method;
        route.path = path;
        route.access = access;
        route.where = Where::pictures;
        route.large_body = method == Method::post;
        route.handler = [&services, handler](const Request& request) {
            if (services.users.accounts == nullptr)
                return problem({core::Errc::unsupported, "Users are not kept here."});
            return handler(services, request);
        };
        router.add(std::move(route));
    };
    for (const char* path : {"/UserImage", "/Users/{userId}/Images/{type}", "/Users/{userId}/Images/{type}/{index}"}) {
        add(Method::get, path, send_picture, Access::open);  // as in the reference: an <img> sends no token
        add(Method::post, path, take_picture, Access::user);
        add(Method::del, path, drop_picture, Access::user);
    }
}

}  // namespace understudy::http
