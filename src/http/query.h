// http/query.h: a query string under the rules that Jellyfin's clients rely on. Used by every handler.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace understudy::http {

/// Keys in any case. A whole query that was percent-encoded once too often is decoded first.
class Query {
public:
    Query() = default;
    explicit Query(std::string_view raw);

    [[nodiscard]] bool has(std::string_view key) const;
    /// The first value, decoded; nullptr where the key is not there.
    [[nodiscard]] const std::string* find(std::string_view key) const;
    /// The first value; empty where the key is not there.
    [[nodiscard]] std::string text(std::string_view key) const;
    /// All members of a list: `k=a&k=b` or `k=a,b` (repeated keys are not split), trimmed, empty ones dropped.
    [[nodiscard]] std::vector<std::string> list(std::string_view key, char separator = ',') const;
    /// nullopt where the key is not there or its value is empty. Errors: invalid, naming key and value.
    [[nodiscard]] core::Result<std::optional<bool>> boolean(std::string_view key) const;
    [[nodiscard]] core::Result<std::optional<std::int64_t>> number(std::string_view key) const;
    /// As number, but not below 0.
    [[nodiscard]] core::Result<std::optional<std::size_t>> count(std::string_view key) const;

    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& pairs() const noexcept { return pairs_; }

    /// From now on every key that is looked for goes into `asked`, which outlives this and its copies. For tests.
    void report_to(std::set<std::string>& asked) noexcept { asked_ = &asked; }

private:
    void note(std::string_view key) const {
        if (asked_ != nullptr) asked_->emplace(key);
    }

    std::vector<std::pair<std::string, std::string>> pairs_;  ///< in the order sent, decoded
    std::set<std::string>* asked_ = nullptr;
};

}  // namespace understudy::http
