#include "library/naming/movie_name.h"

#include <algorithm>
#include <initializer_list>

#include "library/naming/parts.h"
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
    while (text.size() >= 2 && (text.front() == '[' || text.front() == '{' || text.front() == '(') &&
           (text.back() == ']' || text.back() == '}' || text.back() == ')') &&
           text.find_first_of("]})") == text.size() - 1) {
        text = strip_separators(text.substr(1, text.size() - 2));
    }
    return display_text(spaced(text));
}

// What follows a shared beginning and still is the same film: nothing, " - label", "[label]", "(Extended)",
// ".1080p.x264".
bool is_version_rest(std::string_view rest) {
    if (rest.empty() || rest.starts_with(" - ")) return true;
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '_' || rest.front() == '.')) rest.remove_prefix(1);
    if (rest.starts_with('[') && rest.ends_with(']')) return true;
    if (rest.starts_with('(') && rest.ends_with(')')) return is_version_label(rest);
    return begins_with_release_word(rest);
}

bool one_within_other(std::string_view a, std::string_view b) {
    const auto x = loose(a), y = loose(b);
    return !x.empty() && !y.empty() && (x.find(y) != std::string::npos || y.find(x) != std::string::npos);
}

// Takes a part out of `own` where it surely is one; its number, or 0. `folder_names`: what the folder is called, with
// and without its year.
int take_part(std::string& own, std::initializer_list<std::string_view> folder_names) {
    const auto part = find_part(own);
    if (!part || part->begin == 0) return 0;
    const auto before = strip_separators(std::string_view(own).substr(0, part->begin));
    const auto after = std::string_view(own).substr(part->end);
    const auto word = loose(std::string_view(own).substr(part->begin, part->end - part->begin));
    for (const auto name : folder_names) {  // «Dune Part 2/Dune Part 2.mkv»
        if (!name.empty() && loose(name).find(word) != std::string::npos) return 0;
    }
    bool sure = part->certain;
    if (!sure) {
        const auto plain = loose(before);
        const auto year = find_year(before);
        sure = (year && year->end == before.size() && before.ends_with(')')) ||
               std::ranges::any_of(folder_names,
                                   [&](std::string_view name) { return !name.empty() && loose(name) == plain; });
        if (!sure) sure = part->joined && !find_year(std::string(" ") + std::string(after));
    }
    if (!sure) return 0;
    const int number = part->number;
    own.erase(part->begin, part->end - part->begin);
    return number;
}

// `VTS_01_2`: the pieces of a DVD that somebody copied without its VIDEO_TS folder. 0: none.
int dvd_piece(std::string_view stem) noexcept {
    if (stem.size() != 8 || !starts_with_ignoring_case(stem, "VTS_") || stem[6] != '_' || !is_digit(stem[4]) ||
        !is_digit(stem[5]) || !is_digit(stem[7])) {
        return 0;
    }
    return stem[7] - '0';
}

}  // namespace

Title parse_title(std::string_view name) {
    Title title;
    std::string text(name);
    title.provider_ids = take_provider_ids(text);
    auto rest = std::string_view(text);
    if (const auto year = find_year(rest)) {
        const auto before = strip_separators(rest.substr(0, year->begin));
        const bool after_too = !strip_separators(without_brackets(rest.substr(year->end))).empty();
        // «[REC] (2007)» is called so; «[group] (1999) Title» is not.
        if (!before.empty() && (!strip_separators(without_brackets(before)).empty() || !after_too)) {
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
            if (const auto last = head.find_last_not_of(' ');
                last != std::string_view::npos && (head[last] == '[' || head[last] == '(')) {
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
    const auto edition = take_edition(own);
    own = trimmed(own);

    std::string folder_name(folder);
    const auto folder_ids = take_provider_ids(folder_name);
    (void)take_edition(folder_name);
    folder_name = trimmed(folder_name);
    const auto folder_title = parse_title(folder);
    const std::string bare = trimmed(without_brackets(folder_name));
    std::string without_year;
    if (const auto year = find_year(bare); year && year->begin > 0) without_year = trimmed(bare.substr(0, year->begin));
    file.part = take_part(own, {folder_name, bare, without_year});
    own = trimmed(own);

    const auto with_edition = [&](const std::string& version) {
        if (edition.empty()) return version;
        return version.empty() ? edition : edition + " " + version;
    };
    const auto belongs_to_folder = [&](const std::string& version) {
        file.group.clear();
        file.version = with_edition(version);
        file.title = folder_title;
        if (!file.title.year) {
            if (const auto mine = parse_title(own); mine.year && loose(mine.name) == loose(folder_title.name)) {
                file.title.year = mine.year;
            }
        }
        file.title.provider_ids.insert(own_ids.begin(), own_ids.end());
        return file;
    };

    if (!folder.empty()) {
        if (const int piece = dvd_piece(stem); piece > 0) {
            file.part = piece;
            return belongs_to_folder({});
        }
        for (const std::string_view start : {std::string_view(folder_name), std::string_view(bare)}) {
            if (start.empty()) continue;
            // By letters, so that a folder in NFC and its file in NFD, or «Amelie» and «Amélie», find each other.
            const auto end = starts_with_ignoring_case(own, start) ? start.size() : loose_prefix(own, start);
            if (end == std::string_view::npos) continue;
            const auto rest = std::string_view(own).substr(end);
            if (is_version_rest(rest)) return belongs_to_folder(label(rest));
        }
        // The folder has a year, the file is called the same without it: «The Matrix (1999)/The Matrix - 4K.mkv».
        if (!without_year.empty()) {
            const auto end =
                starts_with_ignoring_case(own, without_year) ? without_year.size() : loose_prefix(own, without_year);
            const auto rest = end == std::string_view::npos ? std::string_view("?") : std::string_view(own).substr(end);
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
    // label, or release words right behind a year in brackets.
    std::string base = own;
    std::string version;
    if (base.ends_with(']')) {
        const auto open = base.rfind('[');
        if (open != std::string::npos && open > 0 && !trimmed(base.substr(0, open)).empty()) {
            version = label(std::string_view(base).substr(open));
            base = trimmed(base.substr(0, open));
            if (base.ends_with(" -")) base = trimmed(base.substr(0, base.size() - 2));
        }
    }
    if (const auto dash = base.rfind(" - "); dash != std::string::npos && dash > 0) {
        const auto after = std::string_view(base).substr(dash + 3);
        const auto before = trimmed(base.substr(0, dash));
        if (before.ends_with(')') ? find_year(before).has_value() : is_version_label(after)) {
            version = version.empty() ? label(after) : label(after) + " " + version;
            base = before;
        }
    }
    if (const auto year = find_year(base); year && base[year->end - 1] == ')' && year->end < base.size()) {
        const auto rest = strip_separators(std::string_view(base).substr(year->end));
        const bool in_brackets = rest.starts_with('(') && rest.ends_with(')') && is_version_label(rest);
        if (in_brackets || begins_with_release_word(rest)) {
            version = version.empty() ? label(rest) : label(rest) + " " + version;
            base = base.substr(0, year->end);
        }
    }
    file.version = with_edition(version);
    file.group = base.empty() ? std::string(stem) : base;
    file.title = parse_title(file.group);
    file.title.provider_ids.insert(own_ids.begin(), own_ids.end());
    return file;
}

}  // namespace understudy::library::naming
