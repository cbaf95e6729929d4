// http/jellyfin/requests/named_subjects.h: names and people as what a user may like or rate: whether the caller may see
// them. Used by the handlers of user data and the event socket.
#pragma once

#include <optional>
#include <vector>

#include "core/ids.h"
#include "http/services.h"
#include "store/viewer.h"

namespace understudy::http {

struct NamedSubject {
    core::ItemId id;    ///< as it was asked for
    core::ItemId item;  ///< of an artist whom the viewer sees as an item: its data is the artist's; else none
};

/// Those of `ids` that are genres, studios, artists, years or people which something has that the viewer may see. Two
/// queries, and one more for each year. Blocks. Errors: unavailable, timed_out.
[[nodiscard]] core::Result<std::vector<NamedSubject>> named_subjects(const Services& services,
                                                                     const std::vector<core::ItemId>& ids,
                                                                     const std::optional<store::Viewer>& viewer);

}  // namespace understudy::http
