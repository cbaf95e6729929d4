// tests/contract/media_stores/covers_contract.h: what every Covers must do, and what the catalogue shows of it.
#pragma once

#include <algorithm>
#include <set>

#include "contract/media_stores/media_fixture.h"
#include "contract/scan_store/recording_database.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_blobs.h"
#include "store/sql/sql_covers.h"

namespace understudy::testing {

/// Album 10 has tracks 11, 12, 13; their contents have the same numbers.
class CoversContract : public MediaFixture {
protected:
    void SetUp() override {
        MediaFixture::SetUp();
        covers_ = std::make_unique<store::sql::SqlCovers>(*database_);
        analyses_ = std::make_unique<store::sql::SqlAnalyses>(*database_);
        add_library(1, "One", {"/media"});
        add_library(2, "Two", {"/two"});
    }
    static model::Item pictured(model::Item item, bool has = true) {
        for (auto& source : item.sources) source.info.has_embedded_picture = has;
        return item;
    }
    static model::Item track(std::uint32_t number, int disc, int position, std::uint32_t album = 10) {
        auto made = media(number, Kind::track, "/media/t" + std::to_string(number), {Stream::audio}, album);
        made.disc_number = disc;
        made.track_number = position;
        return pictured(made);
    }
    void add_album() {
        ok(apply_items({item(9, Kind::artist, "Artist"), item(10, Kind::album, "Album", 9), track(11, 2, 1),
                        track(12, 1, 2), track(13, 1, 1)}));
    }
    std::vector<store::DueCover> due(const std::vector<std::uint8_t>& libraries = {1}) {
        std::vector<core::LibraryId> ids;
        for (const auto number : libraries) ids.push_back(library_id(number));
        const auto found = covers_->due(ids);
        ok(found);
        return found ? *found : std::vector<store::DueCover>{};
    }
    /// `item: content` of each, in order; `+` where the picture is known, `-` where nothing is left to show.
    std::string due_text(const std::vector<std::uint8_t>& libraries = {1}) {
        std::string text;
        for (const auto& one : due(libraries)) {
            text += (text.empty() ? "" : " ") + std::to_string(number_of(one.item)) + ":";
            text += one.content.sample.empty() ? "-" : std::to_string(std::stoi(one.content.sample));
            if (one.known) text += "+";
        }
        return text;
    }
    static int number_of(core::ItemId id) {
        int number = 0;
        for (std::size_t i = 12; i < 16; ++i) number = number * 256 + id.bytes()[i];
        return number;
    }
    static store::Cover cover(std::uint8_t number) {
        store::Cover made{{}, 1000 + number, 300, 200};
        made.blob.bytes[0] = number;
        made.blob.bytes[31] = 0xff;
        return made;
    }
    Result<void> put(std::uint32_t item, std::uint32_t content, std::uint8_t picture) {
        const store::FoundCover found{item_id(item), content_of(content), cover(picture)};
        return fenced([&](const core::Fence& fence) { return covers_->put({found}, fence); });
    }
    Result<void> show(const std::vector<store::DueCover>& covers) {
        return fenced([&](const core::Fence& fence) { return covers_->show(covers, fence); });
    }
    void fail(std::uint32_t content) {
        store::Analysis row;
        row.kind = store::cover_kind;
        row.content = content_of(content);
        row.task = "RefreshLibrary";
        row.failure = "embedded picture: broken";
        ok(fenced([&](const core::Fence& fence) { return analyses_->put({row}, fence); }));
    }
    /// The blob's first byte of what the item shows; 0: nothing.
    int shown(std::uint32_t item) {
        const auto found = covers_->covers({item_id(item)});
        ok(found);
        return found && found->contains(item_id(item)) ? found->at(item_id(item)).blob.bytes[0] : 0;
    }
    void purge() {
        std::string cursor;
        do {
            const auto step =
                fenced([&](const core::Fence& fence) { return analyses_->purge_unreferenced(cursor, fence); });
            ok(step);
            cursor = step->cursor;
        } while (!cursor.empty());
    }

