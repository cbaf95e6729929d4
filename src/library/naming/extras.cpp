#include "library/naming/extras.h"

#include <array>
#include <span>

#include "library/naming/entries.h"
#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

struct Word {
    std::string_view text;
    ExtraKind kind;
};

// The folders that Jellyfin, Plex and Kodi know, singular and plural.
constexpr std::array folders = std::to_array<Word>({
    {"extras", ExtraKind::other},
    {"extra", ExtraKind::other},
    {"other", ExtraKind::other},
    {"others", ExtraKind::other},
    {"bonus", ExtraKind::other},
    {"trailers", ExtraKind::trailer},
    {"trailer", ExtraKind::trailer},
    {"behind the scenes", ExtraKind::behind_the_scenes},
    {"behindthescenes", ExtraKind::behind_the_scenes},
    {"behind-the-scenes", ExtraKind::behind_the_scenes},
    {"deleted scenes", ExtraKind::deleted_scene},
    {"deletedscenes", ExtraKind::deleted_scene},
    {"deleted-scenes", ExtraKind::deleted_scene},
    {"featurettes", ExtraKind::featurette},
    {"featurette", ExtraKind::featurette},
    {"interviews", ExtraKind::interview},
    {"interview", ExtraKind::interview},
    {"scenes", ExtraKind::scene},
    {"scene", ExtraKind::scene},
    {"shorts", ExtraKind::short_film},
    {"clips", ExtraKind::clip},
    {"samples", ExtraKind::sample},
    {"sample", ExtraKind::sample},
    {"theme-music", ExtraKind::theme_song},
    {"theme music", ExtraKind::theme_song},
    {"backdrops", ExtraKind::theme_video},
});

// Jellyfin's forms: all separators for trailers and samples, a hyphen for the rest.
constexpr std::array endings = std::to_array<Word>({
    {"-trailer", ExtraKind::trailer},
    {".trailer", ExtraKind::trailer},
    {"_trailer", ExtraKind::trailer},
    {"- trailer", ExtraKind::trailer},
    {"-sample", ExtraKind::sample},
    {".sample", ExtraKind::sample},
    {"_sample", ExtraKind::sample},
    {"- sample", ExtraKind::sample},
    {"-behindthescenes", ExtraKind::behind_the_scenes},
    {"-behind the scenes", ExtraKind::behind_the_scenes},
    {"-deleted", ExtraKind::deleted_scene},
    {"-deletedscene", ExtraKind::deleted_scene},
    {"-deleted scene", ExtraKind::deleted_scene},
    {"-featurette", ExtraKind::featurette},
    {"-interview", ExtraKind::interview},
    {"-scene", ExtraKind::scene},
    {"-short", ExtraKind::short_film},
    {"-clip", ExtraKind::clip},
    {"-extra", ExtraKind::other},
    {"-other", ExtraKind::other},
});

constexpr std::array whole_names = std::to_array<Word>(
    {{"trailer", ExtraKind::trailer}, {"sample", ExtraKind::sample}, {"theme", ExtraKind::theme_song}});

// `-trailer2`, `-trailer 2`, `-trailer-02`: several of a kind.
std::string_view without_count(std::string_view stem) noexcept {
    auto rest = stem;
    while (!rest.empty() && is_digit(rest.back())) rest.remove_suffix(1);
    const auto digits = stem.size() - rest.size();
    if (digits == 0 || digits > 2) return stem;
    if (!rest.empty() && (rest.back() == ' ' || rest.back() == '-' || rest.back() == '_')) rest.remove_suffix(1);
    return rest;
}

std::optional<ExtraStem> by_ending(std::string_view stem) noexcept {
    for (const auto& ending : endings) {
        if (stem.size() <= ending.text.size() || !ends_with_ignoring_case(stem, ending.text)) continue;
        auto owner = stem.substr(0, stem.size() - ending.text.size());
        while (!owner.empty() && owner.back() == ' ') owner.remove_suffix(1);
        return ExtraStem{ending.kind, owner};
    }
    return std::nullopt;
}

