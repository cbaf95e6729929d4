// store/login_attempts.h: how often logins failed lately, of a user or from an address, as all pods count it. Used by
// http. Contract for all adapters: tests/contract/accounts/sessions_contract.h
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace understudy::store {

/// `free` failures cost nothing; each one more doubles the wait, from 1 s up to `longest`.
struct AttemptLimit {
    std::string subject;  ///< opaque, at most 100 bytes
    int free = 0;
    core::Millis longest{};
};

/// Blocks. Errors: unavailable, timed_out.
class LoginAttempts {
public:
    virtual ~LoginAttempts() = default;
    /// Before a password is looked at: counts a failure for each of `limits`, so that many attempts at once are counted
    /// one by one. A wait above 0: one of them has to wait that long, and nothing was counted. A count that did not
    /// grow for 15 minutes starts again from 0. By the database's clock.
    [[nodiscard]] virtual core::Result<core::Millis> begin(const std::vector<AttemptLimit>& limits) = 0;
    /// The password was right: the failures of `forgiven` are forgotten, the one that begin() counted for `taken_back`
    /// is taken back.
    [[nodiscard]] virtual core::Result<void> succeeded(const std::string& forgiven, const std::string& taken_back) = 0;
};

}  // namespace understudy::store
