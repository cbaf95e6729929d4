#include "store/memory/memory_library_store.h"

#include <algorithm>
#include <cctype>

namespace understudy::store {
namespace {

bool same_name(const std::string& a, const std::string& b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

}  // namespace

core::Result<std::vector<model::Library>> MemoryLibraryStore::all() {
    const std::lock_guard lock(tables_->mutex);
    std::vector<model::Library> libraries;
    for (const auto& [id, library] : tables_->libraries) libraries.push_back(library);
    std::ranges::sort(libraries, {}, &model::Library::name);
    return libraries;
}

core::Result<void> MemoryLibraryStore::check_free(const model::Library& library) const {
    for (const auto& [id, other] : tables_->libraries) {
        if (id == library.id) continue;
        if (same_name(other.name, library.name)) {
            return core::fail(core::Errc::conflict, "a library named " + other.name + " exists");
        }
        for (const auto& path : library.paths) {
            if (std::ranges::find(other.paths, path) != other.paths.end()) {
                return core::fail(core::Errc::conflict, path + " belongs to the library " + other.name);
            }
        }
    }
    return {};
}

core::Result<void> MemoryLibraryStore::add(const model::Library& library) {
    const std::lock_guard lock(tables_->mutex);
    if (tables_->libraries.contains(library.id)) return core::fail(core::Errc::conflict, "library " + library.id.str());
    if (auto free = check_free(library); !free) return free;
    tables_->libraries.emplace(library.id, library);
    return {};
}

core::Result<void> MemoryLibraryStore::remove(core::LibraryId id) {
    const std::lock_guard lock(tables_->mutex);
    if (tables_->libraries.erase(id) == 0) return core::fail(core::Errc::not_found, "library " + id.str());
    tables_->roots.erase(id);
    tables_->files.erase(id);
    tables_->directories.erase(id);
    tables_->problems.erase(id);
    std::erase_if(tables_->items, [&](const auto& entry) { return entry.second.library == id; });
    return {};
}

core::Result<void> MemoryLibraryStore::update(const model::Library& library) {
    const std::lock_guard lock(tables_->mutex);
    const auto found = tables_->libraries.find(library.id);
    if (found == tables_->libraries.end()) return core::fail(core::Errc::not_found, "library " + library.id.str());
    if (auto free = check_free(library); !free) return free;
    found->second.name = library.name;
    found->second.paths = library.paths;
    found->second.options = library.options;
    found->second.remove_missing_after = library.remove_missing_after;
    return {};
}

core::Result<std::map<core::LibraryId, std::vector<model::RootState>>> MemoryLibraryStore::roots() {
    const std::lock_guard lock(tables_->mutex);
    return tables_->roots;
}

}  // namespace understudy::store
