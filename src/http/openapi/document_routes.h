// http/openapi/document_routes.h: /api-docs. Used by routes.cpp.
#pragma once

#include "http/routes.h"

namespace understudy::http {

void add_document_routes(Router& router, const Services& services);  ///< /api-docs/openapi.json

}  // namespace understudy::http
