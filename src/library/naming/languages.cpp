#include "library/naming/languages.h"

#include <array>

#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

struct Language {
    std::string_view two;    // ISO 639-1
    std::string_view three;  // ISO 639-2/B
    std::string_view other;  // ISO 639-2/T where it differs
    std::string_view names;  // in English, its own, and what neighbours call it; single words
};
// Source: ISO 639-1 with the 639-2 codes of the Library of Congress, and a few that have three letters only.
// clang-format off
constexpr std::array languages = std::to_array<Language>({
    {"aa", "aar", "", "Afar"},
    {"ab", "abk", "", "Abkhazian"},
    {"ae", "ave", "", "Avestan"},
    {"af", "afr", "", "Afrikaans"},
    {"ak", "aka", "", "Akan"},
    {"am", "amh", "", "Amharic"},
    {"an", "arg", "", "Aragonese"},
    {"ar", "ara", "", "Arabic العربية"},
    {"as", "asm", "", "Assamese"},
    {"av", "ava", "", "Avaric"},
    {"ay", "aym", "", "Aymara"},
    {"az", "aze", "", "Azerbaijani"},
    {"ba", "bak", "", "Bashkir"},
    {"be", "bel", "", "Belarusian"},
    {"bg", "bul", "", "Bulgarian Български"},
    {"bh", "bih", "", "Bihari"},
    {"bi", "bis", "", "Bislama"},
    {"bm", "bam", "", "Bambara"},
    {"bn", "ben", "", "Bengali Bangla"},
    {"bo", "tib", "bod", "Tibetan"},
    {"br", "bre", "", "Breton"},
    {"bs", "bos", "", "Bosnian Bosanski"},
    {"ca", "cat", "", "Catalan Català Catala Valencian"},
    {"ce", "che", "", "Chechen"},
    {"ch", "cha", "", "Chamorro"},
    {"co", "cos", "", "Corsican"},
    {"cr", "cre", "", "Cree"},
    {"cs", "cze", "ces", "Czech Čeština Cesky Česky"},
    {"cu", "chu", "", ""},
    {"cv", "chv", "", "Chuvash"},
    {"cy", "wel", "cym", "Welsh Cymraeg"},
    {"da", "dan", "", "Danish Dansk"},
    {"de", "ger", "deu", "German Deutsch Allemand Alemán Tedesco"},
    {"dv", "div", "", "Maldivian Dhivehi"},
    {"dz", "dzo", "", "Dzongkha"},
    {"ee", "ewe", "", "Ewe"},
    {"el", "gre", "ell", "Greek Ελληνικά"},
    {"en", "eng", "", "English Englisch Anglais Inglés Ingles Inglese Inglês"},
    {"eo", "epo", "", "Esperanto"},
    {"es", "spa", "", "Spanish Español Espanol Castellano Castilian Spanisch Espagnol Spagnolo"},
    {"et", "est", "", "Estonian Eesti"},
    {"eu", "baq", "eus", "Basque Euskara"},
    {"fa", "per", "fas", "Persian Farsi فارسی"},
    {"ff", "ful", "", "Fulah"},
    {"fi", "fin", "", "Finnish Suomi"},
    {"fj", "fij", "", "Fijian"},
    {"fo", "fao", "", "Faroese"},
    {"fr", "fre", "fra", "French Français Francais Französisch Francés Francese"},
    {"fy", "fry", "", "Frisian"},
    {"ga", "gle", "", "Irish Gaeilge"},
    {"gd", "gla", "", "Gaelic"},
    {"gl", "glg", "", "Galician Galego"},
    {"gn", "grn", "", "Guarani"},
    {"gu", "guj", "", "Gujarati"},
    {"gv", "glv", "", "Manx"},
    {"ha", "hau", "", "Hausa"},
    {"he", "heb", "", "Hebrew עברית"},
    {"hi", "hin", "", "Hindi हिन्दी"},
    {"ho", "hmo", "", ""},
    {"hr", "hrv", "", "Croatian Hrvatski"},
    {"ht", "hat", "", "Haitian"},
    {"hu", "hun", "", "Hungarian Magyar"},
    {"hy", "arm", "hye", "Armenian"},
    {"hz", "her", "", "Herero"},
    {"ia", "ina", "", "Interlingua"},
    {"id", "ind", "", "Indonesian"},
    {"ie", "ile", "", "Interlingue"},
    {"ig", "ibo", "", "Igbo"},
    {"ii", "iii", "", ""},
    {"ik", "ipk", "", "Inupiaq"},
    {"io", "ido", "", ""},
    {"is", "ice", "isl", "Icelandic Íslenska"},
    {"it", "ita", "", "Italian Italiano Italienisch Italien"},
    {"iu", "iku", "", "Inuktitut"},
    {"ja", "jpn", "", "Japanese 日本語 Japanisch"},
    {"jv", "jav", "", "Javanese"},
    {"ka", "geo", "kat", "Georgian"},
    {"kg", "kon", "", "Kongo"},
    {"ki", "kik", "", "Kikuyu"},
    {"kj", "kua", "", ""},
    {"kk", "kaz", "", "Kazakh"},
    {"kl", "kal", "", "Greenlandic"},
    {"km", "khm", "", "Khmer"},
    {"kn", "kan", "", "Kannada"},
    {"ko", "kor", "", "Korean 한국어"},
    {"kr", "kau", "", "Kanuri"},
    {"ks", "kas", "", "Kashmiri"},
    {"ku", "kur", "", "Kurdish"},
    {"kv", "kom", "", "Komi"},
    {"kw", "cor", "", "Cornish"},
    {"ky", "kir", "", "Kyrgyz"},
    {"la", "lat", "", "Latin"},
    {"lb", "ltz", "", "Luxembourgish"},
    {"lg", "lug", "", "Ganda"},
    {"li", "lim", "", "Limburgish"},
    {"ln", "lin", "", "Lingala"},
    {"lo", "lao", "", "Lao"},
    {"lt", "lit", "", "Lithuanian Lietuvių"},
    {"lu", "lub", "", ""},
    {"lv", "lav", "", "Latvian Latviešu"},
    {"mg", "mlg", "", "Malagasy"},
    {"mh", "mah", "", "Marshallese"},
    {"mi", "mao", "mri", "Maori Māori"},
    {"mk", "mac", "mkd", "Macedonian"},
    {"ml", "mal", "", "Malayalam"},
    {"mn", "mon", "", "Mongolian"},
    {"mr", "mar", "", "Marathi"},
    {"ms", "may", "msa", "Malay"},
    {"mt", "mlt", "", "Maltese"},
    {"my", "bur", "mya", "Burmese"},
    {"na", "nau", "", "Nauru"},
    {"nb", "nob", "", "Bokmål Bokmal"},
    {"nd", "nde", "", ""},
    {"ne", "nep", "", "Nepali"},
    {"ng", "ndo", "", "Ndonga"},
    {"nl", "dut", "nld", "Dutch Nederlands Flemish Niederländisch"},
    {"nn", "nno", "", "Nynorsk"},
    {"no", "nor", "", "Norwegian Norsk"},
    {"nr", "nbl", "", ""},
    {"nv", "nav", "", "Navajo"},
    {"ny", "nya", "", "Chichewa"},
    {"oc", "oci", "", "Occitan"},
    {"oj", "oji", "", "Ojibwa"},
    {"om", "orm", "", "Oromo"},
    {"or", "ori", "", "Oriya Odia"},
    {"os", "oss", "", "Ossetian"},
    {"pa", "pan", "", "Punjabi Panjabi"},
    {"pi", "pli", "", "Pali"},
    {"pl", "pol", "", "Polish Polski"},
    {"ps", "pus", "", "Pashto"},
    {"pt", "por", "", "Portuguese Português Portugues Brazilian Portugiesisch"},
    {"qu", "que", "", "Quechua"},
    {"rm", "roh", "", "Romansh"},
    {"rn", "run", "", "Rundi"},
    {"ro", "rum", "ron", "Romanian Română Romana"},
    {"ru", "rus", "", "Russian Русский Russisch"},
    {"rw", "kin", "", "Kinyarwanda"},
    {"sa", "san", "", "Sanskrit"},
    {"sc", "srd", "", "Sardinian"},
    {"sd", "snd", "", "Sindhi"},
    {"se", "sme", "", ""},
    {"sg", "sag", "", "Sango"},
    {"si", "sin", "", "Sinhala Sinhalese"},
    {"sk", "slo", "slk", "Slovak Slovenčina"},
    {"sl", "slv", "", "Slovenian Slovene Slovenščina"},
    {"sm", "smo", "", "Samoan"},
    {"sn", "sna", "", "Shona"},
    {"so", "som", "", "Somali"},
    {"sq", "alb", "sqi", "Albanian Shqip"},
    {"sr", "srp", "", "Serbian Srpski"},
    {"ss", "ssw", "", "Swati"},
    {"st", "sot", "", "Sotho"},
    {"su", "sun", "", "Sundanese"},
    {"sv", "swe", "", "Swedish Svenska Schwedisch"},
    {"sw", "swa", "", "Swahili"},
    {"ta", "tam", "", "Tamil"},
    {"te", "tel", "", "Telugu"},
    {"tg", "tgk", "", "Tajik"},
    {"th", "tha", "", "Thai ไทย"},
    {"ti", "tir", "", "Tigrinya"},
    {"tk", "tuk", "", "Turkmen"},
    {"tl", "tgl", "", "Tagalog"},
    {"tn", "tsn", "", "Tswana"},
    {"to", "ton", "", "Tonga"},
    {"tr", "tur", "", "Turkish Türkçe Turkce"},
    {"ts", "tso", "", "Tsonga"},
    {"tt", "tat", "", "Tatar"},
    {"tw", "twi", "", "Twi"},
    {"ty", "tah", "", "Tahitian"},
    {"ug", "uig", "", "Uyghur"},
    {"uk", "ukr", "", "Ukrainian Українська"},
    {"ur", "urd", "", "Urdu"},
    {"uz", "uzb", "", "Uzbek"},
    {"ve", "ven", "", "Venda"},
    {"vi", "vie", "", "Vietnamese"},
    {"vo", "vol", "", ""},
    {"wa", "wln", "", "Walloon"},
    {"wo", "wol", "", "Wolof"},
    {"xh", "xho", "", "Xhosa"},
    {"yi", "yid", "", "Yiddish"},
    {"yo", "yor", "", "Yoruba"},
    {"za", "zha", "", "Zhuang"},
    {"zh", "chi", "zho", "Chinese 中文 Mandarin Chinesisch Chinois"},
    {"zu", "zul", "", "Zulu"},
    {"", "fil", "", "Filipino"},
    {"", "yue", "", "Cantonese"},
    {"", "cmn", "", ""},
    {"", "und", "", "Undetermined"},
    {"", "mul", "", ""},
    {"", "zxx", "", ""},
    {"", "mis", "", ""},
});
// clang-format on

bool among(std::string_view names, std::string_view name) noexcept {
    while (!names.empty()) {
        const auto space = names.find(' ');
        const auto one = names.substr(0, space);
        if (equal_ignoring_case(one, name)) return true;
        names = space == std::string_view::npos ? std::string_view{} : names.substr(space + 1);
    }
    return false;
}

}  // namespace

std::string_view language_code(std::string_view text) noexcept {
    if (text.size() < 2 || text.find(' ') != std::string_view::npos) return {};
    for (const auto& language : languages) {
        const bool code = text.size() == 2 ? equal_ignoring_case(text, language.two)
                          : text.size() == 3
                              ? equal_ignoring_case(text, language.three) || equal_ignoring_case(text, language.other)
                              : false;
        if (code) return language.three;
    }
    for (const auto& language : languages) {
        if (text.size() > 2 && among(language.names, text)) return language.three;
    }
    return {};
}

}  // namespace understudy::library::naming
