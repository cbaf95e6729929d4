// cluster/events.h: events between pods, in one order for all. Port; adapters in database/ and local/.
// Events are hints that something changed plus what a client is told; truth is in the tables they speak of.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace understudy::cluster {

struct Event {
    std::int64_t sequence = 0;  ///< grows in commit order as readers see it; gaps are normal
    std::string
        kind;  ///< `run.started`, `run.ended`, `run.cancel`, `task.edited`, `library.changed`, `user.changed`, …
    std::string payload;  ///< JSON object
    core::UtcTime at{};
    std::string pod;  ///< label of the pod that raised it
};

class EventLog {
public:
    virtual ~EventLog() = default;
    /// Appends and announces. Blocks. Errors: unavailable, timed_out.
    [[nodiscard]] virtual core::Result<void> publish(const std::string& kind, const std::string& payload) = 0;
    /// `listener` hears every event of every pod (own ones too) in order, on the log's own thread; after a lost
    /// database connection the missed ones are read again, and then `log.caught_up` is heard: of this pod alone, with
    /// sequence 0 (where it was away for very long, some are gone for good). Events older than the start are not
    /// replayed. Returns a token for drop().
    virtual int listen(std::function<void(const Event&)> listener) = 0;
    virtual void drop(int token) = 0;
};

}  // namespace understudy::cluster
