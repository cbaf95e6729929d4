// store/viewer.h: who looks at what the stores keep. Used by the catalogue, collections, user data and people, and by
// http.
#pragma once

#include <optional>
#include <vector>

#include "core/ids.h"

namespace understudy::store {

/// Who looks: what they may not see is left out.
struct Viewer {
    core::UserId user;  ///< private playlists of others are left out; empty: none are
    std::optional<std::vector<core::LibraryId>> libraries;  ///< nullopt: all. What people put together is in none
};

}  // namespace understudy::store
