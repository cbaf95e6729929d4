// tasks/zones/zone.h: a time zone of the system's tzdata, by its IANA name. The only home of the date library.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "core/result.h"
#include "core/time.h"

namespace date {
class time_zone;
}

namespace understudy::tasks {

/// Cheap to copy; safe from any thread.
class Zone {
public:
    /// UTC.
    Zone();
    /// An IANA name; a leading `:` is allowed. Errors: invalid, naming `TZ`, the value and the way out.
    [[nodiscard]] static core::Result<Zone> named(std::string name);
    /// `TZ` where set and not empty, else the zone that /etc/localtime links to, else UTC. `tz`: the variable's value.
    [[nodiscard]] static core::Result<Zone> configured(const char* tz, const std::string& localtime = "/etc/localtime");

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// The local calendar date at an instant.
    [[nodiscard]] std::chrono::local_days local_date(core::UtcTime at) const;
    /// The instant of a local date and wall time: in a gap the first instant after it, in a repeated hour the first.
    [[nodiscard]] core::UtcTime at(std::chrono::local_days date, core::Millis time_of_day) const;
    /// The tzdata version in use, `2024a`; empty where the system does not say.
    [[nodiscard]] static std::string tzdata_version();

private:
    std::string name_ = "UTC";
    const date::time_zone* zone_;  ///< null: UTC, which needs no tzdata
};

}  // namespace understudy::tasks
