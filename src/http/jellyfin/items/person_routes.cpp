// /Persons and /Persons/{name}: who made what is in the libraries.
#include <algorithm>
#include <set>

#include "core/search_fold.h"
#include "http/jellyfin/dto/description_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/items/item_filters.h"
#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/items/item_query.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::size_t page_of_people = 500;

Response page_of(const Services& services, const Request& request, const std::vector<store::Person>& people) {
    const auto shown = request.query.boolean("enableUserData");
    if (!shown) return binding_problem(shown.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    ItemFields fields;
    for (const auto& field : request.query.list("fields")) fields.names.insert(to_lower(field));
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    const auto whose = shown->value_or(true) ? *user : std::nullopt;
    if (const auto written = write_people_of(out, services, people, fields, whose); !written)
        return problem(written.error());
    // As in the reference: how many there are in this answer.
    out.end_array().field("TotalRecordCount", people.size()).field("StartIndex", 0).end_object();
    return json_answer(out.take());
}

/// `filters=IsFavorite` and `isFavorite`, of whom the request names. Errors: invalid, not_found.
core::Result<store::PersonFilter> read_filter(const Services& services, const Request& request) {
    store::PersonFilter filter;
    filter.search = trim(request.query.text("searchTerm"));
    filter.kinds = read_credit_kinds(request.query, "personTypes");
    filter.other_kinds = read_credit_kinds(request.query, "excludePersonTypes");
    const auto favourite = request.query.boolean("isFavorite");
    if (!favourite) return tl::unexpected(favourite.error());
    filter.favourite = *favourite;
    for (const auto& word : request.query.list("filters")) {
        if (iequals(word, "IsFavorite") && !filter.favourite) filter.favourite = true;
    }
    if (!filter.favourite) return filter;
    const auto user = requested_user(services, request);
    if (!user) return tl::unexpected(user.error());
    filter.user = user->id;
    return filter;
}

/// Who is in the credits of one item as the filter says, each once, in their order.
core::Result<std::vector<store::Person>> people_of(store::People& people, core::ItemId item,
                                                   const store::PersonFilter& filter) {
    const auto in = [](const std::vector<model::CreditKind>& kinds, model::CreditKind kind) {
        return std::ranges::find(kinds, kind) != kinds.end();
    };
    const auto credits = people.credits({item});
    if (!credits) return tl::unexpected(credits.error());
    std::vector<core::PersonId> ids;
    std::set<core::PersonId> seen;
    if (const auto its = credits->find(item); its != credits->end()) {
        for (const auto& credit : its->second) {
            if ((!filter.kinds.empty() && !in(filter.kinds, credit.kind)) || in(filter.other_kinds, credit.kind))
                continue;
            if (seen.insert(credit.person).second) ids.push_back(credit.person);
        }
    }
    auto found = people.find(ids);
    if (!found) return found;
    const auto place = [&](const store::Person& person) { return std::ranges::find(ids, person.id) - ids.begin(); };
    std::ranges::sort(*found, {}, place);
    return found;
}

/// Takes out whom the user has not called a favourite, or has, as the filter says.
core::Result<void> keep_favourites(const Services& services, const store::PersonFilter& filter,
                                   std::vector<store::Person>& people) {
    if (!filter.favourite) return {};
    std::vector<core::ItemId> ids;
    for (const auto& person : people) ids.emplace_back(person.id.bytes());
    const auto data = named_data(services, filter.user, ids);
    if (!data) return tl::unexpected(data.error());
    std::erase_if(people, [&](const store::Person& person) {
        const auto own = data->find(core::ItemId(person.id.bytes()));
        return (own != data->end() && own->second.favourite) != *filter.favourite;
    });
    return {};
}

Response list_people(const Services& services, const Request& request) {
    const auto limit = request.query.count("limit");
    if (!limit) return binding_problem(limit.error());
    const auto most = std::min(limit->value_or(largest_page), largest_page);
    if (services.people == nullptr || most == 0) return page_of(services, request, {});
    const auto viewer = viewer_of(request);
    const auto filter = read_filter(services, request);
    if (!filter) return binding_problem(filter.error());
    const auto text = request.query.text("appearsInItemId");
    if (text.empty()) {
        const auto found = services.people->list(*filter, 0, most, viewer);
        if (!found) return problem(found.error());
        return page_of(services, request, *found);
    }
    const auto item = core::ItemId::parse(text);
    if (!item) return binding_problem(wrong_id("appearsInItemId", text));
    if (viewer) {  // who made what the caller may not see is nobody, as of an item that is not there
        const auto there = requested_item(services, *item, viewer);
        if (!there && there.error().code == core::Errc::not_found) return page_of(services, request, {});
        if (!there) return problem(there.error());
    }
    auto found = people_of(*services.people, *item, *filter);
    if (!found) return problem(found.error());
    const auto term = core::search_fold(filter->search);
    std::erase_if(*found, [&](const store::Person& person) {
        return core::search_fold(person.name).find(term) == std::string::npos;
    });
    if (const auto kept = keep_favourites(services, *filter, *found); !kept) return problem(kept.error());
    if (found->size() > most) found->resize(most);
    return page_of(services, request, *found);
}

Response one_person(const Services& services, const Request& request) {
    const auto& name = request.param("name");
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    for (std::size_t at = 0; services.people != nullptr; at += page_of_people) {
        const auto found = services.people->list(name, at, page_of_people, viewer_of(request));
        if (!found) return problem(found.error());
        const auto exact =
            std::ranges::find_if(*found, [&](const store::Person& person) { return iequals(person.name, name); });
        if (exact != found->end()) {
            ItemFields fields;
            fields.all = true;
            JsonWriter out(request.spelling);
            if (const auto written = write_people_of(out, services, {*exact}, fields, *user); !written)
                return problem(written.error());
            return json_answer(out.take());
        }
        if (found->size() < page_of_people) break;
    }
    return problem({core::Errc::not_found, "There is nobody called '" + printable(name) + "'."});
}

}  // namespace

void add_person_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/Persons", list_people, Access::user);
    add_route(router, services, Method::get, "/Persons/{name}", one_person, Access::user);
}

}  // namespace understudy::http
