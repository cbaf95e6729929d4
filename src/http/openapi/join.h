// http/openapi/join.h: the rows of the tables with the routes that serve them. Used by document.cpp and faults.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "http/openapi/document.h"
#include "http/openapi/tables.h"

namespace understudy::http::openapi {

/// `GET /Items`.
[[nodiscard]] std::string key_of(Method method, std::string_view path);

struct Served {
    const OperationRow* row = nullptr;
    const Route* route = nullptr;
    Method method = Method::get;
    bool legacy = false;
};

struct Join {
    std::vector<Served> served;       ///< in the order of the router
    std::set<std::string> described;  ///< keys of rows
};

[[nodiscard]] Join join(const Routes& routes);

[[nodiscard]] std::map<std::string_view, const OperationRow*> rows_by_id();
[[nodiscard]] std::map<std::string_view, const SchemaRow*> schemas_by_name();

/// The parameters of a path, in their order.
[[nodiscard]] std::vector<std::string> path_names(std::string_view path);

/// `200:[UserDto]` -> 200 and `[UserDto]`; what is no number is 0.
struct Answer {
    int status = 0;
    std::string_view type;
};
[[nodiscard]] std::vector<Answer> answers_of(std::string_view text);

/// Of an answer that is no JSON: `text`, `css`, `picture`, `file`.
[[nodiscard]] std::optional<std::string_view> content_type_of(std::string_view word);

/// The names of all schemas that the operations of `routes` reach.
[[nodiscard]] std::set<std::string_view> reached_schemas(const Routes& routes);

}  // namespace understudy::http::openapi
