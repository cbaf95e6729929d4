// store/display_preferences.h: how a client shows a view to a user: JSON that http reads and writes. Used by http.
// Contract for all adapters: tests/contract/accounts/display_preferences_contract.h
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/ids.h"
#include "core/result.h"

namespace understudy::store {

inline constexpr std::size_t longest_display_preferences = std::size_t{64} * 1024;  ///< bytes
/// Of one user, all clients together; beyond it those that were changed longest ago go.
inline constexpr std::size_t most_display_preferences = 2'000;

struct DisplayKey {
    core::UserId user;
    std::string client, name;  ///< at most 200 bytes each
};

/// Blocks. Errors of all: unavailable, timed_out.
class DisplayPreferences {
public:
    virtual ~DisplayPreferences() = default;
    /// nullopt: never set.
    [[nodiscard]] virtual core::Result<std::optional<std::string>> find(const DisplayKey& key) = 0;
    /// Replaces them. Errors: not_found (the user is gone), invalid where they are longer than
    /// longest_display_preferences.
    [[nodiscard]] virtual core::Result<void> put(const DisplayKey& key, const std::string& json) = 0;
};

}  // namespace understudy::store
