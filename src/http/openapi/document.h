// http/openapi/document.h: the OpenAPI document, made from the router's rows and the tables beside them. Used by its
// route, by the program that writes docs/openapi.json, and by tests.
#pragma once

#include <string>
#include <vector>

#include "http/router.h"

namespace understudy::http::openapi {

struct DocumentFacts {
    std::string version;   ///< our own
    std::string base_url;  ///< `/jf`; empty: none
};

using Routes = std::vector<const Route*>;

/// OpenAPI 3.0.3, as JSON laid out for people; the same rows give the same bytes. What is in no table is left out.
/// Faults of the tables (table_faults) are our bug: CHECK.
[[nodiscard]] std::string api_document(const Routes& routes, const DocumentFacts& facts);

/// `GET /Items`: the routes that no row describes.
[[nodiscard]] std::vector<std::string> undescribed(const Routes& routes);

/// Rows that no route serves, ids that are given twice, types that nobody knows, schemas that nobody uses; one line
/// each.
[[nodiscard]] std::vector<std::string> table_faults(const Routes& routes);

}  // namespace understudy::http::openapi
