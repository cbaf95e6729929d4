#include "app/config/sources.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json/stream_parser.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <set>

#include "app/config/json_text.h"
#include "app/config/schema.h"
#include "core/result.h"
#include "core/text.h"

namespace understudy::app {
namespace {

namespace json = boost::json;

constexpr std::size_t config_file_limit = 1U << 20U;  // a settings file is a page, not a megabyte

std::string unknown_key(std::string_view key) {
    std::string problem = "unknown setting";
    if (const auto near = core::nearest(key, known_keys()))
        problem += ", did you mean " + *near + "?";
    else
        problem += "; docs/configuration.md and `understudy config show` list all settings";
    return problem;
}

core::Result<std::string> read_file(const std::string& name, std::size_t limit) {
    std::ifstream in(name, std::ios::binary);
    if (!in) return core::fail(core::Errc::not_found, std::string("cannot be read: ") + std::strerror(errno));
    std::string text(limit + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) return core::fail(core::Errc::unavailable, "cannot be read (is it a folder?)");
    if (text.size() > limit) return core::fail(core::Errc::invalid, "larger than " + std::to_string(limit) + " bytes");
    return text;
}

/// Takes one source's values; lists given by a later source replace those of an earlier one.
class Collector {
public:
    explicit Collector(GivenSettings& given) : given_(given) {}

    void start_source() {
        seen_.clear();
        lists_.clear();
        told_.clear();
    }
    /// `key` stands twice in this source, which was said: no second line for it.
    void told_twice(const std::string& key) { told_.insert(core::to_lower_ascii(key)); }
    void take(const std::string& key, const std::string& value, const std::string& source) {
        const auto known = find_setting(key);
        if (!known) {
            // Not its value: nearly `ConnectionString` may well hold a password.
            given_.faults.push_back({key, "", source, unknown_key(key)});
            return;
        }
        if (value.find('\0') != std::string::npos) {  // JSON can say it; no path and no connection string can hold it
            given_.faults.push_back({key, "", source, "holds a NUL character"});
            return;
        }
        // .NET's environment cannot give one key twice, but any case and _FILE beside the value can.
        const auto mark = known->key + (known->index ? ":" + std::to_string(*known->index) : "");
        const auto shown = known->spec->secret ? "" : value;
        const auto [first, fresh] =
            seen_.try_emplace(mark, key + (shown.empty() ? "" : " = '" + shown + "'") + " (" + source + ")");
        if (!fresh) {
            if (told_.contains(core::to_lower_ascii(key))) return;
            given_.faults.push_back({key, shown, source, "given twice; the other is " + first->second + "; leave one"});
            return;
        }
        GivenValue entry{value, source, {}};
        if (known->from_file) {
            auto text = read_secret_file(value);
            if (!text) {
                given_.faults.push_back({key, value, source, "the file " + text.error().context});
                return;
            }
            entry.text = std::move(*text);
            entry.file = value;
            entry.source += " (file " + value + ")";
        }
        if (known->spec->type != SettingType::list) {
            given_.values[known->key] = std::move(entry);
            return;
        }
        if (lists_.insert(known->key).second) given_.lists[known->key].clear();
        auto& list = given_.lists[known->key];
        if (known->index) {
            list.push_back(std::move(entry));
        } else {  // `a,b` where a list is one text
            for (auto& piece : core::split_trimmed(entry.text, ',')) list.push_back({std::move(piece), source, {}});
        }
    }
    void fault(ConfigFault fault) { given_.faults.push_back(std::move(fault)); }

private:
    GivenSettings& given_;
    std::map<std::string, std::string> seen_;  ///< what was given first, for people
    std::set<std::string> lists_, told_;
};

void take_json(Collector& to, const std::string& key, const json::value& value, const std::string& source) {
    switch (value.kind()) {
        case json::kind::object:
            for (const auto& member : value.get_object()) {
                const std::string name(member.key());
                if (key.empty() && name.starts_with('$')) continue;  // "$schema" is for editors
                take_json(to, key.empty() ? name : key + ":" + name, member.value(), source);
            }
            return;
        case json::kind::array: {
            const auto known = find_setting(key);
            if (!known || known->spec->type != SettingType::list) {
                to.fault({key, "[…]", source, known ? "takes one value, not a list" : unknown_key(key)});
                return;
            }
            if (value.get_array().empty()) to.take(key, "", source);
            std::size_t index = 0;
            for (const auto& element : value.get_array())
                take_json(to, key + ":" + std::to_string(index++), element, source);
            return;
        }
        case json::kind::string:
            to.take(key, std::string(value.get_string()), source);
            return;
        case json::kind::null:
            return;  // the default
        case json::kind::bool_:
            to.take(key, value.get_bool() ? "true" : "false", source);
            return;
        case json::kind::int64:
            to.take(key, std::to_string(value.get_int64()), source);
            return;
        case json::kind::uint64:
            to.take(key, std::to_string(value.get_uint64()), source);
            return;
        case json::kind::double_: {
            std::array<char, 32> text{};
            const auto end = std::to_chars(text.data(), text.data() + text.size(), value.get_double()).ptr;
            to.take(key, std::string(text.data(), end), source);
            return;
        }
    }
}

void take_file(Collector& to, const std::string& name) {
    const auto source = "file " + name;
    const auto text = read_file(name, config_file_limit);
    if (!text) {
        to.fault({"--config", name, "command line", text.error().context});
        return;
    }
    const auto fault = [&](const std::string& problem) { to.fault({"--config", name, "command line", problem}); };
    std::string_view content = *text;
    if (content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF")) {
        fault("is UTF-16; save it as UTF-8");
        return;
    }
    if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);  // editors on Windows write it
    if (core::trim(content).empty()) {
        fault("the file is empty; {} is a file without settings");
        return;
    }
    boost::system::error_code error;
    json::parse_options options;
    options.allow_comments = true;
    options.allow_trailing_commas = true;
    json::stream_parser parser({}, options);
    const auto used = parser.write_some(content.data(), content.size(), error);
    if (!error && used < content.size()) {
        fault("not JSON, " + position_in(content, used) + ": there is more text behind the end of the object");
        return;
    }
    if (!error) parser.finish(error);
    if (error) {
        fault("not JSON, " + position_in(content, used) + ": " + error.message());
        return;
    }
    const auto root = parser.release();
    if (!root.is_object()) {
        fault("the file must hold one JSON object");
        return;
    }
    to.start_source();
    for (const auto& twice : duplicate_keys(content)) {
        to.fault({twice.key, "", source,
                  "stands twice in one object, at " + position_in(content, twice.first) + " and at " +
                      position_in(content, twice.second) + "; leave one"});
        to.told_twice(twice.key);
    }
    take_json(to, "", root, source);
}

// `Jellyfin__ScanLeader__Enabled` -> `Jellyfin:ScanLeader:Enabled`; nullopt where there is no `__`.
std::optional<std::string> key_of_name(std::string_view name) {
    if (name.find("__") == std::string_view::npos) return std::nullopt;
    std::string key;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i, 2) == "__") {
            key += ':';
            ++i;
        } else {
            key += name[i];
        }
    }
    return key;
}

