// The pictures inside media files: on real files with real workers, and what a stopped or dead run leaves.
#include "library/library_options.h"
#include "media/cover.h"
#include "support/library/fake_analyst.h"
#include "unit/library/covers_fixture.h"

namespace understudy::library {
namespace {

using model::ItemKind;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

TEST_P(EmbeddedCoversTest, of_twelve_tracks_one_is_opened_for_the_album_and_a_second_run_starts_no_worker) {
    const auto red = picture("red");
    for (int number = 1; number <= 12; ++number) track("Album", number, red);
    library(model::LibraryKind::music);
    refresh();
    EXPECT_EQ(count("covers"), 1);
    EXPECT_EQ(pool.counts().probed, 1U);
    EXPECT_EQ(shown("Album"), red) << "as it is in the file";
    const auto song = catalog.find(items(ItemKind::track).at(11).id);
    ASSERT_TRUE(song && *song);
    ASSERT_THAT((*song)->ancestors, SizeIs(1));
    EXPECT_EQ((*song)->ancestors[0].cover->width, 64);
    EXPECT_EQ(run->works.back().unit, "files");

    const auto spawned = pool.counts().spawned, messages = pool.counts().messages;
    refresh();
    EXPECT_EQ(count("covers"), 0);
    EXPECT_EQ(pool.counts().spawned, spawned);
    EXPECT_EQ(pool.counts().messages, messages);
}

TEST_P(EmbeddedCoversTest, pictures_attached_to_films_are_theirs) {
    const auto blue = picture("blue", "60x90", "jpg");
    const auto file = folder.write("cover.jpg", blue).string();
    film_file("lib/A (2001)/A (2001).mkv", {"-attach", file, "-metadata:s:t", "mimetype=image/jpeg"});
    film_file("lib/B (2002)/B (2002).mkv");
    const auto out = folder.path() / "made.mp4";
    (void)test::output_of({"ffmpeg",
                           "-v",
                           "error",
                           "-y",
                           "-f",
                           "lavfi",
                           "-i",
                           "testsrc2=size=64x36:rate=10:duration=2",
                           "-i",
                           file,
                           "-map",
                           "0",
                           "-map",
                           "1",
                           "-c:v:0",
                           "mpeg4",
                           "-c:v:1",
                           "copy",
                           "-disposition:v:1",
                           "attached_pic",
                           out.string()});
    tree.file("lib/C (2003)/C (2003).mp4", test::read_bytes(out));
    library(model::LibraryKind::movies);
    refresh();
    EXPECT_EQ(count("covers"), 2);
    EXPECT_EQ(shown("A"), blue);
    EXPECT_EQ(shown("B"), "");
    EXPECT_EQ(shown("C"), blue);
    EXPECT_EQ(blobs.totals()->blobs, 1) << "the same picture is kept once";
}

TEST_P(EmbeddedCoversTest, a_picture_attached_to_an_episode_is_its_own_and_not_the_shows) {
    const auto file = folder.write("cover.jpg", picture("blue", "64x36", "jpg")).string();
    film_file("lib/Show/Season 01/Show - S01E01 - First.mkv",
              {"-attach", file, "-metadata:s:t", "mimetype=image/jpeg"});
    library(model::LibraryKind::tvshows);
    refresh();
    EXPECT_EQ(count("covers"), 1);
    EXPECT_EQ(shown(only(ItemKind::episode).name), test::read_bytes(file));
    EXPECT_EQ(shown("Show"), "");
}

TEST_P(EmbeddedCoversTest, broken_pictures_are_named_and_the_next_track_is_asked) {
    const auto red = picture("red");
    auto bomb = picture("red");
    bomb.replace(16, 8, std::string("\x00\x00\xea\x60\x00\x00\xea\x60", 8));
    track("Album", 1, "this is no picture at all");
    track("Album", 2, bomb);
    track("Album", 3, red);
    track("Album", 4, red);
    track("Second", 1, "nor this");
    library(model::LibraryKind::music);
    refresh();
    EXPECT_THAT(items(ItemKind::track), SizeIs(5));
    EXPECT_EQ(shown("Album"), red);
    EXPECT_EQ(shown("Second"), "");
    EXPECT_EQ(count("covers"), 1);
    EXPECT_EQ(count("covers_failed"), 3);
    EXPECT_EQ(count("failed"), 0) << "of the files themselves none did";
    EXPECT_EQ(pool.counts().probed, 4U);
    auto reasons = problems();
    EXPECT_THAT(reasons, SizeIs(2)) << "two of the three have one name";
    EXPECT_THAT(reasons["1 Song.flac"], HasSubstr("embedded picture: "));
    EXPECT_THAT(reasons["2 Song.flac"], HasSubstr("60000x60000"));
    EXPECT_THAT(run->warnings, Contains(HasSubstr("2 Song.flac: embedded picture: an image of 60000x60000")));

    const auto messages = pool.counts().messages;
    refresh();
    EXPECT_EQ(pool.counts().messages, messages) << "it is remembered";

    track("Second", 1, red);
    refresh();
    EXPECT_EQ(shown("Second"), red) << "and tried again when the file changed";
    EXPECT_THAT(problems(), SizeIs(2));
}

TEST_P(EmbeddedCoversTest, a_picture_beside_the_files_wins_and_gives_it_back_when_it_goes) {
    const auto red = picture("red"), green = picture("green");
    track("Album", 1, red);
    library(model::LibraryKind::music);
    refresh();
    EXPECT_EQ(shown("Album"), red);
    tree.file("lib/Artist/Album/cover.png", green);
    refresh();
    EXPECT_EQ(shown("Album"), "");
    EXPECT_THAT(only(ItemKind::album).images, SizeIs(1));
    tree.remove("lib/Artist/Album/cover.png");
    refresh();
    EXPECT_EQ(shown("Album"), red);
    EXPECT_EQ(pool.counts().probed, 1U);
}

TEST_P(EmbeddedCoversTest, nothing_is_decoded_while_a_picture_lies_beside_the_files) {
    track("Album", 1, picture("red"));
    tree.file("lib/Artist/Album/cover.png", picture("green"));
    library(model::LibraryKind::music);
    refresh();
    EXPECT_EQ(pool.counts().spawned, 0U);
    tree.remove("lib/Artist/Album/cover.png");
    refresh();
    EXPECT_EQ(shown("Album"), picture("red"));
}

TEST_P(EmbeddedCoversTest, a_replaced_file_has_its_new_picture_or_none) {
    track("Album", 1, picture("red"));
    library(model::LibraryKind::music);
    refresh();
    track("Album", 1, picture("green"));
    refresh();
    EXPECT_EQ(count("covers"), 1);
    EXPECT_EQ(shown("Album"), picture("green"));
    track("Album", 1, "");
    refresh();
    EXPECT_EQ(count("covers"), 0);
    EXPECT_EQ(count("covers_removed"), 1);
    EXPECT_EQ(shown("Album"), "");
}

TEST_P(EmbeddedCoversTest, a_rename_costs_nothing) {
    const auto red = picture("red");
    track("Album", 1, red);
    track("Album", 2, red);
    library(model::LibraryKind::music);
    refresh();
    tree.rename("lib/Artist/Album", "lib/Artist/Renamed");
    refresh();
    EXPECT_EQ(shown("Album"), red);
    EXPECT_EQ(pool.counts().probed, 1U);
    EXPECT_EQ(count("covers"), 0);
}

TEST_P(EmbeddedCoversTest, copies_of_a_file_are_opened_once) {
    const auto red = picture("red");
    film_file("lib/A (2001)/A (2001).mkv",
              {"-attach", folder.write("cover.png", red).string(), "-metadata:s:t", "mimetype=image/png"});
    tree.folder("lib/B (2002)");
    tree.copy("lib/A (2001)/A (2001).mkv", "lib/B (2002)/B (2002).mkv");
    library(model::LibraryKind::movies);
    refresh();
    EXPECT_EQ(count("covers"), 2);
    EXPECT_EQ(pool.counts().probed, 1U);
    EXPECT_EQ(shown("A"), red);
    EXPECT_EQ(shown("B"), red);
}

TEST_P(EmbeddedCoversTest, a_library_may_do_without_and_gets_them_back_for_nothing) {
    const auto red = picture("red");
    track("Album", 1, red);
    const auto id = library(model::LibraryKind::music);
    refresh();
    const auto set = [&](const std::string& options) {
        auto stored = tables->libraries.at(id);
        stored.options = options;
        ASSERT_TRUE(library_store->update(stored));
    };
    set(R"({"TypeOptions":[{"Type":"Audio","ImageFetchers":[]}]})");
    refresh();
    EXPECT_EQ(count("covers_removed"), 1);
    EXPECT_EQ(shown("Album"), "");
    refresh();
    EXPECT_EQ(count("covers_removed"), 0);
    set(R"({"TypeOptions":[{"Type":"Audio","ImageFetchers":["Image Extractor"]}]})");
    refresh();
    EXPECT_EQ(shown("Album"), red);
    EXPECT_EQ(pool.counts().probed, 1U);
}

/// Films whose pictures an analyst without media gives.
class CoversOfFakeFilms : public EmbeddedCoversTest {
protected:
    CoversOfFakeFilms() : fake_step(covers, analyses, blobs, analyst, clock) {
        analyst.answer = [](const media::AnalysisRequest& request) -> core::Result<std::string> {
            media::CoverResult result;
            result.width = result.original_width = 10;
            result.height = result.original_height = 15;
            result.bytes = request.path;
            return encode(result);
        };
        auto info = testing::film();
        info.has_embedded_picture = true;
        prober.say(".mkv", info);
    }
    void films(int number) {
        for (int i = 0; i < number; ++i) {
            const auto name = "Film " + std::to_string(i);
            tree.file("lib/" + name + "/" + name + ".mkv");
        }
        library(model::LibraryKind::movies);
        scan();
    }
    core::Result<void> cover() {
        register_run();
        analyst.asked.clear();
        const auto all = library_store->all();
        EXPECT_TRUE(all);
        return fake_step.refresh(*run, *all, {});
    }
    core::Result<void> cover_anew() {
        run = std::make_unique<testing::FakeRun>();
        return cover();
    }
    std::size_t covered() {
        std::vector<core::ItemId> ids;
        for (const auto& film : items(ItemKind::movie)) ids.push_back(film.id);
        return covers.covers(ids)->size();
    }
    testing::FakeAnalyst analyst;
    EmbeddedCovers fake_step;
};

TEST_P(CoversOfFakeFilms, a_second_run_opens_and_writes_nothing) {
    films(3);
    ASSERT_TRUE(cover_anew());
    EXPECT_THAT(analyst.asked, SizeIs(3));
    ASSERT_TRUE(cover_anew());
    EXPECT_THAT(analyst.asked, IsEmpty());
    EXPECT_EQ(run->commits, 0);
    EXPECT_EQ(count("covers"), 0);
}

TEST_P(CoversOfFakeFilms, a_run_that_is_stopped_keeps_what_it_did_and_the_next_does_the_rest) {
    films(6);
    run = std::make_unique<testing::FakeRun>();
    const auto answer = analyst.answer;
    analyst.answer = [&](const media::AnalysisRequest& request) {
        if (analyst.asked.size() == 3) run->stop = true;
        return answer(request);
    };
    const auto stopped = cover();
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, core::Errc::cancelled);
    EXPECT_EQ(count("covers"), 3);
    EXPECT_EQ(covered(), 3U);

