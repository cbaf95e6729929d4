// library/naming/dates.h: days in names: `2024-03-01`, `01.03.2024`, `20240301`. Pure; used by the episode parser and
// nfo.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace understudy::library::naming {

struct DateAt {
    std::string date;  ///< `2024-03-01`
    std::size_t begin = 0, end = 0;
};
/// The first real day in `text`. Day before month, unless only the other order is a day.
[[nodiscard]] std::optional<DateAt> find_date(std::string_view text);
/// `YYYY-MM-DD`, where it is a day between 1000 and 9999.
[[nodiscard]] std::optional<std::string> make_date(int year, int month, int day);

}  // namespace understudy::library::naming
