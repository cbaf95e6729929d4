// lease/lease_settings.h: the numbers of an election and the rule they must meet (docs/configuration.md).
#pragma once

#include <optional>
#include <string>

#include "core/result.h"
#include "core/time.h"

namespace understudy::lease {

struct LeaseSettings {
    core::Millis ttl{15'000};               ///< T, 3 s .. 24 h
    core::Millis renew_every{5'000};        ///< τ, default T/3
    core::Millis call_timeout{2'000};       ///< o, default min(2 s, 2T/15)
    core::Millis safety_margin{1'500};      ///< δ, default min(1.5 s, T/10): trust ends this long before the ttl
    core::Millis outage_hold_down{15'000};  ///< H, default T
    double clock_drift = 0.01;              ///< ρ: how far two clocks' rates may differ

    /// All defaults that hang on T.
    [[nodiscard]] static LeaseSettings for_ttl(core::Millis ttl);
    /// T(1-2ρ) - δ: how long a grant is trusted, counted from when the request was sent.
    [[nodiscard]] core::Millis trust_window() const noexcept;
    /// 3 s <= T <= 24 h, 100 ms <= τ, o < τ, 1.2τ + 2o < T(1-2ρ) - δ. Errors: invalid, one line that names the setting
    /// (`Jellyfin:ScanLeader:…`), its value and what is allowed.
    [[nodiscard]] core::Result<void> validate() const;
};

}  // namespace understudy::lease
