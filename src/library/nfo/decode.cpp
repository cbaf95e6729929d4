// Bytes of any encoding to UTF-8, and the entities that only HTML knows.
#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "core/text.h"
#include "library/naming/text.h"
#include "library/nfo/xml.h"

namespace understudy::library::nfo {
namespace {

struct Entity {
    std::string_view name;
    char32_t sign;
};
// Source: HTML 4.01, section 24, without the four that XML knows. Sorted by name, capitals first.
// clang-format off
constexpr std::array entities = std::to_array<Entity>({
    {"AElig", 0xC6}, {"Aacute", 0xC1}, {"Acirc", 0xC2}, {"Agrave", 0xC0}, {"Alpha", 0x391}, {"Aring", 0xC5},
    {"Atilde", 0xC3}, {"Auml", 0xC4}, {"Beta", 0x392}, {"Ccedil", 0xC7}, {"Chi", 0x3A7}, {"Dagger", 0x2021},
    {"Delta", 0x394}, {"ETH", 0xD0}, {"Eacute", 0xC9}, {"Ecirc", 0xCA}, {"Egrave", 0xC8}, {"Epsilon", 0x395},
    {"Eta", 0x397}, {"Euml", 0xCB}, {"Gamma", 0x393}, {"Iacute", 0xCD}, {"Icirc", 0xCE}, {"Igrave", 0xCC},
    {"Iota", 0x399}, {"Iuml", 0xCF}, {"Kappa", 0x39A}, {"Lambda", 0x39B}, {"Mu", 0x39C}, {"Ntilde", 0xD1},
    {"Nu", 0x39D}, {"OElig", 0x152}, {"Oacute", 0xD3}, {"Ocirc", 0xD4}, {"Ograve", 0xD2}, {"Omega", 0x3A9},
    {"Omicron", 0x39F}, {"Oslash", 0xD8}, {"Otilde", 0xD5}, {"Ouml", 0xD6}, {"Phi", 0x3A6}, {"Pi", 0x3A0},
    {"Prime", 0x2033}, {"Psi", 0x3A8}, {"Rho", 0x3A1}, {"Scaron", 0x160}, {"Sigma", 0x3A3}, {"THORN", 0xDE},
    {"Tau", 0x3A4}, {"Theta", 0x398}, {"Uacute", 0xDA}, {"Ucirc", 0xDB}, {"Ugrave", 0xD9}, {"Upsilon", 0x3A5},
    {"Uuml", 0xDC}, {"Xi", 0x39E}, {"Yacute", 0xDD}, {"Yuml", 0x178}, {"Zeta", 0x396}, {"aacute", 0xE1},
    {"acirc", 0xE2}, {"acute", 0xB4}, {"aelig", 0xE6}, {"agrave", 0xE0}, {"alefsym", 0x2135}, {"alpha", 0x3B1},
    {"and", 0x2227}, {"ang", 0x2220}, {"aring", 0xE5}, {"asymp", 0x2248}, {"atilde", 0xE3}, {"auml", 0xE4},
    {"bdquo", 0x201E}, {"beta", 0x3B2}, {"brvbar", 0xA6}, {"bull", 0x2022}, {"cap", 0x2229}, {"ccedil", 0xE7},
    {"cedil", 0xB8}, {"cent", 0xA2}, {"chi", 0x3C7}, {"circ", 0x2C6}, {"clubs", 0x2663}, {"cong", 0x2245},
    {"copy", 0xA9}, {"crarr", 0x21B5}, {"cup", 0x222A}, {"curren", 0xA4}, {"dArr", 0x21D3}, {"dagger", 0x2020},
    {"darr", 0x2193}, {"deg", 0xB0}, {"delta", 0x3B4}, {"diams", 0x2666}, {"divide", 0xF7}, {"eacute", 0xE9},
    {"ecirc", 0xEA}, {"egrave", 0xE8}, {"empty", 0x2205}, {"emsp", 0x2003}, {"ensp", 0x2002}, {"epsilon", 0x3B5},
    {"equiv", 0x2261}, {"eta", 0x3B7}, {"eth", 0xF0}, {"euml", 0xEB}, {"euro", 0x20AC}, {"exist", 0x2203},
    {"fnof", 0x192}, {"forall", 0x2200}, {"frac12", 0xBD}, {"frac14", 0xBC}, {"frac34", 0xBE}, {"frasl", 0x2044},
    {"gamma", 0x3B3}, {"ge", 0x2265}, {"hArr", 0x21D4}, {"harr", 0x2194}, {"hearts", 0x2665}, {"hellip", 0x2026},
    {"iacute", 0xED}, {"icirc", 0xEE}, {"iexcl", 0xA1}, {"igrave", 0xEC}, {"image", 0x2111}, {"infin", 0x221E},
    {"int", 0x222B}, {"iota", 0x3B9}, {"iquest", 0xBF}, {"isin", 0x2208}, {"iuml", 0xEF}, {"kappa", 0x3BA},
    {"lArr", 0x21D0}, {"lambda", 0x3BB}, {"lang", 0x2329}, {"laquo", 0xAB}, {"larr", 0x2190}, {"lceil", 0x2308},
    {"ldquo", 0x201C}, {"le", 0x2264}, {"lfloor", 0x230A}, {"lowast", 0x2217}, {"loz", 0x25CA}, {"lrm", 0x200E},
    {"lsaquo", 0x2039}, {"lsquo", 0x2018}, {"macr", 0xAF}, {"mdash", 0x2014}, {"micro", 0xB5}, {"middot", 0xB7},
    {"minus", 0x2212}, {"mu", 0x3BC}, {"nabla", 0x2207}, {"nbsp", 0xA0}, {"ndash", 0x2013}, {"ne", 0x2260},
    {"ni", 0x220B}, {"not", 0xAC}, {"notin", 0x2209}, {"nsub", 0x2284}, {"ntilde", 0xF1}, {"nu", 0x3BD},
    {"oacute", 0xF3}, {"ocirc", 0xF4}, {"oelig", 0x153}, {"ograve", 0xF2}, {"oline", 0x203E}, {"omega", 0x3C9},
    {"omicron", 0x3BF}, {"oplus", 0x2295}, {"or", 0x2228}, {"ordf", 0xAA}, {"ordm", 0xBA}, {"oslash", 0xF8},
    {"otilde", 0xF5}, {"otimes", 0x2297}, {"ouml", 0xF6}, {"para", 0xB6}, {"part", 0x2202}, {"permil", 0x2030},
    {"perp", 0x22A5}, {"phi", 0x3C6}, {"pi", 0x3C0}, {"piv", 0x3D6}, {"plusmn", 0xB1}, {"pound", 0xA3},
    {"prime", 0x2032}, {"prod", 0x220F}, {"prop", 0x221D}, {"psi", 0x3C8}, {"rArr", 0x21D2}, {"radic", 0x221A},
    {"rang", 0x232A}, {"raquo", 0xBB}, {"rarr", 0x2192}, {"rceil", 0x2309}, {"rdquo", 0x201D}, {"real", 0x211C},
    {"reg", 0xAE}, {"rfloor", 0x230B}, {"rho", 0x3C1}, {"rlm", 0x200F}, {"rsaquo", 0x203A}, {"rsquo", 0x2019},
    {"sbquo", 0x201A}, {"scaron", 0x161}, {"sdot", 0x22C5}, {"sect", 0xA7}, {"shy", 0xAD}, {"sigma", 0x3C3},
    {"sigmaf", 0x3C2}, {"sim", 0x223C}, {"spades", 0x2660}, {"sub", 0x2282}, {"sube", 0x2286}, {"sum", 0x2211},
    {"sup", 0x2283}, {"sup1", 0xB9}, {"sup2", 0xB2}, {"sup3", 0xB3}, {"supe", 0x2287}, {"szlig", 0xDF},
    {"tau", 0x3C4}, {"there4", 0x2234}, {"theta", 0x3B8}, {"thetasym", 0x3D1}, {"thinsp", 0x2009}, {"thorn", 0xFE},
    {"tilde", 0x2DC}, {"times", 0xD7}, {"trade", 0x2122}, {"uArr", 0x21D1}, {"uacute", 0xFA}, {"uarr", 0x2191},
    {"ucirc", 0xFB}, {"ugrave", 0xF9}, {"uml", 0xA8}, {"upsih", 0x3D2}, {"upsilon", 0x3C5}, {"uuml", 0xFC},
    {"weierp", 0x2118}, {"xi", 0x3BE}, {"yacute", 0xFD}, {"yen", 0xA5}, {"yuml", 0xFF}, {"zeta", 0x3B6},
    {"zwj", 0x200D}, {"zwnj", 0x200C},
});
// clang-format on
static_assert(std::ranges::is_sorted(entities, {}, &Entity::name));

// Windows-1252's 0x80 to 0x9F; what it leaves free is U+FFFD.
constexpr std::array<char32_t, 32> windows_1252{0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
                                                0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

// Charsets that may be asked of iconv: a closed list, because its rarer modules have had faults of their own.
constexpr std::array charsets = std::to_array<std::string_view>(
    {"iso-8859-2",   "iso-8859-3",   "iso-8859-4",   "iso-8859-5",   "iso-8859-6",   "iso-8859-7",
     "iso-8859-8",   "iso-8859-9",   "iso-8859-10",  "iso-8859-13",  "iso-8859-14",  "iso-8859-15",
     "iso-8859-16",  "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255",
     "windows-1256", "windows-1257", "windows-1258", "koi8-r",       "koi8-u",       "shift_jis",
     "euc-jp",       "gb2312",       "gbk",          "big5",         "euc-kr"});

void append(std::string& text, char32_t sign) {
    if (sign > 0x10FFFF || (sign >= 0xD800 && sign <= 0xDFFF)) sign = 0xFFFD;
    if (sign < 0x80) {
        text += static_cast<char>(sign);
    } else if (sign < 0x800) {
        text += static_cast<char>(0xC0 | (sign >> 6));
        text += static_cast<char>(0x80 | (sign & 0x3F));
    } else if (sign < 0x10000) {
        text += static_cast<char>(0xE0 | (sign >> 12));
        text += static_cast<char>(0x80 | ((sign >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (sign & 0x3F));
    } else {
        text += static_cast<char>(0xF0 | (sign >> 18));
        text += static_cast<char>(0x80 | ((sign >> 12) & 0x3F));
        text += static_cast<char>(0x80 | ((sign >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (sign & 0x3F));
    }
}

std::string from_utf16(std::string_view bytes, bool big_endian) {
    std::string text;
    text.reserve(bytes.size());
    const auto unit = [&](std::size_t at) {
        const auto a = static_cast<unsigned char>(bytes[at]), b = static_cast<unsigned char>(bytes[at + 1]);
        return static_cast<char32_t>(big_endian ? a << 8 | b : b << 8 | a);
    };
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
        const auto first = unit(at);
        if (first >= 0xD800 && first <= 0xDBFF && at + 3 < bytes.size()) {
            if (const auto second = unit(at + 2); second >= 0xDC00 && second <= 0xDFFF) {
                append(text, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
                at += 2;
                continue;
            }
        }
        append(text, first);
    }
    return text;
}

void append_1252(std::string& text, char byte) {
    const auto value = static_cast<unsigned char>(byte);
    append(text, value >= 0x80 && value < 0xA0 ? windows_1252[value - 0x80U] : value);
}

std::string declared_encoding(std::string_view bytes) {
    const auto head = bytes.substr(0, 200);
    const auto end = head.find("?>");
    const auto at = head.find("encoding");
    if (!core::trim(head).starts_with("<?xml") || end == std::string_view::npos || at > end) return {};
    const auto open = head.find_first_of("\"'", at);
    if (open == std::string_view::npos || open > end) return {};
    const auto close = head.find(head[open], open + 1);
    return close == std::string_view::npos || close > end
               ? std::string{}
               : core::to_lower_ascii(head.substr(open + 1, close - open - 1));
}

bool convert(std::string_view bytes, const std::string& charset, std::string& text) {
    const iconv_t handle = iconv_open("UTF-8", charset.c_str());
    if (handle == reinterpret_cast<iconv_t>(-1)) return false;  // NOLINT: as iconv says it
    std::string source(bytes);
    char* in = source.data();
    std::size_t left = source.size();
    std::array<char, 4096> buffer{};
    while (left > 0) {
        char* out = buffer.data();
        std::size_t room = buffer.size();
        const auto done = iconv(handle, &in, &left, &out, &room);
        text.append(buffer.data(), buffer.size() - room);
        if (done != static_cast<std::size_t>(-1) || errno == E2BIG) continue;
        if (left == 0) break;
        text += "\xEF\xBF\xBD";
        ++in;
        --left;
    }
    iconv_close(handle);
    return true;
}

}  // namespace

std::string decode_text(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    if (bytes.starts_with("\xFF\xFE")) return from_utf16(bytes.substr(2), false);
    if (bytes.starts_with("\xFE\xFF")) return from_utf16(bytes.substr(2), true);
    if (bytes.size() >= 4 && bytes[0] == '<' && bytes[1] == '\0' && bytes[2] != '\0' && bytes[3] == '\0')
        return from_utf16(bytes, false);
    if (bytes.size() >= 4 && bytes[0] == '\0' && bytes[1] == '<' && bytes[2] == '\0' && bytes[3] != '\0')
        return from_utf16(bytes, true);

    // Many tools declare one encoding and write UTF-8; what is valid UTF-8 is that, whatever was declared.
    bool all_valid = true;
    std::string mixed;
    mixed.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const auto length = naming::utf8_length(bytes, at);
        if (length > 0) {
            mixed.append(bytes, at, length);
            at += length;
        } else {
            all_valid = false;
            append_1252(mixed, bytes[at++]);
        }
    }
    if (all_valid) return mixed;
    const auto declared = declared_encoding(bytes);
    if (std::ranges::find(charsets, std::string_view(declared)) != charsets.end()) {
        std::string text;
        if (convert(bytes, declared, text)) return text;
    }
    if (declared.empty() || declared == "utf-8" || declared == "utf8") return mixed;
    std::string text;
    for (const char byte : bytes) append_1252(text, byte);
    return text;
}

std::string replace_html_entities(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto at = text.find('&');
        result += text.substr(0, at);
        if (at == std::string_view::npos) break;
        text.remove_prefix(at);
        constexpr std::size_t longest_name = 8;  // thetasym
        const auto end = text.substr(0, longest_name + 2).find(';');
        const auto name = end == std::string_view::npos ? std::string_view{} : text.substr(1, end - 1);
        const auto found = std::ranges::lower_bound(entities, name, {}, &Entity::name);
        if (!name.empty() && found != entities.end() && found->name == name) {
            append(result, found->sign);
            text.remove_prefix(end + 1);
        } else {
            result += '&';
            text.remove_prefix(1);
        }
    }
    return result;
}

}  // namespace understudy::library::nfo
