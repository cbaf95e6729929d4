#include "http/openapi/layout.h"

#include <boost/json.hpp>

namespace understudy::http::openapi {
namespace {

namespace json = boost::json;

constexpr std::size_t line = 118;

void write(std::string& out, const json::value& value, std::size_t indent) {
    const auto flat = json::serialize(value);
    const bool small = !value.is_structured() || indent + flat.size() <= line;
    if (small) {
        out += flat;
        return;
    }
    const std::string inner(indent + 2, ' ');
    const char* separator = "\n";
    if (value.is_object()) {
        out += '{';
        for (const auto& member : value.get_object()) {
            out += separator + inner + json::serialize(member.key()) + ": ";
            write(out, member.value(), indent + 2);
            separator = ",\n";
        }
        out += '\n' + std::string(indent, ' ') + '}';
        return;
    }
    out += '[';
    for (const auto& each : value.get_array()) {
        out += separator + inner;
        write(out, each, indent + 2);
        separator = ",\n";
    }
    out += '\n' + std::string(indent, ' ') + ']';
}

}  // namespace

std::string laid_out(const json::value& value) {
    std::string out;
    write(out, value, 0);
    out += '\n';
    return out;
}

}  // namespace understudy::http::openapi
