#include "http/json_body.h"

#include <boost/json.hpp>
#include <charconv>
#include <cmath>

#include "http/text.h"

namespace understudy::http {
namespace json = boost::json;
namespace {

tl::unexpected<core::Error> wrong(std::string_view key, const json::value& value, std::string_view wanted) {
    return core::fail(core::Errc::invalid, std::string(key) + ": " + printable(json::serialize(value)) +
                                               " is not valid; use " + std::string(wanted));
}

}  // namespace

core::Result<JsonBody> JsonBody::parse(std::string_view body) {
    if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);  // PowerShell sends a byte order mark
    if (trim(body).empty()) body = "{}";
    boost::system::error_code error;
    json::stream_parser parser;
    const auto used = parser.write_some(body.data(), body.size(), error);
    if (!error && used < body.size() && !trim(body.substr(used)).empty()) error = json::error::extra_data;
    if (!error) parser.finish(error);
    if (error) {
        return core::fail(core::Errc::invalid,
                          "$: the body is no valid JSON: " + error.message() + " near byte " + std::to_string(used));
    }
    const auto root = std::make_shared<const json::value>(parser.release());
    if (root->is_null()) return parse("{}");
    if (!root->is_object()) return core::fail(core::Errc::invalid, "$: the body must be a JSON object");
    return JsonBody(root, &root->get_object());
}

const json::value* JsonBody::find(std::string_view key) const {
    for (const auto& member : *object_) {
        if (iequals(std::string_view(member.key().data(), member.key().size()), key)) return &member.value();
    }
    return nullptr;
}

bool JsonBody::has(std::string_view key) const {
    return find(key) != nullptr;
}

std::vector<std::string> JsonBody::keys() const {
    std::vector<std::string> found;
    for (const auto& member : *object_) found.emplace_back(member.key().data(), member.key().size());
    return found;
}

core::Result<std::optional<std::string>> JsonBody::text(std::string_view key) const {
    const auto* value = find(key);
    if (!value || value->is_null()) return std::optional<std::string>();
    if (!value->is_string()) return wrong(key, *value, "a text");
    return std::string(value->get_string().data(), value->get_string().size());
}

core::Result<std::optional<bool>> JsonBody::boolean(std::string_view key) const {
    const auto* value = find(key);
    if (!value || value->is_null()) return std::optional<bool>();
    if (value->is_bool()) return value->get_bool();
    if (value->is_string()) {
        const auto parsed = parse_bool(std::string_view(value->get_string().data(), value->get_string().size()));
        if (parsed) return parsed;
    }
    return wrong(key, *value, "true or false");
}

core::Result<std::optional<std::int64_t>> JsonBody::number(std::string_view key) const {
    const auto* value = find(key);
    if (!value || value->is_null()) return std::optional<std::int64_t>();
    if (value->is_int64()) return value->get_int64();
    if (value->is_double()) {
        const double number = value->get_double();
        constexpr double limit = 9e15;  // doubles are exact up to 2^53
        if (number == std::floor(number) && std::abs(number) < limit) return static_cast<std::int64_t>(number);
    }
    if (value->is_string()) {
        const auto parsed = parse_int(std::string_view(value->get_string().data(), value->get_string().size()));
        if (parsed) return parsed;
    }
    return wrong(key, *value, "a whole number");
}

core::Result<std::optional<double>> JsonBody::real(std::string_view key) const {
    const auto* value = find(key);
    if (!value || value->is_null()) return std::optional<double>();
    if (value->is_number()) return value->to_number<double>();
    if (value->is_string()) {
        const auto text = trim(std::string_view(value->get_string().data(), value->get_string().size()));
        double number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc{} && end == text.data() + text.size() && std::isfinite(number)) return number;
    }
    return wrong(key, *value, "a number");
}

core::Result<std::optional<std::vector<std::string>>> JsonBody::texts(std::string_view key) const {
    const auto* value = find(key);
    if (!value || value->is_null()) return std::optional<std::vector<std::string>>();
    if (!value->is_array()) return wrong(key, *value, "an array of texts");
    std::vector<std::string> found;
    for (const auto& member : value->get_array()) {
        if (!member.is_string()) return wrong(key, member, "a text");
        found.emplace_back(member.get_string().data(), member.get_string().size());
    }
    return std::optional(std::move(found));
}

core::Result<std::optional<JsonBody>> JsonBody::object(std::string_view key) const {
    const auto* value = find(key);
    if (!value || value->is_null()) return std::optional<JsonBody>();
    if (!value->is_object()) return wrong(key, *value, "an object");
    return std::optional<JsonBody>(JsonBody(root_, &value->get_object()));
}

core::Result<std::vector<JsonBody>> JsonBody::objects(std::string_view key) const {
    std::vector<JsonBody> found;
    const auto* value = find(key);
    if (!value || value->is_null()) return found;
    if (!value->is_array()) return wrong(key, *value, "an array of objects");
    for (const auto& member : value->get_array()) {
        if (!member.is_object()) return wrong(key, member, "an object");
        found.push_back(JsonBody(root_, &member.get_object()));
    }
    return found;
}

std::string JsonBody::str() const {
    return json::serialize(*object_);
}

std::optional<std::string> JsonBody::json(std::string_view key) const {
    const auto* value = find(key);
    if (!value || value->is_null()) return std::nullopt;
    return json::serialize(*value);
}

}  // namespace understudy::http
