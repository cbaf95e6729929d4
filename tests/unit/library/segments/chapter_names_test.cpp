#include "library/segments/chapter_names.h"

#include <gtest/gtest.h>

namespace understudy::library::segments {
namespace {

using namespace std::chrono_literals;
using enum SegmentKind;

TEST(ChapterNames, say_their_kind_in_many_languages) {
    struct Row {
        const char* name;
        SegmentKind kind;
    };
    constexpr Row rows[] = {
        {"Intro", intro},
        {"INTRO", intro},
        {"Opening", intro},
        {"Opening Credits", intro},
        {"OP", intro},
        {"NCOP", intro},
        {"Recap", recap},
        {"Previously On", recap},
        {"Previously on...", recap},
        {"Credits", outro},
        {"End Credits", outro},
        {"Outro", outro},
        {"ED", outro},
        {"Ending", outro},
        {"Preview", preview},
        {"Next Episode", preview},
        {"Next time on", preview},
        {"Commercial", commercial},
        {"Commercials", commercial},
        {"Ad Break", commercial},
        {"Title Sequence", intro},
        // numbers and decoration
        {"03 - Opening", intro},
        {"Chapter 2: Credits", outro},
        {"Credits 2", outro},
        {"[Intro]", intro},
        {"  intro  ", intro},
        {"Kapitel 5 - Abspann", outro},
        {"OP1", intro},
        {"ED2", outro},
        {"Intro Start", intro},
        {"Opening_Theme", intro},
        // German
        {"Vorspann", intro},
        {"Was bisher geschah", recap},
        {"Rückblick", recap},
        {"Ru\xCC\x88"
         "ckblick",
         recap},
        {"Abspann", outro},
        {"Vorschau", preview},
        {"Nächste Folge", preview},
        {"Werbung", commercial},
        // French
        {"Générique", intro},
        {"GÉNÉRIQUE DE DÉBUT", intro},
        {"Ge\xCC\x81ne\xCC\x81rique", intro},
        {"Précédemment", recap},
        {"Générique de fin", outro},
        {"Prochain épisode", preview},
        {"Aperçu", preview},
        {"Publicité", commercial},
        // Spanish
        {"Introducción", intro},
        {"Cabecera", intro},
        {"Resumen", recap},
        {"Anteriormente en", recap},
        {"Créditos", outro},
        {"Créditos finales", outro},
        {"Avance", preview},
        {"En el próximo episodio", preview},
        {"Publicidad", commercial},
        // Italian
        {"Sigla", intro},
        {"Titoli di testa", intro},
        {"Riassunto", recap},
        {"Negli episodi precedenti", recap},
        {"Titoli di coda", outro},
        {"Sigla finale", outro},
        {"Anteprima", preview},
        {"Prossimamente", preview},
        {"Pubblicità", commercial},
        // Portuguese
        {"Abertura", intro},
        {"Introdução", intro},
        {"Nos episódios anteriores", recap},
        {"Encerramento", outro},
        {"Créditos", outro},
        {"Cenas do próximo episódio", preview},
        {"Intervalo comercial", commercial},
        // Dutch
        {"Begintune", intro},
        {"Inleiding", intro},
        {"Wat voorafging", recap},
        {"Samenvatting", recap},
        {"Aftiteling", outro},
        {"Vooruitblik", preview},
        {"Volgende aflevering", preview},
        {"Reclame", commercial},
        // Polish
        {"Czołówka", intro},
        {"Wstęp", intro},
        {"W poprzednich odcinkach", recap},
        {"Napisy końcowe", outro},
        {"Tyłówka", outro},
        {"Zapowiedź", preview},
        {"W następnym odcinku", preview},
        {"Reklamy", commercial},
        // Russian
        {"Заставка", intro},
        {"ОПЕНИНГ", intro},
        {"Вступление", intro},
        {"В предыдущих сериях", recap},
        {"В предыдущей серии", recap},
        {"Титры", outro},
        {"Эндинг", outro},
        {"Анонс", preview},
        {"В следующей серии", preview},
        {"Реклама", commercial},
        // Japanese
        {"オープニング", intro},
        {"ＯＰ", intro},
        {"前回のあらすじ", recap},
        {"エンディング", outro},
        {"スタッフロール", outro},
        {"次回予告", preview},
        {"CM", commercial},
        // Chinese
        {"片头", intro},
        {"片頭曲", intro},
        {"前情提要", recap},
        {"片尾", outro},
        {"片尾曲", outro},
        {"下集预告", preview},
        {"广告", commercial},
    };
    for (const auto& row : rows) {
        const auto kind = kind_of_chapter(row.name);
        ASSERT_TRUE(kind) << row.name;
        EXPECT_EQ(*kind, row.kind) << row.name;
    }
}

TEST(ChapterNames, titles_of_content_are_no_segments) {
    for (const char* name : {"",
                             " ",
                             "Chapter 1",
                             "Chapter 12",
                             "00:05:00.000",
                             "Introduction to Chemistry",
                             "Introducing Selma",
                             "The Opening",
                             "Opening Night",
                             "The Credits Roll",
                             "Credit Card Fraud",
                             "Adam",
                             "Ed Wood",
                             "Ed's House",
                             "Operation",
                             "Opus",
                             "Intro End",
                             "Opening End",
                             "Happy Ending",
                             "The Ending Explained",
                             "Commercial Airliner",
                             "Preview Screening",
                             "Recapture",
                             "Previously Owned",
                             "Next Door",
                             "Next",
                             "Last Time I Saw Paris",
                             "Advent",
                             "Sponsor a Child",
                             "Titles and Deeds",
                             "Résumé",
                             "Resume",
                             "Prologue",
                             "Epilogue",
                             "Teaser",
                             "Cold Open",
                             "Part A",
                             "Part B",
                             "Finale",
                             "Fin",
                             "Vorspanner",
                             "Werbungskosten",
                             "Abspannseil",
                             "Générique Médicaments",
                             "Titre",
                             "Reklamacja",
                             "Титры и люди",
                             "Начало",
                             "オープニングアクト",
                             "Aパート",
                             "本編",
                             "片头人物",
                             "The Theme Park",
                             "Scene 4",
                             "4",
                             "Ads of Mars"})
        EXPECT_FALSE(kind_of_chapter(name)) << name;
}

TEST(ChapterNames, broken_text_is_no_segment_and_no_crash) {
    for (const std::string& name :
         {std::string("\xFF\xFE\xC3"), std::string("Intr\xF0"), std::string(100'000, 'a'), std::string("intro\0x", 7)})
        EXPECT_FALSE(kind_of_chapter(name));
    EXPECT_EQ(kind_of_chapter("Intro\xFF"), intro);
}

TEST(ChapterNames, a_chapter_ends_where_the_next_begins) {
    const std::vector<NamedChapter> chapters{
        {0ms, "Recap"}, {40s, "Opening"}, {130s, "Part A"}, {1200s, "Ending"}, {1290s, "Preview"}};
    const std::vector<Segment> wanted{
        {recap, 0ms, 40s}, {intro, 40s, 130s}, {outro, 1200s, 1290s}, {preview, 1290s, 1320s}};
    EXPECT_EQ(segments_from_chapters(chapters, 1320s), wanted);
}

TEST(ChapterNames, length_and_place_must_fit_the_name) {
    struct Row {
        const char* why;
        std::vector<NamedChapter> chapters;
    };
    const Row rows[] = {
        {"the first scene of a film", {{0ms, "Opening"}, {560s, "Two"}}},
        {"a talk's introduction", {{0ms, "Introduction"}, {200s, "Two"}}},
        {"an intro of an hour", {{0ms, "Intro"}, {3600s, "Two"}}},
        {"credits at the start", {{0ms, "Credits"}, {60s, "Film"}}},
        {"the last scene of a film", {{0ms, "Film"}, {6000s, "Ending"}}},
        {"a mark without a length", {{100s, "Intro"}, {101s, "Two"}}},
        {"a recap at the end", {{0ms, "Film"}, {7000s, "Recap"}}},
        {"beyond the runtime", {{8000s, "Credits"}}},
    };
    for (const auto& row : rows) EXPECT_TRUE(segments_from_chapters(row.chapters, 7200s).empty()) << row.why;
    const std::vector<NamedChapter> credits{{0ms, "Film"}, {6600s, "End Credits"}};
    EXPECT_EQ(segments_from_chapters(credits, 7200s).size(), 1u);
    EXPECT_TRUE(segments_from_chapters(credits, 0ms).empty()) << "no runtime, no end";
}

TEST(SegmentCheck, refuses_what_makes_no_sense_and_keeps_the_rest) {
    const auto checked = check({{outro, 1200s, 1400s},
                                {intro, 0ms, 0ms},
                                {intro, 60s, 30s},
                                {intro, 30s, 90s},
                                {recap, -5s, 10s},
                                {preview, 1400s, 1500s},
                                {intro, 30s, 90s}},
                               1320s);
    const std::vector<Segment> wanted{{intro, 30s, 90s}, {outro, 1200s, 1320s}};
    EXPECT_EQ(checked.segments, wanted);
    ASSERT_EQ(checked.refused.size(), 4u);
    EXPECT_EQ(checked.refused[1], "intro from 60.000 s to 30.000 s: ends before it begins");
    EXPECT_EQ(check({{outro, 5s, 1400s}}, 0ms).segments.size(), 1u) << "an unknown runtime cuts nothing";
}

}  // namespace
}  // namespace understudy::library::segments
