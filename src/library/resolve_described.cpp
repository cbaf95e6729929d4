// What NFO files, pictures and subtitles say of an item, put over what names and tags said.
#include <algorithm>

#include "library/describe.h"
#include "library/naming/entries.h"
#include "library/naming/text.h"
#include "library/resolve.h"

namespace understudy::library {
namespace {

std::vector<std::string> stems_of(const model::Item& item, const std::string& folder) {
    std::vector<std::string> stems;
    for (const auto& source : item.sources) {
        if (naming::parent_of(source.file.path) == folder)
            stems.emplace_back(naming::stem_of(naming::name_of(source.file.path)));
    }
    return stems;
}

void add_stem(std::string stem, std::vector<std::string>& stems) {
    if (!stem.empty() && std::ranges::find(stems, stem) == stems.end()) stems.push_back(std::move(stem));
}

}  // namespace

void Resolver::put_saying(model::Item& item, const model::Item& before, const Saying& saying, Step& step) {
    const bool is_new = before.created_at == core::UtcTime{};
    if (saying.unreadable && !is_new) {  // what it said last time is the best there is
        item.name = before.name;
        item.sort_name = before.sort_name;
        item.year = before.year;
        item.genres = before.genres;
        item.provider_ids = before.provider_ids;
        item.about = before.about;
        return;
    }
    item.about = {};
    item.sort_name = naming::sort_text(item.name);
    put_description(saying.items, item);
    if (saying.items.empty() || saying.items.front().sort_title.empty()) item.sort_name = naming::sort_text(item.name);
    SaidOfItem said{item.id, item.kind, credits_of(saying.items), {}};
    if (item.kind == model::ItemKind::movie) said.sets = sets_of(saying.items);
    if (!is_new || !said.credits.empty() || !said.sets.empty()) step.said.push_back(std::move(said));
}

void Resolver::describe_film(model::Item& item, const model::Item& before, const FolderGroup& group,
                             const FilmPlace& place, Step& step) {
    const bool owns = place.group.empty() && !place.at_root;
    auto stems = stems_of(item, group.folder);
    const bool on_disc = stems.empty();
    add_stem(place.group, stems);
    if (owns) add_stem(std::string(naming::name_of(group.folder)), stems);
    std::vector<std::string> names;
    if (owns) names.emplace_back("movie.nfo");
    for (const auto& stem : stems) names.push_back(stem + ".nfo");
    auto saying = describer_.say(group.folder, names, nfo::Subject::movie);
    if (on_disc && saying.items.empty() && !item.sources.empty()) {
        const std::string disc(naming::parent_of(item.sources.front().file.path));
        saying = describer_.say(disc, {"VIDEO_TS.nfo", "index.nfo"}, nfo::Subject::movie);
    }
    const auto said = step.said.size();
    put_saying(item, before, saying, step);
    // Where the film's own could not be read its credits are not known: nothing is said of it now.
    if (auto set = saying.unreadable ? std::string{} : set_of_folder(group, place); !set.empty()) {
        if (step.said.size() == said) step.said.push_back({item.id, item.kind, {}, {}});
        auto& sets = step.said.back().sets;
        if (std::ranges::find(sets, set) == sets.end()) sets.push_back(std::move(set));
    }
    describer_.put_images(item, {group.folder, std::move(stems), owns, {}});
    describer_.put_external(item, owns);
}

// `collection.nfo` beside a film, or beside the folder that is the film's own.
std::string Resolver::set_of_folder(const FolderGroup& group, const FilmPlace& place) {
    if (place.at_root) return {};
    std::string folder = group.folder;
    for (int up = 0; up < 2 && folder.size() > group.root.size(); ++up) {
        const auto saying = describer_.say(folder, {"collection.nfo"}, nfo::Subject::collection);
        if (!saying.items.empty() && !saying.items.front().title.empty()) return saying.items.front().title;
        folder = std::string(naming::parent_of(folder));
    }
    return {};
}

Saying Resolver::say_episode(const ScannedFile& file, const FolderGroup& group) {
    const std::string folder(naming::parent_of(file.file.path));
    if (folder != group.folder) {  // a disc: its folder is the episode
        return describer_.say(group.folder, {std::string(naming::name_of(group.folder)) + ".nfo"},
                              nfo::Subject::episode);
    }
    return describer_.say(folder, {std::string(naming::stem_of(naming::name_of(file.file.path))) + ".nfo"},
                          nfo::Subject::episode);
}

void Resolver::describe_episode(model::Item& item, const model::Item& before, const FolderGroup& group,
                                const Saying& saying, Step& step) {
    item.year.reset();
    item.genres.clear();
    item.provider_ids.clear();
    put_saying(item, before, saying, step);
    describer_.put_images(item, {group.folder, stems_of(item, group.folder), false, {}});
    describer_.put_external(item, false);
}

void Resolver::describe_track(model::Item& item, bool is_new, Step& step) {
    item.sort_name = naming::sort_text(item.name);
    if (item.sources.empty()) return;
    const std::string folder(naming::parent_of(item.sources.front().file.path));
    describer_.put_images(item, {folder, stems_of(item, folder), false, {}});
    SaidOfItem said{item.id, item.kind, credits_of_track(item), {}};
    if (!is_new || !said.credits.empty()) step.said.push_back(std::move(said));
}

void Resolver::describe_container(model::Item& item, const model::Item& before, const Container& wanted, Step& step) {
    const auto& folder = wanted.owns_folder ? wanted.folder : std::string{};
    const auto& series_folder = wanted.series_folder;
    Saying saying;
    switch (wanted.kind) {
        case model::ItemKind::series:
            saying = describer_.say(folder, {"tvshow.nfo"}, nfo::Subject::series);
            break;
        case model::ItemKind::season: {
            const auto series = describer_.say(series_folder, {"tvshow.nfo"}, nfo::Subject::series);
            if (!series.items.empty() && item.season_number) {
                const auto& named = series.items.front().season_names;
                if (const auto name = named.find(*item.season_number); name != named.end() && !name->second.empty())
                    item.name = name->second;
            }
            saying = describer_.say(folder, {"season.nfo"}, nfo::Subject::season);
            break;
        }
        case model::ItemKind::artist:
            saying = describer_.say(folder, {"artist.nfo"}, nfo::Subject::artist);
            break;
        case model::ItemKind::album:
            saying = describer_.say(folder, {"album.nfo"}, nfo::Subject::album);
            break;
        case model::ItemKind::movie:
        case model::ItemKind::episode:
        case model::ItemKind::track:
        case model::ItemKind::box_set:
        case model::ItemKind::playlist:
        case model::ItemKind::extra:
            break;
    }
    put_saying(item, before, saying, step);
    describer_.put_images(item, {folder, {}, !folder.empty(), series_folder});
}

}  // namespace understudy::library
