#include "library/scan_groups.h"

#include <algorithm>

#include "library/naming/entries.h"
#include "library/naming/episode_name.h"
#include "library/naming/text.h"
#include "library/naming/track_name.h"

namespace understudy::library {

std::string_view group_folder(std::string_view folder, model::LibraryKind kind) {
    if (kind == model::LibraryKind::music) {
        return naming::parse_disc_folder(naming::name_of(folder)) ? naming::parent_of(folder) : folder;
    }
    const auto owner = naming::disc_owner(folder);
    if (owner.empty()) return folder;
    // A show's disc is one episode only where its folder says which: a disc of a whole season is none.
    const bool one_item =
        kind == model::LibraryKind::movies || naming::parse_episode(naming::name_of(owner), {}).explicit_form;
    if (one_item) return owner;
    return folder;
}

std::string film_key(std::string_view folder, std::string_view group) {
    std::string path(folder);
    if (!group.empty()) (path += '/') += group;
    return "f:" + naming::key_text(path);
}

bool is_before_folder(std::string_view a, std::string_view b) noexcept {
    const auto common = std::min(a.size(), b.size());
    if (const int order = a.substr(0, common).compare(b.substr(0, common)); order != 0) return order < 0;
    if (a.size() == b.size()) return false;
    return a.size() < b.size() ? '/' < static_cast<unsigned char>(b[common])
                               : static_cast<unsigned char>(a[common]) < '/';
}

}  // namespace understudy::library
