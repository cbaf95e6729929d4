#include "core/random.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/check.h"

namespace understudy::core {

double Random::uniform() {
    std::array<std::uint8_t, 8> bytes{};
    fill(bytes);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return static_cast<double>(value >> 11U) * 0x1.0p-53;  // 53 bits: the precision of a double
}

void SystemRandom::fill(std::span<std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const auto got = ::getrandom(bytes.data(), bytes.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        CHECK(got > 0);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
}

void SeededRandom::fill(std::span<std::uint8_t> bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i % 8 == 0) word = engine_();
        bytes[i] = static_cast<std::uint8_t>(word >> (8 * (i % 8)));
    }
}

}  // namespace understudy::core
