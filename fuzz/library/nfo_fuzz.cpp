// fuzz/library/nfo_fuzz.cpp: any bytes as an NFO file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "library/naming/text.h"
#include "library/nfo/parse.h"
#include "library/nfo/xml.h"

namespace {

using namespace understudy::library;

void require(bool holds) {
    if (!holds) std::abort();
}
void require_line(const std::string& text) {
    require(naming::display_text(text) == text && text.size() <= std::size_t{64} * 1024);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto decoded = nfo::decode_text(bytes);
    for (std::size_t at = 0; at < decoded.size();) {
        const auto length = naming::utf8_length(decoded, at);
        require(length > 0);
        at += length;
    }
    const auto parsed = nfo::parse(bytes);
    require(!parsed.items.empty() || !parsed.fault.empty());
    require_line(parsed.fault);
    for (const auto& item : parsed.items) {
        require_line(item.title);
        require_line(item.tagline);
        require(item.plot.size() <= std::size_t{64} * 1024);
        require(item.runtime >= understudy::core::Millis{});
        require(!item.year || (*item.year >= 1000 && *item.year <= 9999));
        for (const auto& rating : item.ratings) require(rating.value >= 0 && rating.value <= rating.maximum);
        for (const auto& person : item.people) {
            require(!person.name.empty());
            require_line(person.name);
        }
        for (const auto& genre : item.genres) require(!genre.empty());
        require(item.premiered.empty() || item.premiered.size() == 10);
    }
    return 0;
}
