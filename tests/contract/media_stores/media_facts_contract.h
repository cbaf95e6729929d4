// tests/contract/media_stores/media_facts_contract.h: what every MediaSegments, LoudnessStore and ChapterPictures must
// do.
#pragma once

#include <optional>

#include "contract/media_stores/media_fixture.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_media_facts.h"

namespace understudy::testing {

class MediaFactsContract : public MediaFixture {
protected:
    using Segment = model::Segment;
    using What = model::SegmentKind;

    void SetUp() override {
        MediaFixture::SetUp();
        facts_ = std::make_unique<store::sql::SqlMediaFacts>(*database_);
        add_library(1, "One", {"/media"});
        ok(apply_items({film(1), film(2), film(3)}));
    }
    std::int64_t put(const std::string& provider, const std::vector<store::ItemSegments>& items) {
        const auto changed =
            fenced([&](const core::Fence& fence) { return facts_->put_segments(provider, items, fence); });
        ok(changed);
        return changed ? *changed : -1;
    }
    std::vector<store::ProvidedSegment> segments(std::uint32_t number) {
        const auto found = facts_->segments({item_id(number)});
        ok(found);
        const auto at = found->find(item_id(number));
        return at == found->end() ? std::vector<store::ProvidedSegment>{} : at->second;
    }
    std::map<core::ItemId, std::string> bases(const std::string& provider) {
        std::map<core::ItemId, std::string> found;
        ok(facts_->segment_bases(provider,
                                 [&](core::ItemId item, std::string&& basis) { found[item] = std::move(basis); }));
        return found;
    }
    Result<void> put_loudness(const std::vector<store::Loudness>& rows) {
        return fenced([&](const core::Fence& fence) { return facts_->put_loudness(rows, fence); });
    }
    static store::BlobHash blob(std::uint8_t number) {
        store::BlobHash hash;
        hash.bytes[0] = number;
        hash.bytes[31] = 0xff;
        return hash;
    }

    std::unique_ptr<store::sql::SqlMediaFacts> facts_;
};

TEST_P(MediaFactsContract, segments_come_by_provider_and_start) {
    EXPECT_EQ(put("edl", {{item_id(1), "a", {{What::outro, 90s, 100s}, {What::intro, 5s, 35s}}}}), 1);
    EXPECT_EQ(put("chapters", {{item_id(1), "b", {{What::recap, 0s, 5s}}}}), 1);
    const auto found = segments(1);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].provider, "chapters");
    EXPECT_EQ(found[0].segment, (Segment{What::recap, 0s, 5s}));
    EXPECT_EQ(found[1].provider, "edl");
    EXPECT_EQ(found[1].segment, (Segment{What::intro, 5s, 35s}));
    EXPECT_EQ(found[2].segment, (Segment{What::outro, 90s, 100s}));
    EXPECT_TRUE(segments(2).empty());
}

TEST_P(MediaFactsContract, a_provider_replaces_its_own_and_only_what_differs) {
    put("edl", {{item_id(1), "a", {{What::intro, 5s, 35s}}}, {item_id(2), "a", {{What::intro, 1s, 2s}}}});
    put("chapters", {{item_id(1), "a", {{What::intro, 4s, 30s}}}});
    EXPECT_EQ(put("edl", {{item_id(1), "b", {{What::intro, 5s, 35s}}}, {item_id(2), "b", {}}}), 1);
    EXPECT_EQ(segments(1).size(), 2U);
    EXPECT_TRUE(segments(2).empty());
    EXPECT_EQ(bases("edl").at(item_id(1)), "b");
    EXPECT_EQ(bases("edl").at(item_id(2)), "b");
    EXPECT_EQ(bases("chapters").size(), 1U);
}

TEST_P(MediaFactsContract, a_segment_without_length_is_left_out_and_the_rest_stand) {
    EXPECT_EQ(put("edl", {{item_id(1), "", {{What::intro, 0s, 0s}, {What::outro, 9s, 8s}, {What::intro, 1s, 2s}}}}), 1);
    EXPECT_EQ(segments(1).size(), 1U);
}

TEST_P(MediaFactsContract, that_nothing_was_found_is_remembered) {
    EXPECT_EQ(put("fingerprint", {{item_id(1), "season 1", {}}}), 0);
    EXPECT_EQ(bases("fingerprint").at(item_id(1)), "season 1");
    EXPECT_TRUE(bases("edl").empty());
}

TEST_P(MediaFactsContract, facts_stay_with_a_moved_item_and_go_with_it) {
    put("edl", {{item_id(1), "a", {{What::intro, 1s, 2s}}}});
    ok(put_loudness({{item_id(1), store::LoudnessOrigin::measured, "x", -18.5, 0.5, 0.5}}));
    auto moved = film(1);
    moved.sources[0].file.path = "/media/moved";
    ok(apply_items({moved}));
    EXPECT_EQ(segments(1).size(), 1U);
    EXPECT_EQ(facts_->loudness({item_id(1)})->size(), 1U);
    ok(remove_items({item_id(1)}));
    EXPECT_EQ(count("media_segments") + count("segment_searches") + count("item_loudness"), 0);
}

