// http/openapi/notation.h: the notation in which the tables of this room say what a property is. Used by document.cpp
// and tests.
#pragma once

#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::http::openapi {

// A type is one word:
//   string bool int32 int64 float double uuid time   as JSON Schema has them; `time` is a date-time
//   any, object                                     anything; an object of which nothing is said
//   UserDto                                         a schema of the tables; `UserDto*`: the same with nothing required
//   [UserDto]  {string}  (Idle|Running)             an array, a dictionary, the words of an enum
// At the end of a property's: `?` it may be left out, `~` it is always there and may be null.
// At the end of a parameter's: `!` the request is refused without it; else it may be left out.

struct Property {
    std::string_view name;
    std::string_view type;  ///< without its last sign
    bool optional = false;
    bool nullable = false;
    bool needed = false;  ///< `!`
};

/// `Name:string? Id:uuid`: parts between blanks. The views are into `text`. Errors: invalid, naming the part.
[[nodiscard]] core::Result<std::vector<Property>> read_properties(std::string_view text);

struct Type {
    enum class Kind { plain, schema, list, dictionary, words };
    Kind kind = Kind::plain;
    std::string_view text;                ///< the plain word, the schema's name, or what is in the brackets
    bool loose = false;                   ///< of a schema: nothing is required
    std::vector<std::string_view> words;  ///< of an enum
};

/// Errors: invalid, naming the type.
[[nodiscard]] core::Result<Type> read_type(std::string_view text);

/// The words of an enum's row, `(Idle|Running)`; empty: it is no enum.
[[nodiscard]] std::vector<std::string_view> read_words(std::string_view text);

}  // namespace understudy::http::openapi
