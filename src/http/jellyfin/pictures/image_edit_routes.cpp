// POST and DELETE /Items/{id}/Images/…: pictures that people give to collections and playlists. What has files has its
// pictures beside them, where this server writes nothing.
#include <utility>

#include "http/jellyfin/pictures/given_picture.h"
#include "http/jellyfin/requests/collection_edits.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr int most_side = 1920;

/// Which collection or playlist may be edited so. A response: a refusal.
tl::expected<store::Collection, Response> editable(const Services& services, const Request& request) {
    const auto id = path_id<core::ItemId>(request);
    const auto found = services.users.collections->find(id);
    if (!found) return tl::unexpected(problem(found.error()));
    const auto& collection = *found;
    if (!collection) {
        const auto item = requested_item(services, id, viewer_of(request));
        if (!item) return tl::unexpected(problem(item.error()));
        return tl::unexpected(text_answer(403,
                                          "The pictures of what has files lie beside them; this server writes nothing "
                                          "there. Collections and playlists can be given one."));
    }
    const bool is_hidden = collection->kind == model::ItemKind::playlist && !collection->is_public &&
                           !may_act_for(request, collection->owner);
    if (is_hidden) return tl::unexpected(problem(no_item(id)));
    if (!may_remove(request, *collection))
        return tl::unexpected(text_answer(403, "Only an administrator, and the owner of a playlist, may do that."));
    const auto kind = model::parse_image_kind(request.param("type"));
    if (!kind) {
        return tl::unexpected(
            binding_problem("imageType", "imageType: '" + printable(request.param("type")) + "' is none; use Primary"));
    }
    const auto& index = request.param("index");
    if (kind != model::ImageKind::primary || (!index.empty() && index != "0")) {
        return tl::unexpected(
            problem({core::Errc::unsupported, "Collections and playlists have one picture here: Primary."}));
    }
    return *collection;
}

Response take_picture(const Services& services, const Request& request) {
    const auto collection = editable(services, request);
    if (!collection) return collection.error();
    if (services.media.blobs == nullptr) return problem({core::Errc::unsupported, "No pictures are kept here."});
    const auto picture = given_picture(services, request, most_side);
    if (!picture) return binding_problem(picture.error());
    const auto blob = services.media.blobs->put(picture->bytes);
    if (!blob) return problem(blob.error());
    store::Cover cover;
    cover.blob = *blob;
    cover.size_bytes = static_cast<std::int64_t>(picture->bytes.size());
    cover.width = picture->width;
    cover.height = picture->height;
    const auto set = services.users.collections->set_picture(collection->id, cover);
    if (!set) return problem(set.error());
    tell_collection(services, collection->id, "updated");
    return no_content();
}

Response drop_picture(const Services& services, const Request& request) {
    const auto collection = editable(services, request);
    if (!collection) return collection.error();
    const auto set = services.users.collections->set_picture(collection->id, std::nullopt);
    if (!set) return problem(set.error());
    tell_collection(services, collection->id, "updated");
    return no_content();
}

}  // namespace

void add_image_edit_routes(Router& router, const Services& services) {
    const auto add = [&](Method method, const char* path, Handler handler) {
        Route route;
        route.method = method;
        route.path = path;
        route.access = Access::user;
        route.where = Where::pictures;
        route.large_body = method == Method::post;
        route.handler = [&services, handler](const Request& request) {
            if (services.users.collections == nullptr)
                return problem({core::Errc::unsupported, "Collections are not kept here."});
            return handler(services, request);
        };
        router.add(std::move(route));
    };
    for (const char* path : {"/Items/{id}/Images/{type}", "/Items/{id}/Images/{type}/{index}"}) {
        add(Method::post, path, take_picture);
        add(Method::del, path, drop_picture);
    }
}

}  // namespace understudy::http
