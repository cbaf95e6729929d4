// tests/contract/media_stores/analyses_contract.h: what every Analyses must do.
#pragma once

#include <algorithm>

#include "contract/media_stores/media_fixture.h"
#include "store/sql/sql_analyses.h"

namespace understudy::testing {

class AnalysesContract : public MediaFixture {
protected:
    using State = store::AnalysisState;

    void SetUp() override {
        MediaFixture::SetUp();
        analyses_ = std::make_unique<store::sql::SqlAnalyses>(*database_);
        add_library(1, "One", {"/media"});
        add_library(2, "Two", {"/two"});
    }
    std::vector<std::uint32_t> numbers(State state, const store::SourceFilter& filter = {},
                                       const std::string& kind = "keyframes") {
        std::vector<std::uint32_t> found;
        ok(analyses_->sources(kind, state, filter, [&](store::AnalysableSource&& source) {
            found.push_back(static_cast<std::uint32_t>(source.size_bytes));
            return true;
        }));
        const auto totals = analyses_->totals(kind, state, filter);
        ok(totals);
        if (totals) {
            std::int64_t bytes = 0;
            for (const auto number : found) bytes += number;
            EXPECT_EQ(totals->files, static_cast<std::int64_t>(found.size()));
            EXPECT_EQ(totals->size_bytes, bytes);
            EXPECT_EQ(totals->duration, core::Millis{bytes});
        }
        return found;
    }
    static store::Analysis analysis(std::uint32_t number, const std::string& payload = "p",
                                    const std::string& failure = {}) {
        store::Analysis made;
        made.kind = "keyframes";
        made.content = content_of(number);
        made.size_bytes = number;
        made.task = "KeyframeExtraction";
        made.payload = payload;
        made.failure = failure;
        made.at = core::from_unix_ms(1'700'000'000'000 + number);
        return made;
    }
    Result<void> put(const std::vector<store::Analysis>& rows) {
        return fenced([&](const core::Fence& fence) { return analyses_->put(rows, fence); });
    }
    std::int64_t purge() {
        std::int64_t removed = 0;
        std::string cursor;
        do {
            const auto step =
                fenced([&](const core::Fence& fence) { return analyses_->purge_unreferenced(cursor, fence); });
            ok(step);
            if (!step) return -1;
            removed += step->removed;
            cursor = step->cursor;
        } while (!cursor.empty());
        return removed;
    }
    using Numbers = std::vector<std::uint32_t>;

    std::unique_ptr<store::Analyses> analyses_;
};

TEST_P(AnalysesContract, a_source_is_pending_until_its_content_has_a_row) {
    ok(apply_items({film(1), film(2), film(3)}));
    EXPECT_EQ(numbers(State::pending), (Numbers{1, 2, 3}));
    ok(put({analysis(2)}));
    EXPECT_EQ(numbers(State::pending), (Numbers{1, 3}));
    EXPECT_EQ(numbers(State::done), (Numbers{2}));
    EXPECT_EQ(numbers(State::pending, {}, "loudness"), (Numbers{1, 2, 3}));
    ok(put({analysis(1, "", "broken")}));
    EXPECT_EQ(numbers(State::pending), (Numbers{3}));
    EXPECT_EQ(numbers(State::failed), (Numbers{1}));
}

TEST_P(AnalysesContract, a_source_comes_with_all_that_its_work_is_weighed_by) {
    auto album = item(10, Kind::album, "Album");
    auto track = media(11, Kind::track, "/media/a/\xff.flac", {Stream::audio}, 10);
    auto second = track.sources[0];
    second.file.path = "/media/b";
    second.info.content_sample = sample_of(12);
    track.sources.push_back(second);
    ok(apply_items({album, track}));
    std::vector<store::AnalysableSource> found;
    ok(analyses_->sources("loudness", State::pending, {}, [&](store::AnalysableSource&& source) {
        found.push_back(std::move(source));
        return true;
    }));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].item, item_id(11));
    EXPECT_EQ(found[0].number, 0);
    EXPECT_EQ(found[0].parent, item_id(10));
    EXPECT_EQ(found[0].library, library_id(1));
    EXPECT_EQ(found[0].kind, Kind::track);
    EXPECT_EQ(found[0].path, "/media/a/\xff.flac");
    EXPECT_EQ(found[0].content, content_of(11));
    EXPECT_EQ(found[0].size_bytes, 11);
    EXPECT_EQ(found[0].duration, core::Millis{11});
    EXPECT_EQ(found[1].number, 1);
    EXPECT_EQ(found[1].content.sample, sample_of(12));
}

