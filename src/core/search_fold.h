// core/search_fold.h: what a search compares and a list is ordered by: names without case, accents and other marks, the
// same whatever the database. Used by the SQL adapters and by http. Whether two names are one is core/case_folder.h's.
#pragma once

#include <string>
#include <string_view>

namespace understudy::core {

/// «Amélie» gives `amelie`, «Über» `uber`, «Straße» and «STRASSE» `strasse`, «Łódź» `lodz`, «Ærø» `aero`, «’» `'`. By
/// Unicode (utf8proc): compatibility decomposition and full case folding, then the marks of Latin, Greek, Cyrillic,
/// Hebrew and Arabic letters go, and what is left is composed again, so that vowel signs and voice marks of other
/// scripts, which are no accents, stay. Letters that do not decompose become what CLDR's Latin-ASCII makes of them.
/// Idempotent. Valid UTF-8 comes out, whatever goes in, at most longest_key of it.
[[nodiscard]] std::string search_fold(std::string_view text);

}  // namespace understudy::core
