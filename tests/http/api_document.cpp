// api_document FILE: writes the OpenAPI document of the router and its tables, without a server. `--undescribed` lists
// the routes that no row describes. The target api_docs calls it.
#include <fstream>
#include <iostream>

#include "http/house.h"
#include "http/openapi/document.h"

int main(int count, char** arguments) {
    namespace openapi = understudy::http::openapi;
    if (count != 2) {
        std::cerr << "usage: api_document FILE | --undescribed\n";
        return 2;
    }
    const std::string what = arguments[1];
    const understudy::testing::House house;
    const auto& routes = house.router.routes();
    if (what == "--undescribed") {
        for (const auto& route : openapi::undescribed(routes)) std::cout << route << '\n';
        return 0;
    }
    const auto faults = openapi::table_faults(routes);
    for (const auto& fault : faults) std::cerr << fault << '\n';
    if (!faults.empty()) return 1;
    std::ofstream out(what);
    out << openapi::api_document(routes, {UNDERSTUDY_VERSION, ""});
    if (!out.flush()) {
        std::cerr << what << ": cannot be written\n";
        return 1;
    }
    return 0;
}