    std::unique_ptr<store::sql::SqlCovers> covers_;
    std::unique_ptr<store::sql::SqlAnalyses> analyses_;
};

TEST_P(CoversContract, films_and_episodes_with_a_picture_in_them_are_due_in_the_order_of_their_paths) {
    auto theirs = pictured(film(5, 2));
    theirs.sources[0].file.path = "/two/film";
    ok(apply_items({pictured(film(3)), film(4), pictured(film(1))}));
    ok(apply_items({theirs}, 2));
    auto show_ = item(20, Kind::series, "Show");
    auto season = item(21, Kind::season, "Season", 20);
    ok(apply_items({show_, season, pictured(media(22, Kind::episode, "/media/a", {Stream::video}, 21)),
                    pictured(media(23, Kind::extra, "/media/b", {Stream::video}, 3))}));
    EXPECT_EQ(due_text(), "22:22 1:1 3:3");
    EXPECT_EQ(due_text({2}), "5:5");
    EXPECT_EQ(due_text({2, 1}), "22:22 1:1 3:3 5:5");
    EXPECT_EQ(due_text({}), "");
}

TEST_P(CoversContract, of_an_album_one_track_is_due_and_the_next_only_after_it_failed) {
    add_album();
    EXPECT_EQ(due_text(), "10:13") << "the first by disc and number";
    fail(13);
    EXPECT_EQ(due_text(), "10:12");
    fail(12);
    EXPECT_EQ(due_text(), "10:11");
    fail(11);
    EXPECT_EQ(due_text(), "");
}

TEST_P(CoversContract, a_version_without_a_picture_is_passed_over) {
    auto made = film(1);
    auto second = made.sources[0];
    second.file.path = "/media/second";
    second.info.content_sample = sample_of(2);
    second.file.mtime_ns = content_of(2).mtime_ns;
    second.info.has_embedded_picture = true;
    made.sources.push_back(second);
    ok(apply_items({made}));
    EXPECT_EQ(due_text(), "1:2");
    const auto sources = covers_->sources(due());
    ok(sources);
    ASSERT_EQ(sources->size(), 1U);
    EXPECT_EQ(sources->front().path, "/media/second");
    EXPECT_EQ(sources->front().number, 1);
    EXPECT_EQ(sources->front().content, content_of(2));
}

TEST_P(CoversContract, what_was_put_is_shown_and_no_longer_due) {
    add_album();
    ok(put(10, 13, 7));
    ok(put(10, 13, 7));
    EXPECT_EQ(shown(10), 7);
    EXPECT_EQ(due_text(), "");
    const auto all = covers_->covers({item_id(10), item_id(11), item_id(77)});
    ok(all);
    ASSERT_EQ(all->size(), 1U);
    EXPECT_EQ(all->at(item_id(10)), cover(7));
    EXPECT_EQ(covers_->shown_in({library_id(1)}), std::vector{item_id(10)});
    EXPECT_TRUE(covers_->shown_in({library_id(2)})->empty());
    EXPECT_TRUE(covers_->shown_in({})->empty());
}

TEST_P(CoversContract, a_renamed_file_keeps_its_picture_and_a_replaced_one_is_due_with_its_new_content) {
    ok(apply_items({pictured(film(1))}));
    ok(put(1, 1, 7));
    auto renamed = pictured(film(1));
    renamed.sources[0].file.path = "/media/renamed";
    ok(apply_items({renamed}));
    EXPECT_EQ(due_text(), "");
    EXPECT_EQ(shown(1), 7);
    auto replaced = pictured(film(1));
    replaced.sources[0].info.content_sample = sample_of(2);
    ok(apply_items({replaced}));
    ASSERT_EQ(due().size(), 1U);
    EXPECT_EQ(due()[0].content.sample, sample_of(2));
    EXPECT_EQ(shown(1), 7) << "until the new one is found";
}

TEST_P(CoversContract, a_file_replaced_by_one_without_a_picture_takes_it_away) {
    ok(apply_items({pictured(film(1)), pictured(film(2))}));
    ok(put(1, 1, 7));
    ok(put(2, 2, 8));
    auto replaced = film(1);
    replaced.sources[0].info.content_sample = sample_of(5);
    // What lies below the film has no say in it.
    ok(apply_items({replaced, pictured(media(3, Kind::extra, "/media/extra", {Stream::video}, 1))}));
    EXPECT_EQ(due_text(), "1:-");
    ok(show(due()));
    EXPECT_EQ(shown(1), 0);
    EXPECT_EQ(shown(2), 8);
    EXPECT_EQ(due_text(), "");
}

TEST_P(CoversContract, a_picture_that_came_later_to_be_first_does_not_change_the_album) {
    add_album();
    ok(put(10, 12, 7));
    EXPECT_EQ(due_text(), "") << "track 12 is still one of its tracks";
    ok(remove_items({item_id(12)}));
    EXPECT_EQ(due_text(), "10:13");
}

TEST_P(CoversContract, a_track_that_went_to_another_album_takes_its_picture_along) {
    add_album();
    ok(put(10, 13, 7));
    ok(apply_items({item(30, Kind::album, "Other", 9), track(13, 1, 1, 30)}));
    EXPECT_EQ(due_text(), "10:12 30:13+") << "known: nothing to decode for the other album";
    auto all = due();
    std::erase_if(all, [](const auto& one) { return !one.known; });
    ok(show(all));
    EXPECT_EQ(shown(30), 7);
}

TEST_P(CoversContract, a_primary_picture_beside_the_file_comes_first_and_gives_way_when_it_goes) {
    auto with_poster = pictured(film(1));
    with_poster.images = {{model::ImageKind::primary, "/media/poster.jpg", 1, 2}};
    auto with_backdrop = pictured(film(2));
    with_backdrop.images = {{model::ImageKind::backdrop, "/media/backdrop.jpg", 1, 2}};
    ok(apply_items({with_poster, with_backdrop}));
    EXPECT_EQ(due_text(), "2:2");
    ok(put(2, 2, 8));
    with_backdrop.images.push_back({model::ImageKind::primary, "/media/poster2.jpg", 1, 2});
    ok(apply_items({with_backdrop}));
    EXPECT_FALSE(catalog_->find(item_id(2)).value()->cover) << "what lies beside it wins";
    ok(apply_items({pictured(film(1)), pictured(film(2))}));
    EXPECT_EQ(due_text(), "1:1");
    EXPECT_EQ(catalog_->find(item_id(2)).value()->cover, cover(8));
}

TEST_P(CoversContract, what_is_away_is_not_due_and_keeps_what_it_shows) {
    ok(apply_items({pictured(film(1)), pictured(film(2))}));
    ok(put(1, 1, 7));
    auto all = batch();
    all.mark_unavailable = {item_id(1), item_id(2)};
    ok(apply(all));
    EXPECT_EQ(due_text(), "");
    EXPECT_EQ(shown(1), 7);
}

TEST_P(CoversContract, a_picture_goes_with_its_item_and_none_is_left_under_one_that_is_gone) {
    ok(apply_items({pictured(film(1))}));
    ok(put(1, 1, 7));
    ok(put(77, 7, 7));
    EXPECT_EQ(count("item_covers"), 1);
    ok(remove_items({item_id(1)}));
    EXPECT_EQ(count("item_covers"), 0);
    EXPECT_EQ(count("covers"), 2) << "by content: the file may come back";
    purge();
    EXPECT_EQ(count("covers"), 0);
}

TEST_P(CoversContract, the_sweep_of_blobs_leaves_what_a_cover_names) {
    ok(apply_items({pictured(film(1))}));
    store::sql::SqlBlobs blobs(*database_);
    store::sql::SqlBlobReferences references(*database_);
    const auto used = blobs.put("picture"), unused = blobs.put("nobody's");
    ok(used);
    ok(unused);
    const store::FoundCover found{item_id(1), content_of(1), {*used, 7, 1, 1}};
    ok(fenced([&](const core::Fence& fence) { return covers_->put({found}, fence); }));
    ok(blobs.remove_unreferenced("", references, core::Millis{0}));
    EXPECT_TRUE(blobs.exists(*used).value());
    EXPECT_FALSE(blobs.exists(*unused).value());
    ok(remove_items({item_id(1)}));
    purge();
    ok(blobs.remove_unreferenced("", references, core::Millis{0}));
    EXPECT_FALSE(blobs.exists(*used).value());
}

TEST_P(CoversContract, nothing_is_written_under_an_old_fence) {
    ok(apply_items({pictured(film(1))}));
    auto stale = fence_;
    --stale.epoch;
    const auto refused = covers_->put({{item_id(1), content_of(1), cover(7)}}, stale);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::fenced);
    EXPECT_EQ(covers_->show({due()}, stale).error().code, Errc::fenced);
    EXPECT_EQ(count("covers") + count("item_covers"), 0);
}

