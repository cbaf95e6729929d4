// fuzz/library/edl_fuzz.cpp: edit decision lists and chapter names of any bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "library/segments/chapter_names.h"
#include "library/segments/edl.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace understudy::library::segments;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const double rate : {0.0, 23.976}) {
        const auto list = parse_edl(text, rate);
        if (list.faults.size() > 1000) std::abort();
        for (const auto& segment : list.segments)
            if (segment.start.count() < 0 || segment.end <= segment.start) std::abort();
    }
    static_cast<void>(kind_of_chapter(text));
    return 0;
}
