#include "library/found_sets.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/bounded_text.h"
#include "library/naming/text.h"

namespace understudy::library {
namespace {

constexpr std::string_view origin_start = "set:";
constexpr std::size_t most_a_call = 100;

}  // namespace

std::string FoundSets::key_of(const std::string& name) const {
    auto key = naming::fold(folder_.fold(name));
    return key.empty() ? name : key;
}

FoundSets::FoundSets(core::LibraryId library, store::Collections& collections, store::ScanStore& items,
                     core::Random& random, Commit commit)
    : library_(library), collections_(collections), items_(items), random_(random), commit_(std::move(commit)) {}

core::Result<void> FoundSets::load() {
    if (loaded_) return {};
    const auto origins = collections_.origins(library_);
    if (!origins) return tl::unexpected(origins.error());
    for (const auto& [origin, id] : *origins) {
        if (!origin.starts_with(origin_start)) continue;
        const auto key = key_of(origin.substr(origin_start.size()));
        auto& set = sets_[key];
        const bool second = !set.origin.empty();  // of a version that took the two names for two sets
        if (second) joined_.push_back(origin);
        if (!second) set.origin = origin;
        set.stored = true;
        set.changed = set.changed || second;
        const auto members = collections_.members(id, 0, 0);
        if (!members && members.error().code == core::Errc::not_found) continue;  // a person removed it meanwhile
        if (!members) return tl::unexpected(members.error());
        for (const auto& member : *members) {
            if (!second || !sets_of_[member.item].contains(key)) set.films.push_back(member.item);
            set.changed = set.changed || !member.there;
            sets_of_[member.item].insert(key);
        }
        set.changed = set.changed || members->empty();
    }
    loaded_ = true;
    return {};
}

core::Result<void> FoundSets::put(core::ItemId film, const std::vector<std::string>& names) {
    if (auto loaded = load(); !loaded) return loaded;
    std::set<std::string> now;
    for (const auto& whole : names) {
        const std::string name(core::utf8_prefix(whole, core::longest_key));  // it is a key, of the collection too
        const auto key = key_of(name);
        auto& set = sets_[key];
        if (set.origin.empty()) set.origin = std::string(origin_start) + name;
        if (now.insert(key).second && !sets_of_[film].contains(key)) {
            set.films.push_back(film);
            set.changed = true;
        }
    }
    for (const auto& key : sets_of_[film]) {
        if (now.contains(key)) continue;
        std::erase(sets_[key].films, film);
        sets_[key].changed = true;
    }
    if (now.empty()) {
        sets_of_.erase(film);
    } else {
        sets_of_[film] = std::move(now);
    }
    return {};
}

core::Result<void> FoundSets::prune() {
    // Read anew: which members are there is known to the store alone.
    loaded_ = false;
    sets_.clear();
    sets_of_.clear();
    joined_.clear();
    return load();
}

core::Result<std::vector<core::ItemId>> FoundSets::in_order(const std::vector<core::ItemId>& films) {
    auto items = items_.load(films);
    if (!items) return tl::unexpected(items.error());
    std::ranges::sort(*items, [](const model::Item& a, const model::Item& b) {
        const auto key = [](const model::Item& item) {
            return std::tuple(item.year.value_or(9999), item.about.premiered.value_or(core::UtcTime::max()),
                              item.sort_name, item.id);
        };
        return key(a) < key(b);
    });
    std::vector<core::ItemId> ids;
    ids.reserve(items->size());
    for (const auto& item : *items) ids.push_back(item.id);
    return ids;
}

core::Result<void> FoundSets::write() {
    std::vector<store::FoundCollection> found;
    auto gone = std::exchange(joined_, {});
    for (auto& [key, set] : sets_) {
        if (!set.changed) continue;
        set.changed = false;
        auto films = in_order(set.films);
        if (!films) return tl::unexpected(films.error());
        set.films = std::move(*films);
        if (set.films.empty()) {
            if (set.stored) gone.push_back(set.origin);
            set.stored = false;
            continue;
        }
        set.stored = true;
        found.push_back({core::ItemId::make(random_), model::ItemKind::box_set, set.origin.substr(origin_start.size()),
                         set.origin, set.films});
    }
    for (std::size_t at = 0; at < found.size(); at += most_a_call) {
        const auto end = std::min(found.size(), at + most_a_call);
        const std::vector<store::FoundCollection> some(found.begin() + static_cast<std::ptrdiff_t>(at),
                                                       found.begin() + static_cast<std::ptrdiff_t>(end));
        auto written = commit_([&](const core::Fence& fence) -> core::Result<void> {
            if (auto put = collections_.put_found(library_, some, fence); !put) return tl::unexpected(put.error());
            return {};
        });
        if (!written) return written;
    }
    for (std::size_t at = 0; at < gone.size(); at += most_a_call) {
        const auto end = std::min(gone.size(), at + most_a_call);
        const std::vector<std::string> some(gone.begin() + static_cast<std::ptrdiff_t>(at),
                                            gone.begin() + static_cast<std::ptrdiff_t>(end));
        auto written = commit_([&](const core::Fence& fence) -> core::Result<void> {
            if (auto left = collections_.remove_found(library_, some, fence); !left)
                return tl::unexpected(left.error());
            return {};
        });
        if (!written) return written;
    }
    return {};
}

}  // namespace understudy::library
