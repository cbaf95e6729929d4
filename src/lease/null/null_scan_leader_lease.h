// lease/null/null_scan_leader_lease.h: election off, or nothing to elect with: this pod leads for ever, exactly as a
// single instance. No thread, no connection. Made by app.
#pragma once

#include <string>

#include "core/time.h"
#include "lease/scan_leader_lease.h"

namespace understudy::lease {

class NullScanLeaderLease final : public ScanLeaderLease {
public:
    NullScanLeaderLease(std::string pod, const core::Clock& clock) : pod_(std::move(pod)), since_(clock.utc_now()) {}

    [[nodiscard]] Standing standing() const noexcept override { return Standing::leader; }
    /// Standing leader, provider `none`, `single` set.
    [[nodiscard]] LeaseView view() const override;
    /// There is nothing to let go of.
    [[nodiscard]] core::Result<void> release(core::Millis grace) override;
    /// conflict: nobody else could take the lead.
    [[nodiscard]] core::Result<void> resign(core::Millis grace) override;
    /// No event ever comes.
    void on_event(std::function<void(LeaseEvent)> listener) override;

private:
    std::string pod_;
    core::UtcTime since_;
};

}  // namespace understudy::lease
