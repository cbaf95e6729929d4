// tests/http/fake_people.h: people and their credits, as a test says.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "http/fakes.h"
#include "http/text.h"
#include "store/people.h"

namespace understudy::testing {

class FakePeople final : public store::People {
public:
    std::vector<store::Person> rows;  ///< in the order of their names
    std::map<core::ItemId, std::vector<store::ListedCredit>> by_item;
    std::map<core::ItemId, core::LibraryId> library_of;  ///< of the items in by_item
    std::map<core::PersonId, std::vector<core::ItemId>> items_by;
    int credit_queries = 0;
    std::set<core::PersonId> favourites;

    core::Result<std::map<core::ItemId, std::vector<store::ListedCredit>>> credits(
        const std::vector<core::ItemId>& items) override {
        ++credit_queries;
        std::map<core::ItemId, std::vector<store::ListedCredit>> found;
        for (const auto& id : items) {
            if (const auto its = by_item.find(id); its != by_item.end()) found.insert(*its);
        }
        return found;
    }
    using People::find;
    using People::list;
    core::Result<std::vector<store::Person>> find(const std::vector<core::PersonId>& ids,
                                                  const std::optional<store::Viewer>& viewer) override {
        std::vector<store::Person> found;
        for (const auto& row : rows) {
            for (const auto& id : ids)
                if (row.id == id && seen(row, viewer)) found.push_back(row);
        }
        return found;
    }
    core::Result<std::vector<store::Person>> list(const store::PersonFilter& filter, std::size_t start_index,
                                                  std::size_t limit,
                                                  const std::optional<store::Viewer>& viewer) override {
        std::vector<store::Person> found;
        for (const auto& row : rows) {
            if (!http::icontains(row.name, filter.search) || !seen(row, viewer)) continue;
            if (!credited(row, filter)) continue;
            if (start_index > 0)
                --start_index;
            else if (found.size() < limit)
                found.push_back(row);
        }
        return found;
    }

    core::Result<std::vector<core::ItemId>> items_of(core::PersonId person) override { return items_by[person]; }

    // The side of scans and tasks: not http's.
    core::Result<std::int64_t> put_credits(const std::vector<store::ItemCredits>&, const core::Fence&) override {
        return none();
    }
    core::Result<std::vector<store::Person>> due_for_refresh(core::UtcTime, const std::optional<store::RefreshPlace>&,
                                                             std::size_t) override {
        return none();
    }
    core::Result<std::int64_t> count_due(core::UtcTime) override { return none(); }
    core::Result<void> refresh(const std::vector<store::PersonRefresh>&, const core::Fence&) override { return none(); }
    core::Result<store::CleanStep> merge_duplicates(const std::string&, const core::Fence&) override { return none(); }
    core::Result<store::CleanStep> remove_without_credits(const std::string&, const core::Fence&) override {
        return none();
    }

private:
    bool seen(const store::Person& person, const std::optional<store::Viewer>& viewer) const {
        if (!viewer || !viewer->libraries) return true;
        for (const auto& [item, credits] : by_item) {
            const auto library = library_of.find(item);
            if (library == library_of.end() || !sees(viewer, library->second)) continue;
            for (const auto& credit : credits)
                if (credit.person == person.id) return true;
        }
        return false;
    }
    bool credited(const store::Person& person, const store::PersonFilter& filter) const {
        if (filter.favourite == true) return favourites.contains(person.id);
        if (filter.kinds.empty() && filter.other_kinds.empty()) return true;
        for (const auto& [item, credits] : by_item) {
            for (const auto& credit : credits) {
                const auto in = [&](const auto& kinds) { return std::ranges::find(kinds, credit.kind) != kinds.end(); };
                if (credit.person == person.id && (filter.kinds.empty() || in(filter.kinds)) && !in(filter.other_kinds))
                    return true;
            }
        }
        return false;
    }
    static tl::unexpected<core::Error> none() { return core::fail(core::Errc::unsupported, "http only reads people"); }
};

}  // namespace understudy::testing
