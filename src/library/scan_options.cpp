#include "library/scan_options.h"

#include <algorithm>
#include <boost/json.hpp>

#include "library/naming/text.h"

namespace understudy::library {

core::Result<ScanOptions> ScanOptions::parse(const std::string& json) {
    ScanOptions options;
    if (json.empty()) return options;
    boost::system::error_code error;
    const auto value = boost::json::parse(json, error);
    const auto* object = error ? nullptr : value.if_object();
    if (object == nullptr)
        return core::fail(core::Errc::invalid, "options of RefreshLibrary: not a JSON object: " + json);
    const auto strings = [&](const char* name, const auto& take) -> core::Result<void> {
        const auto* field = object->if_contains(name);
        if (field == nullptr || field->is_null()) return {};
        const auto* list = field->if_array();
        if (list == nullptr)
            return core::fail(core::Errc::invalid, std::string("options: `") + name + "` is not a list");
        for (const auto& entry : *list) {
            const auto* text = entry.if_string();
            if (text == nullptr || !take(std::string(text->c_str(), text->size()))) {
                return core::fail(core::Errc::invalid, std::string("options: `") + name + "` holds " +
                                                           boost::json::serialize(entry) +
                                                           "; library ids are 32 hex digits, paths are absolute");
            }
        }
        return {};
    };
    const auto libraries = strings("libraries", [&](const std::string& text) {
        const auto id = core::LibraryId::parse(text);
        if (id) options.libraries.insert(*id);
        return id.has_value();
    });
    if (!libraries) return tl::unexpected(libraries.error());
    const auto paths = strings("paths", [&](const std::string& text) {
        auto path = naming::key_bytes(text);
        while (path.size() > 1 && path.ends_with('/')) path.pop_back();
        if (!path.starts_with('/')) return false;
        options.paths.insert(std::move(path));
        return true;
    });
    if (!paths) return tl::unexpected(paths.error());
    if (const auto* settling = object->if_contains("settling"); settling != nullptr && settling->is_int64()) {
        options.settling = static_cast<int>(settling->as_int64());
    }
    if (const auto* missed = object->if_contains("missed"); missed != nullptr && missed->is_bool()) {
        options.missed = missed->as_bool();
    }
    return options;
}

std::string ScanOptions::json() const {
    boost::json::object object;
    if (!libraries.empty()) {
        auto& list = object["libraries"].emplace_array();
        for (const auto& id : libraries) list.emplace_back(id.str());
    }
    if (!paths.empty()) {
        auto& list = object["paths"].emplace_array();
        for (const auto& path : paths) list.emplace_back(naming::key_text(path));
    }
    if (settling > 0) object["settling"] = settling;
    if (missed) object["missed"] = true;
    return boost::json::serialize(object);
}

ScanOptions joined(ScanOptions one, const ScanOptions& other) {
    constexpr std::size_t many = 1'000;
    const bool all_paths = one.paths.empty() || other.paths.empty();
    const bool all_libraries = one.libraries.empty() || other.libraries.empty();
    one.paths.insert(other.paths.begin(), other.paths.end());
    one.libraries.insert(other.libraries.begin(), other.libraries.end());
    if (all_paths || one.paths.size() > many) one.paths.clear();
    if (all_libraries) one.libraries.clear();
    one.settling = std::max(one.settling, other.settling);
    one.missed = one.missed && other.missed;
    return one;
}

std::string cursor_json(core::LibraryId library, const std::string& folder) {
    return boost::json::serialize(
        boost::json::object{{"library", library.str()}, {"folder", naming::key_text(folder)}});
}

}  // namespace understudy::library
