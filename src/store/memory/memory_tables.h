// store/memory/memory_tables.h: what the memory stores share, as the SQL stores share a database. For tests and tools.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "model/item.h"
#include "model/library.h"
#include "store/scan_store.h"

namespace understudy::store {

struct MemoryTables {
    std::mutex mutex;
    std::map<core::LibraryId, model::Library> libraries;
    std::map<core::LibraryId, std::vector<model::RootState>> roots;
    std::map<core::LibraryId, std::map<std::string, StoredFile>> files;
    std::map<core::LibraryId, std::map<std::string, StoredDirectory>> directories;
    std::map<core::LibraryId, std::map<std::string, StoredProblem>> problems;
    std::map<core::ItemId, model::Item> items;
};

}  // namespace understudy::store
