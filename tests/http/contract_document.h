// tests/http/contract_document.h: the reference contract, which stays outside the repository, and what is wrong with an
// answer by it: whatever it does not mark nullable is there, types and enums agree, no property is one that it does not
// know.
#pragma once

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/time.h"

namespace understudy::testing {

/// The document that UNDERSTUDY_REFERENCE_OPENAPI names; nullopt: it names none, and a test that wants it says so.
inline std::optional<boost::json::value> reference_document() {
    const char* file = std::getenv("UNDERSTUDY_REFERENCE_OPENAPI");
    if (file == nullptr || *file == '\0') return std::nullopt;
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return boost::json::parse(text.str());
}
inline constexpr const char* no_reference =
    "UNDERSTUDY_REFERENCE_OPENAPI names no reference contract: answers are NOT compared with it";

/// Ours, said so in docs/api.md.
inline const std::set<std::string> own_properties{"RemoveMissingAfterDays"};

class Contract {
public:
    explicit Contract(boost::json::value document) : document_(std::move(document)) {}

    /// What is wrong with `value` as the 200 answer of an operation; one line each.
    std::vector<std::string> faults(const char* path, const boost::json::value& value, const char* method = "get") {
        faults_.clear();
        const auto& content =
            document_.at("paths").at(path).at(method).at("responses").at("200").at("content").as_object();
        check(content.at("application/json").at("schema").as_object(), value, path);
        return faults_;
    }

private:
    void fault(const std::string& where, const std::string& what) { faults_.push_back(where + ": " + what); }

    const boost::json::object& resolve(const boost::json::object& schema) const {
        if (const auto* ref = schema.if_contains("$ref")) {
            const std::string_view name(ref->as_string());
            return resolve(document_.at("components").at("schemas").at(name.substr(name.rfind('/') + 1)).as_object());
        }
        for (const char* combined : {"allOf", "oneOf"}) {
            const auto* parts = schema.if_contains(combined);
            if (parts && parts->as_array().size() == 1) return resolve(parts->as_array()[0].as_object());
        }
        return schema;
    }
    static bool nullable(const boost::json::object& schema) {
        const auto* flag = schema.if_contains("nullable");
        return flag && flag->as_bool();
    }

    void check(const boost::json::object& given, const boost::json::value& value, const std::string& where) {
        const auto& schema = resolve(given);
        if (value.is_null()) return fault(where, "null, where it should be left out");
        if (const auto* words = schema.if_contains("enum")) {
            const auto& all = words->as_array();
            if (std::find(all.begin(), all.end(), value) == all.end())
                fault(where, boost::json::serialize(value) + " is no word of its enum");
            return;
        }
        const auto* type_member = schema.if_contains("type");
        if (!type_member) return;
        const std::string type(type_member->as_string());
        if (type == "object") check_object(schema, value, where);
        if (type == "array") {
            if (!value.is_array()) return fault(where, "no array");
            for (const auto& each : value.as_array()) check(schema.at("items").as_object(), each, where + "[]");
        }
        if (type == "boolean" && !value.is_bool()) fault(where, "no boolean");
        if (type == "number" && !value.is_number()) fault(where, "no number");
        if (type == "integer") {
            if (!value.is_int64()) return fault(where, "no integer");
            const auto* format = schema.if_contains("format");
            const bool fits = value.as_int64() >= INT32_MIN && value.as_int64() <= INT32_MAX;
            if (format && format->as_string() == "int32" && !fits) fault(where, "does not fit into 32 bits");
        }
        if (type == "string") {
            if (!value.is_string()) return fault(where, "no text");
            const auto* format = schema.if_contains("format");
            const std::string text(value.as_string());
            if (format && format->as_string() == "uuid" && !core::ItemId::parse(text)) fault(where, "no id");
            if (format && format->as_string() == "date-time" && !core::from_iso8601(text)) fault(where, "no time");
        }
    }

    void check_object(const boost::json::object& schema, const boost::json::value& value, const std::string& where) {
        if (!value.is_object()) return fault(where, "no object");
        const auto* properties = schema.if_contains("properties");
        if (!properties) return;  // a dictionary
        for (const auto& property : properties->as_object()) {
            const auto& own = property.value().as_object();
            if (!value.as_object().contains(property.key()) && !nullable(own)) {
                fault(where, std::string(property.key()) + " is not nullable and not there");
            }
        }
        for (const auto& member : value.as_object()) {
            const std::string name(member.key());
            const auto* property = properties->as_object().if_contains(name);
            if (property) check(property->as_object(), member.value(), where + "." + name);
            if (!property && !own_properties.contains(name)) fault(where, "has no property " + name);
        }
    }

    boost::json::value document_;
    std::vector<std::string> faults_;
};

}  // namespace understudy::testing
