#include "library/resolve.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/check.h"
#include "library/naming/parts.h"
#include "library/naming/text.h"

namespace understudy::library {

Resolver::Resolver(const model::Library& library, ItemIndex& index, store::ScanStore& store, core::Random& random,
                   Describer& describer, core::UtcTime now, std::function<bool(const std::string& path)> is_gone)
    : library_(library),
      index_(index),
      store_(store),
      random_(random),
      describer_(describer),
      now_(now),
      is_gone_(std::move(is_gone)) {}

core::Result<void> Resolver::learn_vanished(const std::vector<core::ItemId>& leaves) {
    std::set<core::ItemId> wanted;
    for (const auto id : leaves) {
        const auto* item = index_.by_id(id);
        if (item == nullptr || item->files > 0) continue;
        if (item->kind == model::ItemKind::track) wanted.insert(id);
        for (const auto* up = index_.by_id(item->parent); up != nullptr; up = index_.by_id(up->parent)) {
            if (up->kind == model::ItemKind::series && up->staying == 0) wanted.insert(up->id);
        }
    }
    const std::vector<core::ItemId> ids(wanted.begin(), wanted.end());
    constexpr std::size_t page = 500;
    for (std::size_t at = 0; at < ids.size(); at += page) {
        const auto end = std::min(ids.size(), at + page);
        const auto items = store_.load(
            {ids.begin() + static_cast<std::ptrdiff_t>(at), ids.begin() + static_cast<std::ptrdiff_t>(end)});
        if (!items) return tl::unexpected(items.error());
        for (const auto& item : *items) {
            for (const auto& [provider, id] : item.provider_ids) {
                if (item.kind == model::ItemKind::series) vanished_series_.emplace(provider + "=" + id, item.id);
                if (item.kind == model::ItemKind::track && provider == "MusicBrainzTrack")
                    vanished_tracks_.emplace(id, item.id);
            }
        }
    }
    return {};
}

core::Result<void> Resolver::resolve(FolderGroup&& group, std::vector<Step>& steps) {
    if (const auto loaded = load_items(group); !loaded) return loaded;
    take_stored_info(group);
    switch (library_.kind) {
        case model::LibraryKind::movies:
            return resolve_movies(group, steps);
        case model::LibraryKind::tvshows:
            return resolve_episodes(group, steps);
        case model::LibraryKind::music:
            return resolve_tracks(group, steps);
    }
    return {};
}

void Resolver::take_stored_info(FolderGroup& group) {
    for (auto& file : group.files) {
        const auto before = file.info ? loaded_.end() : loaded_.find(file.item);
        if (before == loaded_.end()) continue;
        for (const auto& source : before->second.sources) {
            if (source.file.path == (file.again ? file.file.path : file.moved_from)) file.info = source.info;
        }
    }
    // Gone from its item meanwhile: nothing is known that could be put together again.
    std::erase_if(group.files, [](const ScannedFile& file) { return file.again && !file.info; });
}

core::Result<core::ItemId> Resolver::container(const Container& wanted, Step& step, const std::vector<Step>& pending,
                                               const std::function<void(model::Item&)>& fill) {
    auto* known = index_.by_key(wanted.kind, wanted.parent, wanted.key);
    auto* former_item = index_.by_id(wanted.former);
    core::ItemId id;
    if (known != nullptr && (known->claimed || known->staying > 0)) {
        id = known->id;
    } else if (former_item != nullptr && former_item->kind == wanted.kind && former_item->staying == 0 &&
               !former_item->claimed && !former_item->removed) {
        // All that was in it goes elsewhere, this child first: the folder was renamed, its id goes with it.
        id = former_item->id;
        if (former_item != known) known = nullptr;
    } else if (known != nullptr) {
        id = known->id;
    }
    if (known != nullptr && id == known->id) {
        const bool first = !known->claimed;
        known->claimed = true;
        if (!known->available) {
            known->available = true;
            step.mark_available.push_back(id);
        }
        // Others keep it where it is: one that came from elsewhere does not say where its folder is.
        const auto& folder = index_.folder(id);
        const bool elsewhere = folder != wanted.folder && (folder.empty() || (first && known->staying == 0));
        if (!known->describe && !elsewhere) return id;
    }

    model::Item item;
    item.kind = wanted.kind;
    item.created_at = now_;
    if (id.empty() && wanted.kind == model::ItemKind::series) {
        model::Item named;
        fill(named);
        for (const auto& [provider, value] : named.provider_ids) {
            const auto found = vanished_series_.find(provider + "=" + value);
            const auto* before = found == vanished_series_.end() ? nullptr : index_.by_id(found->second);
            if (before != nullptr && !before->claimed) id = before->id;
        }
    }
    if (!id.empty()) {
        auto before = load_one(id, pending);
        if (!before) return tl::unexpected(before.error());
        item = std::move(*before);
    } else {
        id = core::ItemId::make(random_);
    }
    const auto before = item;
    item.id = id;
    item.library = library_.id;
    item.parent = wanted.parent;
    item.original_key = wanted.key;
    item.available = true;
    item.folder = wanted.folder;
    item.year.reset();
    item.genres.clear();
    item.provider_ids.clear();
    fill(item);
    describe_container(item, before, wanted, step);
    auto& put = index_.put(id, wanted.kind, wanted.parent, wanted.key);
    put.claimed = true;
    put.available = true;
    put.describe = false;
    index_.set_folder(id, wanted.folder);
    step.items.push_back(std::move(item));
    return id;
}

core::Result<model::Item> Resolver::leaf(model::ItemKind kind, core::ItemId parent, const std::string& key,
                                         const std::vector<ScannedFile*>& files, bool may_join,
                                         const std::vector<Step>& pending, core::ItemId also) {
    const auto usable = [&](const KnownItem* item) {
        return item != nullptr && item->kind == kind && !item->removed && !item->claimed;
    };
    core::ItemId id;
    for (const auto* file : files) {
        if (id.empty() && file->changed && usable(index_.by_id(file->item))) id = file->item;
    }
    const auto* known = index_.by_key(kind, parent, key);
    if (id.empty() && known != nullptr && may_join && (known->files > 0 || known->claimed)) id = known->id;
    for (const auto* file : files) {
        const auto* item = id.empty() && !file->moved_from.empty() ? index_.by_id(file->item) : nullptr;
        if (usable(item) && item->files == 0) id = item->id;
    }
    if (id.empty() && usable(known) && known->files == 0 && !known->moving) id = known->id;
    if (id.empty()) {
        const auto* item = index_.by_id(also);
        if (usable(item) && item->files == 0 && !item->moving) id = item->id;
    }
    model::Item item;
    if (id.empty()) {
        item.id = core::ItemId::make(random_);
    } else {
        auto before = load_one(id, pending);
        if (!before) return tl::unexpected(before.error());
        item = std::move(*before);
        item.id = id;
    }
    item.kind = kind;
    item.parent = parent;
    item.original_key = key;
    auto& put = index_.put(item.id, kind, parent, key);
    put.claimed = true;
    put.available = true;
    put.files += static_cast<std::uint32_t>(files.size());
    return item;
}

core::ItemId Resolver::former(const ScannedFile& file, model::ItemKind kind) {
    if (file.item.empty()) return {};
    for (const auto* item = index_.by_id(file.item); item != nullptr; item = index_.by_id(item->parent)) {
        if (item->kind == kind) return item->id;
    }
    return {};
}

core::Result<model::Item> Resolver::load_one(core::ItemId id, const std::vector<Step>& pending) {
    // What is on its way to the store is newer than what is there.
    for (auto step = pending.rbegin(); step != pending.rend(); ++step) {
        for (auto item = step->items.rbegin(); item != step->items.rend(); ++item) {
            if (item->id == id) return *item;
        }
    }
    if (const auto before = loaded_.find(id); before != loaded_.end()) return before->second;
    auto items = store_.load({id});
    if (!items) return tl::unexpected(items.error());
    return items->empty() ? model::Item{} : std::move(items->front());
}

core::Result<void> Resolver::load_items(const FolderGroup& group) {
    loaded_.clear();
    std::set<core::ItemId> ids;
    for (const auto& file : group.files) {
        if (!file.item.empty()) ids.insert(file.item);
    }
    const std::vector<core::ItemId> all(ids.begin(), ids.end());
    constexpr std::size_t page = 500;
    for (std::size_t at = 0; at < all.size(); at += page) {
        const auto end = std::min(all.size(), at + page);
        auto items = store_.load(
            {all.begin() + static_cast<std::ptrdiff_t>(at), all.begin() + static_cast<std::ptrdiff_t>(end)});
        if (!items) return tl::unexpected(items.error());
        for (auto& item : *items) loaded_.insert_or_assign(item.id, std::move(item));
    }
    return {};
}

void Resolver::merge_sources(model::Item& item, const std::vector<ScannedFile*>& files,
                             const std::vector<std::string>& labels) {
    std::erase_if(item.sources, [&](const model::MediaSource& source) {
        return is_gone_(source.file.path) || std::ranges::any_of(files, [&](const ScannedFile* file) {
                   return source.file.path == file->file.path || source.file.path == file->moved_from;
               });
    });
    for (std::size_t i = 0; i < files.size(); ++i) {
        model::MediaSource source;
        if (files[i]->info) source.info = std::move(*files[i]->info);
        source.file = files[i]->file;
        source.version_name = labels[i];
        item.sources.push_back(std::move(source));
    }
    const auto height = [](const model::MediaSource& source) {
        int best = 0;
        for (const auto& stream : source.info.streams) {
            if (stream.kind == model::StreamKind::video && !stream.is_attached_picture)
                best = std::max(best, stream.height);
        }
        return best;
    };
    // The parts of one version stay together, in their order; a version is as high as its highest part.
    std::map<std::string, int, std::less<>> heights;
    for (const auto& source : item.sources) {
        if (naming::part_of_label(source.version_name) == 0) continue;
        auto& best = heights[std::string(naming::version_of_label(source.version_name))];
        best = std::max(best, height(source));
    }
    const auto rank = [&](const model::MediaSource& source) {
        const int part = naming::part_of_label(source.version_name);
        if (part == 0) return std::tuple(-height(source), std::string{}, 0);
        std::string version(naming::version_of_label(source.version_name));
        const int best = heights[version];
        return std::tuple(-best, "cd " + std::move(version), part);
    };
    std::ranges::stable_sort(item.sources, [&](const model::MediaSource& a, const model::MediaSource& b) {
        const auto x = rank(a), y = rank(b);
        if (x != y) return x < y;
        if (a.info.bitrate_bps != b.info.bitrate_bps) return a.info.bitrate_bps > b.info.bitrate_bps;
        return a.file.path < b.file.path;
    });
    item.duration = item.sources.empty() ? core::Millis{} : item.sources.front().info.duration;
    if (!item.sources.empty() && naming::part_of_label(item.sources.front().version_name) > 0) {
        const auto first = naming::version_of_label(item.sources.front().version_name);
        for (std::size_t i = 1; i < item.sources.size(); ++i) {  // the film is as long as its parts together
            const auto& source = item.sources[i];
            if (naming::part_of_label(source.version_name) > 0 &&
                naming::version_of_label(source.version_name) == first)
                item.duration += source.info.duration;
        }
    }
    if (item.sources.size() == 1) {
        auto& label = item.sources.front().version_name;
        if (naming::part_of_label(label) == 0) label.clear();  // a part waits for the others
        return;
    }
    for (auto& source : item.sources) {
        if (!source.version_name.empty()) continue;
        const int lines = height(source);
        source.version_name = lines > 0 ? std::to_string(lines) + "p"
                                        : naming::display_text(naming::stem_of(naming::name_of(source.file.path)));
    }
}

void Resolver::finish(model::Item&& item, const std::vector<ScannedFile*>& files, Step& step) {
    item.library = library_.id;
    item.available = true;
    if (item.sort_name.empty()) item.sort_name = naming::sort_text(item.name);
    if (item.created_at == core::UtcTime{}) item.created_at = now_;
    for (const auto* file : files) {
        if (file->again) continue;
        store::StoredFile stored;
        stored.file = file->file;
        stored.item = item.id;
        stored.content_sample = file->content_sample;
        stored.failure = file->failure;
        if (!file->failure.empty()) stored.failed_since = now_;
        step.files.push_back(std::move(stored));
        if (!file->moved_from.empty()) step.remove_files.push_back(file->moved_from);
        if (file->changed && !file->item.empty())
            ++step.changed;
        else
            ++(file->moved_from.empty() ? step.added : step.moved);
    }
    step.done += files.size();
    step.items.push_back(std::move(item));
}

}  // namespace understudy::library
