#include "store/memory/memory_scan_store.h"

#include <algorithm>
#include <set>

namespace understudy::store {
namespace {

// Copies under the lock, hands out without it: the caller may ask the store meanwhile.
template <class Map, class Each>
void hand_out(std::mutex& mutex, const std::map<core::LibraryId, Map>& of, core::LibraryId library, const Each& each) {
    Map copy;
    {
        const std::lock_guard lock(mutex);
        if (const auto found = of.find(library); found != of.end()) copy = found->second;
    }
    for (auto& [path, value] : copy) each(std::move(value));
}

bool lies_within(const std::string& path, const std::string& root) {
    return path.starts_with(root) && (path.size() == root.size() || root.ends_with('/') || path[root.size()] == '/');
}

}  // namespace

MemoryScanStore::MemoryScanStore(std::shared_ptr<MemoryTables> tables, PassFence pass_fence)
    : tables_(std::move(tables)), pass_fence_(std::move(pass_fence)) {}

core::Result<void> MemoryScanStore::files(core::LibraryId library, const std::function<void(StoredFile&&)>& each) {
    hand_out(tables_->mutex, tables_->files, library, each);
    return {};
}

core::Result<void> MemoryScanStore::directories(core::LibraryId library,
                                                const std::function<void(StoredDirectory&&)>& each) {
    hand_out(tables_->mutex, tables_->directories, library, each);
    return {};
}

core::Result<void> MemoryScanStore::problems(core::LibraryId library,
                                             const std::function<void(StoredProblem&&)>& each) {
    hand_out(tables_->mutex, tables_->problems, library, each);
    return {};
}

core::Result<void> MemoryScanStore::items(core::LibraryId library, const std::function<void(StoredItem&&)>& each) {
    std::vector<StoredItem> found;
    {
        const std::lock_guard lock(tables_->mutex);
        for (const auto& [id, item] : tables_->items) {
            if (item.library != library) continue;
            found.push_back({id, item.kind, item.parent, item.original_key, item.name, item.available, item.folder});
        }
    }
    for (auto& item : found) each(std::move(item));
    return {};
}

core::Result<std::map<std::string, core::ItemId>> MemoryScanStore::items_at(const std::vector<std::string>& paths) {
    const std::lock_guard lock(tables_->mutex);
    std::map<std::string, core::ItemId> found;
    for (const auto& [library, files] : tables_->files) {
        if (!tables_->libraries.contains(library)) continue;
        for (const auto& path : paths) {
            const auto file = files.find(path);
            if (file != files.end() && !file->second.item.empty()) found.emplace(path, file->second.item);
        }
    }
    return found;
}

core::Result<std::vector<model::Item>> MemoryScanStore::load(const std::vector<core::ItemId>& ids) {
    const std::lock_guard lock(tables_->mutex);
    std::vector<model::Item> items;
    std::set<core::ItemId> seen;
    for (const auto& id : ids) {
        const auto found = tables_->items.find(id);
        if (found != tables_->items.end() && seen.insert(id).second) items.push_back(found->second);
    }
    return items;
}

core::Result<void> MemoryScanStore::apply(const ScanBatch& batch, const core::Fence& fence) {
    const std::lock_guard lock(tables_->mutex);
    if (!tables_->libraries.contains(batch.library)) {
        return core::fail(core::Errc::not_found, "library " + batch.library.str() + " was removed");
    }
    if (auto passed = pass_fence_(fence); !passed) return passed;
    for (const auto& item : batch.upsert_items) {
        const auto [at, added] = tables_->items.try_emplace(item.id, item);
        if (added) continue;
        const auto born = at->second.created_at;  // an item keeps its birthday
        at->second = item;
        at->second.created_at = born;
    }
    auto& files = tables_->files[batch.library];
    for (const auto& file : batch.upsert_files) files.insert_or_assign(file.file.path, file);
    auto& directories = tables_->directories[batch.library];
    for (const auto& directory : batch.upsert_directories) directories.insert_or_assign(directory.path, directory);
    for (const auto& path : batch.remove_files) files.erase(path);
    for (const auto& path : batch.remove_directories) directories.erase(path);
    auto& problems = tables_->problems[batch.library];
    for (const auto& problem : batch.upsert_problems) problems.insert_or_assign(problem.path, problem);
    for (const auto& path : batch.remove_problems) problems.erase(path);
    for (const auto& id : batch.remove_items) tables_->items.erase(id);
    const auto mark = [&](const std::vector<core::ItemId>& ids, bool available) {
        for (const auto& id : ids) {
            if (const auto found = tables_->items.find(id); found != tables_->items.end())
                found->second.available = available;
        }
    };
    mark(batch.mark_available, true);
    mark(batch.mark_unavailable, false);
    const auto mark_files = [&](const std::vector<std::string>& paths, bool available) {
        for (const auto& path : paths) {
            if (const auto found = files.find(path); found != files.end()) found->second.available = available;
        }
    };
    mark_files(batch.files_available, true);
    mark_files(batch.files_unavailable, false);
    if (batch.roots) tables_->roots[batch.library] = *batch.roots;
    if (batch.scanned_at) tables_->libraries[batch.library].scanned_at = batch.scanned_at;
    return {};
}

core::Result<std::int64_t> MemoryScanStore::remove_missing(core::LibraryId library) {
    const std::lock_guard lock(tables_->mutex);
    if (!tables_->libraries.contains(library)) return core::fail(core::Errc::not_found, "library " + library.str());
    auto& files = tables_->files[library];
    // A root that cannot be looked at may hold everything still; one that is online, empty or another disc does not.
    const auto may_go = [&](const std::string& path) {
        return std::ranges::any_of(tables_->roots[library], [&](const model::RootState& root) {
            return lies_within(path, root.path) &&
                   (root.online || root.reason == "empty" || root.reason == model::root_on_another_device);
        });
    };
    std::set<core::ItemId> gone, parents;
    const auto take = [&] {
        for (const auto& [id, item] : tables_->items) {  // extras go with what they belong to
            if (item.kind == model::ItemKind::extra && gone.contains(item.parent)) gone.insert(id);
        }
        for (const auto& id : gone) {
            const auto& item = tables_->items.at(id);
            if (item.kind != model::ItemKind::extra) parents.insert(item.parent);
            tables_->items.erase(id);
            std::erase_if(files, [&](const auto& entry) { return entry.second.item == id; });
        }
        return static_cast<std::int64_t>(gone.size());
    };
    for (const auto& [id, item] : tables_->items) {
        if (item.library != library || item.available || item.sources.empty()) continue;
        const bool all =
            std::ranges::all_of(item.sources, [&](const auto& source) { return may_go(source.file.path); });
        if (all) gone.insert(id);
    }
    std::int64_t removed = take();
    while (!parents.empty()) {  // those that have nothing below them any more, and then those above them
        gone.clear();
        for (const auto& id : parents) {
            const bool has_child = std::ranges::any_of(tables_->items, [&](const auto& entry) {
                return entry.second.parent == id && entry.second.kind != model::ItemKind::extra;
            });
            if (tables_->items.contains(id) && !has_child) gone.insert(id);
        }
        parents.clear();
        removed += take();
    }
    return removed;
}

}  // namespace understudy::store
