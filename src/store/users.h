// store/users.h: who uses the server: names, passwords (as an opaque hash), rights and preferences. Used by http.
// Contract for all adapters: tests/contract/accounts/users_contract.h
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"
#include "store/blob_hash.h"
#include "store/session_id.h"

namespace understudy::store {

struct User {
    core::UserId id;
    std::string name;
    core::UtcTime created_at{};
    bool admin = false;
    bool disabled = false;             ///< may not log in; tokens of theirs are gone
    std::string password_hash = {};    ///< made by http/auth; empty: no password is set
    std::string policy = "{}";         ///< JSON object of what was set; `admin` and `disabled` are not in it
    std::string configuration = "{}";  ///< JSON object of what was set
    std::optional<core::UtcTime> last_login_at = {}, last_activity_at = {};
    BlobHash image = {};  ///< their picture; empty: none
};

struct UserPolicy {
    bool admin = false;
    bool disabled = false;
    std::string json = "{}";
};

/// All calls block. Errors of all: unavailable, timed_out. Where somebody could administer the server before a change
/// (an admin who is not disabled), somebody still can after it: else the change is `conflict`, and the context says so.
class Users {
public:
    virtual ~Users() = default;
    /// Errors: conflict where the name (any case) is in use.
    [[nodiscard]] virtual core::Result<void> add(const User& user) = 0;
    /// Errors: not_found, conflict.
    [[nodiscard]] virtual core::Result<void> rename(core::UserId id, const std::string& name) = 0;
    /// With all data and tokens of theirs; their playlists become nobody's own. Errors: not_found, conflict.
    [[nodiscard]] virtual core::Result<void> remove(core::UserId id) = 0;
    /// Who is disabled loses their tokens in the same transaction. Errors: not_found, conflict.
    [[nodiscard]] virtual core::Result<void> set_policy(core::UserId id, const UserPolicy& policy) = 0;
    /// Errors: not_found.
    [[nodiscard]] virtual core::Result<void> set_configuration(core::UserId id, const std::string& json) = 0;
    /// All tokens of theirs but that of `kept` (empty: all) go in the same transaction. Errors: not_found.
    [[nodiscard]] virtual core::Result<void> set_password(core::UserId id, const std::string& hash, SessionId kept) = 0;
    /// Empty: none. Put the blob first, again if it is old. Errors: not_found.
    [[nodiscard]] virtual core::Result<void> set_image(core::UserId id, const BlobHash& image) = 0;
    [[nodiscard]] virtual core::Result<std::vector<User>> all() = 0;  ///< by name
    [[nodiscard]] virtual core::Result<std::optional<User>> find(core::UserId id) = 0;
    [[nodiscard]] virtual core::Result<std::optional<User>> find_by_name(const std::string& name) = 0;  ///< any case
};

}  // namespace understudy::store
