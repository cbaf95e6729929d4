#include "http/openapi/notation.h"

#include <algorithm>
#include <array>
#include <string>

#include "http/text.h"

namespace understudy::http::openapi {
namespace {

constexpr std::array<std::string_view, 10> plain_words{"string", "bool", "int32", "int64", "float",
                                                       "double", "uuid", "time",  "any",   "object"};

bool is_name(std::string_view text) {
    constexpr std::string_view others = "_";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || others.find(c) != others.npos;
    });
}

bool starts_large(std::string_view text) {
    return !text.empty() && text.front() >= 'A' && text.front() <= 'Z';
}

/// What is between the brackets; empty where these are not around it.
std::string_view inside(std::string_view text, char open, char shut) {
    if (text.size() < 3 || text.front() != open || text.back() != shut) return {};
    return text.substr(1, text.size() - 2);
}

}  // namespace

core::Result<std::vector<Property>> read_properties(std::string_view text) {
    std::vector<Property> properties;
    for (const auto part : split(text, ' ')) {
        if (part.empty()) continue;
        const auto colon = part.find(':');
        Property property;
        property.name = part.substr(0, colon);
        if (colon == std::string_view::npos || !is_name(property.name))
            return core::fail(core::Errc::invalid, "'" + std::string(part) + "' is no name:type");
        property.type = part.substr(colon + 1);
        const char last = property.type.empty() ? '\0' : property.type.back();
        property.optional = last == '?';
        property.nullable = last == '~';
        property.needed = last == '!';
        if (property.optional || property.nullable || property.needed) property.type.remove_suffix(1);
        if (const auto type = read_type(property.type); !type) return tl::unexpected(type.error());
        properties.push_back(property);
    }
    return properties;
}

core::Result<Type> read_type(std::string_view text) {
    Type type;
    type.text = text;
    if (std::ranges::find(plain_words, text) != plain_words.end()) return type;
    if (const auto words = read_words(text); !words.empty()) {
        type.kind = Type::Kind::words;
        type.words = words;
        return type;
    }
    if (const auto list = inside(text, '[', ']'); !list.empty()) {
        type.kind = Type::Kind::list;
        type.text = list;
    } else if (const auto dictionary = inside(text, '{', '}'); !dictionary.empty()) {
        type.kind = Type::Kind::dictionary;
        type.text = dictionary;
    } else {
        type.kind = Type::Kind::schema;
        type.loose = text.ends_with('*');
        if (type.loose) type.text.remove_suffix(1);
        if (starts_large(type.text) && is_name(type.text)) return type;
        return core::fail(core::Errc::invalid, "'" + std::string(text) + "' is no type");
    }
    if (auto inner = read_type(type.text); !inner) return inner;
    return type;
}

std::vector<std::string_view> read_words(std::string_view text) {
    const auto all = inside(text, '(', ')');
    if (all.empty() || all.find_first_of("()") != std::string_view::npos) return {};
    return split(all, '|');
}

}  // namespace understudy::http::openapi
