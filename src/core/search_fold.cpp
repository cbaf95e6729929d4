#include "core/search_fold.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "core/bounded_text.h"
#include "core/text.h"

namespace understudy::core {
namespace {

using Points = std::vector<utf8proc_int32_t>;

// Well-formed, and without NUL, which no database keeps.
std::string well_formed(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto length = utf8_length(text, 0);
        if (length == 0) out += "\xef\xbf\xbd";
        if (length != 0 && text[0] != '\0') out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

bool is_mark(utf8proc_int32_t point) {
    struct Range {
        utf8proc_int32_t first, last;
    };
    constexpr std::array ranges{Range{0x0300, 0x036f},                         // of Latin, Greek and Cyrillic
                                Range{0x0483, 0x0487},                         // of Old Cyrillic
                                Range{0x0591, 0x05bd}, Range{0x05bf, 0x05bf},  // Hebrew points
                                Range{0x05c1, 0x05c2}, Range{0x05c4, 0x05c5}, Range{0x05c7, 0x05c7},
                                Range{0x0610, 0x061a}, Range{0x0640, 0x0640},  // Arabic signs, the stretcher
                                Range{0x064b, 0x065f}, Range{0x0670, 0x0670},  // Arabic vowels
                                Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff}, Range{0x20d0, 0x20ff},
                                Range{0xfe20, 0xfe2f}};
    return std::ranges::any_of(ranges, [&](const Range& range) { return point >= range.first && point <= range.last; });
}

// CLDR, transforms/Latin-ASCII: letters and punctuation that Unicode does not decompose. Lower case: they are folded.
std::string_view spelled_out(utf8proc_int32_t point) {
    struct Letter {
        utf8proc_int32_t point;
        std::string_view ascii;
    };
    constexpr std::array letters{
        Letter{0x00e6, "ae"}, Letter{0x00f0, "d"},  Letter{0x00f8, "o"},  Letter{0x00fe, "th"}, Letter{0x0111, "d"},
        Letter{0x0127, "h"},  Letter{0x0131, "i"},  Letter{0x0138, "q"},  Letter{0x0142, "l"},  Letter{0x014b, "n"},
        Letter{0x0153, "oe"}, Letter{0x0167, "t"},  Letter{0x0180, "b"},  Letter{0x0253, "b"},  Letter{0x0256, "d"},
        Letter{0x0257, "d"},  Letter{0x0260, "g"},  Letter{0x0268, "i"},  Letter{0x0199, "k"},  Letter{0x019a, "l"},
        Letter{0x0272, "n"},  Letter{0x0289, "u"},  Letter{0x01b4, "y"},  Letter{0x01b6, "z"},  Letter{0x2010, "-"},
        Letter{0x2011, "-"},  Letter{0x2012, "-"},  Letter{0x2013, "-"},  Letter{0x2014, "-"},  Letter{0x2015, "-"},
        Letter{0x2018, "'"},  Letter{0x2019, "'"},  Letter{0x201a, ","},  Letter{0x201b, "'"},  Letter{0x201c, "\""},
        Letter{0x201d, "\""}, Letter{0x201e, ",,"}, Letter{0x2032, "'"},  Letter{0x2033, "\""}, Letter{0x2044, "/"},
        Letter{0x2212, "-"},  Letter{0x00ab, "<<"}, Letter{0x00bb, ">>"}, Letter{0x2039, "<"},  Letter{0x203a, ">"}};
    const auto at = std::ranges::find(letters, point, &Letter::point);
    return at == letters.end() ? std::string_view() : at->ascii;
}

Points decomposed(const std::string& text) {
    constexpr auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                                            UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    const auto size = static_cast<utf8proc_ssize_t>(text.size());
    Points points;
    for (auto wanted = utf8proc_decompose(bytes, size, nullptr, 0, options); wanted > 0;) {
        points.resize(static_cast<std::size_t>(wanted));
        const auto got = utf8proc_decompose(bytes, size, points.data(), wanted, options);
        if (got <= wanted) {
            points.resize(static_cast<std::size_t>(std::max<utf8proc_ssize_t>(got, 0)));
            break;
        }
        wanted = got;
    }
    return points;
}

}  // namespace

std::string search_fold(std::string_view text) {
    text = utf8_prefix(text, 4 * longest_key);  // marks that go leave room for a little more
    const bool ascii = std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) > 0; });
    if (ascii) return to_lower_ascii(text.substr(0, longest_key));
    Points plain;
    for (const auto point : decomposed(well_formed(text))) {
        if (is_mark(point)) continue;
        const auto letters = spelled_out(point);
        if (letters.empty())
            plain.push_back(point);
        else
            std::ranges::copy(letters, std::back_inserter(plain));
    }
    const auto composed = utf8proc_normalize_utf32(plain.data(), static_cast<utf8proc_ssize_t>(plain.size()),
                                                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    std::string out;
    for (utf8proc_ssize_t i = 0; i < composed; ++i) {
        std::array<utf8proc_uint8_t, 4> bytes{};
        const auto length = utf8proc_encode_char(plain[static_cast<std::size_t>(i)], bytes.data());
        if (out.size() + static_cast<std::size_t>(length) > longest_key) break;
        out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(length));
    }
    return out;
}

}  // namespace understudy::core
