// store/sessions.h: who is logged in where, and the keys of programs. Tokens and keys are looked up by a hash that
// http/auth makes; here it is opaque. Used by http. Contract for all adapters:
// tests/contract/accounts/sessions_contract.h
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"
#include "store/session_id.h"

namespace understudy::store {

/// What a client says of itself.
struct Client {
    std::string name, version, device, device_id;
    std::string address;  ///< where it last called from
    friend bool operator==(const Client&, const Client&) = default;
};

/// One user on one device. A new login of the same user on the same device takes its place: same id, another token.
struct UserSession {
    SessionId id;
    core::UserId user;
    std::string user_name;
    bool admin = false;
    std::string policy = "{}";  ///< the user's, as in User
    Client client;
    std::string device_name;          ///< given by an administrator; empty: what the client says
    std::string capabilities = "{}";  ///< JSON object
    core::UtcTime created_at{}, last_activity_at{};
};

struct ApiKey {
    std::int64_t number = 0;  ///< grows
    std::string key;          ///< readable, see docs/adr/0007-tokens-and-keys.md
    std::string app;
    core::UtcTime created_at{}, last_activity_at{};
};

/// Who a token belongs to: a session or a key. `idle`: how long nothing was noted of it, by the database's clock.
struct TokenOwner {
    std::optional<UserSession> session;
    std::optional<ApiKey> key;
    core::Millis idle{};
};

struct SessionFilter {
    std::optional<core::UserId> user;
    std::optional<std::string> device_id;
    std::optional<core::Millis> active_within;  ///< by the database's clock
};

/// All calls block. Errors of all: unavailable, timed_out. What one pod has written all pods see at the next call.
class Sessions {
public:
    virtual ~Sessions() = default;
    struct LogIn {
        SessionId id;  ///< taken where the device is new for the user
        core::UserId user;
        std::string password_hash;  ///< that was compared with what they typed
        std::string token_hash;
        Client client;
    };
    /// Notes it with the user too. The id that holds. Errors: not_found where the user is gone, disabled or has another
    /// password by now.
    [[nodiscard]] virtual core::Result<SessionId> log_in(const LogIn& login) = 0;
    /// nullopt: nobody's, or of a user who is disabled. One look by primary key; another where it is no session's.
    [[nodiscard]] virtual core::Result<std::optional<TokenOwner>> find(const std::string& token_hash) = 0;
    /// Notes activity of a session (and its user) and what its client says now. One that is gone is fine.
    [[nodiscard]] virtual core::Result<void> touch(SessionId id, const Client& client) = 0;
    [[nodiscard]] virtual core::Result<void> touch_key(std::int64_t number) = 0;
    /// False: it had these already, or is gone.
    [[nodiscard]] virtual core::Result<bool> set_capabilities(SessionId id, const std::string& json) = 0;
    /// Logs out. One that is gone is fine.
    [[nodiscard]] virtual core::Result<void> remove(SessionId id) = 0;
    /// The last active one first.
    [[nodiscard]] virtual core::Result<std::vector<UserSession>> all(const SessionFilter& filter) = 0;
    /// Logs everybody out on that device; how many there were.
    [[nodiscard]] virtual core::Result<std::int64_t> remove_device(const std::string& device_id) = 0;
    /// Empty: what the client says.
    [[nodiscard]] virtual core::Result<void> name_device(const std::string& device_id, const std::string& name) = 0;

    [[nodiscard]] virtual core::Result<void> add_key(const std::string& key, const std::string& key_hash,
                                                     const std::string& app) = 0;
    [[nodiscard]] virtual core::Result<std::vector<ApiKey>> keys() = 0;  ///< the oldest first
    /// False: there is no such key.
    [[nodiscard]] virtual core::Result<bool> remove_key(const std::string& key_hash) = 0;
};

}  // namespace understudy::store
