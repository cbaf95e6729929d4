// /Search/Hints: what clients show while somebody types.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "http/entity_tags.h"
#include "http/jellyfin/dto/name_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/items/name_pages.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "store/discovery.h"

namespace understudy::http {
namespace {

using model::ItemKind;
using store::NameKind;
constexpr std::size_t usual_hints = 100, largest_hints = 1'000;

/// The kinds, people and names that the flags of the request leave. Errors: invalid.
core::Result<void> read_flags(const Query& query, store::HintQuery& wanted) {
    bool people = true, artists = true, media = true, genres = true, studios = true;
    for (const auto& [name, flag] : {std::pair<const char*, bool*>{"includePeople", &people},
                                     {"includeArtists", &artists},
                                     {"includeMedia", &media},
                                     {"includeGenres", &genres},
                                     {"includeStudios", &studios}}) {
        const auto read = query.boolean(name);
        if (!read) return tl::unexpected(read.error());
        if (*read) *flag = **read;
    }
    auto& kinds = wanted.kinds;
    if (kinds.empty()) {
        kinds = {ItemKind::movie, ItemKind::series, ItemKind::season,  ItemKind::episode, ItemKind::artist,
                 ItemKind::album, ItemKind::track,  ItemKind::box_set, ItemKind::playlist};
    }
    std::erase_if(kinds, [&](ItemKind kind) { return kind == ItemKind::artist ? !artists : !media; });
    // Where kinds are named, people, genres, studios and artists are some of them.
    const auto types = query.list("includeItemTypes"), others = query.list("excludeItemTypes");
    const auto among = [](const std::vector<std::string>& list, std::string_view type) {
        return std::ranges::any_of(list, [&](const std::string& each) { return iequals(each, type); });
    };
    const auto wants = [&](std::string_view type) {
        return (types.empty() || among(types, type)) && !among(others, type);
    };
    wanted.people = people && wants("Person");
    if (query.has("mediaTypes")) return {};  // names are of none
    for (const auto& [kind, flag] : {std::pair{NameKind::genre, genres},
                                     {NameKind::music_genre, genres},
                                     {NameKind::studio, studios},
                                     {NameKind::artist, artists}}) {
        if (flag && wants(name_type(kind))) wanted.names.push_back(kind);
    }
    return {};
}

void write_picture(JsonWriter& out, const store::ListedItem& listed) {
    const auto tag_of = [](const std::vector<model::ItemImage>& images, model::ImageKind kind) {
        const auto found = std::ranges::find(images, kind, &model::ItemImage::kind);
        return found == images.end() ? std::string() : image_tag(*found);
    };
    auto primary = tag_of(listed.item.images, model::ImageKind::primary);
    if (primary.empty() && listed.cover) primary = listed.cover->blob.str();
    out.text_if_any("PrimaryImageTag", primary);
    for (const auto& [kind, tag_name, id_name] :
         {std::tuple{model::ImageKind::thumb, "ThumbImageTag", "ThumbImageItemId"},
          {model::ImageKind::backdrop, "BackdropImageTag", "BackdropImageItemId"}}) {
        auto owner = listed.item.id;
        auto tag = tag_of(listed.item.images, kind);
        for (const auto& ancestor : listed.ancestors) {
            if (!tag.empty()) break;
            owner = ancestor.id;
            tag = tag_of(ancestor.images, kind);
        }
        if (!tag.empty()) out.field(tag_name, tag).field(id_name, owner.str());
    }
}

void write_hint(JsonWriter& out, const store::ListedItem& listed) {
    const auto& item = listed.item;
    out.begin_object().field("ItemId", item.id).field("Id", item.id).field("Name", item.name);
    if (item.kind == ItemKind::episode)
        out.field("IndexNumber", item.episode_number).field("ParentIndexNumber", item.season_number);
    if (item.kind == ItemKind::season) out.field("IndexNumber", item.season_number);
    if (item.kind == ItemKind::track)
        out.field("IndexNumber", item.track_number).field("ParentIndexNumber", item.disc_number);
    out.field("ProductionYear", item.year);
    write_picture(out, listed);
    out.field("Type", item_type(item.kind)).field("IsFolder", has_below(item.kind));
    if (item.duration.count() > 0) out.field("RunTimeTicks", to_ticks(item.duration));
    out.field("MediaType", media_type(item));
    if (item.about.premiered) out.field("StartDate", to_jellyfin_time(*item.about.premiered));
    if (item.about.ended) out.field("EndDate", to_jellyfin_time(*item.about.ended));
    out.text_if_any("Series", listed.series_name);
    if (item.kind == ItemKind::series) out.text_if_any("Status", item.about.status);
    out.text_if_any("Album", item.album.empty() ? listed.album_name : item.album);
    if (!listed.album_id.empty()) out.field("AlbumId", listed.album_id);
    out.text_if_any("AlbumArtist", item.album_artist).field("Artists", item.artists).end_object();
}

void write_person_hint(JsonWriter& out, const store::Person& person) {
    out.begin_object().field("ItemId", person.id).field("Id", person.id).field("Name", person.name);
    if (!person.image.empty()) out.field("PrimaryImageTag", person.image.str());
    out.field("Type", "Person").field("IsFolder", false).field("MediaType", "Unknown");
    out.name("Artists").begin_array().end_array().end_object();
}

void write_name_hint(JsonWriter& out, const store::ListedName& name) {
    out.begin_object().field("ItemId", name.id).field("Id", name.id).field("Name", name.name);
    out.field("Type", name_type(name.kind)).field("IsFolder", name.kind == NameKind::artist);
    out.field("MediaType", "Unknown").name("Artists").begin_array().end_array().end_object();
}

core::Result<std::map<core::ItemId, store::ListedName>> names_in(const Services& services, const Request& request,
                                                                 const store::Hints& hints) {
    std::map<core::ItemId, store::ListedName> names;
    store::NameQuery query;
    for (const auto& hint : hints.found) {
        if (!hint.name.empty()) query.ids.push_back(hint.name);
    }
    if (query.ids.empty() || !services.names) return names;
    query.items = all_items(request);
    query.limit = query.ids.size() + 1;
    query.with_total = false;
    auto found = services.names->list(query);
    if (!found) return tl::unexpected(found.error());
    for (auto& name : found->names) {
        const auto id = name.id;
        names.emplace(id, std::move(name));
    }
    return names;
}

core::Result<std::map<core::PersonId, store::Person>> people_in(const Services& services, const Request& request,
                                                                const store::Hints& hints) {
    std::map<core::PersonId, store::Person> people;
    std::vector<core::PersonId> ids;
    for (const auto& hint : hints.found) {
        if (!hint.person.empty()) ids.push_back(hint.person);
    }
    if (ids.empty() || !services.people) return people;
    auto found = services.people->find(ids, viewer_of(request));
    if (!found) return tl::unexpected(found.error());
    for (auto& person : *found) {
        const auto id = person.id;
        people.emplace(id, std::move(person));
    }
    return people;
}

Response answer_hints(const Services& services, const Request& request, const ItemRequest& wanted,
                      const store::Hints& hints) {
    std::vector<core::ItemId> ids;
    for (const auto& hint : hints.found) {
        if (!hint.item.empty()) ids.push_back(hint.item);
    }
    const auto items = items_by_id(services, wanted, ids, viewer_of(request));
    if (!items) return problem(items.error());
    const auto people = people_in(services, request, hints);
    if (!people) return problem(people.error());
    const auto names = names_in(services, request, hints);
    if (!names) return problem(names.error());
    std::unordered_map<core::ItemId, const store::ListedItem*> by_id;
    for (const auto& one : *items) by_id[one.listed.item.id] = &one.listed;
    JsonWriter out(request.spelling);
    out.begin_object().name("SearchHints").begin_array();
    for (const auto& hint : hints.found) {
        if (const auto item = by_id.find(hint.item); item != by_id.end()) write_hint(out, *item->second);
        if (const auto person = people->find(hint.person); person != people->end())
            write_person_hint(out, person->second);
        if (const auto name = names->find(hint.name); name != names->end()) write_name_hint(out, name->second);
    }
    out.end_array().field("TotalRecordCount", hints.total).end_object();
    return json_answer(out.take());
}

Response search_hints(const Services& services, const Request& request) {
    if (!services.discovery) return problem({core::Errc::unsupported, "Searches are not kept here."});
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    if (wanted->query.search.empty()) return binding_problem("searchTerm", "missing; say what names should hold");
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    store::HintQuery query;
    query.term = wanted->query.search;
    query.viewer = viewer_of(request);
    query.kinds = wanted->query.kinds;
    query.start_index = wanted->query.start_index;
    query.limit = request.query.has("limit") ? std::min(wanted->query.limit, largest_hints) : usual_hints;
    if (const auto read = read_flags(request.query, query); !read) return binding_problem(read.error());
    if (wanted->nothing) query.kinds.clear();
    if (wanted->parent) {
        const auto libraries = services.libraries.all();
        if (!libraries) return problem(libraries.error());
        if (const auto set = set_parent(*wanted, *libraries); !set) return binding_problem(set.error());
        query.library = wanted->query.library;
        query.parent = wanted->query.parent;
    }
    const auto hints = services.discovery->hints(query);
    if (!hints) return problem(hints.error());
    return answer_hints(services, request, *wanted, *hints);
}

}  // namespace

void add_search_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/Search/Hints", search_hints, Access::user);
}

}  // namespace understudy::http
