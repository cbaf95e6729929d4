// http/jellyfin/requests/user_requests.h: which user, items and names a request speaks of. Used by the handlers of
// users, user data, collections, playlists and items.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/routes.h"
#include "store/catalog.h"

namespace understudy::http {

/// Adds a route whose handler needs users, their data and collections: without them it answers 501.
/// `others`: as in Route.
void add_user_route(Router& router, const Services& services, Method method, const char* path, Handler handler,
                    Access access = Access::admin, bool others = false);
/// Adds a route whose handler needs logins, passwords and settings: without them it answers 501.
void add_account_route(Router& router, const Services& services, Method method, const char* path, Handler handler,
                       Access access = Access::admin);

/// May the caller see and change what is `user`'s own? Administrators may.
[[nodiscard]] bool may_act_for(const Request& request, core::UserId user);

/// A user who is no administrator may be kept from changing what is theirs: 403. nullopt: they may.
[[nodiscard]] std::optional<Response> refuse_preferences(const Request& request, const store::User& user);

/// What the caller may see of the catalogue; nullopt: everything.
[[nodiscard]] std::optional<store::Viewer> viewer_of(const Request& request);
[[nodiscard]] std::optional<store::Viewer> viewer_of(const Caller& caller);
[[nodiscard]] bool may_see(const Request& request, core::LibraryId library);

/// Whom the request names: in the path (`/Users/{userId}/…`), as `userId=`, or as `in_body`; else the user who calls.
/// nullopt: nobody (a key calls). The dispatcher has refused callers who may not name others, but for `in_body`.
/// Errors: invalid (no id), not_found.
[[nodiscard]] core::Result<std::optional<store::User>> named_user(const Services& services, const Request& request,
                                                                  const std::string& in_body = {});
/// As above; where a key calls without a name the only user there is. Errors: also invalid, which says what to do.
[[nodiscard]] core::Result<store::User> requested_user(const Services& services, const Request& request,
                                                       const std::string& in_body = {});

[[nodiscard]] core::Error no_item(core::ItemId id);
/// Without sources. Errors: not_found.
[[nodiscard]] core::Result<store::ListedItem> requested_item(const Services& services, core::ItemId id,
                                                             const std::optional<store::Viewer>& viewer);

/// The items that a list of ids names, in its order; members that are no ids are dropped. At most 10,000.
/// Errors: invalid (none, too many), not_found for the first one that is not there.
[[nodiscard]] core::Result<std::vector<store::ListedItem>> requested_items(const Services& services,
                                                                           std::string_view field,
                                                                           const std::vector<std::string>& ids,
                                                                           const std::optional<store::Viewer>& viewer);
inline constexpr std::size_t most_items = 10'000;

/// What of `items` can be played, in their order and as often as they are named: in the place of a series, album,
/// collection, … what `viewer` may see and play below it. The first `most`. One query for each such.
[[nodiscard]] core::Result<std::vector<core::ItemId>> playable_items(const Services& services,
                                                                     const std::vector<store::ListedItem>& items,
                                                                     const std::optional<store::Viewer>& viewer,
                                                                     std::size_t most);

/// A name without blanks around it. Errors: invalid where it is empty, longer than 200 bytes, no UTF-8, or has control
/// characters.
[[nodiscard]] core::Result<std::string> checked_name(std::string_view field, std::string_view name);
/// The same of a user: neither an id nor with characters that nobody sees or that join the letter before them (NFD),
/// which would make it look like another's.
[[nodiscard]] core::Result<std::string> checked_user_name(std::string_view field, std::string_view name);

}  // namespace understudy::http
