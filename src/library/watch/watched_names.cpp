#include "library/watch/watched_names.h"

#include <algorithm>
#include <array>

#include "library/naming/entries.h"
#include "library/naming/external_streams.h"
#include "library/naming/images.h"
#include "library/naming/text.h"

namespace understudy::library {

bool can_matter(std::string_view file_name, model::LibraryKind kind) noexcept {
    constexpr std::array beside =
        std::to_array<std::string_view>({".nfo", ".edl", ".lrc", ".m3u", ".m3u8", ".pls", ".xspf"});
    if (file_name == ignore_file) return true;
    if (naming::is_junk(file_name)) return false;
    if (naming::classify(file_name, kind) != naming::FileClass::none) return true;
    if (naming::is_image(file_name) || naming::external_kind(file_name)) return true;
    return std::ranges::any_of(beside,
                               [&](std::string_view end) { return naming::ends_with_ignoring_case(file_name, end); });
}

}  // namespace understudy::library
