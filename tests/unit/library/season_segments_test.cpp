// TaskExtractMediaSegments on a real season with real workers: ten short episodes made here, with an intro at varying
// places, one without, one with another; credits at varying places, one without.
#include <filesystem>

#include "library/chapter_segments.h"
#include "library/edl_segments.h"
#include "library/extract_media_segments.h"
#include "library/fingerprint_segments.h"
#include "media/worker_pool.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_media_facts.h"
#include "support/made_music.h"
#include "support/media_files.h"
#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using ::testing::Contains;
using testing::film;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double length_s = 172, intro_s = 20, credits_s = 24;

struct Episode {
    int number;
    unsigned intro;  ///< seed of its intro; 0: none
    double start;
    double credits;  ///< where they start; 0: none
    const char* sound;
};

/// A quarter of 172 s is 43 s, half of them begins at 86 s.
constexpr Episode episodes[] = {
    {1, 5, 3.0, 140.0, "aac"},         {2, 5, 12.33, 135.5, "aac"},  {3, 5, 0.0, 0, "libmp3lame"},
    {4, 0, 0, 144.2, "aac"},           {5, 5, 18.871, 140.0, "ac3"}, {6, 5, 9.049, 131.25, "libopus"},
    {7, 6, 11.0, 145.0, "aac"},        {8, 5, 21.2, 138.0, "aac"},   {9, 5, 5.555, 148.0, "flac"},
    {10, 5, 15.0, 140.0, "libvorbis"},
};
/// Its picture is black for a little before the intro and at its end.
constexpr int with_black = 5;
constexpr double black_before = 18.571, black_after = 38.871;

std::string name_of(int number) {
    return std::string("Show - S01E") + (number < 10 ? "0" : "") + std::to_string(number) + ".mkv";
}

void make_episode(const std::filesystem::path& folder, const Episode& episode) {
    const auto seed = static_cast<unsigned>(episode.number);
    test::Sound sound;
    test::add_music(sound, episode.start, 100 + seed);
    if (episode.intro != 0) test::add_music(sound, intro_s, episode.intro);
    if (episode.credits > 0) {
        test::add_music(sound, episode.credits - test::seconds_of(sound), 200 + seed);
        test::add_music(sound, credits_s, 7);
    }
    test::add_music(sound, length_s - test::seconds_of(sound), 300 + seed);
    test::write_wav(folder / "sound.wav", sound);
    std::string picture = "testsrc2=size=64x36:rate=10:duration=" + std::to_string(length_s);
    if (episode.number == with_black) {
        for (const double from : {black_before, black_after})
            picture += ",drawbox=color=black:t=fill:enable='between(t," + std::to_string(from) + "," +
                       std::to_string(from + 0.3) + ")'";
    }
    (void)test::output_of({"ffmpeg",
                           "-v",
                           "error",
                           "-y",
                           "-f",
                           "lavfi",
                           "-i",
                           picture,
                           "-i",
                           (folder / "sound.wav").string(),
                           "-c:v",
                           "mpeg4",
                           "-g",
                           "20",
                           "-c:a",
                           episode.sound,
                           "-strict",
                           "-2",
                           "-threads",
                           "1",
                           (folder / name_of(episode.number)).string()});
}

/// Made once for all tests of this program.
const test::TempFolder& season() {
    static const auto folder = [] {
        auto made = std::make_unique<test::TempFolder>();
        for (const auto& episode : episodes) make_episode(made->path(), episode);
        return made;
    }();
    return *folder;
}

/// The pool, but no picture can be read while `away`.
class WithoutPictures final : public media::Analyst {
public:
    explicit WithoutPictures(media::Analyst& behind) : behind_(behind) {}
    void analyse(const std::vector<media::AnalysisRequest>& requests, const std::function<bool()>& stop,
                 const std::function<void(std::size_t, media::AnalysisResult)>& done) override {
        if (!away || requests.empty() || requests.front().job != media::Job::edges)
            return behind_.analyse(requests, stop, done);
        for (std::size_t i = 0; i < requests.size(); ++i)
            done(i, core::fail(core::Errc::unavailable, "Input/output error"));
    }
    bool away = false;

private:
    media::Analyst& behind_;
};

