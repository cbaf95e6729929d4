#include "http/compression.h"

#include <fmt/format.h>
#include <zlib.h>

#include <functional>
#include <limits>
#include <utility>

#include "http/entity_tags.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// A list of 100 films, 27 KB: 3.3 KB in 0.07 ms; level 6 takes twice as long for another 0.3 KB (docs/performance.md).
constexpr int level = 1;
constexpr int gzip_window = 15 + 16;  // zlib.h: 16 more for a gzip header
constexpr int memory_level = 8;

/// `q=0` and its longer forms: not this one.
bool is_refused(std::string_view parameters) {
    for (auto each : split(parameters, ';')) {
        each = trim(each);
        if (each.size() < 3 || lower(each[0]) != 'q' || each[1] != '=') continue;
        return each.substr(2).find_first_not_of("0.") == std::string_view::npos;
    }
    return false;
}

bool is_json(const Response& response) {
    return response.content_type.starts_with("application/json");
}

/// Logs and metrics.
bool is_text(const Response& response) {
    return response.content_type.starts_with("text/plain");
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
    bool any = false;
    for (const auto each : split(accept_encoding, ',')) {
        const auto semicolon = each.find(';');
        const auto name = trim(each.substr(0, semicolon));
        const bool refused = semicolon != std::string_view::npos && is_refused(each.substr(semicolon + 1));
        if (iequals(name, "gzip") || iequals(name, "x-gzip")) return !refused;
        if (name == "*") any = !refused;
    }
    return any;
}

std::optional<std::string> gzip(std::string_view bytes) {
    if (bytes.size() > std::numeric_limits<uInt>::max()) return std::nullopt;
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        return std::nullopt;
    std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out.resize(stream.total_out);
    deflateEnd(&stream);
    if (!whole) return std::nullopt;
    return out;
}

void make_light(const Request& request, Response& response) {
    if (response.status != 200 || (!is_json(response) && !is_text(response))) return;
    const bool worth_it = response.body.size() >= least_compressed_bytes && response.header("Content-Encoding").empty();
    // Also of a 304, which a cache may keep the other form of (RFC 9110 §15.4.5).
    if (worth_it && response.header("Vary").empty()) response.with("Vary", "Accept-Encoding");
    const bool is_read = request.method == Method::get || request.method == Method::head;
    if (is_read && is_json(response) && response.header("ETag").empty()) {
        // Weak: the same answer, compressed or not. Of one build's own hash: another build's pods answer anew, once.
        const auto tag = fmt::format("{:016x}", std::hash<std::string_view>{}(response.body));
        response.with("ETag", "W/\"" + tag + '"');
        if (response.header("Cache-Control").empty()) response.with("Cache-Control", "private, no-cache");
        if (names_tag(request.header("If-None-Match"), tag)) {
            response.status = 304;
            response.content_type.clear();
            response.body.clear();
            return;
        }
    }
    if (!worth_it || !accepts_gzip(request.header("Accept-Encoding"))) return;
    auto small = gzip(response.body);
    if (!small || small->size() >= response.body.size()) return;
    for (auto& header : response.headers) {  // two forms of one tag: it can only be a weak one (RFC 9110 §8.8.3)
        if (iequals(header.name, "ETag") && !header.value.starts_with("W/")) header.value.insert(0, "W/");
    }
    response.with("Content-Encoding", "gzip");
    response.body = std::move(*small);
}

}  // namespace understudy::http
