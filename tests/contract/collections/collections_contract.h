// tests/contract/collections/collections_contract.h: what every Collections must do.
#pragma once

#include <future>
#include <latch>
#include <set>

#include "contract/media_stores/media_fixture.h"
#include "core/random.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_blobs.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_user_data.h"

namespace understudy::testing {

class CollectionsContract : public MediaFixture {
protected:
    using Items = std::vector<std::uint32_t>;

    void SetUp() override {
        MediaFixture::SetUp();
        collections_ = std::make_unique<store::sql::SqlCollections>(*database_, random_);
        add_library(1, "One", {"/media"});
        add_library(2, "Two", {"/two"});
        std::vector<model::Item> films;
        for (std::uint32_t i = 1; i <= 9; ++i) films.push_back(film(i));
        ok(apply_items(films));
        ok(apply_items({film(21, 2), film(22, 2)}, 2));
    }
    static std::vector<core::ItemId> ids(const Items& numbers) {
        std::vector<core::ItemId> found;
        for (const auto number : numbers) found.push_back(item_id(number));
        return found;
    }
    static store::Collection playlist(std::uint32_t number, const std::string& name) {
        store::Collection made;
        made.id = item_id(number);
        made.name = name;
        made.created_at = core::from_unix_ms(1'700'000'000'000);
        return made;
    }
    static store::Collection box_set(std::uint32_t number, const std::string& name) {
        auto made = playlist(number, name);
        made.kind = Kind::box_set;
        return made;
    }
    std::vector<store::Member> members(std::uint32_t number) {
        auto found = collections_->members(item_id(number), 0, 0);
        ok(found);
        return found.value_or(std::vector<store::Member>{});
    }
    Items order(std::uint32_t number) {
        Items found;
        for (const auto& member : members(number)) {
            const auto& bytes = member.item.bytes();
            found.push_back(static_cast<std::uint32_t>(bytes[14] * 256 + bytes[15]));
        }
        return found;
    }
    void roots(std::uint8_t library, const std::vector<bool>& online) {
        auto all = batch(library);
        all.roots.emplace();
        for (std::size_t i = 0; i < online.size(); ++i) {
            all.roots->push_back({"/root" + std::to_string(i), online[i], online[i] ? "" : "missing", {}, 1});
        }
        ok(apply(all));
    }
    std::int64_t clean() {
        std::int64_t removed = 0;
        std::string cursor;
        do {
            const auto step =
                fenced([&](const core::Fence& fence) { return collections_->drop_gone_members(cursor, away_, fence); });
            ok(step);
            if (!step) return -1;
            removed += step->removed;
            cursor = step->cursor;
        } while (!cursor.empty());
        return removed;
    }
    std::int64_t put_found(const std::vector<store::FoundCollection>& found) {
        const auto changed =
            fenced([&](const core::Fence& fence) { return collections_->put_found(library_id(1), found, fence); });
        ok(changed);
        return changed ? *changed : -1;
    }