class SeasonSegments : public ScanTest {
protected:
    SeasonSegments()
        : analyses(*database), facts(*database), pool({.worker = UNDERSTUDY_MEDIA_WORKER, .workers = 2}, log) {
        prober.say(".mkv", film(36, core::Millis{172'000}));
        library.id = core::LibraryId::make(random);
        library.name = "Shows";
        library.kind = model::LibraryKind::tvshows;
        library.paths = {tree.path("lib")};
    }
    void episode_file(int number) { episode_file(number, name_of(number)); }
    void episode_file(int number, const std::string& name) {
        const auto below = "lib/Show/Season 01/" + name;
        tree.file(below, "");
        std::filesystem::copy_file(season().path() / name_of(number), tree.path(below),
                                   std::filesystem::copy_options::overwrite_existing);
    }
    void whole_season() {
        for (const auto& episode : episodes) episode_file(episode.number);
        ASSERT_TRUE(library_store->add(library));
        scan();
    }
    core::Result<void> execute() {
        run = std::make_unique<testing::FakeRun>();
        return execute_as_set_up();
    }
    core::Result<void> execute_as_set_up() {
        register_run();
        std::vector<std::unique_ptr<SegmentProvider>> providers;
        providers.push_back(std::make_unique<ChapterSegments>(*scan_store));
        providers.push_back(std::make_unique<EdlSegments>(*scan_store, files));
        providers.push_back(std::make_unique<FingerprintSegments>(FingerprintSettings{}, analyses, analyst, clock));
        return ExtractMediaSegments(*library_store, *scan_store, analyses, facts, std::move(providers)).execute(*run);
    }
    void options(const std::string& json) {
        library.options = json;
        ASSERT_TRUE(library_store->update(library));
    }
    /// By episode number.
    std::map<int, std::vector<model::Segment>> stored() {
        std::map<int, std::vector<model::Segment>> found;
        std::vector<core::ItemId> ids;
        for (const auto& item : items(model::ItemKind::episode)) ids.push_back(item.id);
        const auto all = facts.segments(ids);
        EXPECT_TRUE(all);
        for (const auto& item : items(model::ItemKind::episode)) {
            auto& list = found[item.episode_number.value_or(0)];
            if (!all->contains(item.id)) continue;
            for (const auto& one : all->at(item.id)) list.push_back(one.segment);
        }
        return found;
    }
    static std::optional<std::pair<double, double>> one_of(const std::vector<model::Segment>& list,
                                                           model::SegmentKind kind) {
        std::optional<std::pair<double, double>> found;
        for (const auto& segment : list) {
            if (segment.kind != kind) continue;
            EXPECT_FALSE(found) << "two of a kind";
            found = {static_cast<double>(segment.start.count()) / 1000,
                     static_cast<double>(segment.end.count()) / 1000};
        }
        return found;
    }
    static void expect_part(const std::vector<model::Segment>& list, model::SegmentKind kind, bool there, double start,
                            double length) {
        const auto part = one_of(list, kind);
        ASSERT_EQ(part.has_value(), there);
        if (!part) return;
        EXPECT_NEAR(part->first, start, 1.0);
        EXPECT_NEAR(part->second, start + length, 1.0);
    }
    void expect_all_found() {
        const auto found = stored();
        for (const auto& episode : episodes) {
            SCOPED_TRACE(episode.number);
            ASSERT_TRUE(found.contains(episode.number));
            const auto& list = found.at(episode.number);
            expect_part(list, model::SegmentKind::intro, episode.intro == 5, episode.start, intro_s);
            expect_part(list, model::SegmentKind::outro, episode.credits > 0, episode.credits, credits_s);
        }
    }

    core::NullLog log;
    store::sql::SqlAnalyses analyses;
    store::sql::SqlMediaFacts facts;
    media::WorkerPool pool;
    WithoutPictures analyst{pool};
    model::Library library;
};

TEST_P(SeasonSegments, intros_and_credits_are_found_within_a_second_and_a_broken_episode_costs_itself_alone) {
    tree.file("lib/Show/Season 01/" + name_of(11), "no film at all");
    whole_season();
    const auto first = execute();
    ASSERT_TRUE(first) << first.error().context;
    expect_all_found();
    EXPECT_THAT(stored().at(11), IsEmpty());
    EXPECT_EQ(count("files_fingerprinted"), 10);
    EXPECT_EQ(count("failed"), 1);
    EXPECT_EQ(count("seasons_compared"), 1);
    EXPECT_EQ(count("intros"), 8);
    EXPECT_EQ(count("credits"), 9);
    EXPECT_EQ(count("items_changed"), 10);
    EXPECT_THAT(run->warnings, Contains(HasSubstr(name_of(11))));
    EXPECT_EQ(run->reports.back(), 100.0);
    // Black pictures are nearer to the truth than any sound.
    const auto black = one_of(stored().at(with_black), model::SegmentKind::intro);
    ASSERT_TRUE(black);
    EXPECT_NEAR(black->first, black_before + 0.3, 0.15);
    EXPECT_NEAR(black->second, black_after, 0.15);

    // A second run asks nobody.
    const auto before = pool.counts();
    ASSERT_TRUE(execute());
    EXPECT_EQ(pool.counts().spawned, before.spawned);
    EXPECT_EQ(pool.counts().messages, before.messages);
    EXPECT_EQ(run->commits, 0);
    EXPECT_EQ(count("seasons_compared"), 0);
    EXPECT_EQ(count("items_changed"), 0);

    // Another name: other paths, the same bytes.
    tree.rename("lib/Show/Season 01/" + name_of(1), "lib/Show/Season 01/Show - S01E01 - Pilot.mkv");
    scan();
    ASSERT_TRUE(execute());
    EXPECT_EQ(pool.counts().messages, before.messages);
    expect_all_found();

    // Switched off: its rows go; on again: what was heard is still known.
    options(R"({"DisabledMediaSegmentProviders":["fingerprint"]})");
    ASSERT_TRUE(execute());
    EXPECT_EQ(count("items_cleared"), 10);
    for (const auto& [number, list] : stored()) EXPECT_THAT(list, IsEmpty()) << number;
    options("{}");
    ASSERT_TRUE(execute());
    expect_all_found();
    EXPECT_EQ(pool.counts().messages, before.messages);
}

TEST_P(SeasonSegments, a_new_episode_is_listened_to_alone_and_a_stopped_run_goes_on) {
    for (const int number : {1, 2, 3, 5}) episode_file(number);
    ASSERT_TRUE(library_store->add(library));
    scan();
    run = std::make_unique<testing::FakeRun>();
    run->on_commit = [this](int) { run->stop = true; };
    const auto stopped = execute_as_set_up();
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, core::Errc::cancelled);
    for (const auto& [number, list] : stored()) EXPECT_THAT(list, IsEmpty()) << number;
    ASSERT_TRUE(execute());
    for (const int number : {1, 2, 3, 5}) {
        const auto& episode = episodes[number - 1];
        SCOPED_TRACE(number);
        expect_part(stored().at(number), model::SegmentKind::intro, true, episode.start, intro_s);
    }
    const auto before = pool.counts().messages;
    episode_file(6);
    scan();
    ASSERT_TRUE(execute());
    EXPECT_EQ(count("files_fingerprinted"), 1);
    EXPECT_EQ(count("intros"), 5);
    EXPECT_EQ(pool.counts().messages, before + 2) << "its fingerprint and its edges";
    EXPECT_GE(count("items_changed"), 1);
}

TEST_P(SeasonSegments, an_edge_that_cannot_be_read_now_is_asked_for_again) {
    for (const int number : {1, 2, with_black}) episode_file(number);
    ASSERT_TRUE(library_store->add(library));
    scan();
    analyst.away = true;
    ASSERT_TRUE(execute());
    EXPECT_EQ(count("failed"), 3);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("Input/output error")));
    analyst.away = false;
    ASSERT_TRUE(execute());
    EXPECT_EQ(count("files_fingerprinted"), 0);
    EXPECT_EQ(count("intros"), 3);
    const auto black = one_of(stored().at(with_black), model::SegmentKind::intro);
    ASSERT_TRUE(black);
    EXPECT_NEAR(black->second, black_after, 0.15);
}

