#include "model/person.h"

#include <array>
#include <utility>

namespace understudy::model {
namespace {

using Named = std::pair<CreditKind, std::string_view>;
constexpr std::array names{Named{CreditKind::actor, "actor"},       Named{CreditKind::guest_star, "guest_star"},
                           Named{CreditKind::director, "director"}, Named{CreditKind::writer, "writer"},
                           Named{CreditKind::producer, "producer"}, Named{CreditKind::creator, "creator"},
                           Named{CreditKind::composer, "composer"}, Named{CreditKind::conductor, "conductor"},
                           Named{CreditKind::lyricist, "lyricist"}, Named{CreditKind::arranger, "arranger"},
                           Named{CreditKind::artist, "artist"},     Named{CreditKind::album_artist, "album_artist"}};

}  // namespace

std::string_view to_string(CreditKind kind) noexcept {
    for (const auto& [known, name] : names) {
        if (known == kind) return name;
    }
    return "";
}

std::optional<CreditKind> parse_credit_kind(std::string_view text) noexcept {
    for (const auto& [kind, name] : names) {
        if (name == text) return kind;
    }
    return std::nullopt;
}

}  // namespace understudy::model
