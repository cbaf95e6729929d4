// tests/http/api_contract.h: what our own OpenAPI document promises of each operation, and whether a request and an
// answer keep it. Used by the test that drives every operation.
#pragma once

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/time.h"
#include "http/message.h"
#include "http/text.h"

namespace understudy::testing {

class ApiContract {
public:
    struct Operation {
        std::string method;  ///< `get`
        std::string path;
        const boost::json::object* row = nullptr;

        [[nodiscard]] http::Method asked_by() const {
            std::string upper;
            for (const char c : method) upper += static_cast<char>(c - 'a' + 'A');
            return http::parse_method(upper);
        }
    };

    explicit ApiContract(const std::string& document) : document_(boost::json::parse(document)) {
        for (const auto& path : document_.at("paths").as_object()) {
            for (const auto& row : path.value().as_object()) {
                const auto& made = row.value().as_object();
                operations_[std::string(made.at("operationId").as_string())] = {std::string(row.key()),
                                                                                std::string(path.key()), &made};
            }
        }
    }
    ApiContract(const ApiContract&) = delete;
    ApiContract& operator=(const ApiContract&) = delete;

    [[nodiscard]] const std::map<std::string, Operation>& operations() const { return operations_; }

    /// The query parameters that an operation declares, in lower case.
    [[nodiscard]] static std::set<std::string> query_of(const Operation& operation) {
        std::set<std::string> names;
        const auto* parameters = operation.row->if_contains("parameters");
        if (!parameters) return names;
        for (const auto& parameter : parameters->as_array()) {
            if (parameter.at("in") == "query")
                names.insert(http::to_lower(std::string_view(parameter.at("name").as_string())));
        }
        return names;
    }

    /// What is wrong with an answer; one line each.
    [[nodiscard]] std::vector<std::string> answer_faults(const Operation& operation, const http::Response& answer) {
        faults_.clear();
        const auto status = std::to_string(answer.status);
        const auto& all = operation.row->at("responses").as_object();
        if (!all.contains(status)) {
            fault(status, "is no declared answer: " + answer.body);
            return std::move(faults_);
        }
        const auto& declared = resolve(all.at(status).as_object());
        const auto* content = declared.if_contains("content");
        if (!content) {
            if (!answer.body.empty() && operation.method != "head") fault(status, "has a body that is not declared");
            return std::move(faults_);
        }
        for (const auto& kind : content->as_object()) {
            if (!is_of(answer.content_type, kind.key())) continue;
            if (kind.key() == "application/json")
                check(kind.value().at("schema").as_object(), boost::json::parse(answer.body), "answer");
            return std::move(faults_);
        }
        fault(status, "is of the type '" + answer.content_type + "'");
        return std::move(faults_);
    }

    /// What is wrong with a body that is sent.
    [[nodiscard]] std::vector<std::string> body_faults(const Operation& operation, const std::string& body) {
        faults_.clear();
        const auto* declared = operation.row->if_contains("requestBody");
        if (body.empty()) {
            if (declared && declared->at("required").as_bool()) fault("body", "must be sent");
        } else if (!declared) {
            fault("body", "is not declared");
        } else if (const auto* json = declared->at("content").as_object().if_contains("application/json")) {
            check(json->at("schema").as_object(), boost::json::parse(body), "body");
        }
        return std::move(faults_);
    }

private:
    using object = boost::json::object;
    using value = boost::json::value;

    void fault(const std::string& where, const std::string& what) { faults_.push_back(where + " " + what); }

    static bool is_of(std::string_view given, std::string_view declared) {
        const auto plain = given.substr(0, given.find(';'));
        if (!declared.ends_with("/*")) return plain == declared;
        return plain.substr(0, declared.size() - 1) == declared.substr(0, declared.size() - 1);
    }

    const object& resolve(const object& part) const {
        if (const auto* all = part.if_contains("allOf")) return resolve(all->as_array().at(0).as_object());
        const auto* ref = part.if_contains("$ref");
        if (!ref) return part;
        const value* target = &document_;
        for (const auto name : http::split(std::string_view(ref->as_string()).substr(2), '/'))
            target = &target->at(std::string(name));
        return resolve(target->as_object());
    }

    static bool flag(const object& schema, const char* name) {
        const auto* found = schema.if_contains(name);
        return found && found->as_bool();
    }

    void check(const object& given, const value& json, const std::string& where) {
        if (json.is_null()) {
            if (!flag(given, "nullable")) fault(where, "is null");
            return;
        }
        const auto& schema = resolve(given);
        if (const auto* words = schema.if_contains("enum")) {
            const auto& all = words->as_array();
            if (std::find(all.begin(), all.end(), json) == all.end())
                fault(where, boost::json::serialize(json) + " is no word of its enum");
            return;
        }
        const auto* type_member = schema.if_contains("type");
        if (!type_member) return;
        const std::string type(type_member->as_string());
        const auto* format_member = schema.if_contains("format");
        const std::string format(format_member ? std::string(format_member->as_string()) : std::string());
        if (type == "object") return check_object(schema, json, where);
        if (type == "array") {
            if (!json.is_array()) return fault(where, "is no array");
            for (const auto& each : json.as_array()) check(schema.at("items").as_object(), each, where + "[]");
        }
        if (type == "boolean" && !json.is_bool()) fault(where, "is no boolean");
        if (type == "number" && !json.is_number()) fault(where, "is no number");
        if (type == "integer") {
            if (!json.is_int64()) return fault(where, "is no integer");
            const bool fits = json.as_int64() >= INT32_MIN && json.as_int64() <= INT32_MAX;
            if (format == "int32" && !fits) fault(where, "does not fit into 32 bits");
        }
        if (type == "string") {
            if (!json.is_string()) return fault(where, "is no text");
            const std::string text(json.as_string());
            if (format == "uuid" && !core::ItemId::parse(text)) fault(where, "is no id");
            if (format == "date-time" && !core::from_iso8601(text)) fault(where, "is no time");
        }
    }

    void check_object(const object& schema, const value& json, const std::string& where) {
        if (!json.is_object()) return fault(where, "is no object");
        const auto* properties = schema.if_contains("properties");
        if (!properties) {
            const auto* each = schema.if_contains("additionalProperties");
            if (!each) return;
            for (const auto& member : json.as_object()) check(each->as_object(), member.value(), where + "{}");
            return;
        }
        if (const auto* required = schema.if_contains("required")) {
            for (const auto& name : required->as_array()) {
                if (!json.as_object().contains(name.as_string()))
                    fault(where, "lacks " + std::string(name.as_string()) + ", which is always there");
            }
        }
        for (const auto& member : json.as_object()) {
            const std::string name(member.key());
            const auto* property = properties->as_object().if_contains(name);
            if (property) check(property->as_object(), member.value(), where + "." + name);
            if (!property) fault(where, "has " + name + ", which the tables of src/http/openapi do not know");
        }
    }

    boost::json::value document_;
    std::map<std::string, Operation> operations_;
    std::vector<std::string> faults_;
};

}  // namespace understudy::testing
