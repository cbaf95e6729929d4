// app/root_sight.h: a leader that misses library roots which another pod sees gives the lead to that pod, and leaves it
// there while that holds. Fed by PodReporter with each look at the pods; made and kept by Parts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "cluster/pods.h"
#include "core/log.h"
#include "core/result.h"
#include "http/admin/metrics.h"

namespace understudy::app {

/// Another pod that is fitter to lead, by what both see.
struct SeesMore {
    std::string pod;   ///< label
    std::string root;  ///< one that it sees and this pod misses, path bytes
    std::size_t missed_here = 0, missed_there = 0;
};

/// The living pod that misses fewest of the roots it shares with `self`, where those are fewer than `self` misses: so
/// two pods that miss different roots do not swap the lead for ever, and on a tie it stays where it is. Roots that only
/// one of the two has heard of do not count. A pod counts that has been heard from within `fresh` and hears the lease's
/// store: while `self` leads, it follows; otherwise it leads, follows, or waits for the lease to fall free.
[[nodiscard]] std::optional<SeesMore> pod_that_sees_more(const cluster::PodInfo& self, bool leads,
                                                         std::span<const cluster::PodInfo> others, core::UtcTime now,
                                                         core::Millis fresh);

class RootSight final : public http::MetricSource {
public:
    struct Settings {
        core::Millis fresh{10'000};  ///< two reports
        core::Millis gone{15'000};   ///< three: a pod this one gave way to still counts so long
        /// How long it must hold before this pod gives way: one report, so that two looks in a row agree.
        core::Millis holds_for{5'000};
        std::function<bool()> leads;
        std::function<void(std::string why)> stand_back;  ///< empty: no longer
        std::function<core::Result<void>()> resign;       ///< drains and hands over; blocks
    };
    RootSight(Settings settings, core::Log& log);
    ~RootSight() override;
    RootSight(const RootSight&) = delete;
    RootSight& operator=(const RootSight&) = delete;

    /// One look at all pods, `self` among them, by the database's clock. On the reporter's thread; hands over on one of
    /// its own.
    void look(const cluster::PodInfo& self, std::span<const cluster::PodInfo> pods, core::UtcTime now);
    void collect(std::vector<http::MetricSample>& out) const override;

private:
    void hand_over();

    const Settings settings_;
    core::Log& log_;
    std::optional<core::UtcTime> since_;
    std::string why_;  ///< empty: this pod does not give way
    std::atomic<bool> handing_over_{false};
    std::atomic<std::uint64_t> resignations_{0};
    std::thread thread_;
};

}  // namespace understudy::app
