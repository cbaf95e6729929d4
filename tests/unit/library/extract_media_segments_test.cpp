// TaskExtractMediaSegments without media: what providers say, what is stored of it, who is asked again.
#include "library/extract_media_segments.h"

#include "library/chapter_segments.h"
#include "library/edl_segments.h"
#include "library/fingerprint_segments.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_media_facts.h"
#include "support/library/fake_analyst.h"
#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using model::Segment;
using model::SegmentKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::film;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Says what a test tells it to.
class FakeProvider final : public SegmentProvider {
public:
    struct Script {
        std::string basis = "1";
        std::vector<Segment> says;
        std::optional<core::Error> failure;
        int asked = 0;
    };
    FakeProvider(std::string name, Script& script, std::vector<std::string>& order)
        : name_(std::move(name)), script_(script), order_(order) {}

    [[nodiscard]] std::string_view name() const noexcept override { return name_; }
    [[nodiscard]] bool serves(model::LibraryKind) const noexcept override { return true; }
    [[nodiscard]] std::string_view counted_as(SegmentKind) const noexcept override { return "found"; }
    [[nodiscard]] core::Result<void> prepare(core::LibraryId, tasks::Run&, ProgressSlice) override {
        order_.push_back(name_);
        return {};
    }
    [[nodiscard]] std::vector<SegmentGroup> groups(const std::vector<SegmentItem>& items) const override {
        return pages_of(items);
    }
    [[nodiscard]] std::vector<core::Result<std::string>> bases(const SegmentGroup& group) override {
        return {group.items.size(), core::Result<std::string>(script_.basis)};
    }
    [[nodiscard]] core::Result<std::vector<ItemAnswer>> segments(const SegmentGroup& group, tasks::Run&) override {
        ++script_.asked;
        if (script_.failure) return tl::unexpected(*script_.failure);
        return std::vector<ItemAnswer>(group.items.size(), ItemAnswer(script_.says));
    }

private:
    std::string name_;
    Script& script_;
    std::vector<std::string>& order_;
};

class Extracting : public ScanTest {
protected:
    Extracting() : analyses(*database), facts(*database) {
        library.id = core::LibraryId::make(random);
        library.name = "Films";
        library.paths = {tree.path("lib")};
    }
    void one_film(model::MediaInfo info = film(1080, core::Millis{5'400'000})) {
        tree.file("lib/A (2001)/A (2001).mkv");
        prober.say("A (2001).mkv", std::move(info));
        ASSERT_TRUE(library_store->add(library));
        scan();
    }
    void options(const std::string& json) {
        library.options = json;
        ASSERT_TRUE(library_store->update(library));
    }
    core::Result<void> fakes() {
        std::vector<std::unique_ptr<SegmentProvider>> providers;
        providers.push_back(std::make_unique<FakeProvider>("one", one, order));
        providers.push_back(std::make_unique<FakeProvider>("two", two, order));
        return execute(std::move(providers));
    }
    core::Result<void> real() {
        std::vector<std::unique_ptr<SegmentProvider>> providers;
        providers.push_back(std::make_unique<ChapterSegments>(*scan_store));
        providers.push_back(std::make_unique<EdlSegments>(*scan_store, files));
        providers.push_back(std::make_unique<FingerprintSegments>(FingerprintSettings{}, analyses, analyst, clock));
        return execute(std::move(providers));
    }
    core::Result<void> execute(std::vector<std::unique_ptr<SegmentProvider>> providers) {
        run = std::make_unique<testing::FakeRun>();
        register_run();
        order.clear();
        files->forget();
        return ExtractMediaSegments(*library_store, *scan_store, analyses, facts, std::move(providers)).execute(*run);
    }
    std::vector<Segment> stored(const std::string& provider) {
        std::vector<Segment> list;
        const auto id = only(model::ItemKind::movie).id;
        const auto all = facts.segments({id});
        EXPECT_TRUE(all);
        if (all->contains(id))
            for (const auto& known : all->at(id))
                if (known.provider == provider) list.push_back(known.segment);
        return list;
    }
    static Segment from_to(SegmentKind kind, std::int64_t start_s, std::int64_t end_s) {
        return {kind, core::Millis{start_s * 1000}, core::Millis{end_s * 1000}};
    }

