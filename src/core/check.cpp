#include "core/check.h"

#include <cstdio>
#include <cstdlib>

namespace understudy::core {

void check_failed(const char* expression, const char* file, int line) noexcept {
    std::fprintf(stderr, "understudy: bug: CHECK(%s) failed at %s:%d; stopping\n", expression, file, line);
    std::abort();
}

}  // namespace understudy::core