    core::SystemRandom random_;
    std::unique_ptr<store::Collections> collections_;
    std::vector<core::LibraryId> away_;  // as clean() is told
};

TEST_P(CollectionsContract, a_collection_comes_back_as_it_was_made) {
    auto made = playlist(100, "Für den Abend");
    made.owner = core::UserId{core::IdBytes{7}};
    made.is_public = false;
    ok(collections_->create(made, ids({3, 1, 77, 2, 1})));
    const auto found = collections_->find(item_id(100));
    ok(found);
    ASSERT_TRUE(*found);
    EXPECT_EQ((*found)->name, made.name);
    EXPECT_EQ((*found)->kind, Kind::playlist);
    EXPECT_EQ((*found)->owner, made.owner);
    EXPECT_FALSE((*found)->is_public);
    EXPECT_TRUE((*found)->origin.empty());
    EXPECT_EQ((*found)->created_at, made.created_at);
    EXPECT_EQ((*found)->members, 4);
    EXPECT_EQ(order(100), (Items{3, 1, 2, 1}));  // what is gone is left out
    EXPECT_EQ(members(100)[0].library, library_id(1));
    EXPECT_FALSE(*collections_->find(item_id(1)));
    EXPECT_EQ(collections_->create(made, {}).error().code, Errc::conflict);
    EXPECT_EQ(collections_->members(item_id(1), 0, 0).error().code, Errc::not_found);
}

TEST_P(CollectionsContract, a_collection_is_an_item_of_no_library_that_people_see) {
    ok(collections_->create(box_set(100, "Trilogy"), ids({1})));
    const auto item = catalog_->find(item_id(100));
    ok(item);
    ASSERT_TRUE(*item);
    EXPECT_EQ((*item)->item.kind, Kind::box_set);
    EXPECT_EQ((*item)->item.library, store::collections_library);
    store::ItemQuery query;
    query.library = library_id(1);
    query.recursive = true;
    EXPECT_EQ(catalog_->list(query)->total, 9U);
    query = {};
    query.search = "trilogy";
    EXPECT_EQ(catalog_->list(query)->total, 1U);
    EXPECT_EQ(libraries_->all()->size(), 2U);
}

TEST_P(CollectionsContract, the_catalogue_leaves_out_what_its_viewer_may_not_see) {
    const core::UserId ann{core::IdBytes{0xcc, 1}}, bo{core::IdBytes{0xcc, 2}};
    auto own = playlist(50, "Own"), shared = playlist(51, "Shared"), others = playlist(52, "Other's"),
         nobodys = playlist(53, "Nobody's");
    own.owner = ann;
    shared.owner = others.owner = bo;
    own.is_public = others.is_public = nobodys.is_public = false;
    shared.is_public = true;
    for (const auto& list : {own, shared, others, nobodys}) ok(collections_->create(list, ids({1})));
    ok(collections_->create(box_set(54, "Set"), ids({1, 21})));
    store::ItemQuery query;
    query.recursive = true;
    const auto seen = [&] {
        std::set<std::string> names;
        query.ids = ids({1, 21, 50, 51, 52, 53, 54});
        const auto page = catalog_->list(query);
        ok(page);
        for (const auto& listed : page->items) names.insert(listed.item.name);
        EXPECT_EQ(page->total, names.size());
        return names;
    };
    using Names = std::set<std::string>;
    EXPECT_EQ(seen(), (Names{"Item 1", "Item 21", "Own", "Shared", "Other's", "Nobody's", "Set"}));
    query.viewer = store::Viewer{ann, std::nullopt};
    EXPECT_EQ(seen(), (Names{"Item 1", "Item 21", "Own", "Shared", "Set"}));
    query.viewer = store::Viewer{ann, std::vector{library_id(2)}};
    EXPECT_EQ(seen(), (Names{"Item 21", "Own", "Shared", "Set"}));
    query.viewer = store::Viewer{{}, std::vector<core::LibraryId>{}};
    EXPECT_EQ(seen(), (Names{"Own", "Shared", "Other's", "Nobody's", "Set"}));
}

TEST_P(CollectionsContract, members_are_listed_and_counted_as_far_as_the_viewer_may_see_them) {
    const core::UserId ann{core::IdBytes{0xcc, 1}}, bo{core::IdBytes{0xcc, 2}};
    auto hidden = playlist(50, "Hidden");
    hidden.owner = bo;
    hidden.is_public = false;
    ok(collections_->create(hidden, ids({1})));
    ok(collections_->create(box_set(100, "Set"), ids({1, 21, 50, 2, 22})));
    const auto seen = [&](const std::optional<store::Viewer>& viewer, std::size_t start = 0, std::size_t limit = 0) {
        const auto found = collections_->members(item_id(100), start, limit, viewer);
        ok(found);
        std::vector<core::ItemId> items;
        for (const auto& member : *found) items.push_back(member.item);
        return items;
    };
    const auto children = [&](const std::optional<store::Viewer>& viewer) {
        store::ItemQuery query;
        query.ids = ids({100});
        query.viewer = viewer;
        const auto page = catalog_->list(query);
        ok(page);
        return page->items.at(0).child_count;
    };
    EXPECT_EQ(seen(std::nullopt), ids({1, 21, 50, 2, 22}));
    EXPECT_EQ(children(std::nullopt), 5);
    EXPECT_EQ(seen(store::Viewer{ann, std::nullopt}), ids({1, 21, 2, 22})) << "not the private playlist of another";
    EXPECT_EQ(seen(store::Viewer{bo, std::nullopt}), ids({1, 21, 50, 2, 22}));
    const store::Viewer closed{ann, std::vector{library_id(2)}}, none{ann, std::vector<core::LibraryId>{}};
    EXPECT_EQ(seen(closed), ids({21, 22}));
    EXPECT_EQ(seen(closed, 1, 5), ids({22})) << "a page is cut from what may be seen";
    EXPECT_EQ(children(closed), 2);
    EXPECT_EQ(children(none), 0);
    EXPECT_EQ(children(store::Viewer{bo, std::vector{library_id(1)}}), 3);
    EXPECT_EQ(collections_->members(item_id(1), 0, 0, closed).error().code, Errc::not_found);
}

TEST_P(CollectionsContract, they_are_listed_by_name_and_changed) {
    ok(collections_->create(playlist(100, "zz"), {}));
    ok(collections_->create(box_set(101, "Mm"), ids({1, 2})));
    auto first = playlist(102, "The aa");
    first.sort_name = "aa";
    ok(collections_->create(first, {}));
    const auto names = [&](std::optional<Kind> kind) {
        std::string text;
        const auto all = collections_->all(kind);
        for (const auto& one : *all) text += one.name + "|";
        return text;
    };
    EXPECT_EQ(names({}), "The aa|Mm|zz|");
    EXPECT_EQ(names(Kind::playlist), "The aa|zz|");
    auto changed = playlist(100, "Aaa");
    changed.is_public = false;
    ok(collections_->update(changed));
    EXPECT_EQ(names(Kind::playlist), "The aa|Aaa|");
    EXPECT_FALSE(collections_->find(item_id(100))->value().is_public);
    ok(collections_->remove(item_id(101)));
    EXPECT_FALSE(*collections_->find(item_id(101)));
    EXPECT_EQ(count("collection_members"), 0);
    EXPECT_FALSE(*catalog_->find(item_id(101)));
    EXPECT_EQ(collections_->remove(item_id(101)).error().code, Errc::not_found);
    EXPECT_EQ(collections_->update(playlist(101, "x")).error().code, Errc::not_found);
}

TEST_P(CollectionsContract, items_are_added_where_it_is_said) {
    ok(collections_->create(playlist(100, "p"), {}));
    EXPECT_EQ(collections_->add(item_id(100), ids({1, 2}), {}).value(), 2);
    EXPECT_EQ(collections_->add(item_id(100), ids({3}), 0).value(), 1);
    EXPECT_EQ(order(100), (Items{3, 1, 2}));
    EXPECT_EQ(collections_->add(item_id(100), ids({4, 5}), 2).value(), 2);
    EXPECT_EQ(order(100), (Items{3, 1, 4, 5, 2}));
    EXPECT_EQ(collections_->add(item_id(100), ids({6}), 5).value(), 1);
    EXPECT_EQ(collections_->add(item_id(100), ids({7, 1}), 99).value(), 2);
    EXPECT_EQ(order(100), (Items{3, 1, 4, 5, 2, 6, 7, 1}));
    EXPECT_EQ(collections_->add(item_id(9), ids({1}), {}).error().code, Errc::not_found);
    const auto page = collections_->members(item_id(100), 2, 3);
    ok(page);
    ASSERT_EQ(page->size(), 3U);
    EXPECT_EQ((*page)[0].item, item_id(4));
}

TEST_P(CollectionsContract, a_box_set_holds_an_item_once) {
    ok(collections_->create(box_set(100, "b"), ids({1, 2, 1})));
    EXPECT_EQ(order(100), (Items{1, 2}));
    EXPECT_EQ(collections_->add(item_id(100), ids({2, 3, 3}), 0).value(), 1);
    EXPECT_EQ(order(100), (Items{3, 1, 2}));
}

TEST_P(CollectionsContract, one_holds_others_but_at_no_depth_itself) {
    ok(collections_->create(box_set(100, "Inner"), ids({1})));
    ok(collections_->create(box_set(101, "Middle"), ids({2, 100})));
    ok(collections_->create(box_set(102, "Outer"), ids({101, 3})));
    ok(collections_->create(playlist(103, "List"), ids({102})));
    EXPECT_EQ(order(102), (Items{101, 3})) << "a set in a set is a member as any";
    struct Row {
        std::uint32_t into, what;
        const char* says;
    };
    const Row rows[] = {{100, 100, "'Inner' cannot hold itself"},
                        {100, 101, "'Middle' cannot be put into 'Inner', as it holds that one already"},
                        {100, 102, "'Outer' cannot be put into 'Inner', as it holds that one already"},
                        {101, 103, "'List' cannot be put into 'Middle', as it holds that one already"}};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.says);
        const auto before = order(row.into);
        const auto added = collections_->add(item_id(row.into), ids({4, row.what}), {});
        ASSERT_FALSE(added);
        EXPECT_EQ(added.error().code, Errc::invalid);
        EXPECT_EQ(added.error().context, row.says);
        EXPECT_EQ(collections_->replace(item_id(row.into), ids({row.what})).error().code, Errc::invalid);
        EXPECT_EQ(order(row.into), before) << "all of an edit or nothing";
    }
    const auto itself = collections_->create(box_set(104, "New"), ids({1, 104}));
    ASSERT_FALSE(itself);
    EXPECT_EQ(itself.error().code, Errc::invalid);
    EXPECT_FALSE(*collections_->find(item_id(104)));
    EXPECT_EQ(collections_->add(item_id(102), ids({100}), {}).value(), 1) << "twice below is no loop";
    ok(collections_->remove_items(item_id(101), ids({100})));
    ok(collections_->remove_items(item_id(102), ids({100})));
    ok(collections_->add(item_id(100), ids({102}), {}));
}

