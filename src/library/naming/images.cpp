#include "library/naming/images.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

constexpr std::size_t most_backdrops = 50;

// What the image route sends by its header (media/image_header.h) under the names that tools give it. No SVG: a client
// would have to draw it, and it may hold scripts.
constexpr std::array extensions =
    std::to_array<std::string_view>({"jpg", "jpeg", "png", "webp", "tbn", "gif", "bmp", "avif"});

struct Word {
    std::string_view text;
    ImageKind kind;
};
// In order of preference within a kind; what Jellyfin, Kodi and Plex write.
constexpr std::array words = std::to_array<Word>({
    {"poster", ImageKind::primary},      {"cover", ImageKind::primary},    {"folder", ImageKind::primary},
    {"default", ImageKind::primary},     {"movie", ImageKind::primary},    {"show", ImageKind::primary},
    {"jacket", ImageKind::primary},      {"albumart", ImageKind::primary}, {"front", ImageKind::primary},
    {"artist", ImageKind::primary},      {"fanart", ImageKind::backdrop},  {"backdrop", ImageKind::backdrop},
    {"background", ImageKind::backdrop}, {"art", ImageKind::backdrop},     {"clearlogo", ImageKind::logo},
    {"logo", ImageKind::logo},           {"clearart", ImageKind::art},     {"banner", ImageKind::banner},
    {"landscape", ImageKind::thumb},     {"thumb", ImageKind::thumb},      {"disc", ImageKind::disc},
    {"cdart", ImageKind::disc},          {"discart", ImageKind::disc},
});

struct Role {
    ImageKind kind = ImageKind::primary;
    std::size_t rank = 0;  // the word's place
    int number = 0;        // fanart2: 2
};

// `poster`, `fanart`, `fanart2`, `fanart-2`, `backdrop 3`.
std::optional<Role> role_of(std::string_view text) noexcept {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!starts_with_ignoring_case(text, words[i].text)) continue;
        auto rest = text.substr(words[i].text.size());
        if (rest.empty()) return Role{words[i].kind, i, 0};
        if (words[i].kind != ImageKind::backdrop) continue;
        if (rest.front() == '-' || rest.front() == ' ' || rest.front() == '_') rest.remove_prefix(1);
        if (const int number = number_of(rest); number >= 0 && rest.size() <= 3) return Role{words[i].kind, i, number};
    }
    return std::nullopt;
}

// `season01-poster`, `season1`, `season-specials-banner`, `season-all-poster` (the series' own: none): what follows the
// season, or nullopt where it is another's.
std::optional<std::string_view> behind_season(std::string_view stem, int season) noexcept {
    constexpr std::string_view word = "season";
    if (!starts_with_ignoring_case(stem, word)) return std::nullopt;
    auto rest = stem.substr(word.size());
    if (rest.starts_with('-') || rest.starts_with(' ') || rest.starts_with('_')) rest.remove_prefix(1);
    if (constexpr std::string_view specials = "specials"; starts_with_ignoring_case(rest, specials)) {
        if (season != 0) return std::nullopt;
        rest.remove_prefix(specials.size());
    } else {
        std::size_t digits = 0;
        while (digits < rest.size() && is_digit(rest[digits])) ++digits;
        if (digits == 0 || digits > 4 || number_of(rest.substr(0, digits)) != season) return std::nullopt;
        rest.remove_prefix(digits);
    }
    if (rest.empty()) return rest;
    if (rest.front() != '-' && rest.front() != '.' && rest.front() != '_' && rest.front() != ' ') return std::nullopt;
    return rest.substr(1);
}

struct Candidate {
    std::string_view name;
    Role role;
    std::size_t distance = 0;  // 0: named after the item, 1: of the whole folder
};

