#include "http/jellyfin/system/configuration_sections.h"

#include <algorithm>
#include <boost/json.hpp>
#include <limits>

#include "core/check.h"
#include "http/text.h"

namespace understudy::http {
namespace {

namespace json = boost::json;

tl::unexpected<core::Error> wrong(const SectionField& field, std::string_view value, const std::string& wanted) {
    return core::fail(core::Errc::invalid,
                      std::string(field.name) + ": " + printable(value) + " is not valid; use " + wanted);
}

core::Result<std::string> read_word(const SectionField& field, const std::string& text) {
    const auto at = std::ranges::find_if(field.words, [&](std::string_view word) { return iequals(word, text); });
    JsonWriter out;
    if (at != field.words.end()) return out.value(*at).take();
    std::string all;
    for (const auto word : field.words) all += (all.empty() ? "" : ", ") + std::string(word);
    return wrong(field, "'" + text + "'", all);
}

core::Result<std::string> read_wholes(const SectionField& field, const std::string& text) {
    const auto value = json::parse(text);
    const auto fits = [](const json::value& one) {
        return one.is_int64() && one.get_int64() >= std::numeric_limits<std::int32_t>::min() &&
               one.get_int64() <= std::numeric_limits<std::int32_t>::max();
    };
    if (!value.is_array() || !std::ranges::all_of(value.get_array(), fits))
        return wrong(field, text, "a list of whole numbers");
    return text;
}

/// Clients send numbers and flags too; what is null is not there.
core::Result<std::string> read_dictionary(const SectionField& field, const std::string& text) {
    const auto value = json::parse(text);
    if (!value.is_object()) return wrong(field, text, "an object of texts");
    JsonWriter out;
    out.begin_object();
    for (const auto& member : value.get_object()) {
        if (member.value().is_null()) continue;
        if (member.value().is_structured()) return wrong(field, json::serialize(member.value()), "a text");
        out.key({member.key().data(), member.key().size()});
        if (const auto* said = member.value().if_string())
            out.value(std::string_view(said->data(), said->size()));
        else
            out.value(json::serialize(member.value()));
    }
    return out.end_object().take();
}

core::Result<std::string> read_fields(std::span<const SectionField> fields, const JsonBody& body);

template <class T>
core::Result<std::optional<std::string>> written(const core::Result<std::optional<T>>& value) {
    if (!value) return tl::unexpected(value.error());
    if (!*value) return std::optional<std::string>();
    JsonWriter out;
    return std::optional(out.value(**value).take());
}

/// JSON; nullopt where it is not said.
core::Result<std::optional<std::string>> read_field(const SectionField& field, const JsonBody& body) {
    using Read = core::Result<std::optional<std::string>>;
    const auto kept = [](core::Result<std::string> value) -> Read {
        if (!value) return tl::unexpected(value.error());
        return std::optional(std::move(*value));
    };
    switch (field.shape) {
        case FieldShape::flag:
            return written(body.boolean(field.name));
        case FieldShape::whole: {
            const auto number = body.number(field.name);
            if (number && *number && (**number < INT32_MIN || **number > INT32_MAX))
                return wrong(field, std::to_string(**number), "a whole number of 32 bits");
            return written(number);
        }
        case FieldShape::real:
            return written(body.real(field.name));
        case FieldShape::text:
            return written(body.text(field.name));
        case FieldShape::texts:
            return written(body.texts(field.name));
        case FieldShape::word: {
            const auto text = body.text(field.name);
            if (!text) return tl::unexpected(text.error());
            if (!*text || (*text)->empty()) return std::optional<std::string>();
            return kept(read_word(field, **text));
        }
        case FieldShape::wholes: {
            const auto text = body.json(field.name);
            if (!text) return std::optional<std::string>();
            return kept(read_wholes(field, *text));
        }
        case FieldShape::dictionary: {
            const auto text = body.json(field.name);
            if (!text) return std::optional<std::string>();
            return kept(read_dictionary(field, *text));
        }
        case FieldShape::object: {
            const auto object = body.object(field.name);
            if (!object) return tl::unexpected(object.error());
            if (!*object) return std::optional<std::string>();
            return kept(read_fields(field.parts, **object));
        }
        case FieldShape::objects: {
            const auto objects = body.objects(field.name);
            if (!objects) return tl::unexpected(objects.error());
            if (!body.json(field.name)) return std::optional<std::string>();
            JsonWriter out;
            out.begin_array();
            for (const auto& object : *objects) {
                auto one = read_fields(field.parts, object);
                if (!one) return tl::unexpected(one.error());
                out.raw(*one);
            }
            return std::optional(out.end_array().take());
        }
    }
    return std::optional<std::string>();
}

core::Result<std::string> read_fields(std::span<const SectionField> fields, const JsonBody& body) {
    JsonWriter out;
    out.begin_object();
    for (const auto& field : fields) {
        auto value = read_field(field, body);
        if (!value) return tl::unexpected(value.error());
        if (*value) out.key(field.name).raw(**value);
    }
    return out.end_object().take();
}

/// What we wrote ourselves.
json::object own(std::string_view text) {
    if (text.empty()) return {};
    auto value = json::parse(json::string_view(text.data(), text.size()));
    CHECK(value.is_object());
    return std::move(value.get_object());
}

void write_fields(JsonWriter& out, std::span<const SectionField> fields, const json::object& kept,
                  const FieldValues& defaults, const FieldValues& forced);

void write_value(JsonWriter& out, const SectionField& field, const json::value& value) {
    if (field.shape == FieldShape::object) {
        write_fields(out, field.parts, value.as_object(), {}, {});
    } else if (field.shape == FieldShape::dictionary) {
        auto whole = value.as_object();
        for (const auto& member : own(field.otherwise)) {
            if (!whole.contains(member.key())) whole.emplace(member.key(), member.value());
        }
        out.raw(json::serialize(whole));
    } else if (field.shape == FieldShape::objects) {
        out.begin_array();
        for (const auto& one : value.as_array()) write_fields(out, field.parts, one.as_object(), {}, {});
        out.end_array();
    } else {
        out.raw(json::serialize(value));
    }
}

void write_fields(JsonWriter& out, std::span<const SectionField> fields, const json::object& kept,
                  const FieldValues& defaults, const FieldValues& forced) {
    out.begin_object();
    for (const auto& field : fields) {
        json::value value;
        if (const auto at = forced.find(field.name); at != forced.end()) {
            value = json::parse(at->second);
        } else if (const auto* there = kept.if_contains(json::string_view(field.name.data(), field.name.size()))) {
            value = *there;
        } else if (const auto before = defaults.find(field.name); before != defaults.end()) {
            value = json::parse(before->second);
        } else if (!field.otherwise.empty()) {
            value = json::parse(json::string_view(field.otherwise.data(), field.otherwise.size()));
        }
        if (value.is_null()) continue;
        out.name(field.name);
        write_value(out, field, value);
    }
    out.end_object();
}

}  // namespace

core::Result<std::string> read_section(const ConfigurationSection& section, const JsonBody& body) {
    return read_fields(section.fields, body);
}

std::string field_of(const ConfigurationSection& section, const std::string& kept, std::string_view name) {
    const auto object = own(kept);
    if (const auto* value = object.if_contains(json::string_view(name.data(), name.size())))
        return json::serialize(*value);
    const auto at = std::ranges::find(section.fields, name, &SectionField::name);
    CHECK(at != section.fields.end());
    return std::string(at->otherwise);
}

void write_section_field(JsonWriter& out, const ConfigurationSection& section, const std::string& kept,
                         std::string_view name) {
    const auto at = std::ranges::find(section.fields, name, &SectionField::name);
    CHECK(at != section.fields.end());
    write_value(out, *at, json::parse(field_of(section, kept, name)));
}

std::optional<std::int64_t> kept_number(const std::string& kept, std::string_view name) {
    const auto object = own(kept);
    const auto* value = object.if_contains(json::string_view(name.data(), name.size()));
    return value && value->is_int64() ? std::optional(value->get_int64()) : std::nullopt;
}

void write_section(JsonWriter& out, const ConfigurationSection& section, const std::string& kept,
                   const FieldValues& defaults, const FieldValues& forced) {
    write_fields(out, section.fields, own(kept), defaults, forced);
}

}  // namespace understudy::http