TEST_P(AnalysesContract, sources_come_by_library_and_path_and_stop_when_told) {
    std::vector<model::Item> items;
    for (std::uint32_t i = 1; i <= 2'300; ++i) {  // more than two pages, ids against the order of paths
        auto path = std::to_string(10'000 - i);
        items.push_back(media(i, Kind::movie, "/media/" + path, {Stream::video}));
    }
    for (std::size_t at = 0; at < items.size(); at += 500) {
        ok(apply_items({items.begin() + static_cast<std::ptrdiff_t>(at),
                        items.begin() + static_cast<std::ptrdiff_t>(std::min(items.size(), at + 500))}));
    }
    ok(apply_items({film(5'000, 2)}, 2));
    auto expected = Numbers{};
    for (std::uint32_t i = 2'300; i >= 1; --i) expected.push_back(i);
    expected.push_back(5'000);
    EXPECT_EQ(numbers(State::pending), expected);
    int seen = 0;
    ok(analyses_->sources("keyframes", State::pending, {}, [&](store::AnalysableSource&&) { return ++seen < 3; }));
    EXPECT_EQ(seen, 3);
}

TEST_P(AnalysesContract, filters_by_library_kind_and_streams) {
    auto cover_only = media(4, Kind::track, "/media/cover", {Stream::audio, Stream::video});
    cover_only.sources[0].info.streams[1].is_attached_picture = true;
    ok(apply_items({film(1), media(2, Kind::episode, "/media/silent", {Stream::video}),
                    media(3, Kind::track, "/media/track", {Stream::audio}), cover_only}));
    ok(apply_items({film(5, 2)}, 2));
    store::SourceFilter filter;
    filter.libraries = {library_id(2)};
    EXPECT_EQ(numbers(State::pending, filter), (Numbers{5}));
    filter.libraries = {library_id(1), library_id(2)};
    EXPECT_EQ(numbers(State::pending, filter).size(), 5U);
    filter.kinds = {Kind::movie, Kind::episode};
    EXPECT_EQ(numbers(State::pending, filter), (Numbers{1, 2, 5}));
    filter.streams = Stream::audio;
    EXPECT_EQ(numbers(State::pending, filter), (Numbers{1, 5}));
    filter = {};
    filter.streams = Stream::video;
    EXPECT_EQ(numbers(State::pending, filter), (Numbers{1, 2, 5}));
    filter.kinds = {Kind::track};
    EXPECT_TRUE(numbers(State::pending, filter).empty());
    filter.streams.reset();
    EXPECT_EQ(numbers(State::pending, filter), (Numbers{4, 3}));
}

TEST_P(AnalysesContract, a_few_items_of_a_kind_among_many_are_found_too) {
    std::vector<model::Item> items{film(1), film(2)};
    for (std::uint32_t i = 100; i < 120; ++i) {
        items.push_back(media(i, Kind::track, "/media/t" + std::to_string(i), {Stream::audio}));
    }
    ok(apply_items(items));
    store::SourceFilter filter;
    filter.kinds = {Kind::movie};
    filter.libraries = {library_id(1)};
    filter.streams = Stream::video;
    EXPECT_EQ(numbers(State::pending, filter), (Numbers{1, 2}));
    ok(put({analysis(1)}));
    EXPECT_EQ(numbers(State::pending, filter), (Numbers{2}));
    EXPECT_EQ(numbers(State::done, filter), (Numbers{1}));
}

TEST_P(AnalysesContract, what_is_away_or_going_or_has_no_sample_is_not_pending) {
    auto nameless = film(3);
    nameless.sources[0].info.content_sample.clear();
    ok(apply_items({film(1), film(2), nameless}));
    ok(apply_items({film(5, 2)}, 2));
    auto away = batch();
    away.mark_unavailable = {item_id(1)};
    ok(apply(away));
    ok(sql("UPDATE libraries SET removing = 1 WHERE name = 'Two'"));
    EXPECT_EQ(numbers(State::pending), (Numbers{2}));
}

TEST_P(AnalysesContract, a_move_costs_nothing_and_a_change_is_pending) {
    ok(apply_items({film(1)}));
    ok(put({analysis(1)}));
    auto moved = film(1);
    moved.sources[0].file.path = "/media/elsewhere/new name.mkv";
    ok(apply_items({moved}));
    EXPECT_TRUE(numbers(State::pending).empty());
    moved.sources[0].file.mtime_ns += 1;
    ok(apply_items({moved}));
    EXPECT_EQ(numbers(State::pending).size(), 1U);
}

TEST_P(AnalysesContract, rows_come_back_as_they_were_put) {
    std::string payload = "\0\xff'\"{},\\";
    payload += std::string("\0x", 2);
    ok(put({analysis(1, payload), analysis(2, "", "Kaputt: ü")}));
    const auto rows = analyses_->get("keyframes", {content_of(2), content_of(9), content_of(1)});
    ok(rows);
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].failure, "Kaputt: ü");
    EXPECT_EQ((*rows)[0].content, content_of(2));
    const auto& one = (*rows)[1];
    EXPECT_EQ(one.payload, payload);
    EXPECT_EQ(one.kind, "keyframes");
    EXPECT_EQ(one.size_bytes, 1);
    EXPECT_EQ(one.task, "KeyframeExtraction");
    EXPECT_EQ(one.at, core::from_unix_ms(1'700'000'000'001));
    EXPECT_TRUE(analyses_->get("loudness", {content_of(1)})->empty());
    EXPECT_TRUE(analyses_->get("keyframes", {{content_of(1).sample, 7}})->empty());
}

TEST_P(AnalysesContract, a_row_is_replaced_and_of_two_for_one_content_the_later_counts) {
    ok(put({analysis(1, "a"), analysis(1, "b")}));
    EXPECT_EQ(analyses_->get("keyframes", {content_of(1)})->at(0).payload, "b");
    ok(put({analysis(1, "c")}));
    EXPECT_EQ(analyses_->get("keyframes", {content_of(1)})->at(0).payload, "c");
    EXPECT_EQ(count("analyses"), 1);
}

TEST_P(AnalysesContract, a_stale_fence_writes_nothing) {
    auto stale = fence_;
    --stale.epoch;
    const auto refused = analyses_->put({analysis(1)}, stale);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::fenced);
    EXPECT_EQ(count("analyses"), 0);
    EXPECT_EQ(analyses_->purge_unreferenced("", stale).error().code, Errc::fenced);
    EXPECT_EQ(analyses_->purge_kinds("k", "", 9, stale).error().code, Errc::fenced);
}

TEST_P(AnalysesContract, failures_are_shown_with_the_task_as_long_as_a_file_has_those_bytes) {
    ok(apply_items({film(1), film(2)}));
    ok(put({analysis(1, "", "no video stream"), analysis(2), analysis(3, "", "gone")}));
    auto failed = batch();
    failed.upsert_files = {file("/media/zzz")};
    failed.upsert_files[0].failure = "truncated";
    ok(apply(failed));
    const auto problems = catalog_->problems(library_id(1));
    ok(problems);
    ASSERT_EQ(problems->size(), 2U);
    EXPECT_EQ((*problems)[0].path, "/media/film 1");
    EXPECT_EQ((*problems)[0].task, "KeyframeExtraction");
    EXPECT_EQ((*problems)[0].reason, "no video stream");
    EXPECT_EQ((*problems)[0].since, core::from_unix_ms(1'700'000'000'001));
    EXPECT_EQ((*problems)[0].library, library_id(1));
    EXPECT_EQ((*problems)[1].task, "RefreshLibrary");
    EXPECT_TRUE(catalog_->problems(library_id(2))->empty());
}

TEST_P(AnalysesContract, purge_takes_what_no_source_has_and_keeps_what_is_offline) {
    ok(apply_items({film(1), film(2), film(3)}));
    auto away = batch();
    away.mark_unavailable = {item_id(1)};
    ok(apply(away));
    ok(remove_items({item_id(2)}));
    std::vector<store::Analysis> rows{analysis(1), analysis(2), analysis(3)};
    for (std::uint32_t i = 100; i < 7'100; ++i) rows.push_back(analysis(i));  // two steps
    for (std::size_t at = 0; at < rows.size(); at += 500) {
        ok(put({rows.begin() + static_cast<std::ptrdiff_t>(at),
                rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), at + 500))}));
    }
    EXPECT_EQ(purge(), 7'001);
    EXPECT_EQ(analyses_->get("keyframes", {content_of(1), content_of(2), content_of(3)})->size(), 2U);
    EXPECT_EQ(purge(), 0);
    EXPECT_EQ(analyses_->purge_unreferenced("zz", fence_).error().code, Errc::invalid);
    EXPECT_EQ(analyses_->purge_unreferenced("3939", fence_).error().code, Errc::invalid);
}

TEST_P(AnalysesContract, what_other_settings_made_is_purged_by_kind) {
    auto small = analysis(1);
    small.kind = "pictures:w320:jpeg";
    auto large = analysis(1);
    large.kind = "pictures:w400:jpeg";
    ok(put({analysis(1), small, large}));
    const auto removed =
        fenced([&](const core::Fence& fence) { return analyses_->purge_kinds("pictures:", large.kind, 10, fence); });
    ok(removed);
    EXPECT_EQ(*removed, 1);
    EXPECT_EQ(count("analyses WHERE kind IN ('keyframes', 'pictures:w400:jpeg')"), 2);
}

}  // namespace understudy::testing
