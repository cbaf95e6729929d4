// model/person.h: who made an item, as plain values.
#pragma once

#include <optional>
#include <string_view>

namespace understudy::model {

enum class CreditKind {
    actor,
    guest_star,
    director,
    writer,
    producer,
    creator,
    composer,
    conductor,
    lyricist,
    arranger,
    artist,
    album_artist
};
[[nodiscard]] std::string_view to_string(CreditKind kind) noexcept;  ///< `actor`, `guest_star`, …: as stored
[[nodiscard]] std::optional<CreditKind> parse_credit_kind(std::string_view text) noexcept;

}  // namespace understudy::model
