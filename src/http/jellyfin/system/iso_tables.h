// http/jellyfin/system/iso_tables.h: the languages and countries of the world, for the lists that clients offer.
#pragma once

#include <span>
#include <string_view>

namespace understudy::http {

struct IsoLanguage {
    std::string_view name;           ///< English
    std::string_view two, three;     ///< ISO 639-1, ISO 639-2/T
    std::string_view bibliographic;  ///< ISO 639-2/B where it differs
};
struct IsoCountry {
    std::string_view name;        ///< English
    std::string_view two, three;  ///< ISO 3166-1
};

/// By name.
[[nodiscard]] std::span<const IsoLanguage> iso_languages() noexcept;
[[nodiscard]] std::span<const IsoCountry> iso_countries() noexcept;

}  // namespace understudy::http
