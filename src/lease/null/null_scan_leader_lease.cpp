#include "lease/null/null_scan_leader_lease.h"

namespace understudy::lease {

LeaseView NullScanLeaderLease::view() const {
    LeaseView view;
    view.standing = Standing::leader;
    view.provider = "none";
    view.holder = LeaseView::Holder{pod_, since_};
    view.single = true;
    return view;
}

core::Result<void> NullScanLeaderLease::release(core::Millis) {
    return {};
}

core::Result<void> NullScanLeaderLease::resign(core::Millis) {
    return core::fail(core::Errc::conflict,
                      "no election is configured (Jellyfin:ScanLeader:Enabled), so no other pod could take the lead");
}

void NullScanLeaderLease::on_event(std::function<void(LeaseEvent)>) {}

}  // namespace understudy::lease
