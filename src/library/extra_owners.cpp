#include "library/extra_owners.h"

#include <algorithm>

#include "core/text.h"
#include "library/naming/entries.h"
#include "library/naming/text.h"
#include "library/scan_groups.h"
#include "library/walk.h"

namespace understudy::library {

std::optional<ExtraPlace> extra_place(const std::string& root, const std::string& path) {
    const auto parts = naming::parts_below(root, path);
    if (parts.empty() || naming::is_disc_menu(parts.back())) return std::nullopt;
    auto extra = naming::parse_extra_path(parts);
    if (!extra) return std::nullopt;
    ExtraPlace place{std::move(*extra), root};
    for (std::size_t i = 0; i < place.extra.owner_depth; ++i) {
        if (place.owner_folder != "/") place.owner_folder += '/';
        place.owner_folder += parts[i];
    }
    return place;
}

ExtraOwners::ExtraOwners(model::LibraryKind kind, const StoredTree& stored, ItemIndex& index)
    : kind_(kind), stored_(stored), index_(index) {}

void ExtraOwners::add_film(const std::string& folder, std::string_view file_name, core::ItemId film) {
    found_[folder].push_back({core::to_lower_ascii(naming::stem_of(file_name)), film});
}

core::ItemId ExtraOwners::find(const std::string& root, const ExtraPlace& place) {
    switch (kind_) {
        case model::LibraryKind::movies:
            return film(root, place);
        case model::LibraryKind::tvshows:
            return folder_item(root, place.owner_folder);
        case model::LibraryKind::music:
            return {};
    }
    return {};
}

bool ExtraOwners::may_keep(core::ItemId owner, const ExtraPlace& place) {
    const auto* known = index_.by_id(owner);
    if (known == nullptr || known->removed) return false;
    if (kind_ == model::LibraryKind::movies)
        return std::ranges::find(films_of(place.owner_folder), owner, &Film::item) !=
               films_of(place.owner_folder).end();
    // Of a scan before folders were known: nothing speaks against it.
    return index_.folder(owner).empty() && (known->claimed || known->staying > 0);
}

core::ItemId ExtraOwners::film(const std::string& root, const ExtraPlace& place) {
    const auto& films = films_of(place.owner_folder);
    if (!place.extra.owner_stem.empty()) {
        const auto stem = core::to_lower_ascii(place.extra.owner_stem);
        const auto exact = std::ranges::find(films, stem, &Film::stem);
        if (exact != films.end()) return exact->item;
        for (const auto& film : films) {  // «A (2001) - 1080p.mkv» with «A (2001)-trailer.mkv»
            const bool begins = film.stem.starts_with(stem) && !naming::is_word(film.stem[stem.size()]);
            if (begins) return film.item;
        }
    }
    if (place.owner_folder == root) return {};
    // The folder's film, where there is one: what several could claim is nobody's.
    const bool one =
        !films.empty() && std::ranges::all_of(films, [&](const Film& film) { return film.item == films.front().item; });
    return one ? films.front().item : core::ItemId{};
}

const std::vector<ExtraOwners::Film>& ExtraOwners::films_of(const std::string& folder) {
    const auto [at, added] = films_.try_emplace(folder);
    auto& films = at->second;
    if (!added) return films;
    if (const auto found = found_.find(folder); found != found_.end()) films = found->second;
    const auto start = folder == "/" ? folder : folder + "/";
    std::string path;
    for (auto i = stored_.first_from(start); i < stored_.size();) {
        stored_.path(i, path);
        if (!path.starts_with(start)) break;
        const auto& row = stored_.row(i);
        const bool direct = path.find('/', start.size()) == std::string::npos;
        if (!direct && group_folder(stored_.folder(i), kind_) != folder) {
            const auto next = path.find('/', start.size());
            const auto below = path.substr(0, next);
            const auto name = naming::name_of(below);
            // Into a disc's structure, past all else.
            if (!naming::equal_ignoring_case(name, "BDMV") && !naming::equal_ignoring_case(name, "VIDEO_TS")) {
                i = stored_.first_from(below + static_cast<char>('/' + 1));
                continue;
            }
        }
        ++i;
        const bool there = row.fate == Fate::unchanged || row.fate == Fate::returned || row.fate == Fate::unseen ||
                           row.fate == Fate::kept || row.fate == Fate::changed;
        const auto* item = there && !row.item.empty() ? index_.by_id(row.item) : nullptr;
        if (item == nullptr || item->removed || item->kind != model::ItemKind::movie) continue;
        films.push_back({core::to_lower_ascii(naming::stem_of(naming::name_of(path))), item->id});
    }
    return films;
}

core::ItemId ExtraOwners::folder_item(const std::string& root, std::string folder) {
    if (by_folder_.empty()) {
        for (const auto& [id, path] : index_.folders()) {
            const auto* item = index_.by_id(id);
            if (item == nullptr || item->removed || (!item->claimed && item->staying == 0)) continue;
            const auto [at, added] = by_folder_.try_emplace(path, id);
            if (!added && item->kind == model::ItemKind::series) at->second = id;  // a show without season folders
        }
    }
    for (; folder.size() > root.size() && is_within(folder, root); folder = std::string(naming::parent_of(folder))) {
        if (const auto found = by_folder_.find(folder); found != by_folder_.end()) return found->second;
    }
    return {};
}

}  // namespace understudy::library
