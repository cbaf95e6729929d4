// fuzz/redis/driver.h: what a fuzz target hands to either engine: libFuzzer (Clang) or driver.cpp (GCC).
#pragma once

#include <cstddef>
#include <cstdint>

/// Must return 0 and leave nothing behind, whatever the bytes; aborts where an invariant does not hold.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