TEST_P(CollectionsContract, of_two_pods_that_put_two_into_each_other_one_is_refused) {
    ok(collections_->create(box_set(100, "A"), ids({1})));
    ok(collections_->create(box_set(101, "B"), ids({2})));
    for (int round = 0; round < 20; ++round) {
        std::latch start{2};
        const auto put = [&](std::uint32_t what, std::uint32_t into) {
            start.arrive_and_wait();
            return collections_->add(item_id(into), ids({what}), {});
        };
        auto other = std::async(std::launch::async, [&] { return put(100, 101); });
        const auto own = put(101, 100);
        const auto others = other.get();
        ASSERT_NE(own.has_value(), others.has_value()) << "one of them, in round " << round;
        EXPECT_EQ((own ? others : own).error().code, Errc::invalid);
        ok(collections_->remove_items(item_id(100), ids({101})));
        ok(collections_->remove_items(item_id(101), ids({100})));
    }
}

TEST_P(CollectionsContract, an_entry_moves_to_where_it_is_then_the_one_asked_for) {
    ok(collections_->create(playlist(100, "p"), ids({1, 2, 3, 4, 5})));
    const auto entry = [&](std::uint32_t number) {
        for (const auto& member : members(100)) {
            if (member.item == item_id(number)) return member.entry;
        }
        return core::EntryId{};
    };
    struct Row {
        std::uint32_t item;
        std::size_t index;
        Items want;
    };
    const Row rows[] = {{1, 3, {2, 3, 4, 1, 5}}, {5, 0, {5, 2, 3, 4, 1}},  {3, 2, {5, 2, 3, 4, 1}},
                        {5, 4, {2, 3, 4, 1, 5}}, {2, 99, {3, 4, 1, 5, 2}}, {5, 1, {3, 5, 4, 1, 2}}};
    for (const auto& row : rows) {
        SCOPED_TRACE(std::to_string(row.item) + " to " + std::to_string(row.index));
        const auto same = entry(row.item);
        ok(collections_->move(item_id(100), same, row.index));
        EXPECT_EQ(order(100), row.want);
        EXPECT_EQ(entry(row.item), same);
    }
    EXPECT_EQ(collections_->move(item_id(100), core::EntryId{core::IdBytes{1}}, 0).error().code, Errc::not_found);
}

