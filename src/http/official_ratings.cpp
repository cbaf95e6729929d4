#include "http/official_ratings.h"

#include <algorithm>
#include <string>

#include "http/text.h"

namespace understudy::http {
namespace {

// Ages as the systems word them (MPA and TV Parental Guidelines, FSK by § 14 JuSchG, BBFC); PG and TV-PG name none and
// have the reference's 10.
constexpr OfficialRating ratings[] = {
    {"US", "G", 0},       {"US", "TV-Y", 0},   {"US", "TV-G", 0},   {"US", "TV-Y7", 7},   {"US", "PG", 10},
    {"US", "TV-PG", 10},  {"US", "PG-13", 13}, {"US", "TV-14", 14}, {"US", "R", 17},      {"US", "TV-MA", 17},
    {"US", "NC-17", 18},  {"DE", "FSK-0", 0},  {"DE", "FSK-6", 6},  {"DE", "FSK-12", 12}, {"DE", "FSK-16", 16},
    {"DE", "FSK-18", 18}, {"GB", "U", 0},      {"GB", "PG", 8},     {"GB", "12", 12},     {"GB", "12A", 12},
    {"GB", "15", 15},     {"GB", "18", 18},    {"GB", "R18", 18},
};

bool takes_prefix(std::string& word, std::string_view prefix) {
    if (!word.starts_with(prefix)) return false;
    word.erase(0, prefix.size());
    return true;
}

std::optional<int> bare_age(std::string word) {
    if (word.ends_with('+')) word.pop_back();
    const auto age = parse_int(word);
    constexpr int oldest = 21;
    return age && *age >= 0 && *age <= oldest ? std::optional(static_cast<int>(*age)) : std::nullopt;
}

}  // namespace

std::span<const OfficialRating> official_ratings() noexcept {
    return ratings;
}

std::optional<int> rating_age(std::string_view text) {
    std::string word = to_lower(trim(text));
    std::ranges::replace(word, ' ', '-');
    (void)takes_prefix(word, "rated-");
    std::string country;
    for (const std::string_view each : {"us", "de", "gb", "uk"}) {
        const std::string code(each);
        if (takes_prefix(word, code + ":") || takes_prefix(word, code + "-")) {
            country = code == "uk" ? "gb" : code;
            break;
        }
    }
    if (country == "de") (void)takes_prefix(word, "fsk-");
    for (const auto& rating : ratings) {  // those of the United States first, as most descriptions use them
        const bool of_country = country.empty() || iequals(rating.country, country);
        if (of_country && (iequals(rating.name, word) || (country == "de" && iequals(rating.name, "fsk-" + word))))
            return rating.age;
    }
    return bare_age(word);
}

}  // namespace understudy::http
