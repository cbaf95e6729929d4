#include "library/naming/movie_name.h"

#include <algorithm>
#include <array>

#include "library/naming/release.h"
#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

std::string trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return std::string(text);
}

// "[Director's Cut]", "- [1080p]", "1080p" -> the label for people.
std::string label(std::string_view text) {
    text = strip_separators(text);
    while (text.size() >= 2 && (text.front() == '[' || text.front() == '{') &&
           (text.back() == ']' || text.back() == '}') && text.find_first_of("]}") == text.size() - 1) {
        text = strip_separators(text.substr(1, text.size() - 2));
    }
    return display_text(text);
}

// What follows a shared beginning and still is the same film: nothing, " - label", "[label]".
bool is_version_rest(std::string_view rest) noexcept {
    if (rest.empty() || rest.starts_with(" - ")) return true;
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '_' || rest.front() == '.')) rest.remove_prefix(1);
    return rest.starts_with('[') && rest.ends_with(']');
}

// `cd1`, `part 2`, `disc 3`, `pt1` at the end, after a separator: parts of one film. Where they begin, or npos.
std::size_t find_part(std::string_view stem) noexcept {
    std::size_t end = stem.size();
    while (end > 0 && is_digit(stem[end - 1])) --end;
    if (end == stem.size() || stem.size() - end > 2) return std::string_view::npos;
    std::size_t word_end = end;
    while (word_end > 0 && (stem[word_end - 1] == ' ' || stem[word_end - 1] == '.' || stem[word_end - 1] == '_'))
        --word_end;
    for (const std::string_view word : {"cd", "dvd", "disc", "disk"}) {
        if (word_end <= word.size() || !ends_with_ignoring_case(stem.substr(0, word_end), word)) continue;
        const auto start = word_end - word.size();
        if (!is_word(stem[start - 1])) return start;
    }
    return std::string_view::npos;
}

bool one_within_other(std::string_view a, std::string_view b) {
    const auto x = fold(a), y = fold(b);
    return !x.empty() && !y.empty() && (x.find(y) != std::string::npos || y.find(x) != std::string::npos);
}

}  // namespace

Title parse_title(std::string_view name) {
    Title title;
    std::string text(name);
    title.provider_ids = take_provider_ids(text);
    auto rest = std::string_view(text);
    if (const auto year = find_year(rest)) {
        const auto before = strip_separators(rest.substr(0, year->begin));
        if (!without_brackets(before).empty() && !before.empty()) {
            title.year = year->year;
            rest = rest.substr(0, year->begin);
        } else if (const auto after = strip_separators(rest.substr(year->end)); !after.empty()) {
            title.year = year->year;  // «(1999) Title»
            rest = after;
        }
    }
    if (!title.year) {
        const auto release = find_release_words(rest);
        if (release != std::string_view::npos && !strip_separators(without_brackets(rest.substr(0, release))).empty()) {
            auto head = rest.substr(0, release);
            if (const auto last = head.find_last_not_of(' '); last != std::string_view::npos && head[last] == '[') {
                head = head.substr(0, last);
            } else if (last != std::string_view::npos && head[last] == '(') {
                head = head.substr(0, last);
            }
            if (!strip_separators(head).empty()) rest = head;
        }
    }
    auto clean = spaced(without_brackets(rest));
    if (clean.empty()) clean = spaced(rest);
    if (clean.empty()) clean = trimmed(name);
    title.name = display_text(clean.empty() ? std::string(name) : clean);
    return title;
}

MovieFile parse_movie(std::string_view folder, std::string_view stem, bool only_video) {
    MovieFile file;
    std::string own(stem);
    const auto own_ids = take_provider_ids(own);
    own = trimmed(own);

    std::string folder_name(folder);
    const auto folder_ids = take_provider_ids(folder_name);
    folder_name = trimmed(folder_name);
    const auto folder_title = parse_title(folder);

    const auto belongs_to_folder = [&](std::string version) {
        file.group.clear();
        file.version = std::move(version);
        file.title = folder_title;
        if (!file.title.year) {
            if (const auto mine = parse_title(own); mine.year && fold(mine.name) == fold(folder_title.name)) {
                file.title.year = mine.year;
            }
        }
        file.title.provider_ids.insert(own_ids.begin(), own_ids.end());
        return file;
    };

    if (!folder.empty()) {
        std::string bare = trimmed(without_brackets(folder_name));
        std::string without_year;
        if (const auto year = find_year(bare); year && year->begin > 0)
            without_year = trimmed(bare.substr(0, year->begin));
        for (const std::string_view start : {std::string_view(folder_name), std::string_view(bare)}) {
            if (start.empty() || !starts_with_ignoring_case(own, start)) continue;
            auto rest = std::string_view(own).substr(start.size());
            if (const auto part = find_part(rest); part != std::string_view::npos) {
                return belongs_to_folder(label(rest.substr(part)));
            }
            if (is_version_rest(rest)) return belongs_to_folder(label(rest));
        }
        // The folder has a year, the file is called the same without it: «The Matrix (1999)/The Matrix - 4K.mkv».
        if (!without_year.empty() && starts_with_ignoring_case(own, without_year)) {
            const auto rest = std::string_view(own).substr(without_year.size());
            if (rest.empty() || (is_version_rest(rest) && is_version_label(rest)))
                return belongs_to_folder(label(rest));
        }
        if (only_video) {
            const auto mine = parse_title(own);
            const bool same_year = mine.year && folder_title.year && *mine.year == *folder_title.year;
            const bool quiet = !mine.year && (folder_title.year || !folder_ids.empty());
            if (same_year || quiet || one_within_other(mine.name, folder_title.name)) return belongs_to_folder({});
        }
    }

    // A film of its own, beside others. Versions: an explicit bracket, or " - label" after a year or with a known
    // label.
    std::string base = own;
    if (base.ends_with(']')) {
        const auto open = base.rfind('[');
        if (open != std::string::npos && open > 0 && !trimmed(base.substr(0, open)).empty()) {
            file.version = label(std::string_view(base).substr(open));
            base = trimmed(base.substr(0, open));
            if (base.ends_with(" -")) base = trimmed(base.substr(0, base.size() - 2));
        }
    }
    if (const auto dash = base.rfind(" - "); dash != std::string::npos && dash > 0) {
        const auto after = std::string_view(base).substr(dash + 3);
        const auto before = trimmed(base.substr(0, dash));
        if (before.ends_with(')') ? find_year(before).has_value() : is_version_label(after)) {
            file.version = file.version.empty() ? label(after) : label(after) + " " + file.version;
            base = before;
        }
    }
    if (const auto part = find_part(base); part != std::string_view::npos && part > 0) {
        if (file.version.empty()) file.version = label(std::string_view(base).substr(part));
        base = std::string(strip_separators(std::string_view(base).substr(0, part)));
    }
    file.group = base.empty() ? std::string(stem) : base;
    file.title = parse_title(file.group);
    file.title.provider_ids.insert(own_ids.begin(), own_ids.end());
    return file;
}

}  // namespace understudy::library::naming
