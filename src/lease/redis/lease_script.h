// lease/redis/lease_script.h: the one script by which a lease in Redis is read and changed, and
// the names and values it works on. Used by RedisLeaseStore.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "lease/lease_store.h"
#include "redis/reply.h"
#include "redis/script.h"

namespace understudy::lease {

/// KEYS: the lease. ARGV: verb, token, label, ttl in ms, channel. Verbs: acquire, renew, release, and
/// `check` (tries each right on the very key and channel, and changes neither), `ping` (does nothing).
[[nodiscard]] redis::Script lease_script();

/// What a release says on the channel; anything else there is not for us.
inline constexpr std::string_view released_notice = "released";

/// `{<key>}:events`, or `<key>:events` if the key has a hash tag (so that both live in one Cluster slot), after
/// `prefix`.
[[nodiscard]] std::string notice_channel(std::string_view key, std::string_view prefix);

/// A label fit for the value: control characters become '?', at most 200 bytes.
[[nodiscard]] std::string fit_label(std::string_view label);

/// nullopt: not in the form of an answer. `note` gets what a release could not do beside (its notice), else stays
/// empty.
[[nodiscard]] std::optional<LeaseAnswer> read_answer(const redis::Reply& reply, std::string& note);

/// One thing that the `check` verb was refused.
struct Refusal {
    std::string verb;   ///< SET, DEL, …
    std::string grant;  ///< what to add to the user: `+del`, `~lease:key`, `&channel`
};
/// nullopt: not in the form of a `check` answer. Empty: every right is there.
[[nodiscard]] std::optional<std::vector<Refusal>> read_check(const redis::Reply& reply, std::string_view key,
                                                             std::string_view channel);
/// What an ACL refusal of `verb` on our key and channel asks for.
[[nodiscard]] Refusal read_refusal(std::string_view verb, std::string_view error, std::string_view key,
                                   std::string_view channel);

}  // namespace understudy::lease