TEST_P(CoversContract, the_catalogue_shows_them_with_items_and_with_the_albums_of_tracks) {
    add_album();
    ok(apply_items({pictured(film(1)), film(2)}));
    ok(put(10, 13, 7));
    ok(put(1, 1, 8));
    store::ItemQuery query;
    query.library = library_id(1);
    query.recursive = true;
    const auto page = catalog_->list(query);
    ok(page);
    int tracks = 0;
    for (const auto& listed : page->items) {
        const auto number = number_of(listed.item.id);
        EXPECT_EQ(listed.cover, number == 10  ? std::optional(cover(7))
                                : number == 1 ? std::optional(cover(8))
                                              : std::nullopt)
            << number;
        if (listed.item.kind != Kind::track) continue;
        ++tracks;
        ASSERT_EQ(listed.ancestors.size(), 1U);
        EXPECT_EQ(listed.ancestors[0].kind, Kind::album);
        EXPECT_EQ(listed.ancestors[0].cover, cover(7));
    }
    EXPECT_EQ(tracks, 3);
}

TEST_P(CoversContract, a_page_costs_one_more_query_and_none_where_nobody_shows_any) {
    add_album();
    RecordingDatabase recording(*database_);
    store::sql::SqlCatalog catalog(recording);
    store::ItemQuery query;
    query.parent = item_id(10);
    ok(catalog.list(query));
    EXPECT_EQ(recording.asked.size(), 1U);
    ok(put(10, 13, 7));
    recording.asked.clear();
    const auto page = catalog.list(query);
    ok(page);
    EXPECT_EQ(page->items.size(), 3U);
    EXPECT_EQ(recording.asked.size(), 2U);
}

TEST_P(CoversContract, a_broken_one_is_a_problem_of_its_file) {
    add_album();
    fail(13);
    const auto problems = catalog_->problems(library_id(1));
    ok(problems);
    ASSERT_EQ(problems->size(), 1U);
    EXPECT_EQ(problems->front().path, "/media/t13");
    EXPECT_EQ(problems->front().reason, "embedded picture: broken");
}

}  // namespace understudy::testing
