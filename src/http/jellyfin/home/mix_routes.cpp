// …/InstantMix: tracks that go with an item, by genre.
#include <algorithm>
#include <utility>

#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "store/discovery.h"
#include "store/names.h"
#include "store/user_data.h"

namespace understudy::http {
namespace {

constexpr std::size_t usual_mix = 200, largest_mix = 1'000;
constexpr std::size_t heard = 100;  // so many tracks of a list say what its genres are

void add_genres(const std::vector<std::string>& more, std::vector<std::string>& genres) {
    for (const auto& genre : more) {
        if (std::ranges::find(genres, genre) == genres.end()) genres.push_back(genre);
    }
}

/// What a mix is made of: genres, and what it begins with or, where nobody knows any, consists of.
struct Ingredients {
    std::vector<std::string> genres;
    std::vector<core::ItemId> own;
};

core::Result<Ingredients> ingredients_of(const Services& services, const Request& request,
                                         const store::ListedItem& listed) {
    Ingredients made;
    add_genres(listed.item.genres, made.genres);
    if (listed.item.kind == model::ItemKind::track) made.own = {listed.item.id};
    if (!has_below(listed.item.kind) || !services.users.data) return made;
    auto below = services.users.data->playable_below(listed.item.id, viewer_of(request), largest_mix);
    if (!below) return tl::unexpected(below.error());
    made.own = std::move(*below);
    if (!made.genres.empty() || made.own.empty()) return made;
    store::ItemQuery query;
    query.ids.assign(made.own.begin(),
                     made.own.begin() + static_cast<std::ptrdiff_t>(std::min(heard, made.own.size())));
    query.viewer = viewer_of(request);
    query.kinds = {model::ItemKind::track};
    query.limit = heard + 1;
    const auto tracks = services.catalog.list(query);
    if (!tracks) return tl::unexpected(tracks.error());
    for (const auto& track : tracks->items) add_genres(track.item.genres, made.genres);
    return made;
}

Response answer_mix(const Services& services, const Request& request, const Ingredients& made, std::uint8_t seed,
                    std::optional<core::ItemId> first) {
    if (!services.discovery) return problem({core::Errc::unsupported, "Mixes are not made here."});
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto limit = request.query.has("limit") ? std::min(wanted->query.limit, largest_mix) : usual_mix;
    store::MixQuery query{made.genres, viewer_of(request), seed, limit};
    auto ids = services.discovery->mix(query);
    if (!ids) return problem(ids.error());
    if (ids->empty()) *ids = made.own;
    if (first) {
        std::erase(*ids, *first);
        ids->insert(ids->begin(), *first);
    }
    ids->resize(std::min(ids->size(), limit));
    auto items = items_by_id(services, *wanted, *ids, viewer_of(request));
    if (!items) return problem(items.error());
    std::erase_if(*items, [](const PageItem& one) { return one.listed.item.kind != model::ItemKind::track; });
    wanted->query.start_index = 0;
    const auto total = items->size();
    return write_page(services, request, *wanted, *user, {std::move(*items), total});
}

Response mix_of(const Services& services, const Request& request, core::ItemId id) {
    const auto item = requested_item(services, id, viewer_of(request));
    if (!item) return problem(item.error());
    const auto made = ingredients_of(services, request, *item);
    if (!made) return problem(made.error());
    const bool is_track = item->item.kind == model::ItemKind::track;
    return answer_mix(services, request, *made, id.bytes().back(), is_track ? std::optional(id) : std::nullopt);
}

Response mix_of_item(const Services& services, const Request& request) {
    return mix_of(services, request, path_id<core::ItemId>(request));
}

/// `GET /Artists/InstantMix?id`
Response mix_of_named_artist(const Services& services, const Request& request) {
    const auto text = request.query.text("id");
    const auto id = core::ItemId::parse(text);
    return id ? mix_of(services, request, *id) : binding_problem(wrong_id("id", text));
}

Response answer_genre_mix(const Services& services, const Request& request, const std::string& genre) {
    return answer_mix(services, request, {{genre}, {}}, static_cast<std::uint8_t>(genre.size()), std::nullopt);
}

Response mix_of_genre(const Services& services, const Request& request) {
    return answer_genre_mix(services, request, request.param("name"));
}

/// `GET /MusicGenres/InstantMix?id`
Response mix_of_genre_by_id(const Services& services, const Request& request) {
    if (!services.names) return problem({core::Errc::unsupported, "Genres are not kept by name here."});
    const auto text = request.query.text("id");
    const auto id = core::ItemId::parse(text);
    if (!id) return binding_problem(wrong_id("id", text));
    store::NameQuery query;
    query.kinds = {store::NameKind::music_genre, store::NameKind::genre};
    query.ids = {*id};
    query.items.viewer = viewer_of(request);
    query.items.recursive = true;
    const auto found = services.names->list(query);
    if (!found) return problem(found.error());
    if (found->names.empty()) return problem({core::Errc::not_found, "There is no genre " + id->str() + "."});
    return answer_genre_mix(services, request, found->names.front().name);
}

}  // namespace

void add_mix_routes(Router& router, const Services& services) {
    const auto add = [&](const char* path, Handler handler) {
        add_route(router, services, Method::get, path, handler, Access::user);
    };
    for (const auto* path : {"/Items/{id}/InstantMix", "/Albums/{id}/InstantMix", "/Artists/{id}/InstantMix",
                             "/Songs/{id}/InstantMix", "/Playlists/{id}/InstantMix"})
        add(path, mix_of_item);
    add("/Artists/InstantMix", mix_of_named_artist);
    add("/MusicGenres/InstantMix", mix_of_genre_by_id);
    add("/MusicGenres/{name}/InstantMix", mix_of_genre);
}

}  // namespace understudy::http
