#include "http/query.h"

#include "http/text.h"

namespace understudy::http {
namespace {

std::string wrong(std::string_view key, std::string_view value, std::string_view wanted) {
    return std::string(key) + ": '" + printable(value) + "' is not valid; " + std::string(wanted);
}

}  // namespace

Query::Query(std::string_view raw) {
    std::string decoded;
    // A single key without a value that holds an escaped '=': some clients encode the whole query.
    if (raw.find('=') == std::string_view::npos && raw.find('&') == std::string_view::npos && icontains(raw, "%3d")) {
        decoded = percent_decode(raw);
        raw = decoded;
    }
    while (!raw.empty()) {
        const auto end = raw.find('&');
        const auto part = raw.substr(0, end);
        raw.remove_prefix(end == std::string_view::npos ? raw.size() : end + 1);
        if (part.empty()) continue;
        const auto equals = part.find('=');
        auto key = percent_decode(part.substr(0, equals), true);
        auto value = equals == std::string_view::npos ? std::string() : percent_decode(part.substr(equals + 1), true);
        pairs_.emplace_back(std::move(key), std::move(value));
    }
}

const std::string* Query::find(std::string_view key) const {
    note(key);
    for (const auto& [name, value] : pairs_) {
        if (iequals(name, key)) return &value;
    }
    return nullptr;
}

bool Query::has(std::string_view key) const {
    return find(key) != nullptr;
}

std::string Query::text(std::string_view key) const {
    const auto* value = find(key);
    return value ? *value : std::string();
}

std::vector<std::string> Query::list(std::string_view key, char separator) const {
    note(key);
    std::vector<std::string_view> values;
    for (const auto& [name, value] : pairs_) {
        if (iequals(name, key)) values.emplace_back(value);
    }
    if (values.size() == 1) values = split(values.front(), separator);
    std::vector<std::string> members;
    for (const auto value : values) {
        if (const auto member = trim(value); !member.empty()) members.emplace_back(member);
    }
    return members;
}

core::Result<std::optional<bool>> Query::boolean(std::string_view key) const {
    const auto* value = find(key);
    if (!value || trim(*value).empty()) return std::optional<bool>();
    const auto parsed = parse_bool(*value);
    if (!parsed) return core::fail(core::Errc::invalid, wrong(key, *value, "use true or false"));
    return parsed;
}

core::Result<std::optional<std::int64_t>> Query::number(std::string_view key) const {
    const auto* value = find(key);
    if (!value || trim(*value).empty()) return std::optional<std::int64_t>();
    const auto parsed = parse_int(*value);
    if (!parsed) return core::fail(core::Errc::invalid, wrong(key, *value, "use a whole number"));
    return parsed;
}

core::Result<std::optional<std::size_t>> Query::count(std::string_view key) const {
    const auto parsed = number(key);
    if (!parsed) return tl::unexpected(parsed.error());
    if (!*parsed) return std::optional<std::size_t>();
    if (**parsed < 0) return core::fail(core::Errc::invalid, wrong(key, text(key), "use 0 or more"));
    return static_cast<std::size_t>(**parsed);
}

}  // namespace understudy::http
