#include "model/item.h"

#include <array>

namespace understudy::model {
namespace {

struct Name {
    ItemKind kind;
    std::string_view text;
};
constexpr std::array names{Name{ItemKind::movie, "movie"},       Name{ItemKind::series, "series"},
                           Name{ItemKind::season, "season"},     Name{ItemKind::episode, "episode"},
                           Name{ItemKind::artist, "artist"},     Name{ItemKind::album, "album"},
                           Name{ItemKind::track, "track"},       Name{ItemKind::box_set, "box_set"},
                           Name{ItemKind::playlist, "playlist"}, Name{ItemKind::extra, "extra"}};

}  // namespace

std::string_view to_string(ItemKind kind) noexcept {
    for (const auto& name : names) {
        if (name.kind == kind) return name.text;
    }
    return "movie";
}

std::optional<ItemKind> parse_item_kind(std::string_view text) noexcept {
    for (const auto& name : names) {
        if (name.text == text) return name.kind;
    }
    return std::nullopt;
}

}  // namespace understudy::model
