#include "http/jellyfin/items/name_pages.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "http/jellyfin/dto/name_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/problem.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using ItemsById = std::map<core::ItemId, store::ListedItem>;

core::Result<ItemsById> artists_of(const Services& services, const Request& request,
                                   const std::vector<store::ListedName>& names) {
    ItemsById found;
    store::ItemQuery query = all_items(request);
    for (const auto& name : names) {
        if (!name.item.empty()) query.ids.push_back(name.item);
    }
    if (query.ids.empty()) return found;
    query.limit = query.ids.size() + 1;
    auto page = services.catalog.list(query);
    if (!page) return tl::unexpected(page.error());
    for (auto& listed : page->items) {
        const auto id = listed.item.id;
        found.emplace(id, std::move(listed));
    }
    return found;
}

core::Result<void> write_names(JsonWriter& out, const Services& services, const Request& request,
                               const NameRequest& wanted, const std::vector<store::ListedName>& names) {
    const auto items = artists_of(services, request, names);
    if (!items) return tl::unexpected(items.error());
    std::map<core::ItemId, UserView> views;
    std::map<core::ItemId, store::UserItemData> data;
    if (wanted.user && wanted.user_data) {
        std::vector<const model::Item*> shown;
        shown.reserve(items->size());
        for (const auto& [id, listed] : *items) shown.push_back(&listed.item);
        auto got = user_views(services, wanted.user->id, shown, viewer_of(request));
        if (!got) return tl::unexpected(got.error());
        views = std::move(*got);
        std::vector<core::ItemId> others;
        for (const auto& name : names) {
            if (!items->contains(name.item)) others.push_back(name.id);
        }
        auto theirs = named_data(services, wanted.user->id, others);
        if (!theirs) return tl::unexpected(theirs.error());
        data = std::move(*theirs);
    }
    for (const auto& name : names) {
        const auto item = items->find(name.item);
        if (item == items->end()) {
            const auto own = data.find(name.id);
            write_name(out, name, wanted.fields, services.info.server_id, own == data.end() ? nullptr : &own->second);
            continue;
        }
        ItemContext context;
        if (const auto view = views.find(name.item); view != views.end()) context.user = &view->second;
        if (wanted.fields.wants("itemcounts")) context.counts = &name.counts;
        write_item(out, item->second, wanted.fields, services.info.server_id, context);
    }
    return {};
}

core::Result<std::optional<store::YearCount>> year_of(const Services& services, const Request& request,
                                                      core::ItemId id) {
    const auto wanted = store::year_of(id);
    if (!wanted) return std::optional<store::YearCount>{};
    auto items = all_items(request);
    items.filters.years = {*wanted};
    const auto years = services.names->years(items);
    if (!years) return tl::unexpected(years.error());
    const auto found = std::ranges::find(*years, *wanted, &store::YearCount::year);
    return found == years->end() ? std::optional<store::YearCount>{} : std::optional(*found);
}

core::ItemId id_of(const store::YearCount& year) {
    return name_id_of(store::NameKind::year, std::to_string(year.year));
}

core::Result<void> write_years(JsonWriter& out, const Services& services, const NameRequest& wanted,
                               const std::vector<store::YearCount>& years) {
    std::map<core::ItemId, store::UserItemData> data;
    if (wanted.user && wanted.user_data) {
        std::vector<core::ItemId> ids;
        ids.reserve(years.size());
        for (const auto& year : years) ids.push_back(id_of(year));
        auto got = named_data(services, wanted.user->id, ids);
        if (!got) return tl::unexpected(got.error());
        data = std::move(*got);
    }
    for (const auto& year : years) {
        const auto own = data.find(id_of(year));
        write_year(out, year, wanted.fields, services.info.server_id, own == data.end() ? nullptr : &own->second);
    }
    return {};
}

}  // namespace

store::ItemQuery all_items(const Request& request) {
    store::ItemQuery query;
    query.viewer = viewer_of(request);
    query.recursive = true;
    return query;
}

