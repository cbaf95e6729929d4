#include "http/jellyfin/requests/named_subjects.h"

#include <algorithm>

#include "store/names.h"
#include "store/people.h"

namespace understudy::http {
namespace {

core::Result<void> add_names(const Services& services, const std::vector<core::ItemId>& ids,
                             const std::optional<store::Viewer>& viewer, std::vector<NamedSubject>& found) {
    using store::NameKind;
    store::NameQuery query;
    query.kinds = {NameKind::genre, NameKind::music_genre, NameKind::studio, NameKind::artist};
    query.ids = ids;
    query.items.viewer = viewer;
    query.items.recursive = true;
    query.limit = ids.size() + 1;
    query.with_total = false;
    const auto page = services.names->list(query);
    if (!page) return tl::unexpected(page.error());
    for (const auto& name : page->names) found.push_back({name.id, name.item});
    for (const auto& id : ids) {
        const auto year = store::year_of(id);
        if (!year) continue;
        store::ItemQuery items = query.items;
        items.filters.years = {*year};
        const auto years = services.names->years(items);
        if (!years) return tl::unexpected(years.error());
        if (std::ranges::find(*years, *year, &store::YearCount::year) != years->end()) found.push_back({id, {}});
    }
    return {};
}

}  // namespace

core::Result<std::vector<NamedSubject>> named_subjects(const Services& services, const std::vector<core::ItemId>& ids,
                                                       const std::optional<store::Viewer>& viewer) {
    std::vector<NamedSubject> found;
    if (ids.empty()) return found;
    if (services.names != nullptr) {
        if (auto added = add_names(services, ids, viewer, found); !added) return tl::unexpected(added.error());
    }
    if (services.people != nullptr) {
        std::vector<core::PersonId> wanted;
        wanted.reserve(ids.size());
        for (const auto& id : ids) wanted.emplace_back(id.bytes());
        const auto people = services.people->find(wanted, viewer);
        if (!people) return tl::unexpected(people.error());
        for (const auto& person : *people) found.push_back({core::ItemId(person.id.bytes()), {}});
    }
    return found;
}

}  // namespace understudy::http