// `Title - NCOP1`, `Title - NCED`: openings and endings without credits, as anime discs have them.
std::optional<ExtraStem> creditless(std::string_view stem) noexcept {
    for (std::size_t at = 1; at + 4 <= stem.size(); ++at) {
        const auto word = stem.substr(at, 4);
        if ((word != "NCOP" && word != "NCED") || is_word(stem[at - 1])) continue;
        std::size_t end = at + 4;
        while (end < stem.size() && (is_digit(stem[end]) || stem[end] == 'v')) ++end;
        if (end == stem.size() || !is_word(stem[end]))
            return ExtraStem{ExtraKind::clip, strip_separators(stem.substr(0, at))};
    }
    return std::nullopt;
}

}  // namespace

std::string_view to_string(ExtraKind kind) noexcept {
    switch (kind) {
        case ExtraKind::trailer:
            return "trailer";
        case ExtraKind::behind_the_scenes:
            return "behind_the_scenes";
        case ExtraKind::deleted_scene:
            return "deleted_scene";
        case ExtraKind::featurette:
            return "featurette";
        case ExtraKind::interview:
            return "interview";
        case ExtraKind::scene:
            return "scene";
        case ExtraKind::short_film:
            return "short_film";
        case ExtraKind::clip:
            return "clip";
        case ExtraKind::sample:
            return "sample";
        case ExtraKind::theme_song:
            return "theme_song";
        case ExtraKind::theme_video:
            return "theme_video";
        case ExtraKind::other:
            return "other";
    }
    return "other";
}

std::optional<ExtraKind> extra_of_folder(std::string_view name) noexcept {
    for (const auto& folder : folders) {
        if (equal_ignoring_case(folder.text, name)) return folder.kind;
    }
    return std::nullopt;
}

std::optional<ExtraStem> extra_of_stem(std::string_view stem) noexcept {
    for (const auto& word : whole_names) {
        if (equal_ignoring_case(word.text, stem)) return ExtraStem{word.kind, {}};
    }
    if (const auto found = by_ending(stem)) return found;
    if (const auto found = creditless(stem)) return found;
    // `sample-a.mkv` is how releases call theirs; `Sample.People.2000` is a film.
    if (constexpr std::string_view start = "sample-";
        stem.size() > start.size() && starts_with_ignoring_case(stem, start))
        return ExtraStem{ExtraKind::sample, stem.substr(start.size())};
    const auto bare = without_count(stem);
    if (bare.size() == stem.size()) return std::nullopt;
    for (const auto& word : whole_names) {
        if (equal_ignoring_case(word.text, bare)) return ExtraStem{word.kind, {}};
    }
    const auto found = by_ending(bare);
    // Only behind a hyphen: «Film.Trailer.2» may be anything, and «Scene 2» with spaces is a title.
    return found && bare.find_last_of('-') != std::string_view::npos &&
                   bare.substr(bare.rfind('-')).find(' ') == std::string_view::npos
               ? found
               : std::nullopt;
}

std::optional<Extra> parse_extra_path(const std::vector<std::string_view>& parts) {
    if (parts.empty()) return std::nullopt;
    const auto stem = stem_of(parts.back());
    Extra extra;
    for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
        const auto kind = extra_of_folder(parts[i]);
        if (!kind) continue;
        extra.kind = *kind;
        extra.owner_depth = i;
        // «extras/A-trailer.mkv» says more than its folder does.
        if (const auto own = extra_of_stem(stem); own && *kind == ExtraKind::other) extra.kind = own->kind;
        extra.title = display_text(spaced(stem));
        if (extra.title.empty()) extra.title = display_text(parts.back());
        return extra;
    }
    const auto own = extra_of_stem(stem);
    if (!own || (own->kind == ExtraKind::theme_song && !is_audio(parts.back()))) return std::nullopt;
    extra.kind = own->kind;
    extra.owner_depth = parts.size() - 1;
    extra.owner_stem = own->owner;
    extra.title = display_text(spaced(stem));
    if (extra.title.empty()) extra.title = display_text(parts.back());
    return extra;
}

}  // namespace understudy::library::naming
