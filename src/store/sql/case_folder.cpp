#include "store/sql/case_folder.h"

#include <wctype.h>

#include <algorithm>

#include "store/sql/bulk_rows.h"

namespace understudy::store::sql {
namespace {

char lower_ascii(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// `text` is valid UTF-8.
char32_t decode(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
    const auto first = byte(at);
    const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    char32_t point = length == 1 ? first : first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) point = (point << 6U) | (byte(at + i) & 0x3fU);
    at += length;
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
    std::string out;
    const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) > 0; });
    if (ascii || locale_ == nullptr) {
        out = ascii ? std::string(text) : repaired(text);
        std::transform(out.begin(), out.end(), out.begin(), lower_ascii);
        return out;
    }
    const auto valid = repaired(text);
    out.reserve(valid.size());
    for (std::size_t at = 0; at < valid.size();) {
        const auto point = decode(valid, at);
        encode(out, static_cast<char32_t>(::towlower_l(static_cast<wint_t>(point), locale_)));
    }
    return out;
}

}  // namespace understudy::store::sql
