// http/kept_settings.h: what the start wizard asked, remembered for a second, so that what every client asks first need
// not wait for the database. Made by app around the store.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/time.h"
#include "store/server_settings.h"

namespace understudy::http {

/// Safe from any thread. What this pod sets it knows at once, what another sets within a second.
class KeptSettings final : public store::ServerSettings {
public:
    using Values = std::map<std::string, std::string>;
    static constexpr core::Millis kept_for{1'000};

    /// Both outlive it.
    KeptSettings(store::ServerSettings& stored, core::Clock& clock) : stored_(stored), clock_(clock) {}
    [[nodiscard]] core::Result<Values> all() override;
    [[nodiscard]] core::Result<void> set(const Values& values) override;
    [[nodiscard]] std::optional<Values> recent() const override;

private:
    store::ServerSettings& stored_;
    core::Clock& clock_;
    mutable std::mutex mutex_;
    std::optional<Values> values_;
    core::Instant read_at_{};
    std::uint64_t changes_ = 0;  ///< what was read before a change is not kept after it
};

/// As the wizard or the configuration has it; else `own`, the pod's.
[[nodiscard]] std::string name_of_server(const KeptSettings::Values& settings, const std::string& own);

}  // namespace understudy::http
