// http/jellyfin/requests/collection_edits.h: what edits of collections and of playlists have in common. Used by their
// handlers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/router.h"
#include "http/services.h"
#include "store/collections.h"

namespace understudy::http {

/// `kind`: only such a one. Errors: not_found.
[[nodiscard]] core::Result<store::Collection> requested_collection(const Services& services, core::ItemId id,
                                                                   std::optional<model::ItemKind> kind);

/// Errors: conflict where it is made from a file or a set, which the next scan would make it like again: it names that.
[[nodiscard]] core::Result<void> check_editable(const store::Collection& collection);

/// May the caller remove it, or would they be refused? Administrators may, and owners their playlists.
[[nodiscard]] bool may_remove(const Request& request, const store::Collection& collection);

/// The items of a list of ids; with `playable`, in the place of a series, album, collection, … what `viewer` may
/// see and play below it. At most 10,000. Errors: as requested_items.
[[nodiscard]] core::Result<std::vector<core::ItemId>> members_from(const Services& services, std::string_view field,
                                                                   const std::vector<std::string>& ids, bool playable,
                                                                   const std::optional<store::Viewer>& viewer = {});

/// What one may hold: a page of it is made in memory.
inline constexpr std::size_t most_members = 100'000;
[[nodiscard]] core::Error too_many_members(const store::Collection& collection);

/// A sort name that somebody gave does not fit another name.
void give_name(store::Collection& collection, const std::string& name);

/// `change`: added, updated, removed. That nobody can be told is no error of the change.
void tell_collection(const Services& services, core::ItemId id, const char* change);

}  // namespace understudy::http
