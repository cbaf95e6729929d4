// http/admin/metrics.h: what /metrics says, all from memory. Other modules bring their numbers through MetricSource.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "http/counters.h"
#include "http/services.h"

namespace understudy::http {

/// One number. Samples of one name must agree in help and kind.
struct MetricSample {
    enum class Kind { counter, gauge };
    std::string name;  ///< `understudy_…`, counters end in `_total`
    std::string help;
    Kind kind = Kind::gauge;
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;
};

/// Safe from any thread; answers from memory: a scrape must not query anything.
class MetricSource {
public:
    virtual ~MetricSource() = default;
    virtual void collect(std::vector<MetricSample>& out) const = 0;
};

/// In Prometheus' text form, families sorted by name.
[[nodiscard]] std::string metrics_text(const Services& services, const HttpCounters& counters,
                                       const std::vector<const MetricSource*>& sources);

}  // namespace understudy::http
