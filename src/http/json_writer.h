// http/json_writer.h: writes JSON straight into one string, in the spelling the client asked for. Used by handlers and
// DTOs.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/time.h"
#include "http/message.h"

namespace understudy::http {

/// `ParentId` -> `parentId`, `ETag` -> `eTag`, `IsHD` -> `isHD`: the rule of .NET's camel case policy.
[[nodiscard]] std::string to_camel(std::string_view name);

/// Names are given in PascalCase and spelled as asked; `key` of a dictionary stays as it is. Absent optionals are left
/// out (Jellyfin's rule); our own surface says null() where a property is always there.
class JsonWriter {
public:
    explicit JsonWriter(Spelling spelling = Spelling::pascal) : spelling_(spelling) {}

    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return shut('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return shut(']'); }
    /// The name of a property, in the asked spelling.
    JsonWriter& name(std::string_view name);
    /// The key of a dictionary, as it is.
    JsonWriter& key(std::string_view key);

    JsonWriter& value(std::string_view text);
    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(double number);
    template <std::integral T>
    JsonWriter& value(T number) {
        if constexpr (std::same_as<T, bool>) {
            return raw(number ? "true" : "false");
        } else if constexpr (std::signed_integral<T>) {
            return whole(static_cast<std::int64_t>(number));
        } else {
            return whole_unsigned(static_cast<std::uint64_t>(number));
        }
    }
    template <class Tag>
    JsonWriter& value(const core::Id<Tag>& id) {
        return value(id.str());
    }
    JsonWriter& value(const std::vector<std::string>& texts) {
        begin_array();
        for (const auto& text : texts) value(text);
        return end_array();
    }
    JsonWriter& null() { return raw("null"); }
    /// JSON that is there already; must be valid.
    JsonWriter& raw(std::string_view json);

    /// name + value; an absent optional leaves both out.
    template <class T>
    JsonWriter& field(std::string_view name_text, const T& thing) {
        return name(name_text).value(thing);
    }
    template <class T>
    JsonWriter& field(std::string_view name_text, const std::optional<T>& thing) {
        return thing ? name(name_text).value(*thing) : *this;
    }
    /// name + value or null.
    template <class T>
    JsonWriter& field_or_null(std::string_view name_text, const std::optional<T>& thing) {
        name(name_text);
        return thing ? value(*thing) : null();
    }
    /// An empty text is null.
    JsonWriter& text_or_null(std::string_view name_text, std::string_view text) {
        name(name_text);
        return text.empty() ? null() : value(text);
    }
    /// Left out where empty.
    JsonWriter& text_if_any(std::string_view name_text, std::string_view text) {
        return text.empty() ? *this : name(name_text).value(text);
    }

    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& shut(char bracket);
    JsonWriter& whole(std::int64_t number);
    JsonWriter& whole_unsigned(std::uint64_t number);
    void separate();

    Spelling spelling_;
    std::string out_;
    bool comma_ = false;  ///< the next name or value needs one before it
};

}  // namespace understudy::http