TEST_P(MediaFactsContract, an_item_that_is_gone_gets_nothing) {
    EXPECT_EQ(put("edl", {{item_id(77), "a", {{What::intro, 1s, 2s}}}}), 0);
    ok(put_loudness({{item_id(77), store::LoudnessOrigin::measured, "x", {}, {}, {}}}));
    EXPECT_EQ(count("media_segments") + count("segment_searches") + count("item_loudness"), 0);
}

TEST_P(MediaFactsContract, what_was_left_under_a_gone_item_is_purged) {
    put("edl", {{item_id(1), "a", {{What::intro, 1s, 2s}}}});
    ok(put_loudness({{item_id(2), store::LoudnessOrigin::measured, "x", {}, {}, {}}}));
    ok(sql("DELETE FROM items"));
    store::sql::SqlAnalyses analyses(*database_);
    std::int64_t removed = 0;
    std::string cursor;
    do {
        const auto step = fenced([&](const core::Fence& fence) { return analyses.purge_unreferenced(cursor, fence); });
        ok(step);
        removed += step->removed;
        cursor = step->cursor;
    } while (!cursor.empty());
    EXPECT_EQ(removed, 3);
}

TEST_P(MediaFactsContract, loudness_comes_back_as_it_was_put) {
    const store::Loudness measured{item_id(1), store::LoudnessOrigin::measured, "basis", -23.25, 0.9987654321, 5.25};
    const store::Loudness silent{item_id(2), store::LoudnessOrigin::measured, "", {}, 0.0, {}};
    const store::Loudness tagged{item_id(3), store::LoudnessOrigin::r128, "tag", {}, {}, -3.5};
    ok(put_loudness({measured, silent, tagged}));
    auto found = facts_->loudness({item_id(1), item_id(2), item_id(3), item_id(9)});
    ok(found);
    ASSERT_EQ(found->size(), 3U);
    EXPECT_EQ(found->at(item_id(1)), measured);
    EXPECT_EQ(found->at(item_id(2)), silent);
    EXPECT_EQ(found->at(item_id(3)), tagged);
    auto changed = tagged;
    changed.origin = store::LoudnessOrigin::replaygain;
    ok(put_loudness({changed}));
    EXPECT_EQ(facts_->loudness({item_id(3)})->at(item_id(3)), changed);
    std::map<core::ItemId, std::string> bases;
    ok(facts_->loudness_bases(
        [&](core::ItemId item, store::LoudnessOrigin, std::string&& basis) { bases[item] = std::move(basis); }));
    EXPECT_EQ(bases.size(), 3U);
    EXPECT_EQ(bases.at(item_id(1)), "basis");
}

TEST_P(MediaFactsContract, pictures_belong_to_the_bytes) {
    auto copy = film(2);
    copy.sources[0].info.content_sample = content_of(1).sample;
    copy.sources[0].file.mtime_ns = content_of(1).mtime_ns;
    ok(apply_items({copy}));
    const store::ChapterPicture first{0, blob(1), 400, 225, "jpeg"}, second{1, blob(2), 400, 224, "webp"};
    ok(fenced([&](const core::Fence& fence) {
        return facts_->put_pictures({{content_of(1), {second, first}}, {content_of(3), {first}}}, fence);
    }));
    auto found = facts_->pictures({item_id(1), item_id(2)});
    ok(found);
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[std::make_pair(item_id(1), 0)], (std::vector<store::ChapterPicture>{first, second}));
    EXPECT_EQ((*found)[std::make_pair(item_id(2), 0)].size(), 2U);
    ok(fenced([&](const core::Fence& fence) { return facts_->put_pictures({{content_of(1), {second}}}, fence); }));
    EXPECT_EQ(facts_->pictures({item_id(1)})->at({item_id(1), 0}), (std::vector<store::ChapterPicture>{second}));
    EXPECT_EQ(facts_->pictures({item_id(3)})->size(), 1U);
    // A new version of the file has other chapters: its old pictures are not shown.
    auto changed = film(3);
    changed.sources[0].info.content_sample = sample_of(33);
    ok(apply_items({changed}));
    EXPECT_TRUE(facts_->pictures({item_id(3)})->empty());
}

TEST_P(MediaFactsContract, a_stale_fence_writes_nothing) {
    auto stale = fence_;
    ++stale.cursor_seq;
    EXPECT_EQ(facts_->put_segments("edl", {{item_id(1), "", {{What::intro, 1s, 2s}}}}, stale).error().code,
              Errc::fenced);
    EXPECT_EQ(facts_->put_loudness({{item_id(1), {}, "", {}, {}, {}}}, stale).error().code, Errc::fenced);
    EXPECT_EQ(facts_->put_pictures({{content_of(1), {{0, blob(1), 1, 1, "jpeg"}}}}, stale).error().code, Errc::fenced);
    EXPECT_EQ(count("media_segments") + count("item_loudness") + count("chapter_pictures"), 0);
}

}  // namespace understudy::testing
