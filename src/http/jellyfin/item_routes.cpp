// /Items, /Items/{id} and the extras of an item: what is in the libraries.
#include <algorithm>

#include "http/jellyfin/description_dto.h"
#include "http/jellyfin/item_query.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

void end_page(JsonWriter& out, std::size_t total, std::size_t start) {
    out.end_array().field("TotalRecordCount", total).field("StartIndex", start).end_object();
}

JsonWriter begin_page(Spelling spelling) {
    JsonWriter out(spelling);
    out.begin_object().name("Items").begin_array();
    return out;
}

Response library_page(const Services& services, const Request& request, const ItemRequest& wanted,
                      const std::vector<model::Library>& libraries) {
    const auto start = std::min(wanted.query.start_index, libraries.size());
    const auto end = std::min(start + wanted.query.limit, libraries.size());
    auto out = begin_page(request.spelling);
    for (auto i = start; i < end; ++i) write_library(out, libraries[i], wanted.fields, services.info.server_id);
    end_page(out, libraries.size(), wanted.query.start_index);
    return json_answer(out.take());
}

core::Error no_item(std::string_view id) {
    return {core::Errc::not_found, "There is no item " + printable(id) + "."};
}

using Credits = std::map<core::ItemId, std::vector<store::ListedCredit>>;

/// Who made these, in one query; nobody where nobody is asked for.
core::Result<Credits> credits_of(const Services& services, const std::vector<store::ListedItem>& items,
                                 const ItemFields& fields) {
    if (services.people == nullptr || items.empty() || !fields.wants("people")) return Credits{};
    std::vector<core::ItemId> ids;
    for (const auto& listed : items) ids.push_back(listed.item.id);
    return services.people->credits(ids);
}

core::Result<void> write_items(JsonWriter& out, const Services& services, const std::vector<store::ListedItem>& items,
                               const ItemFields& fields) {
    auto credits = credits_of(services, items, fields);
    if (!credits) return tl::unexpected(credits.error());
    for (const auto& listed : items)
        write_item(out, listed, fields, services.info.server_id, &(*credits)[listed.item.id]);
    return {};
}

Response list_items(const Services& services, const Request& request) {
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    if (wanted->libraries_wanted || wanted->parent) {
        const auto libraries = services.libraries.all();
        if (!libraries) return problem(libraries.error());
        if (wanted->libraries_wanted) return library_page(services, request, *wanted, *libraries);
        const auto id = core::ItemId::parse(*wanted->parent);
        if (!id)
            return binding_problem("parentId",
                                   "parentId: '" + printable(*wanted->parent) + "' is no id; use 32 hex digits");
        if (const auto* library = find_library(*libraries, core::LibraryId(id->bytes()))) {
            wanted->query.library = library->id;
        } else {
            wanted->query.parent = *id;
        }
    }
    store::ItemPage page;
    if (!wanted->nothing) {
        auto found = services.catalog.list(wanted->query);
        if (!found) return problem(found.error());
        page = std::move(*found);
    }
    if (page.total == 0 && wanted->query.parent) {  // is it empty, or is it not there? Asked only where it matters
        const auto parent = services.catalog.find(*wanted->query.parent);
        if (!parent) return problem(parent.error());
        if (!*parent) return problem(no_item(*wanted->parent));
    }
    auto out = begin_page(request.spelling);
    if (auto written = write_items(out, services, page.items, wanted->fields); !written)
        return problem(written.error());
    end_page(out, page.total, wanted->query.start_index);
    return json_answer(out.take());
}

Response one_item(const Services& services, const Request& request) {
    const auto& text = request.param("id");
    const auto id = core::ItemId::parse(text);
    if (!id) return problem(no_item(text));
    ItemFields fields;
    fields.all = true;
    JsonWriter out(request.spelling);
    const auto item = services.catalog.find(*id);
    if (!item) return problem(item.error());
    if (*item) {
        if (auto written = write_items(out, services, {**item}, fields); !written) return problem(written.error());
        return json_answer(out.take());
    }
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    const auto* library = find_library(*libraries, core::LibraryId(id->bytes()));
    if (library) {
        write_library(out, *library, fields, services.info.server_id);
        return json_answer(out.take());
    }
    if (services.people != nullptr) {
        const auto people = services.people->find({core::PersonId(id->bytes())});
        if (!people) return problem(people.error());
        if (!people->empty()) {
            write_person(out, people->front(), fields, services.info.server_id);
            return json_answer(out.take());
        }
    }
    return problem(no_item(text));
}

/// The extras of an item that `chosen` takes, as a bare array.
Response list_extras(const Services& services, const Request& request, bool (*chosen)(std::string_view)) {
    const auto& text = request.param("id");
    const auto id = core::ItemId::parse(text);
    if (!id) return problem(no_item(text));
    store::ItemQuery query;
    query.parent = *id;
    query.kinds = {model::ItemKind::extra};
    query.limit = largest_page;
    query.with_sources = true;
    auto found = services.catalog.list(query);
    if (!found) return problem(found.error());
    if (found->items.empty()) {  // has it none, or is it not there?
        const auto owner = services.catalog.find(*id);
        if (!owner) return problem(owner.error());
        if (!*owner) return problem(no_item(text));
    }
    std::erase_if(found->items, [&](const store::ListedItem& listed) { return !chosen(listed.item.extra_type); });
    ItemFields fields;
    fields.all = true;
    JsonWriter out(request.spelling);
    out.begin_array();
    if (auto written = write_items(out, services, found->items, fields); !written) return problem(written.error());
    out.end_array();
    return json_answer(out.take());
}

Response special_features(const Services& services, const Request& request) {
    return list_extras(services, request, [](std::string_view type) { return is_special_feature(type); });
}

Response local_trailers(const Services& services, const Request& request) {
    return list_extras(services, request, [](std::string_view type) { return is_trailer(type); });
}

}  // namespace

void add_item_routes(Router& router, const Services& services) {
    const auto add = [&](const char* path, Response (*handler)(const Services&, const Request&)) {
        Route route;
        route.path = path;
        route.handler = [&services, handler](const Request& request) { return handler(services, request); };
        router.add(std::move(route));
    };
    add("/Items", list_items);
    add("/Items/{id}", one_item);
    add("/Items/{id}/SpecialFeatures", special_features);
    add("/Items/{id}/LocalTrailers", local_trailers);
}

}  // namespace understudy::http
