#include "http/static_files.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "http/compression.h"
#include "http/entity_tags.h"
#include "http/text.h"

namespace understudy::http {
namespace {

struct MimeType {
    std::string_view end;
    std::string_view type;
};
constexpr std::array mime_types{
    MimeType{"css", "text/css; charset=utf-8"},
    MimeType{"gif", "image/gif"},
    MimeType{"html", "text/html; charset=utf-8"},
    MimeType{"ico", "image/x-icon"},
    MimeType{"jpeg", "image/jpeg"},
    MimeType{"jpg", "image/jpeg"},
    MimeType{"js", "text/javascript; charset=utf-8"},
    MimeType{"json", "application/json; charset=utf-8"},
    MimeType{"map", "application/json; charset=utf-8"},
    MimeType{"mjs", "text/javascript; charset=utf-8"},
    MimeType{"mp3", "audio/mpeg"},
    MimeType{"otf", "font/otf"},
    MimeType{"png", "image/png"},
    MimeType{"svg", "image/svg+xml"},
    MimeType{"ttf", "font/ttf"},
    MimeType{"txt", "text/plain; charset=utf-8"},
    MimeType{"wasm", "application/wasm"},
    MimeType{"webmanifest", "application/manifest+json"},
    MimeType{"webp", "image/webp"},
    MimeType{"woff", "font/woff"},
    MimeType{"woff2", "font/woff2"},
    MimeType{"xml", "text/xml; charset=utf-8"},
};

/// `0a1b2c3d4e`: eight hex digits and more, of which some are letters and some are not (a date has digits alone).
bool is_hex_hash(std::string_view word) {
    constexpr std::size_t shortest = 8;
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto letter = [](char c) { return c >= 'a' && c <= 'f'; };
    return word.size() >= shortest && std::ranges::all_of(word, [&](char c) { return digit(c) || letter(c); }) &&
           std::ranges::any_of(word, digit) && std::ranges::any_of(word, letter);
}

/// `-B3xKq9aZ` before the end: Vite's form, believed in the folder alone where all files have it.
bool is_vite_asset(std::string_view path) {
    constexpr std::size_t hash = 8;
    const auto slash = path.rfind('/');
    if (slash == std::string_view::npos ||
        !(path.substr(0, slash) == "assets" || path.substr(0, slash).ends_with("/assets"))) {
        return false;
    }
    const auto name = path.substr(slash + 1);
    const auto dot = name.find('.');
    return dot != std::string_view::npos && dot > hash && name[dot - hash - 1] == '-';
}

}  // namespace

std::string_view mime_type_of(std::string_view path) noexcept {
    const auto dot = path.rfind('.');
    if (dot != std::string_view::npos) {
        for (const auto& known : mime_types) {
            if (iequals(path.substr(dot + 1), known.end)) return known.type;
        }
    }
    return "application/octet-stream";
}

std::string_view keeping_of(std::string_view path) noexcept {
    bool hashed = is_vite_asset(path);
    for (std::size_t at = path.rfind('/') + 1; at < path.size() && !hashed;) {
        const auto end = std::min(path.find_first_of(".-_", at), path.size());
        hashed = is_hex_hash(path.substr(at, end - at));
        at = end + 1;
    }
    return hashed ? "public, max-age=31536000, immutable" : "no-cache";
}

Response embedded_answer(const Request& request, std::span<const EmbeddedFile> files, std::string_view path) {
    const auto found = std::ranges::lower_bound(files, path, {}, &EmbeddedFile::path);
    if (found == files.end() || found->path != path) {
        return text_answer(404, "There is no file '" + printable(path) + "' here.");
    }
    const bool packed = !found->gzip.empty() && accepts_gzip(request.header("Accept-Encoding"));
    const auto tag = std::string(found->tag) + (packed ? "-gzip" : "");  // two forms, two tags (RFC 9110 §8.8.3)
    Response response;
    response.with("ETag", '"' + tag + '"').with("Cache-Control", std::string(keeping_of(path)));
    if (!found->gzip.empty()) response.with("Vary", "Accept-Encoding");
    if (names_tag(request.header("If-None-Match"), tag)) {
        response.status = 304;
        return response;
    }
    response.content_type = mime_type_of(path);
    if (packed) response.with("Content-Encoding", "gzip");
    response.body = packed ? found->gzip : found->bytes;
    return response;
}

Response redirect(std::string to) {
    auto response = text_answer(302, "See " + to);
    response.with("Location", std::move(to)).with("Cache-Control", "no-cache");
    return response;
}

}  // namespace understudy::http