TEST_P(SeasonSegments, a_version_that_can_be_heard_speaks_for_one_that_cannot) {
    prober.say("4K.mkv", film(2160, core::Millis{172'000}));
    tree.file("lib/Show/Season 01/Show - S01E01 - 4K.mkv", "no film at all");
    episode_file(1, "Show - S01E01 - 720p.mkv");
    episode_file(2);
    ASSERT_TRUE(library_store->add(library));
    scan();
    ASSERT_EQ(items(model::ItemKind::episode).size(), 2U);
    ASSERT_TRUE(execute());
    EXPECT_EQ(count("failed"), 1);
    expect_part(stored().at(1), model::SegmentKind::intro, true, episodes[0].start, intro_s);
    expect_part(stored().at(2), model::SegmentKind::intro, true, episodes[1].start, intro_s);
}

TEST_P(SeasonSegments, the_same_film_under_two_numbers_has_no_intro_in_common_with_itself) {
    episode_file(1);
    episode_file(1, name_of(2));
    ASSERT_TRUE(library_store->add(library));
    scan();
    ASSERT_TRUE(execute());
    EXPECT_EQ(items(model::ItemKind::episode).size(), 2U);
    for (const auto& [number, list] : stored()) EXPECT_THAT(list, IsEmpty()) << number;
}

INSTANTIATE_TEST_SUITE_P(Stores, SeasonSegments, ::testing::Values(StoreKind::sqlite, StoreKind::postgresql),
                         store_name);

}  // namespace
}  // namespace understudy::library
