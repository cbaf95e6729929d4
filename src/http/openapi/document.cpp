#include "http/openapi/document.h"

#include <algorithm>
#include <boost/json.hpp>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/check.h"
#include "http/openapi/join.h"
#include "http/openapi/layout.h"
#include "http/openapi/notation.h"
#include "http/openapi/tables.h"
#include "http/text.h"

namespace understudy::http::openapi {
namespace {

namespace json = boost::json;

json::string str(std::string_view text) {
    return json::string(text.data(), text.size());
}

bool is_id(std::string_view name) {
    return name == "id" || name.ends_with("Id");
}

/// `Bad Request` -> `BadRequest`: the name of an answer that operations share.
std::string response_name(int status) {
    std::string name(reason_phrase(status));
    std::erase(name, ' ');
    return name;
}

struct AccessWord {
    Access access;
    std::string_view word;
};
constexpr AccessWord access_words[] = {{Access::open, "open"},
                                       {Access::wizard, "wizard"},
                                       {Access::wizard_or_user, "wizard_or_user"},
                                       {Access::user, "user"},
                                       {Access::admin, "admin"}};

json::string access_word(Access access) {
    const auto found = std::ranges::find(access_words, access, &AccessWord::access);
    CHECK(found != std::end(access_words));
    return str(found->word);
}

class Builder {
public:
    explicit Builder(const Routes& routes) : schemas_(schemas_by_name()), joined_(join(routes)) {}

    std::string build(const DocumentFacts& facts) {
        json::object document;
        document["openapi"] = "3.0.3";
        document["info"] = json::object{
            {"title", "Understudy"},
            {"version", facts.version},
            {"description",
             "What this server serves of Jellyfin's API, and its own surface below /cluster. Property names are as "
             "shown, or camelCase for `Accept: application/json; profile=\"CamelCase\"`. x-understudy-access says "
             "who may call: open, wizard (anybody until the start wizard is done, then administrators), "
             "wizard_or_user (anybody until then, then users), user, admin."}};
        document["servers"] = json::array{json::object{{"url", facts.base_url.empty() ? "/" : facts.base_url}}};
        document["paths"] = paths();
        json::object components;
        components["schemas"] = schemas();
        components["responses"] = responses();
        components["securitySchemes"] = json::object{
            {"Header", json::object{{"type", "apiKey"},
                                    {"in", "header"},
                                    {"name", "Authorization"},
                                    {"description",
                                     "MediaBrowser Token=\"KEY\", Client=\"…\", Device=\"…\", DeviceId=\"…\", "
                                     "Version=\"…\"; the token is enough but for logging in"}}},
            {"Query", json::object{{"type", "apiKey"}, {"in", "query"}, {"name", "ApiKey"}}}};
        document["components"] = std::move(components);
        return laid_out(document);
    }

    /// Every schema that the operations reach, by its name in the tables.
    std::set<std::string_view> reached() {
        paths();
        schemas();
        std::set<std::string_view> names;
        for (const auto& [name, wanted] : wanted_) names.insert(wanted.row->name);
        return names;
    }

private:
    struct Wanted {
        const SchemaRow* row = nullptr;
        bool loose = false;
        bool written = false;
    };

    json::object paths() {
        json::object paths;
        for (const auto& served : joined_.served) {
            auto& path = paths[served.route->path];
            if (path.is_null()) path = json::object();
            path.as_object()[to_lower(to_string(served.method))] = operation(served);
        }
        return paths;
    }

    json::object operation(const Served& served) {
        const auto& row = *served.row;
        json::object made;
        made["tags"] = json::array{str(row.tag)};
        made["operationId"] = std::string(row.id) + (served.legacy && !row.deprecated ? "Legacy" : "");
        made["summary"] = str(row.summary);
        if (served.legacy) made["deprecated"] = true;
        const auto parameters = parameters_of(served);
        if (!parameters.empty()) made["parameters"] = parameters;
        if (!row.body.empty()) made["requestBody"] = body_of(row.body);
        made["responses"] = responses_of(served, !parameters.empty() || !row.body.empty());
        const auto access = served.route->access;
        made["security"] = access == Access::open ? json::array()
                                                  : json::array{json::object{{"Header", json::array()}},
                                                                json::object{{"Query", json::array()}}};
        made["x-understudy-access"] = access_word(access);
        return made;
    }

    json::array parameters_of(const Served& served) {
        json::array made;
        const auto names = path_names(served.route->path);
        const auto query = properties_of(served.row->query);
        for (const auto& name : names) {
            const auto typed = std::ranges::find(query, name, &Property::name);
            const auto type = typed != query.end() ? typed->type : is_id(name) ? "uuid" : "string";
            made.push_back(
                json::object{{"name", name}, {"in", "path"}, {"required", true}, {"schema", schema_of(type, false)}});
        }
        const auto own_names = path_names(served.row->path);
        for (const auto& property : query) {
            const auto in = [&](const auto& list) { return std::ranges::find(list, property.name) != list.end(); };
            if (in(names) || in(own_names)) continue;
            json::object parameter{{"name", str(property.name)}, {"in", "query"}};
            if (property.needed) parameter["required"] = true;
            parameter["schema"] = schema_of(property.type, false);
            made.push_back(std::move(parameter));
        }
        return made;
    }

    json::object body_of(std::string_view type) {
        json::object body;
        const bool needed = type.ends_with('!');
        if (needed) type.remove_suffix(1);
        body["required"] = needed;
        body["content"] = media_or_json(type);
        return body;
    }

