#include "store/sql/tags_json.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <string_view>
#include <utility>

#include "store/sql/bulk_rows.h"

namespace understudy::store::sql {
namespace {

namespace json = boost::json;

// What does not parse reads as nothing: a row written by a newer version must not stop an older one.
json::value parse(const std::string& text) {
    json::error_code problem;
    auto value = json::parse(text, problem);
    return problem ? json::value{} : value;
}

json::array to_array(const std::vector<std::string>& list) {
    json::array array;
    array.reserve(list.size());
    for (const auto& text : list) array.emplace_back(repaired(text));
    return array;
}

json::object to_object(const std::map<std::string, std::string>& map) {
    json::object object;
    for (const auto& [name, value] : map) object[repaired(name)] = repaired(value);
    return object;
}

std::vector<std::string> to_list(const json::value& value) {
    std::vector<std::string> list;
    if (!value.is_array()) return list;
    for (const auto& text : value.get_array()) {
        if (text.is_string()) list.emplace_back(text.get_string());
    }
    return list;
}

std::map<std::string, std::string> to_map(const json::value& value) {
    std::map<std::string, std::string> map;
    if (!value.is_object()) return map;
    for (const auto& [name, text] : value.get_object()) {
        if (text.is_string()) map.emplace(name, text.get_string());
    }
    return map;
}

struct TextTag {
    std::string_view name;
    std::string model::Tags::*field;
};
struct ListTag {
    std::string_view name;
    std::vector<std::string> model::Tags::*field;
};
struct NumberTag {
    std::string_view name;
    int model::Tags::*field;
};
struct MapTag {
    std::string_view name;
    std::map<std::string, std::string> model::Tags::*field;
};

constexpr std::array text_tags{TextTag{"title", &model::Tags::title}, TextTag{"album", &model::Tags::album},
                               TextTag{"date", &model::Tags::date}, TextTag{"comment", &model::Tags::comment}};
constexpr std::array list_tags{ListTag{"artists", &model::Tags::artists},
                               ListTag{"albumArtists", &model::Tags::album_artists},
                               ListTag{"composers", &model::Tags::composers}, ListTag{"genres", &model::Tags::genres}};
constexpr std::array number_tags{
    NumberTag{"track", &model::Tags::track}, NumberTag{"trackTotal", &model::Tags::track_total},
    NumberTag{"disc", &model::Tags::disc}, NumberTag{"discTotal", &model::Tags::disc_total},
    NumberTag{"year", &model::Tags::year}};
constexpr std::array map_tags{MapTag{"ids", &model::Tags::ids}, MapTag{"gains", &model::Tags::gains}};

}  // namespace

std::string list_to_json(const std::vector<std::string>& list) {
    return list.empty() ? "[]" : json::serialize(to_array(list));
}

std::vector<std::string> list_from_json(const std::string& text) {
    if (text.size() <= 2) return {};
    return to_list(parse(text));
}

std::string map_to_json(const std::map<std::string, std::string>& map) {
    return map.empty() ? "{}" : json::serialize(to_object(map));
}

std::map<std::string, std::string> map_from_json(const std::string& text) {
    if (text.size() <= 2) return {};
    return to_map(parse(text));
}

std::string tags_to_json(const model::Tags& tags) {
    json::object object;
    for (const auto& tag : text_tags) {
        if (const auto& text = tags.*tag.field; !text.empty()) object[tag.name] = repaired(text);
    }
    for (const auto& tag : list_tags) {
        if (const auto& list = tags.*tag.field; !list.empty()) object[tag.name] = to_array(list);
    }
    for (const auto& tag : number_tags) {
        if (const int number = tags.*tag.field; number != 0) object[tag.name] = number;
    }
    for (const auto& tag : map_tags) {
        if (const auto& map = tags.*tag.field; !map.empty()) object[tag.name] = to_object(map);
    }
    if (tags.compilation) object["compilation"] = true;
    return object.empty() ? "{}" : json::serialize(object);
}

model::Tags tags_from_json(const std::string& text) {
    model::Tags tags;
    if (text.size() <= 2) return tags;
    const auto value = parse(text);
    if (!value.is_object()) return tags;
    const auto& object = value.get_object();
    const auto find = [&](std::string_view name) {
        const auto* found = object.if_contains(name);
        return found != nullptr ? *found : json::value{};
    };
    for (const auto& tag : text_tags) {
        const auto found = find(tag.name);
        if (found.is_string()) tags.*tag.field = std::string(found.get_string());
    }
    for (const auto& tag : list_tags) tags.*tag.field = to_list(find(tag.name));
    for (const auto& tag : number_tags) {
        const auto found = find(tag.name);
        if (found.is_int64()) tags.*tag.field = static_cast<int>(found.get_int64());
    }
    for (const auto& tag : map_tags) tags.*tag.field = to_map(find(tag.name));
    const auto compilation = find("compilation");
    tags.compilation = compilation.is_bool() && compilation.get_bool();
    return tags;
}

}  // namespace understudy::store::sql
