#include "library/library_options.h"

#include <algorithm>
#include <boost/json.hpp>

#include "core/text.h"

namespace understudy::library {

namespace json = boost::json;

namespace {

void read(const json::object& object, const char* name, bool& into) {
    if (const auto* value = object.if_contains(name); value != nullptr && value->is_bool()) into = value->get_bool();
}

std::vector<std::string> texts(const json::object& object, const char* name) {
    std::vector<std::string> list;
    const auto* value = object.if_contains(name);
    if (value == nullptr || !value->is_array()) return list;
    for (const auto& entry : value->get_array())
        if (entry.is_string()) list.emplace_back(entry.get_string());
    return list;
}

std::set<std::string> as_set(std::vector<std::string> list) {
    return {std::make_move_iterator(list.begin()), std::make_move_iterator(list.end())};
}

// Jellyfin has one for films and episodes and one for music.
bool takes_covers(const std::vector<std::string>& fetchers) {
    return std::ranges::any_of(fetchers, [](const std::string& name) {
        return core::equals_ignoring_case(name, "Embedded Image Extractor") ||
               core::equals_ignoring_case(name, "Image Extractor");
    });
}

std::set<std::string> types_without_covers(const json::object& object) {
    std::set<std::string> types;
    const auto* list = object.if_contains("TypeOptions");
    if (list == nullptr || !list->is_array()) return types;
    for (const auto& entry : list->get_array()) {
        const auto* one = entry.if_object();
        const auto* type = one == nullptr ? nullptr : one->if_contains("Type");
        const auto* fetchers = one == nullptr ? nullptr : one->if_contains("ImageFetchers");
        if (type == nullptr || !type->is_string() || fetchers == nullptr || !fetchers->is_array()) continue;
        if (!takes_covers(texts(*one, "ImageFetchers"))) types.emplace(type->get_string());
    }
    return types;
}

}  // namespace

LibraryOptions LibraryOptions::parse(const std::string& text) {
    LibraryOptions options;
    boost::system::error_code error;
    const auto value = json::parse(text, error);
    if (error || !value.is_object()) return options;
    const auto& object = value.get_object();
    read(object, "EnableLUFSScan", options.loudness);
    read(object, "EnableChapterImageExtraction", options.chapter_pictures);
    read(object, "EnableRealtimeMonitor", options.watch);
    options.segment_order = texts(object, "MediaSegmentProviderOrder");
    options.segments_off = as_set(texts(object, "DisabledMediaSegmentProviders"));
    options.local_metadata_off = as_set(texts(object, "DisabledLocalMetadataReaders"));
    options.covers_off = types_without_covers(object);
    return options;
}

}  // namespace understudy::library
