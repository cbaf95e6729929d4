// store/login_attempts.h: how often logins failed lately, of a user or from an address, as all pods count it. Used by
// http. Contract for all adapters: tests/contract/accounts/sessions_contract.h
#pragma once

#include <cstdint>
#include <map>
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

/// What begin() did, so that it can be taken back.
struct CountedAttempt {
    core::Millis wait{};  ///< above 0: one of the limits has to wait that long, and nothing was counted
    std::int64_t counted_at_ms = 0;
    std::map<std::string, std::int64_t> failed_before_ms;  ///< by subject; none where it had not failed
};

/// Blocks. Errors: unavailable, timed_out.
class LoginAttempts {
public:
    virtual ~LoginAttempts() = default;
    /// Before a password is looked at: counts a failure for each of `limits`, so that many attempts at once are counted
    /// one by one. A count that did not grow for 15 minutes starts again from 0. By the database's clock.
    [[nodiscard]] virtual core::Result<CountedAttempt> begin(const std::vector<AttemptLimit>& limits) = 0;
    /// The password was right: the failures of `forgiven` are forgotten, the one that was counted for `taken_back` is
    /// taken back, and with it the wait that it began: who shares an address with others must not keep them out by
    /// logging in.
    [[nodiscard]] virtual core::Result<void> succeeded(const CountedAttempt& attempt, const std::string& forgiven,
                                                       const std::string& taken_back) = 0;
};

}  // namespace understudy::store
