// http/json_body.h: a JSON body as clients really send it: keys in any case, numbers and booleans as strings too,
// unknown fields ignored, null = default. Used by handlers.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace understudy::http {

/// One JSON object. An empty body is an empty object. Errors are `invalid` and start with the field's name and a colon.
class JsonBody {
public:
    /// At most 32 levels deep. Errors: invalid where it is no JSON object, with the place.
    [[nodiscard]] static core::Result<JsonBody> parse(std::string_view body);

    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] std::vector<std::string> keys() const;  ///< as they are spelled
    /// nullopt where it is not there or null.
    [[nodiscard]] core::Result<std::optional<std::string>> text(std::string_view key) const;
    [[nodiscard]] core::Result<std::optional<bool>> boolean(std::string_view key) const;
    [[nodiscard]] core::Result<std::optional<std::int64_t>> number(std::string_view key) const;
    [[nodiscard]] core::Result<std::optional<double>> real(std::string_view key) const;
    /// The texts of an array; absent or null: nullopt.
    [[nodiscard]] core::Result<std::optional<std::vector<std::string>>> texts(std::string_view key) const;
    [[nodiscard]] core::Result<std::optional<JsonBody>> object(std::string_view key) const;
    /// The objects of an array; absent or null: empty.
    [[nodiscard]] core::Result<std::vector<JsonBody>> objects(std::string_view key) const;
    /// As compact JSON, for storing.
    [[nodiscard]] std::string str() const;
    /// The value below `key` as compact JSON; nullopt where it is not there or null.
    [[nodiscard]] std::optional<std::string> json(std::string_view key) const;

private:
    explicit JsonBody(std::shared_ptr<const boost::json::value> root, const boost::json::object* object)
        : root_(std::move(root)), object_(object) {}
    [[nodiscard]] const boost::json::value* find(std::string_view key) const;

    std::shared_ptr<const boost::json::value> root_;  ///< keeps the whole document alive for its parts
    const boost::json::object* object_;
};

}  // namespace understudy::http
