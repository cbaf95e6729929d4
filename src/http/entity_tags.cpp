#include "http/entity_tags.h"

#include <fmt/format.h>

#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::uint64_t fnv_start = 14695981039346656037ULL;

// FNV-1a: tells pictures apart that are not made to be confused; no defence against malice.
std::uint64_t hashed(std::string_view text, std::uint64_t hash) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash;
}

}  // namespace

std::string image_tag(std::string_view path, std::int64_t size_bytes, std::int64_t mtime_ns) {
    return fmt::format("{:016x}", hashed(fmt::format(":{}:{}", size_bytes, mtime_ns), hashed(path, fnv_start)));
}

core::IdBytes id_of_text(std::string_view text) {
    core::IdBytes bytes{};
    for (std::size_t half = 0; half < 2; ++half) {
        const auto hash = hashed(text, fnv_start + half);
        for (std::size_t i = 0; i < 8; ++i) bytes[half * 8 + i] = static_cast<std::uint8_t>(hash >> (8 * i));
    }
    return bytes;
}

bool names_tag(std::string_view if_none_match, std::string_view tag) {
    for (auto each : split(if_none_match, ',')) {
        each = trim(each);
        if (each == "*") return true;
        if (each.starts_with("W/")) each.remove_prefix(2);  // RFC 9110 §13.1.2: compared weakly
        if (each.size() == tag.size() + 2 && each.front() == '"' && each.back() == '"' &&
            each.substr(1, tag.size()) == tag) {
            return true;
        }
    }
    return false;
}

}  // namespace understudy::http