TEST_P(CollectionsContract, room_is_made_when_there_is_none_between_two) {
    ok(collections_->create(playlist(100, "p"), ids({1, 2})));
    std::set<core::EntryId> first;
    for (const auto& member : members(100)) first.insert(member.entry);
    Items expected{1, 2};
    for (std::uint32_t i = 0; i < 50; ++i) {
        const auto number = 3 + i % 5;
        ok(collections_->add(item_id(100), ids({number}), 1));
        expected.insert(expected.begin() + 1, number);
    }
    EXPECT_EQ(order(100), expected);
    for (std::uint32_t i = 0; i < 50; ++i) {
        ok(collections_->move(item_id(100), members(100).back().entry, 1));
        expected.insert(expected.begin() + 1, expected.back());
        expected.pop_back();
    }
    EXPECT_EQ(order(100), expected);
    std::size_t kept = 0;
    for (const auto& member : members(100)) kept += first.count(member.entry);
    EXPECT_EQ(kept, 2U);
}

TEST_P(CollectionsContract, entries_and_items_are_removed) {
    ok(collections_->create(playlist(100, "p"), ids({1, 2, 1, 3})));
    ok(collections_->create(playlist(101, "q"), ids({1})));
    const auto all = members(100);
    EXPECT_EQ(collections_->remove_entries(item_id(100), {all[2].entry, members(101)[0].entry}).value(), 1);
    EXPECT_EQ(order(100), (Items{1, 2, 3}));
    EXPECT_EQ(collections_->remove_items(item_id(100), ids({1, 3, 8})).value(), 2);
    EXPECT_EQ(order(100), (Items{2}));
    EXPECT_EQ(order(101), (Items{1}));
}

