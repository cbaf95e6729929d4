#include "library/library_options.h"

#include <boost/json.hpp>

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
    return options;
}

}  // namespace understudy::library
