// redis/resolver.h: names to addresses within a deadline, although getaddrinfo knows none. Used by Connection.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "redis/error_class.h"
#include "redis/loop.h"

namespace understudy::redis {

/// Asks the system each time (a pod's address changes) in a thread of its own that is left behind if it hangs: Asio's
/// resolver would make us wait for it at the end. At most one such thread lives; a question while it hangs waits for
/// it.
class Resolver {
public:
    explicit Resolver(Loop& loop);
    ~Resolver();
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;

    /// Numeric addresses, in the system's order of preference. Errors: unreachable (name or network).
    [[nodiscard]] Outcome<std::vector<std::string>> resolve(const std::string& host, Deadline deadline);

private:
    struct Lookup;
    Loop& loop_;
    std::shared_ptr<Lookup> lookup_;
};

}  // namespace understudy::redis
