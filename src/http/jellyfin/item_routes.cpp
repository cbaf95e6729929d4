// /Items and /Items/{id}: what is in the libraries.
#include <algorithm>

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
    for (const auto& item : page.items) write_item(out, item, wanted->fields, services.info.server_id);
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
        write_item(out, **item, fields, services.info.server_id);
        return json_answer(out.take());
    }
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    const auto* library = find_library(*libraries, core::LibraryId(id->bytes()));
    if (!library) return problem(no_item(text));
    write_library(out, *library, fields, services.info.server_id);
    return json_answer(out.take());
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
}

}  // namespace understudy::http