    analyst.answer = answer;
    ASSERT_TRUE(cover_anew());
    EXPECT_THAT(analyst.asked, SizeIs(3));
    EXPECT_EQ(covered(), 6U);
}

TEST_P(CoversOfFakeFilms, a_run_that_lost_its_epoch_stores_nothing_more) {
    films(250);
    run = std::make_unique<testing::FakeRun>();
    const auto answer = analyst.answer;
    analyst.answer = [&](const media::AnalysisRequest& request) {
        if (analyst.asked.size() == 150) run->fenced = true;
        return answer(request);
    };
    EXPECT_EQ(cover().error().code, core::Errc::fenced);
    EXPECT_EQ(covered(), 100U) << "one batch was stored before";
    analyst.answer = answer;
    ASSERT_TRUE(cover_anew());
    EXPECT_THAT(analyst.asked, SizeIs(150));
    EXPECT_EQ(count("covers"), 150);
}

TEST_P(CoversOfFakeFilms, what_cannot_be_read_now_is_left_for_the_next_run_and_fails_no_scan) {
    films(2);
    const auto answer = analyst.answer;
    analyst.answer = [](const media::AnalysisRequest&) -> core::Result<std::string> {
        return core::fail(core::Errc::unavailable, "read: Input/output error");
    };
    const auto done = cover_anew();
    ASSERT_TRUE(done) << done.error().context;
    EXPECT_EQ(count("covers_unreadable"), 2);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("Input/output error")));
    EXPECT_THAT(problems(), IsEmpty());
    analyst.answer = answer;
    ASSERT_TRUE(cover_anew());
    EXPECT_EQ(covered(), 2U);
}