core::Result<NameRequest> read_name_request(const Services& services, const Request& request) {
    auto items = read_item_request(request.query);
    if (!items) return tl::unexpected(items.error());
    items->query.viewer = viewer_of(request);
    items->query.recursive = true;
    if (items->parent) {
        auto libraries = services.libraries.all();
        if (!libraries) return tl::unexpected(libraries.error());
        std::erase_if(*libraries, [&](const model::Library& library) { return !may_see(request, library.id); });
        if (const auto set = set_parent(*items, *libraries); !set) return tl::unexpected(set.error());
    }
    NameRequest wanted;
    wanted.fields = std::move(items->fields);
    wanted.nothing = items->nothing;
    wanted.user_data = items->user_data;
    auto user = named_user(services, request);
    if (!user) return tl::unexpected(user.error());
    if (items->needs_user && !*user) {
        auto only = requested_user(services, request);
        if (!only) return tl::unexpected(only.error());
        user = std::optional(std::move(*only));
    }
    wanted.user = std::move(*user);
    auto& query = wanted.query;
    query.items = std::move(items->query);
    if (wanted.user) query.items.user = wanted.user->id;
    // These are said of the names, not of what has them.
    query.search = std::exchange(query.items.search, {});
    query.prefix = std::exchange(query.items.filters.name_prefix, {});
    query.from = std::exchange(query.items.filters.name_from, {});
    query.before = std::exchange(query.items.filters.name_before, {});
    query.favourite = std::exchange(query.items.favourite, {});
    query.start_index = query.items.start_index;
    query.limit = query.items.limit;
    query.with_total = query.items.with_total;
    query.descending = query.items.descending;
    const auto sorts = request.query.list("sortBy");
    query.random = !sorts.empty() && iequals(sorts.front(), "Random");
    query.with_counts = wanted.fields.wants("itemcounts");
    return wanted;
}

Response name_page(const Services& services, const Request& request, const NameRequest& wanted) {
    store::NamePage page;
    if (!wanted.nothing && services.names != nullptr) {
        auto found = services.names->list(wanted.query);
        if (!found) return problem(found.error());
        page = std::move(*found);
    }
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    if (const auto written = write_names(out, services, request, wanted, page.names); !written)
        return problem(written.error());
    out.end_array().field("TotalRecordCount", page.total).field("StartIndex", wanted.query.start_index).end_object();
    return json_answer(out.take());
}

Response year_page(const Services& services, const Request& request, const NameRequest& wanted,
                   std::vector<store::YearCount> years) {
    if (wanted.query.favourite) {
        std::vector<core::ItemId> ids;
        for (const auto& year : years) ids.push_back(id_of(year));
        const auto data = named_data(services, wanted.user->id, ids);
        if (!data) return problem(data.error());
        std::erase_if(years, [&](const store::YearCount& year) {
            return data->at(id_of(year)).favourite != *wanted.query.favourite;
        });
    }
    if (wanted.query.descending) std::ranges::reverse(years);
    const auto total = years.size();
    const auto start = std::min(wanted.query.start_index, total);
    years.erase(years.begin(), years.begin() + static_cast<std::ptrdiff_t>(start));
    if (years.size() > wanted.query.limit) years.resize(wanted.query.limit);
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    if (const auto written = write_years(out, services, wanted, years); !written) return problem(written.error());
    out.end_array().field("TotalRecordCount", total).field("StartIndex", wanted.query.start_index).end_object();
    return json_answer(out.take());
}

Response one_by_name(const Services& services, const Request& request, core::ItemId id) {
    if (services.names == nullptr) return problem(no_item(id));
    NameRequest wanted;
    wanted.fields.all = true;
    auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    wanted.user = std::move(*user);
    wanted.query.ids = {id};
    wanted.query.kinds = {store::NameKind::genre, store::NameKind::music_genre, store::NameKind::studio,
                          store::NameKind::artist};
    wanted.query.items = all_items(request);
    wanted.query.with_counts = true;
    wanted.query.with_total = false;
    const auto found = services.names->list(wanted.query);
    if (!found) return problem(found.error());
    JsonWriter out(request.spelling);
    if (!found->names.empty()) {
        if (const auto written = write_names(out, services, request, wanted, found->names); !written)
            return problem(written.error());
        return json_answer(out.take());
    }
    const auto year = year_of(services, request, id);
    if (!year) return problem(year.error());
    if (!*year) return problem(no_item(id));
    if (const auto written = write_years(out, services, wanted, {**year}); !written) return problem(written.error());
    return json_answer(out.take());
}

}  // namespace understudy::http
