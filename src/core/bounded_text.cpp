#include "core/bounded_text.h"

namespace understudy::core {

std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes) noexcept {
    if (text.size() <= most_bytes) return text;
    auto end = most_bytes;
    const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
    while (end > 0 && most_bytes - end < 3 && inside(end)) --end;  // a character has at most four
    return text.substr(0, end);
}

}  // namespace understudy::core
