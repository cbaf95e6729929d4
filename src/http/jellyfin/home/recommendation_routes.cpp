// …/Similar, /Items/Suggestions and /Movies/Recommendations: what else there is.
#include <algorithm>
#include <set>
#include <utility>

#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "store/discovery.h"

namespace understudy::http {
namespace {

using model::ItemKind;
constexpr std::size_t usual_similar = 50, largest_similar = 1'000;

std::vector<core::ItemId> ids_in(const Query& query, std::string_view name) {
    std::vector<core::ItemId> ids;
    for (const auto& text : query.list(name)) {
        if (const auto id = core::ItemId::parse(text)) ids.push_back(*id);
    }
    return ids;
}

Response list_similar(const Services& services, const Request& request) {
    if (!services.discovery) return problem({core::Errc::unsupported, "What is alike is not kept here."});
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto item = requested_item(services, path_id<core::ItemId>(request), viewer_of(request));
    if (!item) return problem(item.error());
    store::SimilarQuery query;
    query.to = item->item.id;
    query.viewer = viewer_of(request);
    query.not_by = ids_in(request.query, "excludeArtistIds");
    query.limit = request.query.has("limit") ? std::min(wanted->query.limit, largest_similar) : usual_similar;
    const auto ids = services.discovery->similar(query);
    if (!ids) return problem(ids.error());
    auto items = items_by_id(services, *wanted, *ids, viewer_of(request));
    if (!items) return problem(items.error());
    wanted->query.start_index = 0;
    const auto total = items->size();
    return write_page(services, request, *wanted, *user, {std::move(*items), total});
}

/// Of `type` and `mediaType`; without them films, series and albums.
std::vector<ItemKind> suggested_kinds(const Query& query) {
    constexpr ItemKind all[] = {ItemKind::movie,  ItemKind::series, ItemKind::season, ItemKind::episode,
                                ItemKind::artist, ItemKind::album,  ItemKind::track};
    const auto types = query.list("type"), media = query.list("mediaType");
    if (types.empty() && media.empty()) return {ItemKind::movie, ItemKind::series, ItemKind::album};
    std::vector<ItemKind> kinds;
    for (const auto kind : all) {
        model::Item item;
        item.kind = kind;
        const auto named = [](const std::vector<std::string>& words, std::string_view word) {
            return words.empty() ||
                   std::ranges::any_of(words, [&](const std::string& one) { return iequals(one, word); });
        };
        if (named(types, item_type(kind)) && named(media, media_type(item))) kinds.push_back(kind);
    }
    return kinds;
}

Response list_suggestions(const Services& services, const Request& request) {
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto counted = request.query.boolean("enableTotalRecordCount");
    if (!counted) return binding_problem(counted.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    store::ItemQuery query;
    query.viewer = viewer_of(request);
    query.recursive = true;
    query.kinds = suggested_kinds(request.query);
    query.sort_by = {store::ItemSort::random};
    query.start_index = wanted->query.start_index;
    query.limit = wanted->query.limit;
    ItemsFound found;
    if (!query.kinds.empty()) {
        auto page = services.catalog.list(query);
        if (!page) return problem(page.error());
        for (auto& listed : page->items) found.items.push_back({std::move(listed), {}});
        found.total = counted->value_or(false) ? page->total : found.items.size();  // as the reference
    }
    return write_page(services, request, *wanted, *user, found);
}

struct Category {
    const char* type;
    std::string baseline;
    std::string id;  ///< of what it goes out from
    std::vector<core::ItemId> films;
};

/// Fills the categories of one kind, as many as are asked for, one after the other.
class Recommender {
public:
    Recommender(const Services& services, const Request& request, std::size_t films)
        : services_(services), viewer_(viewer_of(request)), films_(films) {}

    core::Result<std::vector<Category>> alike(const char* type, const std::vector<store::ListedItem>& to) {
        std::vector<Category> found;
        for (const auto& one : to) {
            store::SimilarQuery query{one.item.id, viewer_, {}, films_};
            auto films = services_.discovery->similar(query);
            if (!films) return tl::unexpected(films.error());
            if (!films->empty()) found.push_back({type, one.item.name, one.item.id.str(), std::move(*films)});
        }
        return found;
    }
    /// Other films with those who made `of`, as far as `chosen` takes what they did.
    core::Result<std::vector<Category>> by_people(const char* type, const std::vector<store::ListedItem>& of,
                                                  bool (*chosen)(model::CreditKind)) {
        std::vector<Category> found;
        if (!services_.people) return found;
        std::vector<core::ItemId> ids;
        for (const auto& one : of) ids.push_back(one.item.id);
        const auto credits = services_.people->credits(ids);
        if (!credits) return tl::unexpected(credits.error());
        std::set<core::PersonId> seen;
        for (const auto& id : ids) {
            const auto its = credits->find(id);
            if (its == credits->end()) continue;
            const auto credit = std::ranges::find_if(
                its->second, [&](const auto& one) { return chosen(one.kind) && !seen.contains(one.person); });
            if (credit == its->second.end()) continue;
            seen.insert(credit->person);
            auto films = films_with(credit->person, ids);
            if (!films) return tl::unexpected(films.error());
            if (!films->empty()) found.push_back({type, credit->name, credit->person.str(), std::move(*films)});
        }
        return found;
    }

private:
    core::Result<std::vector<core::ItemId>> films_with(core::PersonId person,
                                                       const std::vector<core::ItemId>& without) {
        auto items = services_.people->items_of(person);
        if (!items) return tl::unexpected(items.error());
        std::erase_if(*items, [&](core::ItemId id) { return std::ranges::find(without, id) != without.end(); });
        std::vector<core::ItemId> films;
        if (items->empty()) return films;
        store::ItemQuery query;
        query.viewer = viewer_;
        query.kinds = {ItemKind::movie};
        query.ids = std::move(*items);
        query.limit = films_;
        const auto page = services_.catalog.list(query);
        if (!page) return tl::unexpected(page.error());
        for (const auto& listed : page->items) films.push_back(listed.item.id);
        return films;
    }

    const Services& services_;
    std::optional<store::Viewer> viewer_;
    std::size_t films_;
};

bool directs(model::CreditKind kind) {
    return kind == model::CreditKind::director;
}
bool acts(model::CreditKind kind) {
    return kind == model::CreditKind::actor || kind == model::CreditKind::guest_star;
}

/// One of each kind in turn, as the reference mixes them.
std::vector<Category> in_turn(std::vector<std::vector<Category>> kinds, std::size_t limit) {
    std::vector<Category> found;
    for (std::size_t n = 0; found.size() < limit; ++n) {
        bool any = false;
        for (auto& kind : kinds) {
            if (n >= kind.size() || found.size() >= limit) continue;
            found.push_back(std::move(kind[n]));
            any = true;
        }
        if (!any) break;
    }
    return found;
}

core::Result<std::vector<Category>> categories_of(const Services& services, const Request& request, ItemRequest& wanted,
                                                  core::UserId user, std::size_t categories, std::size_t films) {
    if (wanted.parent) {
        const auto libraries = services.libraries.all();
        if (!libraries) return tl::unexpected(libraries.error());
        if (const auto set = set_parent(wanted, *libraries); !set) return tl::unexpected(set.error());
    }
    constexpr std::size_t most_recent = 7, most_liked = 10;
    store::ItemQuery query;
    query.viewer = viewer_of(request);
    query.library = wanted.query.library;
    query.parent = wanted.query.parent;
    query.recursive = true;
    query.kinds = {ItemKind::movie};
    query.user = user;
    query.sort_by = {store::ItemSort::date_played};
    query.descending = true;
    query.limit = most_recent;
    query.played = true;
    const auto recent = services.catalog.list(query);
    if (!recent) return tl::unexpected(recent.error());
    query.played.reset();
    query.favourite = true;
    query.limit = most_liked;
    const auto liked = services.catalog.list(query);
    if (!liked) return tl::unexpected(liked.error());

    Recommender recommender(services, request, films);
    std::vector<std::vector<Category>> kinds;
    auto add = [&](core::Result<std::vector<Category>> found) -> core::Result<void> {
        if (!found) return tl::unexpected(found.error());
        kinds.push_back(std::move(*found));
        return {};
    };
    if (auto done = add(recommender.alike("SimilarToRecentlyPlayed", recent->items)); !done)
        return tl::unexpected(done.error());
    if (auto done = add(recommender.alike("SimilarToLikedItem", liked->items)); !done)
        return tl::unexpected(done.error());
    if (auto done = add(recommender.by_people("HasDirectorFromRecentlyPlayed", recent->items, directs)); !done)
        return tl::unexpected(done.error());
    if (auto done = add(recommender.by_people("HasActorFromRecentlyPlayed", recent->items, acts)); !done)
        return tl::unexpected(done.error());
    return in_turn(std::move(kinds), categories);
}

Response list_recommendations(const Services& services, const Request& request) {
    if (!services.discovery) return problem({core::Errc::unsupported, "What is alike is not kept here."});
    constexpr std::size_t usual_categories = 5, most_categories = 50, usual_films = 8, most_films = 100;
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto categories = request.query.count("categoryLimit"), films = request.query.count("itemLimit");
    if (!categories || !films) return binding_problem((!categories ? categories : films).error());
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto found = categories_of(services, request, *wanted, user->id,
                                     std::min(categories->value_or(usual_categories), most_categories),
                                     std::min(films->value_or(usual_films), most_films));
    if (!found) return binding_problem(found.error());
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& category : *found) {
        const auto items = items_by_id(services, *wanted, category.films, viewer_of(request));
        if (!items) return problem(items.error());
        out.begin_object().name("Items").begin_array();
        if (const auto written = write_items(out, services, request, *items, wanted->fields, *user); !written)
            return problem(written.error());
        out.end_array().field("RecommendationType", category.type).field("BaselineItemName", category.baseline);
        out.field("CategoryId", category.id).end_object();
    }
    out.end_array();
    return json_answer(out.take());
}

}  // namespace

void add_recommendation_routes(Router& router, const Services& services) {
    const auto add = [&](const char* path, Handler handler) {
        add_route(router, services, Method::get, path, handler, Access::user);
    };
    for (const auto* path : {"/Items/{id}/Similar", "/Movies/{id}/Similar", "/Shows/{id}/Similar",
                             "/Albums/{id}/Similar", "/Artists/{id}/Similar", "/Trailers/{id}/Similar"})
        add(path, list_similar);
    add("/Items/Suggestions", list_suggestions);
    add("/Users/{userId}/Suggestions", list_suggestions);
    add("/Movies/Recommendations", list_recommendations);
}

}  // namespace understudy::http
