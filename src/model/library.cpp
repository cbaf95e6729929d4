#include "model/library.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace understudy::model {
namespace {

struct Name {
    LibraryKind kind;
    std::string_view text;
};
constexpr std::array names{Name{LibraryKind::movies, "movies"}, Name{LibraryKind::tvshows, "tvshows"},
                           Name{LibraryKind::music, "music"}};

}  // namespace

std::string_view to_string(LibraryKind kind) noexcept {
    for (const auto& name : names) {
        if (name.kind == kind) return name.text;
    }
    return "movies";
}

std::optional<LibraryKind> parse_library_kind(std::string_view text) noexcept {
    for (const auto& name : names) {
        if (std::ranges::equal(name.text, text, [](char a, char b) {
                return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
            })) {
            return name.kind;
        }
    }
    return std::nullopt;
}

}  // namespace understudy::model
