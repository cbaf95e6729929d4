// Pictures, subtitles and sound that lie beside media files: which they are and whose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "library/naming/external_streams.h"
#include "library/naming/images.h"
#include "library/naming/languages.h"

namespace understudy::library::naming {
namespace {

using model::ItemKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Names = std::vector<std::string_view>;

std::vector<std::string> images(const ImageOwner& owner, const Names& names) {
    std::vector<std::string> found;
    for (const auto& image : find_images(owner, names))
        found.push_back(std::string(model::to_string(image.kind)) + " " + image.name);
    return found;
}

TEST(Images, of_a_film_in_its_own_folder) {
    EXPECT_THAT(images({ItemKind::movie, "A (2001)", true, {}},
                       {"poster.jpg", "folder.jpg", "fanart.JPG", "fanart2.jpg", "fanart10.jpg", "clearlogo.png",
                        "logo.png", "clearart.png", "banner.jpg", "landscape.jpg", "thumb.jpg", "disc.png",
                        "A (2001).mkv", "poster.txt", "poster2.jpg", "notes.jpg"}),
                ElementsAre("Primary poster.jpg", "Backdrop fanart.JPG", "Backdrop fanart2.jpg",
                            "Backdrop fanart10.jpg", "Logo clearlogo.png", "Art clearart.png", "Banner banner.jpg",
                            "Thumb landscape.jpg", "Disc disc.png"));
    EXPECT_THAT(images({ItemKind::movie, "A (2001)", true, {}}, {"poster.jpg", "A (2001)-poster.jpg", "A (2001).jpg"}),
                ElementsAre("Primary A (2001)-poster.jpg"))
        << "its own name wins";
    for (const auto* name : {"poster.jpg", "cover.png", "folder.webp", "default.jpeg", "movie.tbn", "A (2001).jpg"}) {
        EXPECT_THAT(images({ItemKind::movie, "A (2001)", true, {}}, {name}),
                    ElementsAre(std::string("Primary ") + name));
    }
    for (const auto* name : {"fanart.jpg", "backdrop.jpg", "background.jpg", "art.jpg", "backdrop-1.jpg"}) {
        EXPECT_THAT(images({ItemKind::movie, "A (2001)", true, {}}, {name}),
                    ElementsAre(std::string("Backdrop ") + name));
    }
}

TEST(Images, that_no_client_is_sent_are_none) {
    EXPECT_THAT(images({ItemKind::movie, "A (2001)", true, {}},
                       {"poster.svg", "A (2001).SVG", "fanart.heic", "fanart.psd", "logo.svgz", "banner.pdf"}),
                IsEmpty());
    EXPECT_FALSE(is_image("poster.svg"));
}

TEST(Images, of_a_film_among_others_are_only_those_named_after_it) {
    EXPECT_THAT(images({ItemKind::movie, "A (2001)", false, {}}, {"poster.jpg", "A (2001)-fanart.jpg", "A (2001).png",
                                                                  "A (2001) 2-poster.jpg", "B (2002)-poster.jpg"}),
                UnorderedElementsAre("Primary A (2001).png", "Backdrop A (2001)-fanart.jpg"));
}

TEST(Images, of_series_seasons_and_episodes) {
    const Names series{"poster.jpg",
                       "season01-poster.jpg",
                       "season1-fanart.jpg",
                       "season10-poster.jpg",
                       "Season02.jpg",
                       "season-specials-poster.jpg",
                       "season-specials-banner.jpg",
                       "season-all-poster.jpg",
                       "season00-landscape.jpg"};
    EXPECT_THAT(images({ItemKind::series, {}, true, {}}, series), ElementsAre("Primary poster.jpg"));
    EXPECT_THAT(images({ItemKind::season, {}, false, 1}, series),
                ElementsAre("Primary season01-poster.jpg", "Backdrop season1-fanart.jpg"));
    EXPECT_THAT(images({ItemKind::season, {}, false, 2}, series), ElementsAre("Primary Season02.jpg"));
    EXPECT_THAT(images({ItemKind::season, {}, false, 0}, series),
                ElementsAre("Primary season-specials-poster.jpg", "Banner season-specials-banner.jpg",
                            "Thumb season00-landscape.jpg"));
    EXPECT_THAT(images({ItemKind::episode, "S01E01", false, {}},
                       {"S01E01-thumb.jpg", "S01E01.jpg", "S01E02-thumb.jpg", "folder.jpg"}),
                ElementsAre("Primary S01E01-thumb.jpg"));
    EXPECT_THAT(images({ItemKind::album, {}, true, {}}, {"cover.jpg", "cdart.png", "AlbumArt.jpg"}),
                ElementsAre("Primary cover.jpg", "Disc cdart.png"));
}

TEST(Images, of_actors_and_extra_fanart) {
    const auto actors = find_actor_images(Names{"Keanu_Reeves.jpg", "Ren\xE9.png", "notes.txt", ".jpg", "_.jpg"});
    ASSERT_EQ(actors.size(), 2U);
    EXPECT_EQ(actors[0].actor, "Keanu Reeves");
    EXPECT_EQ(actors[1].actor, "Ren\xEF\xBF\xBD");
    EXPECT_EQ(actors[1].name, "Ren\xE9.png");
    const auto fanart = find_extra_fanart(Names{"fanart10.jpg", "fanart9.jpg", "x.nfo"});
    ASSERT_EQ(fanart.size(), 2U);
    EXPECT_EQ(fanart[0].name, "fanart9.jpg");
}

TEST(Languages, are_known_by_code_and_name) {
    for (const auto* text : {"de", "DE", "ger", "deu", "German", "Deutsch", "deutsch"}) {
        EXPECT_EQ(language_code(text), "ger") << text;
    }
    EXPECT_EQ(language_code("zh"), "chi");
    EXPECT_EQ(language_code("zho"), "chi");
    EXPECT_EQ(language_code("日本語"), "jpn");
    EXPECT_EQ(language_code("fil"), "fil");
    for (const auto* text : {"", "d", "xx", "qqq", "Film", "ge"}) EXPECT_EQ(language_code(text), "") << text;
}

TEST(ExternalStreams, give_language_flags_and_title) {
    struct Row {
        const char* name;
        const char* language;
        const char* region;
        const char* flags;  ///< d default, f forced, h hearing impaired, c commentary
        const char* title;
    };
    constexpr Row rows[] = {
        {"Film.srt", "", "", "", ""},
        {"Film.de.srt", "ger", "", "", ""},
        {"Film.ger.SRT", "ger", "", "", ""},
        {"Film.deu.srt", "ger", "", "", ""},
        {"Film.German.srt", "ger", "", "", ""},
        {"Film.de.forced.srt", "ger", "", "f", ""},
        {"Film.forced.de.srt", "ger", "", "f", ""},
        {"Film.en.sdh.ass", "eng", "", "h", ""},
        {"Film.en.cc.srt", "eng", "", "h", ""},
        {"Film.en.hi.srt", "eng", "", "h", ""},
        {"Film.hi.srt", "hin", "", "", ""},
        {"Film.hi.hi.srt", "hin", "", "h", ""},
        {"Film.pt-BR.default.vtt", "por", "BR", "d", ""},
        {"Film.zh-Hans.srt", "chi", "Hans", "", ""},
        {"Film.es-419.srt", "spa", "419", "", ""},
        {"Film.en_US.srt", "eng", "US", "", ""},
        {"Film.commentary.en.mka", "eng", "", "c", ""},
        {"Film.Director's Commentary.en.srt", "eng", "", "c", "Director's Commentary"},
        {"Film.en-forced.srt", "eng", "", "f", ""},
        {"Film.English [SDH].srt", "eng", "", "h", ""},
        {"Film.Signs and Songs.en.ass", "eng", "", "", "Signs and Songs"},
        {"Film_en.srt", "eng", "", "", ""},
        {"Film-en.srt", "eng", "", "", ""},
        {"Film.en.de.srt", "ger", "", "", "en"},
        {"Film.The Italian Cut.srt", "", "", "", "The Italian Cut"},
        {"Film.x\xE9.en.srt", "eng", "", "", "x\xEF\xBF\xBD"},
        {"Film..srt", "", "", "", ""},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        const auto found = external_streams("Film", {}, Names{row.name}, false);
        ASSERT_EQ(found.size(), 1U);
        const auto& one = found.front();
        EXPECT_EQ(one.language, row.language);
        EXPECT_EQ(one.region, row.region);
        EXPECT_EQ(one.title, row.title);
        std::string flags;
        if (one.is_default) flags += 'd';
        if (one.is_forced) flags += 'f';
        if (one.is_hearing_impaired) flags += 'h';
        if (one.is_commentary) flags += 'c';
        EXPECT_EQ(flags, row.flags);
    }
}

TEST(ExternalStreams, belong_to_the_video_with_the_longest_matching_name) {
    const Names names{"Film.en.srt", "Film 2.en.srt", "Film.mkv",  "Filmed.srt", "film.DE.srt",  "Film.idx",
                      "Film.sub",    "Film.mka",      "Other.srt", "Film.nfo",   "2_English.srt"};
    const auto of = [&](std::string_view stem, const Names& others, bool only) {
        std::vector<std::string> found;
        for (const auto& one : external_streams(stem, others, names, only)) found.push_back(one.name);
        return found;
    };
    EXPECT_THAT(of("Film", {"Film 2"}, false), ElementsAre("Film.mka", "Film.en.srt", "Film.idx", "film.DE.srt"));
    EXPECT_THAT(of("Film 2", {"Film"}, false), ElementsAre("Film 2.en.srt"));
    EXPECT_THAT(of("Missing", {"Film", "Film 2"}, false), IsEmpty());
    EXPECT_THAT(of("Missing", {"Film", "Film 2"}, true), ElementsAre("2_English.srt", "Filmed.srt", "Other.srt"));
    const auto subs = external_streams("Film", {}, Names{"2_English.srt"}, true);
    ASSERT_EQ(subs.size(), 1U);
    EXPECT_EQ(subs[0].language, "eng");
    EXPECT_TRUE(is_subtitles_folder("Subs"));
    EXPECT_FALSE(is_subtitles_folder("Extras"));
}

}  // namespace
}  // namespace understudy::library::naming