    store::sql::SqlAnalyses analyses;
    store::sql::SqlMediaFacts facts;
    testing::FakeAnalyst analyst;
    model::Library library;
    FakeProvider::Script one, two;
    std::vector<std::string> order;
};

TEST_P(Extracting, a_provider_replaces_its_own_rows_alone) {
    one_film();
    one.says = {from_to(SegmentKind::intro, 10, 40)};
    two.says = {from_to(SegmentKind::outro, 5000, 5400)};
    ASSERT_TRUE(fakes());
    EXPECT_EQ(count("items_changed"), 2);
    one.basis = "2";
    one.says.clear();
    ASSERT_TRUE(fakes());
    EXPECT_EQ(count("items_changed"), 1);
    EXPECT_THAT(stored("one"), IsEmpty());
    EXPECT_THAT(stored("two"), ElementsAre(from_to(SegmentKind::outro, 5000, 5400)));
    EXPECT_EQ(two.asked, 1) << "nothing had changed for it";
}

TEST_P(Extracting, a_segment_without_length_is_refused_and_the_rest_stand) {
    one_film();
    one.says = {from_to(SegmentKind::intro, 0, 0), from_to(SegmentKind::recap, 20, 10),
                from_to(SegmentKind::outro, 5000, 5300)};
    two.says = {from_to(SegmentKind::intro, 10, 40)};
    ASSERT_TRUE(fakes());
    EXPECT_THAT(stored("one"), ElementsAre(from_to(SegmentKind::outro, 5000, 5300)));
    EXPECT_THAT(stored("two"), SizeIs(1));
    EXPECT_EQ(count("refused"), 2);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("intro from 0.000 s to 0.000 s")));
}

TEST_P(Extracting, a_providers_failure_does_not_stop_the_next) {
    one_film();
    one.failure = core::Error{core::Errc::unavailable, "out of order"};
    two.says = {from_to(SegmentKind::intro, 10, 40)};
    ASSERT_TRUE(fakes());
    EXPECT_THAT(stored("two"), SizeIs(1));
    EXPECT_EQ(count("failed_providers"), 1);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("out of order")));
    ASSERT_TRUE(fakes());
    EXPECT_EQ(one.asked, 2) << "asked again";
    EXPECT_EQ(two.asked, 1);
}

TEST_P(Extracting, fails_where_all_providers_do) {
    one_film();
    one.failure = two.failure = core::Error{core::Errc::unavailable, "out of order"};
    const auto result = fakes();
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().context, HasSubstr("out of order"));
}

TEST_P(Extracting, stops_at_once_where_a_newer_run_owns_the_task) {
    one_film();
    one.failure = core::Error{core::Errc::fenced, "a newer epoch"};
    const auto result = fakes();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, core::Errc::fenced);
    EXPECT_EQ(two.asked, 0);
}

TEST_P(Extracting, a_library_has_its_own_order_and_switches) {
    one_film();
    ASSERT_TRUE(fakes());
    EXPECT_THAT(order, ElementsAre("one", "two"));
    options(R"({"MediaSegmentProviderOrder":["strange","two"]})");
    ASSERT_TRUE(fakes());
    EXPECT_THAT(order, ElementsAre("two", "one"));
    options(R"({"DisabledMediaSegmentProviders":["two"]})");
    ASSERT_TRUE(fakes());
    EXPECT_THAT(order, ElementsAre("one"));
}

