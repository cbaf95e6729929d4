// http/jellyfin/system/configuration_sections.h: the named parts of Jellyfin's configuration: their fields with the
// reference's defaults, read from bodies and written from what is kept. Used by the handlers of configuration and
// branding, and by app for the few numbers that tasks obey.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/json_body.h"
#include "http/json_writer.h"

namespace understudy::http {

/// `dictionary`: any names with texts; names of the default that are not said are added when it is written.
enum class FieldShape : unsigned char { flag, whole, real, text, word, texts, wholes, object, objects, dictionary };

struct SectionField {
    std::string_view name;
    FieldShape shape;
    std::string_view otherwise;  ///< JSON where nothing is kept; empty: left out
    std::span<const std::string_view> words = {};
    std::span<const SectionField> parts = {};  ///< of an object, and of each object of `objects`
};

struct ConfigurationSection {
    std::string_view key;  ///< `network`; `system` is the whole of /System/Configuration
    std::span<const SectionField> fields;
};

/// In any case; nullptr: there is none.
[[nodiscard]] const ConfigurationSection* find_section(std::string_view key) noexcept;
/// MetadataOptions as the reference has it for a new kind of item.
[[nodiscard]] const ConfigurationSection& metadata_options_section() noexcept;

/// JSON of the fields that `body` names, in Jellyfin's spelling; unknown ones are dropped, null is the default.
/// Errors: invalid, naming the field.
[[nodiscard]] core::Result<std::string> read_section(const ConfigurationSection& section, const JsonBody& body);
/// JSON of one field of what read_section returned; the default where it is not there.
[[nodiscard]] std::string field_of(const ConfigurationSection& section, const std::string& kept, std::string_view name);
/// As field_of, in the asked spelling.
void write_section_field(JsonWriter& out, const ConfigurationSection& section, const std::string& kept,
                         std::string_view name);
/// A number of what is kept; nullopt where it is not there.
[[nodiscard]] std::optional<std::int64_t> kept_number(const std::string& kept, std::string_view name);

/// Names of fields with their JSON.
using FieldValues = std::map<std::string, std::string, std::less<>>;
/// The whole section: `forced` wins over what is kept, that over `defaults`, those over the reference's.
void write_section(JsonWriter& out, const ConfigurationSection& section, const std::string& kept,
                   const FieldValues& defaults = {}, const FieldValues& forced = {});

}  // namespace understudy::http
