#include "cluster/database/pod_registry.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string_view>

namespace understudy::cluster {
namespace {

namespace json = boost::json;
using store::sql::Access;
using store::sql::Row;
using store::sql::Session;

// Rows of long gone pods are looked for at the first heartbeat and then every so many: about once in ten minutes.
constexpr unsigned sweep_every = 60;
constexpr std::int64_t kept_for_ms = 24LL * 3600 * 1000;

// Paths are bytes, JSON is UTF-8: they travel as hex.
std::string to_hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

std::string from_hex(std::string_view text) {
    const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string bytes;
    for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
        bytes += static_cast<char>(static_cast<unsigned char>(value(text[at]) * 16 + value(text[at + 1])));
    }
    return bytes;
}

std::string facts_json(const PodInfo& pod) {
    json::object object;
    for (const auto& [name, value] : pod.facts) object[name] = value;
    return json::serialize(object);
}

std::string roots_json(const PodInfo& pod) {
    json::object object;
    for (const auto& [path, seen] : pod.roots) object[to_hex(path)] = seen;
    return json::serialize(object);
}

// A newer pod may write more than we know: what does not parse is left out, never an error.
json::object parse_object(const std::string& text) {
    json::error_code problem;
    auto value = json::parse(text, problem);
    return !problem && value.is_object() ? std::move(value.as_object()) : json::object{};
}

PodInfo read_pod(const Row& row) {
    PodInfo pod;
    pod.boot = core::BootId::parse(row.text(0)).value_or(core::BootId{});
    pod.label = row.text(1);
    pod.version = row.text(2);
    pod.started_at = core::from_unix_ms(row.integer(3));
    pod.heartbeat_at = core::from_unix_ms(row.integer(4));
    pod.standing = row.text(5);
    for (const auto& [name, value] : parse_object(row.text(6))) {
        if (value.is_string()) pod.facts[name] = value.as_string();
    }
    for (const auto& [path, seen] : parse_object(row.text(7))) {
        if (seen.is_bool()) pod.roots[from_hex(path)] = seen.as_bool();
    }
    return pod;
}

}  // namespace

core::Result<core::UtcTime> DatabasePodRegistry::heartbeat(const PodInfo& self) {
    core::UtcTime now{};
    auto done = database_.with(Access::write, [&](Session& session) -> core::Result<void> {
        if (beats_++ % sweep_every == 0) {
            auto swept = session.execute("DELETE FROM pods WHERE heartbeat_at_ms < {now_ms} - ?", {kept_for_ms});
            if (!swept) return tl::unexpected(swept.error());
        }
        return session.query(
            "INSERT INTO pods (boot_id, label, version, started_at_ms, heartbeat_at_ms, standing, facts, roots) "
            "VALUES (?, ?, ?, {now_ms}, {now_ms}, ?, ?, ?) "
            "ON CONFLICT (boot_id) DO UPDATE SET label = excluded.label, version = excluded.version, "
            "heartbeat_at_ms = excluded.heartbeat_at_ms, standing = excluded.standing, facts = excluded.facts, "
            "roots = excluded.roots RETURNING heartbeat_at_ms",
            {self.boot.str(), self.label, self.version, self.standing, facts_json(self), roots_json(self)},
            [&](const Row& row) { now = core::from_unix_ms(row.integer(0)); });
    });
    if (!done) return tl::unexpected(done.error());
    return now;
}

core::Result<std::vector<PodInfo>> DatabasePodRegistry::pods(core::Millis within) {
    std::vector<PodInfo> found;
    auto done = database_.with(Access::read, [&](Session& session) {
        return session.query(
            "SELECT boot_id, label, version, started_at_ms, heartbeat_at_ms, standing, facts, roots FROM pods "
            "WHERE heartbeat_at_ms >= {now_ms} - ? ORDER BY heartbeat_at_ms DESC, boot_id",
            {std::int64_t{within.count()}}, [&](const Row& row) { found.push_back(read_pod(row)); });
    });
    if (!done) return tl::unexpected(done.error());
    return found;
}

core::Result<void> DatabasePodRegistry::leave(core::BootId boot) {
    return database_.with(Access::write, [&](Session& session) -> core::Result<void> {
        auto gone = session.execute("DELETE FROM pods WHERE boot_id = ?", {boot.str()});
        if (!gone) return tl::unexpected(gone.error());
        return {};
    });
}

}  // namespace understudy::cluster
