// store/configurations.h: what administrators set for all pods in named sections (`system`, `network`, …): JSON that
// http reads and writes. Used by http and app. Contract for all adapters:
// tests/contract/accounts/configurations_contract.h
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/result.h"

namespace understudy::store {

inline constexpr std::size_t longest_configuration = std::size_t{256} * 1024;  ///< bytes of a section

/// Blocks. Errors of all: unavailable, timed_out.
class Configurations {
public:
    virtual ~Configurations() = default;
    /// nullopt: never set.
    [[nodiscard]] virtual core::Result<std::optional<std::string>> find(const std::string& name) = 0;
    /// Replaces it. Errors: invalid, naming the section, where `json` is longer than longest_configuration.
    [[nodiscard]] virtual core::Result<void> put(const std::string& name, const std::string& json) = 0;
};

}  // namespace understudy::store
