#include "core/text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace understudy::core {
namespace {

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Damerau's distance (optimal string alignment) with three rows; both texts lower-case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        before_last = std::exchange(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string to_lower_ascii(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::size_t utf8_length(std::string_view text, std::size_t at) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) return 0;
    }
    const unsigned char second = byte(at + 1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F)) {
        return 0;
    }
    return length;
}

std::vector<std::string> split_trimmed(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    while (true) {
        const auto end = text.find(separator);
        if (const auto piece = trim(text.substr(0, end)); !piece.empty()) pieces.emplace_back(piece);
        if (end == std::string_view::npos) return pieces;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::string> nearest(std::string_view text, std::span<const std::string> candidates) {
    const auto wanted = to_lower_ascii(text);
    const std::size_t limit = std::clamp<std::size_t>(wanted.size() / 3, 1, 4);
    std::optional<std::string> best;
    std::size_t best_distance = limit + 1;
    for (const auto& candidate : candidates) {
        // The distance is at least the difference in length; a megabyte of text is thus compared with nothing.
        const auto longer = std::max(wanted.size(), candidate.size()),
                   shorter = std::min(wanted.size(), candidate.size());
        if (longer - shorter >= best_distance) continue;
        const auto distance = edit_distance(wanted, to_lower_ascii(candidate));
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string choices(std::string_view text, std::span<const std::string> candidates) {
    if (candidates.empty()) return {};
    constexpr std::size_t most = 20;  // an error is read, not searched
    const auto near = nearest(text, candidates);
    auto told = (near ? "; did you mean " + *near + "?" : std::string(".")) + " There are: ";
    for (std::size_t i = 0; i < std::min(candidates.size(), most); ++i) told += (i == 0 ? "" : ", ") + candidates[i];
    if (candidates.size() > most) told += " and " + std::to_string(candidates.size() - most) + " more";
    return told;
}

}  // namespace understudy::core
