#include "library/naming/dates.h"

#include <algorithm>
#include <array>

#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

constexpr bool is_separator(char c) noexcept {
    return c == '-' || c == '.' || c == '_' || c == ' ' || c == '/';
}

// The years that name what was broadcast; other numbers of four digits are something else.
bool plausible(int year) noexcept {
    return year >= 1900 && year <= 2099;
}

std::optional<std::string> read_ten(std::string_view piece) {
    if (is_separator(piece[4]) && piece[7] == piece[4]) {
        const int year = number_of(piece.substr(0, 4));
        return plausible(year) ? make_date(year, number_of(piece.substr(5, 2)), number_of(piece.substr(8, 2)))
                               : std::nullopt;
    }
    if (!is_separator(piece[2]) || piece[5] != piece[2]) return std::nullopt;
    const int first = number_of(piece.substr(0, 2)), second = number_of(piece.substr(3, 2));
    const int year = number_of(piece.substr(6, 4));
    if (!plausible(year)) return std::nullopt;
    auto date = make_date(year, second, first);
    return date ? date : make_date(year, first, second);
}

}  // namespace

std::optional<std::string> make_date(int year, int month, int day) {
    static constexpr std::array days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1000 || year > 9999 || month < 1 || month > 12 || day < 1) return std::nullopt;
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (day > days[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0)) return std::nullopt;
    const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    return std::to_string(year) + "-" + two(month) + "-" + two(day);
}

std::optional<DateAt> find_date(std::string_view text) {
    for (std::size_t at = 0; at + 8 <= text.size(); ++at) {
        if (!is_digit(text[at]) || (at > 0 && is_word(text[at - 1]))) continue;
        const bool ten = at + 10 <= text.size() && (at + 10 == text.size() || !is_word(text[at + 10]));
        if (ten) {
            if (auto date = read_ten(text.substr(at, 10))) return DateAt{std::move(*date), at, at + 10};
        }
        // Eight digits in a row; in brackets they are a checksum.
        const bool eight = at + 8 == text.size() || !is_word(text[at + 8]);
        const int number = eight && !(at > 0 && text[at - 1] == '[') ? number_of(text.substr(at, 8)) : -1;
        if (number < 0 || !plausible(number / 10000)) continue;
        if (auto date = make_date(number / 10000, number / 100 % 100, number % 100))
            return DateAt{std::move(*date), at, at + 8};
    }
    return std::nullopt;
}

}  // namespace understudy::library::naming
