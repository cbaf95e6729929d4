// Films and episodes: names decide, the probe adds streams and duration.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "library/naming/episode_name.h"
#include "library/naming/movie_name.h"
#include "library/naming/parts.h"
#include "library/naming/text.h"
#include "library/resolve.h"
#include "library/scan_groups.h"
#include "library/walk.h"

namespace understudy::library {
namespace {

struct Together {
    std::vector<ScannedFile*> files;
    std::vector<std::string> labels;
};

// What the titles of one episode's files have in common: «Pilot Part 1» and «Pilot Part 2» are two pieces of it.
std::string shared_title(std::string_view title) {
    int part = 0;
    return naming::fold(naming::title_without_part(title, part));
}

// Files of one number whose titles differ in nothing but their part: the parts become labels, the title loses them.
void join_titled_parts(const std::vector<std::string>& titles, std::vector<std::string>& labels,
                       naming::EpisodeFile& episode) {
    std::set<int> parts;
    std::vector<int> found;
    std::string title;
    for (const auto& one : titles) {
        int part = 0;
        title = naming::title_without_part(one, part);
        found.push_back(part);
        if (part > 0) parts.insert(part);
    }
    if (titles.size() < 2 || parts.size() != titles.size()) return;
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = naming::part_label(labels[i], found[i]);
    episode.name = title.empty() ? "Episode " + std::to_string(episode.numbers.episode.value_or(0)) : title;
}

// The folder below the show's that says it is this season; the show's own where there is none.
std::string season_folder_of(const std::string& series_folder, const std::string& folder, int season) {
    if (folder.size() <= series_folder.size() || !is_within(folder, series_folder)) return series_folder;
    for (const auto part : naming::parts_below(series_folder, folder)) {
        if (naming::parse_season_folder(part) == season) {
            const auto end = static_cast<std::size_t>(part.data() - folder.data()) + part.size();
            return folder.substr(0, end);
        }
    }
    return series_folder;
}

// An NFO knows better than a name which episodes a file holds.
void take_numbers(const Saying& saying, naming::EpisodeFile& into) {
    if (saying.items.empty()) return;
    const auto& first = saying.items.front();
    const auto& last = saying.items.back();
    if (first.season_number) into.season = *first.season_number;
    if (!first.episode_number) return;
    into.numbers.episode = first.episode_number;
    into.numbers.episode_end = last.episode_number_end;
    if (saying.items.size() > 1) into.numbers.episode_end = last.episode_number;
    if (into.numbers.episode_end == into.numbers.episode) into.numbers.episode_end.reset();
    into.numbers.date.clear();
    into.numbers.explicit_form = true;
}

// What it said last time is the best there is while it cannot be read.
void keep_numbers(const model::Item& before, naming::EpisodeFile& into) {
    if (before.season_number) into.season = *before.season_number;
    if (!before.episode_number) return;
    into.numbers.episode = before.episode_number;
    into.numbers.episode_end = before.episode_number_end;
    into.numbers.date.clear();
    into.numbers.explicit_form = true;
}

}  // namespace

core::Result<void> Resolver::resolve_movies(FolderGroup& group, std::vector<Step>& steps) {
    const bool at_root = group.folder == group.root;
    const auto folder = at_root ? std::string_view{} : naming::name_of(group.folder);
    struct Film : Together {
        naming::Title title;
    };
    std::map<std::string, Film> films;  // by group: the versions of one film
    for (auto& file : group.files) {
        // A disc's folder (BDMV, VIDEO_TS) is the film, whatever its streams are called.
        const bool on_disc = naming::parent_of(file.file.path) != group.folder;
        auto parsed = on_disc ? naming::MovieFile{{}, {}, 0, naming::parse_title(folder)}
                              : naming::parse_movie(folder, naming::stem_of(naming::name_of(file.file.path)),
                                                    group.media_files <= 1);
        auto& film = films[parsed.group];
        if (film.files.empty() || parsed.version.empty()) film.title = std::move(parsed.title);
        film.files.push_back(&file);
        film.labels.push_back(naming::part_label(parsed.version, parsed.part));
    }
    for (auto& [name, film] : films) {
        const auto key = film_key(group.folder, name);
        auto found = leaf(model::ItemKind::movie, {}, key, film.files, true, steps);
        if (!found) return tl::unexpected(found.error());
        auto& item = *found;
        const auto before = item;
        item.name = film.title.name;
        item.year = film.title.year;
        item.genres.clear();
        item.provider_ids = film.title.provider_ids;
        merge_sources(item, film.files, film.labels);
        for (const auto& source : item.sources) {  // a version that is not looked at now may name ids too
            item.provider_ids.merge(
                naming::parse_title(naming::stem_of(naming::name_of(source.file.path))).provider_ids);
        }
        Step step;
        step.folder = group.folder;
        describe_film(item, before, group, {name, at_root}, step);
        finish(std::move(item), film.files, step);
        steps.push_back(std::move(step));
    }
    return {};
}

core::Result<void> Resolver::resolve_episodes(FolderGroup& group, std::vector<Step>& steps) {
    struct Episode : Together {
        naming::EpisodeFile parsed;
        std::string key;
        std::vector<std::string> titles;
        Saying saying;
    };
    std::map<std::string, Episode> episodes;
    std::map<std::string, int> weak;  // how many names without S01E02 claim one number: then the number is none
    std::vector<naming::EpisodeFile> parsed;
    std::vector<Saying> said;
    parsed.reserve(group.files.size());
    said.reserve(group.files.size());
    const auto number_key = [](const naming::EpisodeFile& file) {
        if (file.numbers.episode) return "e" + std::to_string(*file.numbers.episode);
        return file.numbers.date.empty() ? std::string{} : "d" + file.numbers.date;
    };
    for (const auto& file : group.files) {
        auto parts = naming::parts_below(group.root, file.file.path);
        const bool on_disc = naming::parent_of(file.file.path) != group.folder;
        if (on_disc) parts = naming::parts_below(group.root, group.folder);  // the folder is the episode
        const auto disc_name = on_disc ? std::string(parts.back()) + ".disc" : std::string{};
        if (on_disc) parts.back() = disc_name;
        parsed.push_back(naming::parse_episode_path(parts, naming::name_of(group.root)));
        auto& one = parsed.back();
        said.push_back(say_episode(file, group));
        take_numbers(said.back(), one);
        if (const auto before = said.back().unreadable ? loaded_.find(file.item) : loaded_.end();
            before != loaded_.end()) {
            keep_numbers(before->second, one);
        }
        if (!one.numbers.explicit_form)
            ++weak[one.series_key + "/" + std::to_string(one.season) + "/" + number_key(one)];
    }
    for (std::size_t i = 0; i < group.files.size(); ++i) {
        auto& one = parsed[i];
        auto key = number_key(one);
        const auto place = one.series_key + "/" + std::to_string(one.season) + "/";
        const auto stem = naming::stem_of(naming::name_of(group.files[i].file.path));
        if (key.empty() || (!one.numbers.explicit_form && weak[place + key] > 1)) key = "n:" + naming::key_text(stem);
        // Two files of one number with different titles are two episodes that were numbered alike, not versions.
        const auto same = episodes.find(place + key);
        if (same != episodes.end() && shared_title(same->second.parsed.name) != shared_title(one.name) &&
            !one.numbers.title.empty() && !same->second.parsed.numbers.title.empty()) {
            key = "n:" + naming::key_text(stem);
        }
        auto& episode = episodes[place + key];
        episode.key = key;
        episode.files.push_back(&group.files[i]);
        episode.labels.push_back(naming::part_label(one.numbers.version, one.numbers.part));
        episode.titles.push_back(one.numbers.title);
        if (episode.saying.items.empty() && !episode.saying.unreadable) episode.saying = std::move(said[i]);
        if (episode.files.size() == 1 || !one.numbers.title.empty()) episode.parsed = std::move(one);
    }

    for (auto& [place, episode] : episodes) {
        join_titled_parts(episode.titles, episode.labels, episode.parsed);
        const auto& names = episode.parsed;
        const auto& first = *episode.files.front();
        auto key = episode.key;
        Step step;
        step.folder = group.folder;
        // Right below a root a show has no folder of its own.
        auto series_folder = group.root;
        if (!names.series_folder.empty() && names.series_folder != ".") series_folder += "/" + names.series_folder;
        const bool has_folder = !names.series_folder.empty();
        const auto season_folder = season_folder_of(series_folder, group.folder, names.season);
        const auto series = container({model::ItemKind::series,
                                       {},
                                       naming::key_text(names.series_key),
                                       former(first, model::ItemKind::series),
                                       series_folder,
                                       has_folder,
                                       {}},
                                      step, steps, [&](model::Item& item) {
                                          item.name = names.series.name;
                                          item.year = names.series.year;
                                          item.provider_ids = names.series.provider_ids;
                                      });
        if (!series) return tl::unexpected(series.error());
        const auto season = container({model::ItemKind::season, *series, "s" + std::to_string(names.season),
                                       former(first, model::ItemKind::season), season_folder,
                                       season_folder != series_folder, has_folder ? series_folder : std::string{}},
                                      step, steps, [&](model::Item& item) {
                                          item.name =
                                              names.season == 0 ? "Specials" : "Season " + std::to_string(names.season);
                                          item.season_number = names.season;
                                      });
        if (!season) return tl::unexpected(season.error());

        bool may_join = names.numbers.explicit_form;
        if (const auto* known = index_.by_key(model::ItemKind::episode, *season, key);
            known != nullptr && known->files > 0 && may_join && !names.numbers.title.empty()) {
            const auto other = load_one(known->id, steps);
            if (!other) return tl::unexpected(other.error());
            may_join = other->name.empty() || other->name.starts_with("Episode ") ||
                       shared_title(other->name) == shared_title(names.name);
        }
        if (const auto* known = index_.by_key(model::ItemKind::episode, *season, key);
            known != nullptr && known->files > 0 && !may_join && known->id != first.item) {
            key = "n:" + naming::key_text(naming::stem_of(naming::name_of(first.file.path)));
        }
        auto found = leaf(model::ItemKind::episode, *season, key, episode.files, may_join, steps);
        if (!found) return tl::unexpected(found.error());
        auto& item = *found;
        const auto before = item;
        item.name = names.name;
        item.season_number = names.season;
        item.episode_number = names.numbers.episode;
        item.episode_number_end = names.numbers.episode_end;
        merge_sources(item, episode.files, episode.labels);
        describe_episode(item, before, group, episode.saying, step);
        finish(std::move(item), episode.files, step);
        steps.push_back(std::move(step));
    }
    return {};
}

}  // namespace understudy::library