bool under_known_section(std::string_view key) {
    return key.size() > 9 && core::equals_ignoring_case(key.substr(0, 9), "Jellyfin:");
}

void take_environment(Collector& to, const std::map<std::string, std::string>& environment,
                      std::vector<std::string>& ignored) {
    constexpr std::string_view prefix = "JELLYFIN_";
    to.start_source();
    for (const auto& [name, value] : environment) {
        const bool prefixed =
            name.size() > prefix.size() && core::equals_ignoring_case(name.substr(0, prefix.size()), prefix);
        const auto whole = key_of_name(name);
        const auto source = "environment " + name;
        if (name == "JELLYFIN_WEB_DIR") {  // the reference's own word for it
            if (!value.empty()) to.take("Jellyfin:WebDir", value, source);
            continue;
        }
        if (whole && find_setting(*whole)) {  // valid as it is: never stripped
            to.take(*whole, value, source);
            continue;
        }
        if (prefixed) {
            const auto stripped = key_of_name(std::string_view(name).substr(prefix.size()));
            if (stripped && under_known_section(*stripped)) {
                to.take(*stripped, value, source);
                continue;
            }
        }
        if (whole && under_known_section(*whole))
            to.take(*whole, value, source);
        else if (prefixed)
            ignored.push_back(name);
    }
}

}  // namespace

std::string ConfigFault::line() const {
    const auto text =
        (key.empty() ? "''" : key) + (value.empty() ? "" : " = '" + value + "'") + " (" + source + "): " + problem;
    std::string shown;
    for (const char c : text) {  // one line, whatever was given
        constexpr std::string_view digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= ' ' && byte != 0x7f) {
            shown += c;
        } else {
            shown += std::string("\\x") + digits[byte >> 4U] + digits[byte & 15U];
        }
    }
    return shown;
}

GivenSettings read_sources(const ConfigInput& input) {
    GivenSettings given;
    Collector to(given);
    if (input.file) take_file(to, *input.file);
    take_environment(to, input.environment, given.ignored);
    to.start_source();
    for (const auto& [key, value] : input.command_line) to.take(key, value, "command line");
    return given;
}

core::Result<std::string> read_secret_file(const std::string& name) {
    auto text = read_file(name, 64U << 10U);
    if (!text) return text;
    auto secret = std::string(core::trim(*text));
    if (secret.empty()) return core::fail(core::Errc::invalid, "is empty; a secret was expected in it");
    return secret;
}

std::map<std::string, std::string> process_environment() {
    std::map<std::string, std::string> all;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos) all.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return all;
}

}  // namespace understudy::app