TEST_P(CoversOfFakeFilms, an_answer_that_is_none_fails_the_file_alone) {
    films(2);
    const auto answer = analyst.answer;
    analyst.answer = [&](const media::AnalysisRequest& request) {
        return request.path.ends_with("Film 1.mkv") ? core::Result<std::string>("nonsense") : answer(request);
    };
    ASSERT_TRUE(cover_anew());
    EXPECT_EQ(covered(), 1U);
    EXPECT_EQ(count("covers_failed"), 1);
}

INSTANTIATE_TEST_SUITE_P(Stores, EmbeddedCoversTest, databases(), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, CoversOfFakeFilms, databases(), store_name);

TEST(LibraryOptions, pictures_in_files_are_off_where_the_fetchers_of_a_type_do_not_name_them) {
    const auto off = [](const std::string& types) {
        return LibraryOptions::parse(R"({"TypeOptions":)" + types + "}").covers_off;
    };
    EXPECT_THAT(off("[]"), IsEmpty());
    EXPECT_THAT(off(R"([{"Type":"Movie"}])"), IsEmpty()) << "nothing was said";
    EXPECT_THAT(off(R"([{"Type":"Movie","ImageFetchers":["TheMovieDb","Embedded Image Extractor"]}])"), IsEmpty());
    EXPECT_THAT(off(R"([{"Type":"Audio","ImageFetchers":["image extractor"]}])"), IsEmpty());
    EXPECT_THAT(off(R"([{"Type":"Movie","ImageFetchers":["TheMovieDb"]},{"Type":"Audio","ImageFetchers":[]}])"),
                UnorderedElementsAre("Movie", "Audio"));
    EXPECT_THAT(off(R"([1,{"ImageFetchers":[]},{"Type":3,"ImageFetchers":[]},{"Type":"Movie","ImageFetchers":"x"}])"),
                IsEmpty());
    EXPECT_THAT(off(R"("no list")"), IsEmpty());
}

}  // namespace
}  // namespace understudy::library