TEST_P(Extracting, what_is_switched_off_loses_its_rows_even_of_films_that_are_away) {
    one_film();
    one.says = two.says = {from_to(SegmentKind::intro, 10, 40)};
    ASSERT_TRUE(fakes());
    tree.rename("lib", "away");
    scan();
    ASSERT_FALSE(only(model::ItemKind::movie).available);
    ASSERT_TRUE(fakes());
    EXPECT_THAT(stored("one"), SizeIs(1)) << "a disc that is away keeps what is known of it";
    options(R"({"DisabledMediaSegmentProviders":["one"]})");
    ASSERT_TRUE(fakes());
    EXPECT_EQ(count("items_cleared"), 1);
    EXPECT_THAT(stored("one"), IsEmpty());
    EXPECT_THAT(stored("two"), SizeIs(1));
    ASSERT_TRUE(fakes());
    EXPECT_EQ(count("items_cleared"), 0);
}

TEST_P(Extracting, with_all_off_no_folder_is_opened_and_no_file) {
    library.kind = model::LibraryKind::tvshows;
    library.options = R"({"DisabledMediaSegmentProviders":["chapters","edl","fingerprint"]})";
    tree.file("lib/Show/Season 01/Show S01E01.mkv");
    tree.file("lib/Show/Season 01/Show S01E01.edl", "10 20 0\n");
    ASSERT_TRUE(library_store->add(library));
    scan();
    ASSERT_TRUE(real());
    EXPECT_THAT(files->folders_opened(), IsEmpty());
    EXPECT_EQ(files->stats(), 0U);
    EXPECT_THAT(analyst.asked, IsEmpty());
    EXPECT_EQ(run->commits, 0);
}

