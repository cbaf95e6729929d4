// http/auth/token_owners.h: who a token belongs to: the administrator's key from memory, sessions and API keys from the
// database, each time. Why there is no cache: docs/adr/0007-tokens-and-keys.md. Made by app for the dispatcher.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/time.h"
#include "http/auth/admin_key.h"
#include "http/auth/identities.h"
#include "http/user_stores.h"
#include "store/sessions.h"

namespace understudy::http {

[[nodiscard]] Caller caller_of(const store::TokenOwner& owner);

class TokenOwners final : public Identities {
public:
    /// References outlive it. `trusted_proxies`: as in ServerInfo.
    TokenOwners(const std::vector<std::string>& admin_keys, const UserStores& stores,
                std::vector<std::string> trusted_proxies, core::Clock& clock, core::Log& log)
        : keys_(admin_keys), stores_(stores), trusted_proxies_(std::move(trusted_proxies)), clock_(clock), log_(log) {}
    [[nodiscard]] std::optional<Caller> find_in_memory(std::string_view token) const override {
        return keys_.find(token);
    }
    [[nodiscard]] core::Result<std::optional<Caller>> find(const Request& request) const override;
    [[nodiscard]] core::Result<bool> wizard_open() const override;

private:
    void note(const Request& request, const store::TokenOwner& owner) const;

    AdminKeys keys_;
    const UserStores& stores_;
    std::vector<std::string> trusted_proxies_;
    core::Clock& clock_;
    core::Log& log_;
    mutable std::atomic<std::int64_t> quiet_until_{0};  ///< boot time in ns: after a note that failed
    mutable std::atomic<bool> wizard_done_{false};      ///< it never opens again
};

}  // namespace understudy::http
