#include "app/version.h"

namespace understudy::app {

std::string_view version_text() noexcept {
    return UNDERSTUDY_VERSION;
}

}  // namespace understudy::app