TEST_P(CollectionsContract, members_whose_item_is_gone_are_dropped_where_the_library_is_online) {
    ok(collections_->create(box_set(100, "b"), ids({1, 21, 2, 22})));
    roots(1, {true});
    roots(2, {true, false});
    ok(remove_items({item_id(1)}));
    ok(remove_items({item_id(21)}, 2));
    EXPECT_EQ(members(100).size(), 4U);
    EXPECT_FALSE(members(100)[0].there);
    EXPECT_EQ(clean(), 1);
    EXPECT_EQ(order(100), (Items{21, 2, 22}));
    roots(2, {true, true});
    EXPECT_EQ(clean(), 1);
    EXPECT_EQ(order(100), (Items{2, 22}));
    EXPECT_EQ(clean(), 0);
}

TEST_P(CollectionsContract, members_of_a_library_that_the_caller_sees_offline_stay) {
    ok(collections_->create(box_set(100, "b"), ids({1, 21, 2})));
    roots(1, {true});
    roots(2, {true});
    ok(remove_items({item_id(1)}));
    ok(remove_items({item_id(21)}, 2));
    away_ = {library_id(1), library_id(2)};
    EXPECT_EQ(clean(), 0);
    away_ = {library_id(1)};
    EXPECT_EQ(clean(), 1);
    EXPECT_EQ(order(100), (Items{1, 2}));
    away_.clear();
    EXPECT_EQ(clean(), 1);
}

TEST_P(CollectionsContract, a_library_that_was_never_scanned_proves_nothing) {
    ok(collections_->create(box_set(100, "b"), ids({1})));
    ok(remove_items({item_id(1)}));
    EXPECT_EQ(clean(), 0);
}

TEST_P(CollectionsContract, members_of_a_removed_library_are_dropped_and_the_empty_collection_stays) {
    ok(collections_->create(box_set(100, "b"), ids({1, 2})));
    ok(libraries_->remove(library_id(1)));
    EXPECT_EQ(clean(), 2);
    EXPECT_TRUE(*collections_->find(item_id(100)));
}

TEST_P(CollectionsContract, unavailable_items_stay_members) {
    ok(collections_->create(box_set(100, "b"), ids({1, 2, 3})));
    roots(1, {true});
    auto away = batch();
    away.mark_unavailable = ids({1, 2, 3});
    ok(apply(away));
    EXPECT_EQ(clean(), 0);
    EXPECT_EQ(order(100), (Items{1, 2, 3}));
}

TEST_P(CollectionsContract, a_file_that_comes_back_under_another_id_is_a_member_again) {
    ok(collections_->create(playlist(100, "p"), ids({1, 2, 1})));
    roots(1, {true});
    ok(remove_items({item_id(1)}));
    auto back = film(1, 2);
    back.id = item_id(50);
    ok(apply_items({back}, 2));
    EXPECT_EQ(order(100), (Items{50, 2, 50}));
    EXPECT_EQ(members(100)[0].library, library_id(2));
    EXPECT_EQ(clean(), 0);
    EXPECT_EQ(count("vanished_items"), 0);
}

