#include <utility>

#include "http/openapi/document.h"
#include "http/openapi/join.h"
#include "http/openapi/notation.h"

namespace understudy::http::openapi {
namespace {

/// What is wrong with the notation of a row; empty: nothing.
void check_types(std::vector<std::string>& faults, const std::string& where, std::string_view text) {
    const auto schemas = schemas_by_name();
    const auto names = [&](std::string_view word, const auto& self) -> void {
        const auto type = read_type(word);
        if (!type) {
            faults.push_back(where + ": " + type.error().context);
        } else if (type->kind == Type::Kind::schema) {
            if (!schemas.contains(type->text)) faults.push_back(where + ": no schema " + std::string(type->text));
        } else if (type->kind == Type::Kind::list || type->kind == Type::Kind::dictionary) {
            self(type->text, self);
        }
    };
    const auto properties = read_properties(text);
    if (!properties) {
        faults.push_back(where + ": " + properties.error().context);
        return;
    }
    std::set<std::string_view> seen;
    for (const auto& property : *properties) {
        if (!seen.insert(property.name).second)
            faults.push_back(where + ": " + std::string(property.name) + " stands there twice");
        names(property.type, names);
    }
}

void check_row(std::vector<std::string>& faults, const OperationRow& row) {
    const auto where = key_of(row.method, row.path);
    check_types(faults, where, row.query);
    auto body = row.body;
    if (body.ends_with('!')) body.remove_suffix(1);
    if (!body.empty() && !content_type_of(body)) check_types(faults, where, "body:" + std::string(body));
    const auto answers = answers_of(row.answers);
    if (answers.empty()) faults.push_back(where + ": answers nothing");
    for (const auto& [status, type] : answers) {
        if (reason_phrase(status).empty()) faults.push_back(where + ": no status " + std::to_string(status));
        if (!type.empty() && !content_type_of(type)) check_types(faults, where, "answer:" + std::string(type));
    }
    if (row.tag.empty() || !row.summary.ends_with('.')) faults.push_back(where + ": needs a tag and a sentence");
}

}  // namespace

std::vector<std::string> undescribed(const Routes& routes) {
    const auto joined = join(routes);
    std::vector<std::string> missing;
    for (const auto* route : routes) {
        auto key = key_of(route->method, route->path);
        if (!joined.described.contains(key) && !is_page(route->path)) missing.push_back(std::move(key));
    }
    return missing;
}

std::vector<std::string> table_faults(const Routes& routes) {
    std::vector<std::string> faults;
    const auto joined = join(routes);
    const auto by_id = rows_by_id();
    std::set<std::string> ids, keys, names;
    const auto once = [&](std::set<std::string>& seen, const std::string& what) {
        if (!seen.insert(what).second) faults.push_back(what + " stands there twice");
    };
    for (const auto& group : groups()) {
        for (const auto& row : group.schemas) {
            once(names, "schema " + std::string(row.name));
            if (read_words(row.text).empty()) check_types(faults, std::string(row.name), row.text);
        }
        for (const auto& row : group.operations) {
            once(ids, "operation " + std::string(row.id));
            once(keys, key_of(row.method, row.path));
            check_row(faults, row);
        }
        for (const auto& row : group.legacy) {
            once(ids, "legacy operation " + std::string(row.id));
            once(keys, key_of(row.method, row.path));
            if (!by_id.contains(row.id)) faults.push_back(key_of(row.method, row.path) + ": no operation has this id");
        }
    }
    for (const auto& key : keys) {
        if (!joined.described.contains(key)) faults.push_back(key + ": no route serves it");
    }
    if (!faults.empty()) return faults;  // what follows needs sound rows
    const auto reached = reached_schemas(routes);
    for (const auto& [name, row] : schemas_by_name()) {
        if (!reached.contains(name)) faults.push_back("schema " + std::string(name) + ": no operation uses it");
    }
    return faults;
}

}  // namespace understudy::http::openapi
