#include "app/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace understudy::app {

void raise_descriptor_limit() noexcept {
    constexpr rlim_t enough = 16'384;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= enough) return;
    limit.rlim_cur = std::min(enough, limit.rlim_max);
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));  // the limit there was holds: said where it is met
}

}  // namespace understudy::app
