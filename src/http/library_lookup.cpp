#include "http/library_lookup.h"

#include "core/text.h"
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

core::Error no_library(const std::vector<model::Library>& all, std::string_view name_or_id) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const auto& library : all) names.push_back(printable(library.name));
    return {core::Errc::not_found,
            "There is no library '" + printable(name_or_id) + "'" +
                (names.empty() ? "; there is none at all yet." : core::choices(name_or_id, names))};
}

}  // namespace understudy::http
