#include "http/openapi/join.h"

#include <array>

#include "http/text.h"

namespace understudy::http::openapi {
namespace {

struct MediaWord {
    std::string_view word, content_type;
};
constexpr std::array media_words{MediaWord{"text", "text/plain"}, MediaWord{"css", "text/css"},
                                 MediaWord{"picture", "image/*"}, MediaWord{"file", "application/octet-stream"}};

}  // namespace

std::string key_of(Method method, std::string_view path) {
    return std::string(to_string(method)) + " " + std::string(path);
}

std::map<std::string_view, const OperationRow*> rows_by_id() {
    std::map<std::string_view, const OperationRow*> rows;
    for (const auto& group : groups()) {
        for (const auto& row : group.operations) rows.emplace(row.id, &row);
    }
    return rows;
}

Join join(const Routes& routes) {
    std::map<std::string, Served> rows;
    const auto by_id = rows_by_id();
    for (const auto& group : groups()) {
        for (const auto& row : group.operations)
            rows[key_of(row.method, row.path)] = {&row, nullptr, row.method, row.deprecated};
        for (const auto& row : group.legacy) {
            const auto own = by_id.find(row.id);
            if (own != by_id.end()) rows[key_of(row.method, row.path)] = {own->second, nullptr, row.method, true};
        }
    }
    Join joined;
    const auto take = [&](Method method, const Route* route) {
        const auto row = rows.find(key_of(method, route->path));
        if (row == rows.end()) return;
        joined.described.insert(row->first);
        auto served = row->second;
        served.route = route;
        joined.served.push_back(served);
    };
    for (const auto* route : routes) {
        take(route->method, route);
        if (route->method == Method::get) take(Method::head, route);  // the router serves it with GET
    }
    return joined;
}

std::map<std::string_view, const SchemaRow*> schemas_by_name() {
    std::map<std::string_view, const SchemaRow*> rows;
    for (const auto& group : groups()) {
        for (const auto& row : group.schemas) rows.emplace(row.name, &row);
    }
    return rows;
}

std::vector<std::string> path_names(std::string_view path) {
    std::vector<std::string> names;
    for (const auto segment : split(path, '/')) {
        if (segment.starts_with('{')) names.emplace_back(segment.substr(1, segment.size() - 2));
    }
    return names;
}

std::vector<Answer> answers_of(std::string_view text) {
    std::vector<Answer> answers;
    for (const auto part : split(text, ' ')) {
        if (part.empty()) continue;
        const auto colon = part.find(':');
        const auto status = parse_int(part.substr(0, colon));
        answers.push_back({static_cast<int>(status.value_or(0)),
                           colon == std::string_view::npos ? std::string_view() : part.substr(colon + 1)});
    }
    return answers;
}

std::optional<std::string_view> content_type_of(std::string_view word) {
    for (const auto& each : media_words) {
        if (each.word == word) return each.content_type;
    }
    return std::nullopt;
}

}  // namespace understudy::http::openapi