    json::object media_or_json(std::string_view type) {
        const auto content_type = content_type_of(type);
        if (!content_type) return content("application/json", schema_of(type, false));
        json::object schema{{"type", "string"}};
        if (!content_type->starts_with("text/")) schema["format"] = "binary";
        return content(*content_type, std::move(schema));
    }

    static json::object content(std::string_view content_type, json::object schema) {
        json::object made;
        made[content_type] = json::object{{"schema", std::move(schema)}};
        return made;
    }

    json::object responses_of(const Served& served, bool takes_something) {
        std::map<int, json::object> all;
        for (const auto& [status, type] : answers_of(served.row->answers)) {
            json::object answer{{"description", str(reason_phrase(status))}};
            if (!type.empty()) {
                answer["content"] = media_or_json(type);
            } else if (status >= 400) {
                answer = shared_answer(status);
            }
            all[status] = std::move(answer);
        }
        const auto add = [&](int status) {
            if (!all.contains(status)) all[status] = shared_answer(status);
        };
        if (takes_something) add(400);
        if (served.route->access != Access::open) {
            add(401);
            add(403);
        }
        if (!path_names(served.route->path).empty()) add(404);
        if (!served.route->while_starting) add(503);
        json::object made;
        for (auto& [status, answer] : all) made[std::to_string(status)] = std::move(answer);
        return made;
    }

    json::object shared_answer(int status) {
        shared_.insert(status);
        return json::object{{"$ref", "#/components/responses/" + response_name(status)}};
    }

    json::object responses() {
        json::object made;
        for (const auto status : shared_) {
            auto all = content("text/plain", json::object{{"type", "string"}});
            if (status == 400) all["application/problem+json"] = json::object{{"schema", schema_of("Problem", false)}};
            made[response_name(status)] =
                json::object{{"description", str(reason_phrase(status))}, {"content", std::move(all)}};
        }
        return made;
    }

    std::vector<Property> properties_of(std::string_view text) {
        auto properties = read_properties(text);
        CHECK(properties);
        return std::move(*properties);
    }

    /// `loose`: below something of which nothing is required.
    json::object schema_of(std::string_view text, bool loose) {
        const auto type = read_type(text);
        CHECK(type);
        switch (type->kind) {
            case Type::Kind::plain:
                return plain(type->text);
            case Type::Kind::words:
                return enumeration(type->words);
            case Type::Kind::list:
                return json::object{{"type", "array"}, {"items", schema_of(type->text, loose)}};
            case Type::Kind::dictionary:
                return json::object{{"type", "object"}, {"additionalProperties", schema_of(type->text, loose)}};
            case Type::Kind::schema:
                return json::object{{"$ref", "#/components/schemas/" + want(type->text, loose || type->loose)}};
        }
        return {};
    }

    static json::object enumeration(const std::vector<std::string_view>& words) {
        json::array all;
        for (const auto word : words) all.push_back(str(word));
        return json::object{{"type", "string"}, {"enum", std::move(all)}};
    }

    static json::object plain(std::string_view word) {
        if (word == "bool") return json::object{{"type", "boolean"}};
        if (word == "string" || word == "object") return json::object{{"type", str(word)}};
        if (word == "int32" || word == "int64") return json::object{{"type", "integer"}, {"format", str(word)}};
        if (word == "float" || word == "double") return json::object{{"type", "number"}, {"format", str(word)}};
        if (word == "uuid") return json::object{{"type", "string"}, {"format", "uuid"}};
        if (word == "time") return json::object{{"type", "string"}, {"format", "date-time"}};
        return {};
    }

    /// The name under which a schema stands in the document.
    std::string want(std::string_view name, bool loose) {
        const auto row = schemas_.find(name);
        CHECK(row != schemas_.end());
        loose = loose && read_words(row->second->text).empty();
        auto known = std::string(name) + (loose ? "Input" : "");
        wanted_.try_emplace(known, Wanted{row->second, loose, false});
        return known;
    }

    json::object schemas() {
        std::map<std::string, json::object> made;
        want("Problem", false);
        for (auto next = wanted_.begin(); next != wanted_.end();) {
            if (next->second.written) {
                ++next;
                continue;
            }
            next->second.written = true;
            made[next->first] = schema(next->second);
            next = wanted_.begin();  // it may have named others before it
        }
        json::object all;
        for (auto& [name, one] : made) all[name] = std::move(one);
        return all;
    }

    json::object schema(const Wanted& wanted) {
        if (const auto words = read_words(wanted.row->text); !words.empty()) return enumeration(words);
        json::object properties;
        json::array required;
        for (const auto& property : properties_of(wanted.row->text)) {
            auto own = schema_of(property.type, wanted.loose);
            if (property.nullable || (wanted.loose && property.optional)) {
                if (own.contains("$ref")) own = json::object{{"allOf", json::array{own}}};
                own["nullable"] = true;
            }
            properties[property.name] = std::move(own);
            if (!property.optional && !wanted.loose) required.push_back(str(property.name));
        }
        json::object made{{"type", "object"}};
        if (!required.empty()) made["required"] = std::move(required);
        made["properties"] = std::move(properties);
        return made;
    }

    std::map<std::string_view, const SchemaRow*> schemas_;
    Join joined_;
    std::map<std::string, Wanted> wanted_;
    std::set<int> shared_;
};

}  // namespace

std::string api_document(const Routes& routes, const DocumentFacts& facts) {
    return Builder(routes).build(facts);
}

std::set<std::string_view> reached_schemas(const Routes& routes) {
    return Builder(routes).reached();
}

}  // namespace understudy::http::openapi
