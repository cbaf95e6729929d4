// http/official_ratings.h: from which age on a film or series of an official rating is meant to be fit. Used by the
// handlers of localization and of lists.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace understudy::http {

struct OfficialRating {
    std::string_view country, name;
    int age;
};
/// By country, the least age first.
[[nodiscard]] std::span<const OfficialRating> official_ratings() noexcept;

/// The age of a rating as descriptions write it, in any case: `PG-13`, `US:PG-13`, `US-PG-13`, `Rated PG-13`, `FSK 12`,
/// `de-12`, `12+` and a bare `12`. nullopt: not known, and so neither above nor below any.
[[nodiscard]] std::optional<int> rating_age(std::string_view text);

}  // namespace understudy::http
