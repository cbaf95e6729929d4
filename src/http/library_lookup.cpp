#include "http/library_lookup.h"

#include "http/text.h"

namespace understudy::http {

const model::Library* find_library(const std::vector<model::Library>& all, std::string_view name_or_id) {
    name_or_id = trim(name_or_id);
    for (const auto& library : all) {
        if (iequals(library.name, name_or_id)) return &library;
    }
    const auto id = core::LibraryId::parse(name_or_id);
    return id ? find_library(all, *id) : nullptr;
}

const model::Library* find_library(const std::vector<model::Library>& all, core::LibraryId id) {
    for (const auto& library : all) {
        if (library.id == id) return &library;
    }
    return nullptr;
}

}  // namespace understudy::http
