// library/nfo/fields.h: values as NFO files write them, for parse.cpp alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "library/nfo/description.h"
#include "library/nfo/xml.h"

namespace understudy::library::nfo {

constexpr std::size_t most_values = 1000;  ///< of each list: what a person wrote is far below

[[nodiscard]] std::optional<int> read_number(std::string_view text, int least, int most);
[[nodiscard]] std::optional<double> read_decimal(std::string_view text);  ///< `7.5`, `7,5`; finite
[[nodiscard]] std::optional<bool> read_flag(std::string_view text);       ///< true, 1, yes, …
[[nodiscard]] std::string read_date(std::string_view text);      ///< `2024-03-01…`, `01.03.2024`, `2024` alone: none
[[nodiscard]] core::Millis read_minutes(std::string_view text);  ///< `136`, `136 min`, `2h 16m`, `02:16:00`; 0: none
/// Puts `value` under what `type` is called here, where it can be such an id; first come, first kept unless `wins`.
void put_id(std::map<std::string, std::string>& ids, std::string_view type, std::string_view value, bool wins = false);
/// `imdbid`, `tmdbid`, `musicbrainzalbumid`, …: an element that is an id by its name. False: it is none.
[[nodiscard]] bool take_id_element(std::string_view name, const Element& element,
                                   std::map<std::string, std::string>& ids);
[[nodiscard]] Person read_person(const Element& element, PersonKind kind, int place);

}  // namespace understudy::library::nfo
