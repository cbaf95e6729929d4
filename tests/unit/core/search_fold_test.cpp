// What a search takes for the same.
#include "core/search_fold.h"

#include <gtest/gtest.h>

#include "core/bounded_text.h"
#include "core/case_folder.h"

namespace understudy::core {
namespace {

TEST(SearchFold, knows_no_case_and_no_accents) {
    const std::pair<const char*, const char*> same[] = {{"Amélie", "amelie"},
                                                        {"AMÉLIE", "amelie"},
                                                        {"Ame\xCC\x81lie", "amelie"},
                                                        {"Über", "uber"},
                                                        {"Straße", "strasse"},
                                                        {"STRAẞE", "strasse"},
                                                        {"STRASSE", "strasse"},
                                                        {"Łódź", "lodz"},
                                                        {"Ærø", "aero"},
                                                        {"Œuvre", "oeuvre"},
                                                        {"Þór Ðjúp", "thor djup"},
                                                        {"İstanbul", "istanbul"},
                                                        {"ısı", "isi"},
                                                        {"Ångström", "angstrom"},
                                                        {"ŠĐĦŊŦ", "sdhnt"},
                                                        {"Việt Nam", "viet nam"},
                                                        {"Ocean’s “8” – Zwölf", "ocean's \"8\" - zwolf"},
                                                        {"ﬁn…", "fin..."},
                                                        {"Ⅳ", "iv"},
                                                        {"Ελλάδα Ὀδυσσεύς", "ελλαδα οδυσσευσ"},
                                                        {"Ёлка й Україна", "елка и украіна"},
                                                        {"שָׁלוֹם", "שלום"},
                                                        {"كِتَاب", "كتاب"},
                                                        {"A\xC2\xAD"
                                                         "B",
                                                         "ab"},
                                                        {"", ""}};
    for (const auto& [written, folded] : same) {
        EXPECT_EQ(search_fold(written), folded) << written;
        EXPECT_EQ(search_fold(search_fold(written)), folded) << written;
        EXPECT_EQ(search_fold(CaseFolder().name_key(written)), folded) << "of a key without case: " << written;
    }
}

TEST(SearchFold, leaves_what_is_no_accent) {
    EXPECT_EQ(search_fold("がんばれ"), "がんばれ");
    EXPECT_EQ(search_fold("हिन्दी"), "हिन्दी");
    EXPECT_EQ(search_fold("ภาษาไทย"), "ภาษาไทย");
    EXPECT_EQ(search_fold("한국어"), "한국어");
    EXPECT_EQ(search_fold("電影 Ａｂ"), "電影 ab");
    EXPECT_NE(search_fold("か"), search_fold("が"));
}

TEST(SearchFold, makes_valid_text_of_anything) {
    EXPECT_EQ(search_fold("\xFFÉ\xC3"), "\xEF\xBF\xBD" + std::string("e") + "\xEF\xBF\xBD");
    EXPECT_EQ(search_fold(std::string_view("a\0É", 4)), "ae");
    EXPECT_EQ(search_fold("\xCC\x81"), "") << "a mark alone";
}

TEST(SearchFold, is_no_longer_than_a_key_may_be) {
    const auto longest = std::string(longest_key, 'a');
    EXPECT_EQ(search_fold(longest), longest);
    EXPECT_EQ(search_fold(longest + "b"), longest);
    std::string accents, kana, ligatures;
    for (int i = 0; i < 1'000; ++i) {
        accents += "é";
        kana += "が";
        ligatures += "ﷺ";  // 18 letters each
    }
    EXPECT_EQ(search_fold(accents), std::string(longest_key, 'e'));
    EXPECT_EQ(search_fold(kana).size(), longest_key - longest_key % 3) << "cut between characters";
    for (const auto& text : {accents, kana, ligatures, std::string(100'000, '\x80'), std::string(9'000, '\xCC')}) {
        const auto folded = search_fold(text);
        EXPECT_LE(folded.size(), longest_key);
        EXPECT_EQ(search_fold(folded), folded);
        EXPECT_LE(CaseFolder().name_key(text).size(), longest_key);
        EXPECT_EQ(CaseFolder().name_key(CaseFolder().name_key(text)), CaseFolder().name_key(text));
    }
}

}  // namespace
}  // namespace understudy::core
