// /Items/{id}/Images: the pictures beside the media, those in the files, and those of people.
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "http/entity_tags.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/json_writer.h"
#include "http/pictures/picture_answer.h"
#include "http/pictures/picture_files.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

// Kinds that the reference knows and that no item here has; a chapter's picture has a route of its own.
constexpr std::array<std::string_view, 6> other_kinds{"Box", "BoxRear", "Chapter", "Menu", "Profile", "Screenshot"};

struct Wanted {
    core::ItemId id;
    std::string kind;
    std::optional<model::ImageKind> known_kind;
    std::size_t index = 0;
};

Response no_picture(const Wanted& wanted) {
    return problem({core::Errc::not_found, "Item " + wanted.id.str() + " has no picture " + printable(wanted.kind) +
                                               " " + std::to_string(wanted.index) + "."});
}

core::Result<Wanted> read_wanted(const Request& request) {
    Wanted wanted{path_id<core::ItemId>(request), request.param("type"),
                  model::parse_image_kind(request.param("type"))};
    const bool other = std::ranges::any_of(other_kinds, [&](auto kind) { return iequals(kind, wanted.kind); });
    if (!wanted.known_kind && !other) {
        return core::fail(core::Errc::invalid,
                          "imageType: '" + printable(wanted.kind) +
                              "' is none; use Primary, Backdrop, Logo, Art, Banner, Thumb or Disc");
    }
    if (const auto& text = request.param("index"); !text.empty()) {
        const auto number = parse_int(text);
        if (!number || *number < 0) {
            return core::fail(core::Errc::invalid,
                              "imageIndex: '" + printable(text) + "' is no number of a picture; the first is 0");
        }
        wanted.index = static_cast<std::size_t>(*number);
    } else {
        const auto number = request.query.count("imageIndex");
        if (!number) return tl::unexpected(number.error());
        wanted.index = number->value_or(0);
    }
    return wanted;
}

Response answered(core::Result<Response> answer, const Wanted& wanted) {
    if (answer) return std::move(*answer);
    return answer.error().code == core::Errc::not_found ? no_picture(wanted) : problem(answer.error());
}

Response person_picture(const Services& services, const Request& request, const PictureWish& wish,
                        const Wanted& wanted) {
    const bool possible = wanted.known_kind == model::ImageKind::primary && wanted.index == 0;
    if (!possible || services.people == nullptr) return no_picture(wanted);
    const auto people = services.people->find({core::PersonId(wanted.id.bytes())});
    if (!people) return problem(people.error());
    if (people->empty() || people->front().image.empty()) return no_picture(wanted);
    return answered(answer_with_blob(services, request, wish, people->front().image), wanted);
}

// Scans take pictures by their names and open none: what is none shows here first. Whoever looks after the folder is
// told once of each file; clients ask for it with every page. Safe from any thread.
class UselessPictures {
public:
    explicit UselessPictures(core::Log& log) : log_(log) {}
    void tell(const std::string& path, const std::string& cause) {
        constexpr std::size_t most = 1000;
        {
            const std::lock_guard lock(mutex_);
            if (told_.size() >= most) told_.clear();
            if (!told_.insert(path).second) return;
        }
        log_.warning("a picture cannot be shown", {{"path", printable(path)}, {"cause", cause}});
    }

private:
    core::Log& log_;
    std::mutex mutex_;
    std::set<std::string> told_;
};

struct PictureRoom {
    explicit PictureRoom(core::Log& log) : useless(log) {}
    PictureFiles files;
    UselessPictures useless;
};

