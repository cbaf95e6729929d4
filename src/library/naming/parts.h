// library/naming/parts.h: films that are cut into several files: `cd1`, `part 2`, `disc a`, `pt1`. Pure; used by the
// name parsers and, to put the parts in order, by the resolver.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace understudy::library::naming {

struct PartAt {
    std::size_t begin = 0, end = 0;  ///< the separators before it included
    int number = 0;                  ///< from 1; `a` is 1
    bool certain = false;            ///< cd, dvd, disc: never a part of a title, as «Part 2» may be
    bool joined = false;             ///< `part1`, not `part 1`
};
/// The last one, as words of their own and not at the very start. nullopt: none.
[[nodiscard]] std::optional<PartAt> find_part(std::string_view text) noexcept;
/// `1080p`, 2 -> `1080p cd2`; without a part the version alone.
[[nodiscard]] std::string part_label(std::string_view version, int part);
/// `cd1` -> 1, `1080p cd2` -> 2, anything else -> 0: of a label that the resolver wrote.
[[nodiscard]] int part_of_label(std::string_view label) noexcept;
/// The label without its part: the parts of one version have it in common.
[[nodiscard]] std::string_view version_of_label(std::string_view label) noexcept;
/// «Pilot, Part 2» -> «Pilot»: what the parts of one episode share. `part` becomes 2; unchanged and 0 where there is
/// none.
[[nodiscard]] std::string title_without_part(std::string_view title, int& part);

}  // namespace understudy::library::naming
