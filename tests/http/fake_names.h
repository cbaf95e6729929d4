// tests/http/fake_names.h: what the fake catalogue's items share by name.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/case_folder.h"
#include "http/fakes.h"
#include "store/names.h"

namespace understudy::testing {

/// Whom and what it shows as the port says; filters of the items beside kind and library are not looked at.
class FakeNames final : public store::Names {
public:
    explicit FakeNames(FakeCatalog& catalog) : catalog_(catalog) {}
    store::NameQuery last_query;

    core::Result<store::NamePage> list(const store::NameQuery& query) override {
        last_query = query;
        std::map<std::string, store::ListedName> found;
        for (const auto& row : items_of(query.items)) {
            for (auto& name : names_of(row->item, query.album_artists)) {
                if (!query.kinds.empty() && std::ranges::find(query.kinds, name.kind) == query.kinds.end()) continue;
                if (!query.ids.empty() && std::ranges::find(query.ids, name.id) == query.ids.end()) continue;
                const auto key = folder_.name_key(name.name);
                if (!http::icontains(name.name, query.search) || !key.starts_with(folder_.fold(query.prefix))) continue;
                for (const auto& other : catalog_.rows) {
                    if (name.kind == store::NameKind::artist && other.item.kind == model::ItemKind::artist &&
                        folder_.name_key(other.item.name) == key && sees(query.items.viewer, other.item.library))
                        name.item = other.item.id;
                }
                auto& listed = found.try_emplace(key + name.id.str(), name).first->second;
                if (query.with_counts) ++listed.counts[row->item.kind];
            }
        }
        store::NamePage page;
        for (auto& [key, name] : found) {
            if (page.total++ >= query.start_index && page.names.size() < query.limit)
                page.names.push_back(std::move(name));
        }
        if (query.descending) std::ranges::reverse(page.names);
        return page;
    }
    core::Result<std::vector<store::YearCount>> years(const store::ItemQuery& items) override {
        std::map<int, store::YearCount> found;
        for (const auto* row : items_of(items)) {
            if (!row->item.year) continue;
            found[*row->item.year].year = *row->item.year;
            ++found[*row->item.year].counts[row->item.kind];
        }
        std::vector<store::YearCount> years;
        for (const auto& [year, count] : found) years.push_back(count);
        return years;
    }
    core::Result<store::Facets> facets(const store::ItemQuery& items) override {
        store::Facets facets;
        store::NameQuery query;
        query.items = items;
        query.kinds = {store::NameKind::genre, store::NameKind::music_genre};
        facets.genres = list(query)->names;
        query.kinds = {store::NameKind::tag};
        facets.tags = list(query)->names;
        std::set<std::string> ratings;
        for (const auto* row : items_of(items)) {
            if (!row->item.about.official_rating.empty()) ratings.insert(row->item.about.official_rating);
        }
        facets.official_ratings.assign(ratings.begin(), ratings.end());
        const auto all = years(items);
        for (const auto& year : *all) facets.years.push_back(year.year);
        return facets;
    }

    core::Result<std::vector<std::string>> official_ratings() override {
        const auto all = facets({});
        return all->official_ratings;
    }

private:
    std::vector<const store::ListedItem*> items_of(const store::ItemQuery& query) const {
        std::vector<const store::ListedItem*> items;
        for (const auto& row : catalog_.rows) {
            if (!sees(query.viewer, row.item.library)) continue;
            if (query.library && row.item.library != *query.library) continue;
            if (!query.kinds.empty() && std::ranges::find(query.kinds, row.item.kind) == query.kinds.end()) continue;
            items.push_back(&row);
        }
        return items;
    }
    std::vector<store::ListedName> names_of(const model::Item& item, bool album_artists) const {
        using store::NameKind;
        std::vector<store::ListedName> names;
        const auto add = [&](NameKind kind, const std::string& name) {
            store::ListedName made;
            made.id = store::name_id(kind, folder_.name_key(name));
            made.kind = kind;
            made.name = name;
            names.push_back(std::move(made));
        };
        for (const auto& genre : item.genres) add(store::genre_kind(item.kind), genre);
        for (const auto& studio : item.about.studios) add(NameKind::studio, studio);
        for (const auto& tag : item.about.tags) add(NameKind::tag, tag);
        if (!item.album_artist.empty()) add(NameKind::artist, item.album_artist);
        if (item.kind == model::ItemKind::artist) add(NameKind::artist, item.name);
        if (!album_artists) {
            for (const auto& artist : item.artists) add(NameKind::artist, artist);
        }
        return names;
    }

    FakeCatalog& catalog_;
    core::CaseFolder folder_;
};

}  // namespace understudy::testing
