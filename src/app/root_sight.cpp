#include "app/root_sight.h"

#include <fmt/format.h>
#include <pthread.h>

#include <array>

#include "library/naming/text.h"

namespace understudy::app {

std::optional<SeesMore> pod_that_sees_more(const cluster::PodInfo& self, bool leads,
                                           std::span<const cluster::PodInfo> others, core::UtcTime now,
                                           core::Millis fresh) {
    std::optional<SeesMore> best;
    for (const auto& pod : others) {
        if (pod.boot == self.boot || now - pod.heartbeat_at > fresh) continue;
        const bool could =
            pod.standing == "follower" || (!leads && (pod.standing == "leader" || pod.standing == "unknown"));
        if (!could) continue;
        SeesMore more{pod.label, {}};
        for (const auto& [root, seen] : self.roots) {
            const auto there = pod.roots.find(root);
            if (there == pod.roots.end()) continue;
            if (!seen) ++more.missed_here;
            if (!there->second) ++more.missed_there;
            if (!seen && there->second && more.root.empty()) more.root = root;
        }
        if (more.missed_there >= more.missed_here) continue;
        if (!best || more.missed_there < best->missed_there) best = std::move(more);
    }
    return best;
}

RootSight::RootSight(Settings settings, core::Log& log) : settings_(std::move(settings)), log_(log) {}

RootSight::~RootSight() {
    if (thread_.joinable()) thread_.join();
}

void RootSight::look(const cluster::PodInfo& self, std::span<const cluster::PodInfo> pods, core::UtcTime now) {
    const bool leads = settings_.leads();
    const auto more = pod_that_sees_more(self, leads, pods, now, why_.empty() ? settings_.fresh : settings_.gone);
    if (!more) {
        since_.reset();
        if (why_.empty()) return;
        why_.clear();
        settings_.stand_back({});
        log_.info("this pod sees as many library folders as the others again and may lead");
        return;
    }
    if (!since_) since_ = now;
    if (why_.empty() && now - *since_ < settings_.holds_for) return;
    const auto root = library::naming::display_text(more->root);
    auto why = more->missed_here == 1
                   ? fmt::format("this pod does not see the library folder {}, which {} sees", root, more->pod)
                   : fmt::format("this pod does not see {} library folders ({}, …), {} misses {} of them or others",
                                 more->missed_here, root, more->pod, more->missed_there);
    if (why != why_) {
        // Before the resignation, which says why.
        settings_.stand_back(why);
        if (why_.empty() && !leads) log_.warning("this pod leaves the lead to others", {{"why", why}});
        why_ = std::move(why);
    }
    if (!leads || handing_over_.exchange(true)) return;
    log_.warning("this pod hands the lead over", {{"why", why_}, {"to", "a pod that sees more"}});
    if (thread_.joinable()) thread_.join();  // the one before, which is done
    thread_ = std::thread([this] {
        ::pthread_setname_np(::pthread_self(), "hand-over");
        hand_over();
    });
}

void RootSight::hand_over() {
    if (const auto done = settings_.resign(); done) {
        ++resignations_;
    } else {
        log_.warning("the lease could not be handed over", {{"cause", done.error().context}});
    }
    handing_over_ = false;
}

void RootSight::collect(std::vector<http::MetricSample>& out) const {
    out.push_back({"understudy_lease_resigned_for_roots_total",
                   "times this pod gave the lead away because another sees more library folders",
                   http::MetricSample::Kind::counter,
                   {},
                   static_cast<double>(resignations_.load())});
}

}  // namespace understudy::app
