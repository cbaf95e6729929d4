#include "lease/scan_leader_lease.h"

namespace understudy::lease {

std::string_view to_string(Standing standing) noexcept {
    switch (standing) {
        case Standing::leader:
            return "leader";
        case Standing::follower:
            return "follower";
        case Standing::self_appointed:
            return "self_appointed";
        case Standing::unknown:
            return "unknown";
    }
    return "unknown";
}

std::string_view to_string(NoAnswer reason) noexcept {
    switch (reason) {
        case NoAnswer::unreachable:
            return "unreachable";
        case NoAnswer::transient:
            return "transient";
        case NoAnswer::redirect:
            return "redirect";
        case NoAnswer::misconfigured:
            return "misconfigured";
    }
    return "unreachable";
}

}  // namespace understudy::lease
