// tests/unit/media/test_pattern.h: bytes that show a lost, doubled or misplaced piece. Used by the misbehaving worker
// and by what reads its payloads.
#pragma once

#include <cstdint>
#include <string>

namespace understudy::media {

inline std::string test_pattern(std::size_t length) {
    std::string bytes(length, '\0');
    std::uint32_t state = 1;
    for (char& byte : bytes) byte = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    return bytes;
}

}  // namespace understudy::media
