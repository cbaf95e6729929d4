#include "library/naming/parts.h"

#include <array>

#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

struct Word {
    std::string_view text;
    bool certain;
};
constexpr std::array words =
    std::to_array<Word>({{"cd", true}, {"dvd", true}, {"disc", true}, {"disk", true}, {"part", false}, {"pt", false}});

constexpr bool is_gap(char c) noexcept {
    return c == ' ' || c == '.' || c == '_' || c == '-';
}

std::optional<PartAt> part_at(std::string_view text, std::size_t at) noexcept {
    for (const auto& word : words) {
        if (!starts_with_ignoring_case(text.substr(at), word.text)) continue;
        const auto word_end = at + word.text.size();
        std::size_t value = word_end;
        while (value < text.size() && is_gap(text[value])) ++value;
        std::size_t end = value;
        while (end < text.size() && is_digit(text[end])) ++end;
        PartAt part{at, end, 0, word.certain, value == word_end};
        if (end > value && end - value <= 2) {
            part.number = number_of(text.substr(value, end - value));
            // DVD5 and DVD9 are sizes of discs.
            if (word.text == "dvd" && part.joined && (part.number == 5 || part.number == 9)) return std::nullopt;
        } else if (end == value && end < text.size() && lower(text[end]) >= 'a' && lower(text[end]) <= 'd') {
            // `disc a`; a letter that is joined («cda», «parta») is a word.
            if (part.joined) return std::nullopt;
            part.number = lower(text[end]) - 'a' + 1;
            part.end = ++end;
        }
        if (part.number <= 0 || (end < text.size() && is_word(text[end]))) return std::nullopt;
        return part;
    }
    return std::nullopt;
}

}  // namespace

std::optional<PartAt> find_part(std::string_view text) noexcept {
    for (std::size_t at = text.size(); at-- > 1;) {
        const bool starts = !is_word(text[at - 1]);
        if (!starts) continue;
        auto part = part_at(text, at);
        if (!part) continue;
        while (part->begin > 0 && (is_gap(text[part->begin - 1]) || text[part->begin - 1] == ',')) --part->begin;
        // «[cd1]», «(part 2)»: the brackets go with it.
        if (part->begin > 0 && part->end < text.size() &&
            ((text[part->begin - 1] == '[' && text[part->end] == ']') ||
             (text[part->begin - 1] == '(' && text[part->end] == ')'))) {
            --part->begin;
            ++part->end;
            while (part->begin > 0 && (is_gap(text[part->begin - 1]) || text[part->begin - 1] == ',')) --part->begin;
        }
        return part;
    }
    return std::nullopt;
}

std::string part_label(std::string_view version, int part) {
    std::string label(version);
    if (part <= 0) return label;
    if (!label.empty()) label += ' ';
    return label + "cd" + std::to_string(part);
}

int part_of_label(std::string_view label) noexcept {
    const auto space = label.rfind(' ');
    const auto last = space == std::string_view::npos ? label : label.substr(space + 1);
    if (!last.starts_with("cd")) return 0;
    const auto number = number_of(last.substr(2));
    return number > 0 && number < 100 ? number : 0;
}

std::string_view version_of_label(std::string_view label) noexcept {
    if (part_of_label(label) == 0) return label;
    const auto space = label.rfind(' ');
    return space == std::string_view::npos ? std::string_view{} : label.substr(0, space);
}

std::string title_without_part(std::string_view title, int& part) {
    part = 0;
    const auto padded = " " + std::string(title);  // «Part 2» as the whole title is one too
    const auto found = find_part(padded);
    if (!found || found->end != padded.size()) return std::string(title);
    part = found->number;
    return std::string(strip_separators(std::string_view(padded).substr(0, found->begin)));
}

}  // namespace understudy::library::naming
