// app/metric_sources.h: numbers of the lease and of the worker processes for /metrics, all from memory.
#pragma once

#include "http/admin/metrics.h"
#include "lease/kept_scan_leader_lease.h"
#include "media/worker_pool.h"

namespace understudy::app {

class LeaseMetrics final : public http::MetricSource {
public:
    explicit LeaseMetrics(const lease::KeptScanLeaderLease& lease) : lease_(lease) {}
    void collect(std::vector<http::MetricSample>& out) const override;

private:
    const lease::KeptScanLeaderLease& lease_;
};

class WorkerPoolMetrics final : public http::MetricSource {
public:
    /// `kind`: `media`, `analysis` or `picture`, the second word of the names.
    WorkerPoolMetrics(const media::WorkerPool& pool, std::string kind) : pool_(pool), kind_(std::move(kind)) {}
    void collect(std::vector<http::MetricSample>& out) const override;

private:
    const media::WorkerPool& pool_;
    const std::string kind_;
};

}  // namespace understudy::app