std::optional<Candidate> candidate(const ImageOwner& owner, std::string_view name) noexcept {
    const auto stem = name.substr(0, name.rfind('.'));
    const auto of_kind = [&](std::string_view text, std::size_t distance) -> std::optional<Candidate> {
        auto role = role_of(text);
        if (!role) return std::nullopt;
        // What is called a thumb beside an episode is its picture, and a track has no other either.
        const bool picture = owner.kind == model::ItemKind::episode && role->kind == ImageKind::thumb;
        if (picture) role->kind = ImageKind::primary;
        return Candidate{name, *role, distance};
    };
    if (owner.season) {
        const auto rest = behind_season(stem, *owner.season);
        if (!rest) return std::nullopt;
        if (rest->empty()) return Candidate{name, Role{ImageKind::primary, words.size(), 0}, 0};
        return of_kind(*rest, 0);
    }
    if (!owner.stem.empty()) {
        if (equal_ignoring_case(stem, owner.stem)) return Candidate{name, Role{ImageKind::primary, words.size(), 0}, 0};
        if (starts_with_ignoring_case(stem, owner.stem) && stem.size() > owner.stem.size() + 1) {
            const char gap = stem[owner.stem.size()];
            if (gap == '-' || gap == '.' || gap == '_') {
                if (auto found = of_kind(stem.substr(owner.stem.size() + 1), 0)) return found;
            }
        }
    }
    return owner.owns_folder ? of_kind(stem, 1) : std::nullopt;
}

}  // namespace

bool is_image(std::string_view name) noexcept {
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return false;
    return std::ranges::any_of(
        extensions, [&](std::string_view known) { return equal_ignoring_case(known, name.substr(dot + 1)); });
}

std::vector<ImageFile> find_images(const ImageOwner& owner, std::span<const std::string_view> names) {
    std::vector<Candidate> found;
    for (const auto name : names) {
        if (!is_image(name)) continue;
        if (const auto one = candidate(owner, name)) found.push_back(*one);
    }
    std::ranges::sort(found, [](const Candidate& a, const Candidate& b) {
        const auto key = [](const Candidate& c) {
            return std::tuple(c.role.kind, c.distance, c.role.rank, c.role.number, c.name);
        };
        return key(a) < key(b);
    });
    std::vector<ImageFile> images;
    std::map<ImageKind, std::size_t> counts;
    for (const auto& one : found) {
        auto& count = counts[one.role.kind];
        if (count >= (one.role.kind == ImageKind::backdrop ? most_backdrops : 1)) continue;
        ++count;
        images.push_back({std::string(one.name), one.role.kind});
    }
    return images;
}

bool is_extra_fanart_folder(std::string_view name) noexcept {
    return equal_ignoring_case(name, "extrafanart") || equal_ignoring_case(name, "extrafanarts") ||
           equal_ignoring_case(name, "backdrops");
}

std::vector<ImageFile> find_extra_fanart(std::span<const std::string_view> names) {
    std::vector<std::string_view> found;
    for (const auto name : names) {
        if (is_image(name)) found.push_back(name);
    }
    std::ranges::sort(found, [](std::string_view a, std::string_view b) {
        return std::tuple(sort_text(a), a) < std::tuple(sort_text(b), b);
    });
    if (found.size() > most_backdrops) found.resize(most_backdrops);
    std::vector<ImageFile> images;
    images.reserve(found.size());
    for (const auto name : found) images.push_back({std::string(name), ImageKind::backdrop});
    return images;
}

std::vector<ActorImage> find_actor_images(std::span<const std::string_view> names) {
    std::vector<ActorImage> found;
    for (const auto name : names) {
        if (!is_image(name)) continue;
        std::string actor;
        for (const char c : name.substr(0, name.rfind('.'))) actor += c == '_' ? ' ' : c;
        while (!actor.empty() && actor.back() == ' ') actor.pop_back();
        while (actor.starts_with(' ')) actor.erase(0, 1);
        if (!actor.empty()) found.push_back({std::string(name), display_text(actor)});
    }
    std::ranges::sort(found, {}, &ActorImage::name);
    return found;
}

}  // namespace understudy::library::naming