TEST_P(Extracting, chapters_say_what_their_names_say) {
    auto info = film(1080, core::Millis{5'400'000});
    info.chapters = {
        {core::Millis{0}, "Opening"}, {core::Millis{60'000}, "Part 1"}, {core::Millis{5'200'000}, "Credits"}};
    one_film(info);
    ASSERT_TRUE(real());
    EXPECT_THAT(stored("chapters"),
                ElementsAre(from_to(SegmentKind::intro, 0, 60), from_to(SegmentKind::outro, 5200, 5400)));
    EXPECT_EQ(count("from_chapters"), 2);
    ASSERT_TRUE(real());
    EXPECT_EQ(count("from_chapters"), 0);
}

TEST_P(Extracting, a_list_beside_a_film_is_read_when_it_comes_changes_and_goes) {
    one_film();
    ASSERT_TRUE(real());
    EXPECT_THAT(stored("edl"), IsEmpty());
    tree.file("lib/A (2001)/A (2001).edl", "100 200 3\n5 5 0\nnonsense\n");
    ASSERT_TRUE(real());
    EXPECT_THAT(stored("edl"), ElementsAre(from_to(SegmentKind::commercial, 100, 200)));
    EXPECT_EQ(count("from_edl"), 1);
    EXPECT_THAT(run->warnings, Contains(HasSubstr("line 3")));
    ASSERT_TRUE(real());
    EXPECT_EQ(count("from_edl"), 0) << "as it was";
    EXPECT_THAT(run->warnings, IsEmpty());
    tree.append("lib/A (2001)/A (2001).edl", "300 400 3\n");
    ASSERT_TRUE(real());
    EXPECT_THAT(stored("edl"), SizeIs(2));
    tree.remove("lib/A (2001)/A (2001).edl");
    ASSERT_TRUE(real());
    EXPECT_THAT(stored("edl"), IsEmpty());
}

TEST_P(Extracting, a_list_counts_for_versions_that_run_as_long_and_no_others) {
    tree.file("lib/A (2001)/A (2001) - 4K.mkv");
    tree.file("lib/A (2001)/A (2001) - 1080p.mkv");
    tree.file("lib/A (2001)/A (2001) - Extended.mkv");
    prober.say("4K.mkv", film(2160, core::Millis{5'400'000}));
    prober.say("1080p.mkv", film(1080, core::Millis{5'400'500}));
    prober.say("Extended.mkv", film(720, core::Millis{6'000'000}));
    ASSERT_TRUE(library_store->add(library));
    scan();
    tree.file("lib/A (2001)/A (2001) - Extended.edl", "10 20 3\n");
    ASSERT_TRUE(real());
    EXPECT_THAT(stored("edl"), IsEmpty());
    tree.file("lib/A (2001)/A (2001) - 1080p.EDL", "30 40 3\n");
    ASSERT_TRUE(real());
    EXPECT_THAT(stored("edl"), ElementsAre(from_to(SegmentKind::commercial, 30, 40)));
}

TEST_P(Extracting, a_folder_that_cannot_be_read_keeps_what_is_known) {
    one_film();
    tree.file("lib/A (2001)/A (2001).edl", "100 200 3\n");
    ASSERT_TRUE(real());
    files->fail_open(tree.path("lib/A (2001)"), EIO);
    ASSERT_TRUE(real());
    EXPECT_EQ(count("failed"), 1);
    EXPECT_THAT(stored("edl"), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(Stores, Extracting, ::testing::Values(StoreKind::sqlite, StoreKind::postgresql), store_name);

TEST(EpisodeWindows, are_the_first_quarter_and_the_last_minutes_and_never_overlap) {
    using std::chrono::minutes;
    using std::chrono::seconds;
    const auto windows = [](core::Millis duration) { return episode_windows(duration, {}); };
    const auto hour = windows(minutes{60});
    EXPECT_EQ(*hour.intro, (media::TimeSpan{seconds{0}, minutes{10}}));
    EXPECT_EQ(*hour.credits, (media::TimeSpan{minutes{53}, minutes{60}}));
    const auto sitcom = windows(minutes{20});
    EXPECT_EQ(*sitcom.intro, (media::TimeSpan{seconds{0}, minutes{5}}));
    EXPECT_EQ(*sitcom.credits, (media::TimeSpan{minutes{13}, minutes{20}}));
    const auto cartoon = windows(minutes{8});
    EXPECT_EQ(*cartoon.credits, (media::TimeSpan{minutes{4}, minutes{8}})) << "the second half at most";
    EXPECT_FALSE(windows(seconds{40}).intro) << "10 s hold no intro";
    EXPECT_FALSE(windows(seconds{20}).credits);
    EXPECT_EQ(*windows(seconds{0}).intro, (media::TimeSpan{seconds{0}, minutes{10}})) << "unknown";
    EXPECT_FALSE(windows(seconds{0}).credits);
}

TEST(SeasonGroups, long_seasons_are_compared_in_portions_that_a_new_episode_leaves_alone) {
    core::SeededRandom random{3};
    const auto season = core::ItemId::make(random);
    std::vector<SegmentItem> items;
    const auto sizes = [&](std::size_t episodes) {
        items.clear();
        for (std::size_t i = 0; i < episodes; ++i)
            items.push_back({core::ItemId::make(random), season, model::ItemKind::episode, {}});
        std::vector<std::size_t> list;
        for (const auto& group : season_groups(items, 40)) list.push_back(group.items.size());
        return list;
    };
    EXPECT_THAT(sizes(1), ElementsAre(1U));
    EXPECT_THAT(sizes(59), ElementsAre(59U));
    EXPECT_THAT(sizes(60), ElementsAre(40U, 20U));
    EXPECT_THAT(sizes(61), ElementsAre(40U, 21U));
    EXPECT_THAT(sizes(100), ElementsAre(40U, 40U, 20U));
}

TEST(EdgeWindows, are_merged_where_they_meet_and_stay_within_the_file) {
    using namespace std::chrono_literals;
    EXPECT_THAT(edge_windows({30s, 1s, 31s, 59s}, 2s, 60s),
                ElementsAre(media::TimeSpan{0s, 3s}, media::TimeSpan{28s, 33s}, media::TimeSpan{57s, 60s}));
    EXPECT_THAT(edge_windows({59s}, 2s, 0s), ElementsAre(media::TimeSpan{57s, 61s}));
}

}  // namespace
}  // namespace understudy::library