/// A file beside the media.
Response file_picture(const Services& services, PictureRoom& room, const Request& request, const PictureWish& wish,
                      core::LibraryId library, const std::string& path) {
    const auto failed = [&](core::Error error) {
        const bool useless = error.code == core::Errc::corrupt || error.code == core::Errc::unsupported;
        if (useless) room.useless.tell(path, error.context);
        // For a client it is not there.
        if (error.code == core::Errc::corrupt) error.code = core::Errc::not_found;
        return problem(error);
    };
    const bool as_it_is = wish.plain || services.scaled == nullptr;
    // Its tag is all that is needed where what was made of it is kept: whoever has any (`*`) is told no more.
    auto looked = room.files.read(library, path, as_it_is ? std::string(request.header("If-None-Match")) : "*");
    if (!looked) return failed(looked.error());
    if (as_it_is && looked->known) return with_freshness({.status = 304}, request, looked->tag);
    PictureSource source;
    source.tag = looked->tag;
    source.read = [&]() -> core::Result<PictureBytes> {
        auto read = as_it_is ? core::Result<Picture>(std::move(*looked)) : room.files.read(library, path, "");
        if (!read) return tl::unexpected(std::move(read.error()));
        return PictureBytes{std::move(read->tag), std::move(read->content_type), std::move(read->bytes)};
    };
    auto answer = answer_with_picture(services, request, wish, source);
    return answer ? std::move(*answer) : failed(answer.error());
}

Response picture(const Services& services, PictureRoom& room, const Request& request) {
    const auto wanted = read_wanted(request);
    if (!wanted) return binding_problem(wanted.error());
    const auto wish = read_picture_wish(request);
    if (!wish) return binding_problem(wish.error());
    store::ItemQuery query;
    query.ids = {wanted->id};
    query.limit = 2;  // more than there can be: no total is asked for
    const auto page = services.catalog.list(query);
    if (!page) return problem(page.error());
    if (page->items.empty()) return person_picture(services, request, *wish, *wanted);
    const auto& item = page->items.front().item;
    const auto& cover = page->items.front().cover;
    auto index = wanted->index;
    for (const auto& image : item.images) {
        if (image.kind != wanted->known_kind || index-- > 0) continue;
        return file_picture(services, room, request, *wish, item.library, image.path);
    }
    const bool is_first_primary = wanted->known_kind == model::ImageKind::primary && wanted->index == 0;
    if (!is_first_primary || !cover) return no_picture(*wanted);
    return answered(answer_with_blob(services, request, *wish, cover->blob), *wanted);
}

Response list_images(const Services& services, const Request& request) {
    const auto id = path_id<core::ItemId>(request);
    const auto found = services.catalog.find(id);
    if (!found) return problem(found.error());
    if (!*found || !may_see(request, (*found)->item.library)) return problem(no_item(id));
    JsonWriter out(request.spelling);
    out.begin_array();
    if (const auto& cover = (*found)->cover) {  // in the files: it has no path of its own
        out.begin_object().field("ImageType", model::to_string(model::ImageKind::primary));
        out.field("ImageTag", cover->blob.str()).field("Height", cover->height).field("Width", cover->width);
        out.field("Size", cover->size_bytes).end_object();
    }
    int backdrops = 0;
    for (const auto& image : (*found)->item.images) {
        out.begin_object().field("ImageType", model::to_string(image.kind));
        if (image.kind == model::ImageKind::backdrop) out.field("ImageIndex", backdrops++);
        out.field("ImageTag", image_tag(image)).field("Path", image.path).field("Size", image.size_bytes).end_object();
    }
    out.end_array();
    return json_answer(out.take());
}

}  // namespace

void add_image_routes(Router& router, const Services& services) {
    const auto room = std::make_shared<PictureRoom>(services.log);
    // Open as in the reference: a browser's <img> sends no token.
    for (const char* path :
         {"/Items/{id}/Images/{type}", "/Items/{id}/Images/{type}/{index}",
          "/Items/{id}/Images/{type}/{index}/{tag}/{format}/{maxWidth}/{maxHeight}/{percentPlayed}/{unplayedCount}"}) {
        Route route;
        route.path = path;
        route.access = Access::open;
        route.where = Where::pictures;
        route.handler = [&services, room](const Request& request) { return picture(services, *room, request); };
        router.add(std::move(route));
    }
    add_route(router, services, Method::get, "/Items/{id}/Images", list_images, Access::user);
}

}  // namespace understudy::http