TEST_P(CollectionsContract, what_a_scan_found_is_made_kept_and_changed) {
    EXPECT_EQ(put_found({{item_id(100), Kind::playlist, "list", "/media/\xff.m3u", ids({2, 1})},
                         {item_id(101), Kind::box_set, "Trilogy", "set:Trilogy", ids({1, 1, 3})}}),
              2);
    EXPECT_EQ(order(100), (Items{2, 1}));
    EXPECT_EQ(order(101), (Items{1, 3}));
    EXPECT_EQ(collections_->find(item_id(100))->value().origin, "/media/\xff.m3u");
    EXPECT_EQ(collections_->find(item_id(100))->value().origin_library, library_id(1));
    const auto entries = members(101);
    EXPECT_EQ(put_found({{item_id(110), Kind::playlist, "list", "/media/\xff.m3u", ids({2, 1, 3})},
                         {item_id(111), Kind::box_set, "Trilogy", "set:Trilogy", ids({1, 3})}}),
              1);
    EXPECT_EQ(order(100), (Items{2, 1, 3}));
    EXPECT_EQ(members(101)[0].entry, entries[0].entry);
    EXPECT_FALSE(*collections_->find(item_id(110)));
    const auto origins = collections_->origins(library_id(1));
    ok(origins);
    EXPECT_EQ(origins->size(), 2U);
    EXPECT_EQ(origins->at("set:Trilogy"), item_id(101));
    EXPECT_TRUE(collections_->origins(library_id(2))->empty());
    const auto removed = fenced([&](const core::Fence& fence) {
        return collections_->remove_found(library_id(1), {"/media/\xff.m3u", "/media/other"}, fence);
    });
    ok(removed);
    EXPECT_EQ(*removed, 1);
    EXPECT_EQ(collections_->origins(library_id(1))->size(), 1U);
}

TEST_P(CollectionsContract, a_stale_fence_writes_nothing) {
    ok(collections_->create(box_set(100, "b"), ids({1})));
    ok(libraries_->remove(library_id(1)));
    auto stale = fence_;
    --stale.epoch;
    EXPECT_EQ(collections_->drop_gone_members("", {}, stale).error().code, Errc::fenced);
    EXPECT_EQ(
        collections_->put_found(library_id(2), {{item_id(101), Kind::playlist, "x", "/x", {}}}, stale).error().code,
        Errc::fenced);
    EXPECT_EQ(collections_->remove_found(library_id(2), {"/x"}, stale).error().code, Errc::fenced);
    EXPECT_EQ(members(100).size(), 1U);
}

TEST_P(CollectionsContract, show_the_picture_that_they_were_given_until_it_is_taken_away) {
    ok(collections_->create(box_set(101, "Sea"), ids({1, 2})));
    ok(collections_->create(playlist(102, "Evening"), ids({1})));
    store::Cover old{{}, 10, 30, 20}, young{{}, 11, 40, 60};
    old.blob.bytes[0] = 0xa1;
    young.blob.bytes[0] = 0xa2;
    store::sql::SqlAnalyses analyses(*database_);
    store::sql::SqlBlobReferences references(*database_);
    const auto purge = [&] {
        std::string cursor;
        do {
            const auto step =
                fenced([&](const core::Fence& fence) { return analyses.purge_unreferenced(cursor, fence); });
            ok(step);
            if (!step) return;
            cursor = step->cursor;
        } while (!cursor.empty());
    };
    const auto shown = [&](std::uint32_t number) {
        const auto found = catalog_->find(item_id(number));
        ok(found);
        return found && *found ? (*found)->cover : std::optional<store::Cover>();
    };
    EXPECT_FALSE(shown(101));
    ok(collections_->set_picture(item_id(101), old));
    ok(collections_->set_picture(item_id(102), old));
    ok(collections_->set_picture(item_id(101), young));
    purge();
    EXPECT_EQ(shown(101), young);
    EXPECT_EQ(shown(102), old);
    EXPECT_FALSE(shown(1));
    EXPECT_EQ(references.referenced({old.blob, young.blob})->size(), 2U);
    ok(collections_->set_picture(item_id(101), std::nullopt));
    ok(collections_->remove(item_id(102)));
    purge();
    EXPECT_FALSE(shown(101));
    EXPECT_TRUE(references.referenced({old.blob, young.blob})->empty()) << "OptimizeDatabaseTask may remove them";
    EXPECT_EQ(collections_->set_picture(item_id(9), old).error().code, Errc::not_found) << "a film";
}

}  // namespace understudy::testing
