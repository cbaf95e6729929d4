#include "core/result.h"

namespace understudy::core {

std::string_view to_string(Errc code) noexcept {
    switch (code) {
        case Errc::not_found:
            return "not_found";
        case Errc::invalid:
            return "invalid";
        case Errc::conflict:
            return "conflict";
        case Errc::fenced:
            return "fenced";
        case Errc::unavailable:
            return "unavailable";
        case Errc::timed_out:
            return "timed_out";
        case Errc::cancelled:
            return "cancelled";
        case Errc::corrupt:
            return "corrupt";
        case Errc::unsupported:
            return "unsupported";
    }
    return "unknown";
}

}  // namespace understudy::core
