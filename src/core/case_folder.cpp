#include "core/case_folder.h"

#include <wctype.h>

#include <algorithm>

#include "core/bounded_text.h"
#include "core/text.h"

namespace understudy::core {
namespace {

// One well-formed character.
char32_t decode(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
    char32_t point = text.size() == 1 ? byte(0) : byte(0) & (0x7fU >> text.size());
    for (std::size_t i = 1; i < text.size(); ++i) point = (point << 6U) | (byte(i) & 0x3fU);
    return point;
}

void encode(std::string& out, char32_t point) {
    const auto add = [&](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
    if (point < 0x80) {
        add(point);
    } else if (point < 0x800) {
        add(0xc0U | (point >> 6U));
        add(0x80U | (point & 0x3fU));
    } else if (point < 0x10000) {
        add(0xe0U | (point >> 12U));
        add(0x80U | ((point >> 6U) & 0x3fU));
        add(0x80U | (point & 0x3fU));
    } else {
        add(0xf0U | (point >> 18U));
        add(0x80U | ((point >> 12U) & 0x3fU));
        add(0x80U | ((point >> 6U) & 0x3fU));
        add(0x80U | (point & 0x3fU));
    }
}

}  // namespace

CaseFolder::CaseFolder() : locale_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {}

CaseFolder::~CaseFolder() {
    if (locale_ != nullptr) ::freelocale(locale_);
}

std::string CaseFolder::fold(std::string_view text) const {
    const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) > 0; });
    if (ascii) return to_lower_ascii(text);
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto length = utf8_length(text, 0);
        if (length == 0) {
            out += "\xef\xbf\xbd";
            text.remove_prefix(1);
            continue;
        }
        const auto character = text.substr(0, length);
        text.remove_prefix(length);
        if (character[0] == '\0') continue;  // no database keeps it
        if (locale_ == nullptr) {
            out += to_lower_ascii(character);
        } else {
            encode(out, static_cast<char32_t>(::towlower_l(static_cast<wint_t>(decode(character)), locale_)));
        }
    }
    return out;
}

std::string CaseFolder::name_key(std::string_view name) const {
    std::string single;
    bool blank = true;
    for (const char c : name) {
        const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!is_blank) single += c;
        if (is_blank && !blank) single += ' ';
        blank = is_blank;
    }
    if (!single.empty() && single.back() == ' ') single.pop_back();
    return std::string(trim(utf8_prefix(fold(utf8_prefix(single, 4 * longest_key)), longest_key)));
}

}  // namespace understudy::core
