// tests/contract/people/people_contract.h: what every People must do.
#pragma once

#include <set>

#include "contract/media_stores/media_fixture.h"
#include "core/random.h"
#include "store/sql/item_rows.h"
#include "store/sql/sql_blobs.h"
#include "store/sql/sql_people.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"

namespace understudy::testing {

class PeopleContract : public MediaFixture {
protected:
    using What = model::CreditKind;
    using Ids = std::map<std::string, std::string>;

    void SetUp() override {
        MediaFixture::SetUp();
        people_ = std::make_unique<store::sql::SqlPeople>(*database_, random_);
        add_library(1, "One", {"/media"});
        ok(apply_items({film(1), film(2), film(3)}));
    }
    std::int64_t put(const std::vector<store::ItemCredits>& items) {
        const auto changed = fenced([&](const core::Fence& fence) { return people_->put_credits(items, fence); });
        ok(changed);
        return changed ? *changed : -1;
    }
    std::vector<store::ListedCredit> credits(std::uint32_t number) {
        const auto found = people_->credits({item_id(number)});
        ok(found);
        const auto at = found->find(item_id(number));
        return at == found->end() ? std::vector<store::ListedCredit>{} : at->second;
    }
    std::vector<store::Person> everyone() {
        auto found = people_->list("", 0, 10'000);
        ok(found);
        return found.value_or(std::vector<store::Person>{});
    }
    template <class Step>
    std::int64_t run(const Step& one) {
        std::int64_t removed = 0;
        std::string cursor;
        do {
            const auto step = fenced([&](const core::Fence& fence) { return one(cursor, fence); });
            ok(step);
            if (!step) return -1;
            removed += step->removed;
            cursor = step->cursor;
        } while (!cursor.empty());
        return removed;
    }
    std::int64_t merge() {
        return run([&](const std::string& cursor, const core::Fence& fence) {
            return people_->merge_duplicates(cursor, fence);
        });
    }
    std::int64_t remove_orphans() {
        return run([&](const std::string& cursor, const core::Fence& fence) {
            return people_->remove_without_credits(cursor, fence);
        });
    }
    Result<void> refresh(const std::vector<store::PersonRefresh>& people) {
        return fenced([&](const core::Fence& fence) { return people_->refresh(people, fence); });
    }
    /// A person as an older version or a race may have left one.
    void insert_person(std::uint8_t number, const std::string& name, const std::string& key,
                       const std::string& ids = "{}", int created = 0) {
        ok(database_->with(store::sql::Access::write, [&](store::sql::Session& session) -> Result<void> {
            auto added = session.execute(
                "INSERT INTO people (id, name, name_key, sort_name, provider_ids, overview, created_at_ms, "
                "refreshed_at_ms) VALUES (?, ?, ?, ?, ?, '', ?, 0)",
                {store::sql::Bytes{std::string(1, static_cast<char>(number)) + std::string(15, 'p')}, name, key, name,
                 ids, std::int64_t{created}});
            if (!added) return tl::unexpected(added.error());
            return {};
        }));
    }

    core::SystemRandom random_;
    std::unique_ptr<store::People> people_;
};

TEST_P(PeopleContract, credits_come_back_in_their_order) {
    EXPECT_EQ(put({{item_id(1),
                    {{"Zoë Kravitz", {{"Imdb", "nm2368789"}}, What::actor, "Selina"},
                     {"Matt Reeves", {}, What::director, ""},
                     {"Matt Reeves", {}, What::writer, ""}}}}),
              1);
    const auto found = credits(1);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].name, "Zoë Kravitz");
    EXPECT_EQ(found[0].role, "Selina");
    EXPECT_EQ(found[0].kind, What::actor);
    EXPECT_EQ(found[1].kind, What::director);
    EXPECT_EQ(found[2].kind, What::writer);
    EXPECT_EQ(found[1].person, found[2].person);
    EXPECT_EQ(everyone().size(), 2U);
    EXPECT_EQ(people_->items_of(found[0].person).value(), (std::vector<core::ItemId>{item_id(1)}));
    const auto person = people_->find({found[0].person}).value().at(0);
    EXPECT_EQ(person.provider_ids, (Ids{{"Imdb", "nm2368789"}}));
    EXPECT_FALSE(person.refreshed_at);
    EXPECT_GT(core::to_unix_ms(person.created_at), 0);
}

TEST_P(PeopleContract, one_name_is_one_person_whatever_its_case_blanks_and_work) {
    put({{item_id(1), {{"Björk", {}, What::actor, ""}}}});
    put({{item_id(2), {{"  BJÖRK ", {}, What::composer, ""}}}, {item_id(3), {{"björk", {}, What::actor, "Selma"}}}});
    EXPECT_EQ(everyone().size(), 1U);
    EXPECT_EQ(people_->items_of(everyone()[0].id)->size(), 3U);
    put({{item_id(1), {{"Jean  Luc\tGodard", {}, What::director, ""}, {"Jean Luc Godard", {}, What::actor, ""}}}});
    EXPECT_EQ(everyone().size(), 2U);
}

TEST_P(PeopleContract, two_ids_of_one_provider_are_two_people) {
    put({{item_id(1), {{"Steve McQueen", {{"Imdb", "nm1"}}, What::actor, ""}}},
         {item_id(2), {{"Steve McQueen", {{"Imdb", "nm2"}}, What::director, ""}}},
         {item_id(3), {{"Steve McQueen", {{"Imdb", "nm2"}, {"Tmdb", "7"}}, What::writer, ""}}}});
    EXPECT_EQ(everyone().size(), 2U);
    EXPECT_EQ(credits(2)[0].person, credits(3)[0].person);
    EXPECT_NE(credits(1)[0].person, credits(2)[0].person);
    EXPECT_EQ(people_->find({credits(2)[0].person})->at(0).provider_ids, (Ids{{"Imdb", "nm2"}, {"Tmdb", "7"}}));
    // The one whose ids agree, not the first of the name.
    put({{item_id(1), {{"Steve McQueen", {{"Tmdb", "7"}}, What::actor, ""}}}});
    EXPECT_EQ(credits(1)[0].person, credits(2)[0].person);
}

TEST_P(PeopleContract, credits_are_replaced_where_they_differ) {
    const store::ItemCredits same{item_id(1), {{"A", {}, What::actor, "x"}}};
    EXPECT_EQ(put({same, {item_id(2), {{"B", {}, What::actor, ""}}}}), 2);
    EXPECT_EQ(put({same, {item_id(2), {{"C", {}, What::actor, ""}}}}), 1);
    EXPECT_EQ(credits(2)[0].name, "C");
    EXPECT_EQ(put({{item_id(1), {}}}), 1);
    EXPECT_TRUE(credits(1).empty());
    EXPECT_EQ(put({{item_id(77), {{"Nobody", {}, What::actor, ""}}}}), 0);
    EXPECT_EQ(put({{item_id(1), {{" \t", {}, What::actor, ""}}}}), 0);
    EXPECT_EQ(everyone().size(), 3U);
}

TEST_P(PeopleContract, credits_stay_with_a_moved_or_offline_item_and_go_with_it) {
    put({{item_id(1), {{"A", {}, What::actor, ""}}}, {item_id(2), {{"B", {}, What::actor, ""}}}});
    auto moved = film(1);
    moved.sources[0].file.path = "/media/moved";
    ok(apply_items({moved}));
    auto away = batch();
    away.mark_unavailable = {item_id(2)};
    ok(apply(away));
    EXPECT_EQ(remove_orphans(), 0);
    EXPECT_EQ(credits(1).size() + credits(2).size(), 2U);
    ok(remove_items({item_id(1)}));
    EXPECT_EQ(count("credits"), 1);
    EXPECT_EQ(remove_orphans(), 1);
    ASSERT_EQ(everyone().size(), 1U);
    EXPECT_EQ(everyone()[0].name, "B");
}

TEST_P(PeopleContract, duplicates_are_merged_into_the_one_with_a_picture_then_the_oldest) {
    insert_person(1, "Ann Lee", "ann lee", R"({"Imdb":"nm1"})", 10);
    insert_person(2, "ANN LEE", "ann lee", R"({"Tmdb":"2"})", 20);
    insert_person(3, "Ann Lee", "ann lee", R"({"Imdb":"nm9"})", 30);  // another one
    insert_person(4, "Bo", "bo", "{}", 20);
    insert_person(5, "Bo", "bo", "{}", 10);
    ok(sql("UPDATE people SET image = CAST('01234567890123456789012345678901' AS " +
           std::string(GetParam() == DatabaseKind::sqlite ? "BLOB" : "BYTEA") +
           ") WHERE created_at_ms = 20 AND name_key = 'ann lee'"));
    ok(database_->with(store::sql::Access::write, [&](store::sql::Session& session) -> Result<void> {
        for (int person = 1; person <= 5; ++person) {
            auto added = session.execute(
                "INSERT INTO credits (item_id, position, person_id, kind, role) VALUES (?, ?, ?, 'actor', '')",
                {store::sql::id_value(item_id(1)), std::int64_t{person},
                 store::sql::Bytes{std::string(1, static_cast<char>(person)) + std::string(15, 'p')}});
            if (!added) return tl::unexpected(added.error());
        }
        return {};
    }));
    EXPECT_EQ(merge(), 2);
    EXPECT_EQ(merge(), 0);
    const auto listed = credits(1);
    ASSERT_EQ(listed.size(), 5U);
    EXPECT_EQ(listed[0].person, listed[1].person);
    EXPECT_EQ(listed[0].name, "ANN LEE");
    EXPECT_FALSE(listed[0].image.empty());
    EXPECT_NE(listed[2].person, listed[0].person);
    EXPECT_EQ(listed[3].person, listed[4].person);
    EXPECT_EQ(people_->find({listed[3].person})->at(0).created_at, core::from_unix_ms(10));
    EXPECT_EQ(people_->find({listed[0].person})->at(0).provider_ids, (Ids{{"Imdb", "nm1"}, {"Tmdb", "2"}}));
    EXPECT_EQ(everyone().size(), 3U);
}

TEST_P(PeopleContract, many_orphans_and_duplicates_go_in_steps) {
    const bool sqlite = GetParam() == DatabaseKind::sqlite;
    const std::string numbers = sqlite
                                    ? "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 6000) "
                                    : "WITH n(x) AS (SELECT generate_series(1, 6000)) ";
    const std::string id = sqlite ? "randomblob(16)" : "decode(md5(random()::text), 'hex')";
    ok(sql(numbers +
           "INSERT INTO people (id, name, name_key, sort_name, provider_ids, overview, image, created_at_ms, "
           "refreshed_at_ms) SELECT " +
           id + ", 'N', 'n' || (x / 2), 'N', '{}', '', NULL, x, 0 FROM n"));
    EXPECT_EQ(merge(), 2'999);
    EXPECT_EQ(everyone().size(), 3'001U);
    EXPECT_EQ(remove_orphans(), 3'001);
    EXPECT_EQ(count("people"), 0);
    EXPECT_EQ(people_->remove_without_credits("nonsense", fence_).error().code, Errc::invalid);
}

TEST_P(PeopleContract, those_due_for_refresh_come_longest_ago_first_and_once) {
    std::vector<store::NamedCredit> named;
    for (int i = 0; i < 10; ++i) named.push_back({"Person " + std::to_string(i), {}, What::actor, ""});
    put({{item_id(1), named}});
    const auto at = [](int day) { return core::from_unix_ms(1'700'000'000'000 + day * std::int64_t{86'400'000}); };
    const auto all = everyone();
    std::vector<store::PersonRefresh> done;
    for (std::size_t i = 0; i < 4; ++i) {
        store::PersonRefresh one;
        one.id = all[i].id;
        one.refreshed_at = at(static_cast<int>(10 - i));
        done.push_back(one);
    }
    ok(refresh(done));
    EXPECT_EQ(*people_->count_due(at(9)), 8);
    std::vector<std::string> names;
    std::set<core::PersonId> seen;
    std::optional<store::RefreshPlace> place;
    for (;;) {
        const auto page = people_->due_for_refresh(at(9), place, 3);
        ok(page);
        if (page->empty()) break;
        for (const auto& person : *page) {
            EXPECT_TRUE(seen.insert(person.id).second);
            names.push_back(person.name);
        }
        place = {page->back().refreshed_at.value_or(core::UtcTime{}), page->back().id};
    }
    ASSERT_EQ(names.size(), 8U);
    EXPECT_EQ(names[6], "Person 3");
    EXPECT_EQ(names[7], "Person 2");
}

TEST_P(PeopleContract, a_refresh_changes_what_it_says_and_no_more) {
    put({{item_id(1), {{"Ann", {{"Imdb", "nm1"}}, What::actor, ""}}}});
    const auto id = everyone()[0].id;
    store::BlobHash image;
    image.bytes[5] = 7;
    store::PersonRefresh one;
    one.id = id;
    one.sort_name = "Lee, Ann";
    one.overview = "Born.";
    one.provider_ids = {{"Imdb", "other"}, {"Tmdb", "5"}};
    one.image = image;
    one.refreshed_at = core::from_unix_ms(5);
    store::PersonRefresh gone = one;
    gone.id = core::PersonId{core::IdBytes{9}};
    ok(refresh({one, gone}));
    auto person = people_->find({id})->at(0);
    EXPECT_EQ(person.sort_name, "Lee, Ann");
    EXPECT_EQ(person.overview, "Born.");
    EXPECT_EQ(person.image, image);
    EXPECT_EQ(person.provider_ids, (Ids{{"Imdb", "nm1"}, {"Tmdb", "5"}}));
    EXPECT_EQ(person.refreshed_at, core::from_unix_ms(5));
    EXPECT_EQ(credits(1)[0].image, image);
    store::sql::SqlBlobReferences references(*database_);
    EXPECT_TRUE(references.referenced({image})->contains(image));
    store::PersonRefresh bare;
    bare.id = id;
    bare.refreshed_at = core::from_unix_ms(6);
    ok(refresh({bare}));
    person = people_->find({id})->at(0);
    EXPECT_EQ(person.overview, "Born.");
    EXPECT_EQ(person.image, image);
    bare.image = store::BlobHash{};
    ok(refresh({bare}));
    EXPECT_TRUE(people_->find({id})->at(0).image.empty());
    EXPECT_TRUE(references.referenced({image})->empty());
}

TEST_P(PeopleContract, who_made_only_what_a_viewer_may_not_see_is_left_out) {
    add_library(2, "Two", {"/two"});
    ok(apply_items({film(21, 2)}, 2));
    put({{item_id(1), {{"Ann", {}, What::actor, ""}, {"Both", {}, What::actor, ""}}},
         {item_id(21), {{"Bo", {}, What::actor, ""}, {"Both", {}, What::writer, ""}}}});
    std::vector<core::PersonId> all;
    for (const auto& person : everyone()) all.push_back(person.id);
    ASSERT_EQ(all.size(), 3U);
    const auto seen = [&](const std::optional<store::Viewer>& viewer) {
        std::string names;
        const auto listed = people_->list("", 0, 10, viewer), found = people_->find(all, viewer);
        ok(listed);
        ok(found);
        for (const auto& person : *listed) names += person.name + "|";
        for (const auto& person : *found) names += person.name + "|";
        return names;
    };
    EXPECT_EQ(seen(std::nullopt), "Ann|Bo|Both|Ann|Bo|Both|");
    EXPECT_EQ(seen(store::Viewer{core::UserId{core::IdBytes{7}}, std::nullopt}), "Ann|Bo|Both|Ann|Bo|Both|");
    EXPECT_EQ(seen(store::Viewer{{}, std::vector{library_id(2)}}), "Bo|Both|Bo|Both|");
    EXPECT_EQ(seen(store::Viewer{{}, std::vector<core::LibraryId>{}}), "");
    const auto searched = people_->list("bo", 1, 10, store::Viewer{{}, std::vector{library_id(1), library_id(2)}});
    ok(searched);
    ASSERT_EQ(searched->size(), 1U);
    EXPECT_EQ(searched->front().name, "Both");
}

TEST_P(PeopleContract, a_list_is_of_those_credited_as_asked_or_liked) {
    add_library(2, "Two", {"/two"});
    ok(apply_items({film(21, 2)}, 2));
    put({{item_id(1), {{"Ann", {}, What::actor, ""}, {"Bo", {}, What::director, ""}}},
         {item_id(21), {{"Ann", {}, What::writer, ""}}}});
    const auto names = [&](const store::PersonFilter& filter, const std::optional<store::Viewer>& viewer = {}) {
        std::string text;
        const auto page = people_->list(filter, 0, 10, viewer);
        ok(page);
        for (const auto& person : *page) text += person.name + "|";
        return text;
    };
    store::PersonFilter filter;
    filter.kinds = {What::actor, What::producer};
    EXPECT_EQ(names(filter), "Ann|");
    filter.kinds = {What::writer};
    EXPECT_EQ(names(filter), "Ann|");
    EXPECT_EQ(names(filter, store::Viewer{{}, std::vector{library_id(1)}}), "") << "what is closed counts for nothing";
    filter.kinds.clear();
    filter.other_kinds = {What::actor, What::writer};
    EXPECT_EQ(names(filter), "Bo|");
    filter.other_kinds.clear();
    filter.user = core::UserId{core::IdBytes{7}};
    filter.favourite = true;
    EXPECT_EQ(names(filter), "");
    const auto bo = everyone().at(1).id;
    ok(sql("INSERT INTO user_data (user_id, item_id, played, play_count, position_ms, favourite) VALUES (decode('" +
           filter.user.str() + "', 'hex'), decode('" + bo.str() + "', 'hex'), 0, 0, 0, 1)"));
    EXPECT_EQ(names(filter), "Bo|");
    filter.favourite = false;
    EXPECT_EQ(names(filter), "Ann|");
}

TEST_P(PeopleContract, what_users_said_of_somebody_comes_back_with_them) {
    const core::UserId user{core::IdBytes{0xcc, 1}};
    ok(store::sql::SqlUsers(*database_).add({user, "Ann", {}}));
    store::sql::SqlUserData data(*database_);
    const auto liked = [&](core::PersonId person) {
        const core::ItemId id(person.bytes());
        const auto found = data.get(user, {id});
        ok(found);
        return found->contains(id) && found->at(id).favourite;
    };
    put({{item_id(1), {{"Zoë", {{"Imdb", "nm1"}}, What::actor, ""}, {"Bo", {}, What::actor, ""}}}});
    const auto zoe = credits(1)[0].person, bo = credits(1)[1].person;
    store::UserItemChange change;
    change.favourite = true;
    EXPECT_EQ(data.change(user, {core::ItemId(zoe.bytes()), core::ItemId(bo.bytes()), item_id(77)}, change).value(), 2);
    EXPECT_TRUE(liked(zoe));
    put({{item_id(1), {}}});
    EXPECT_EQ(remove_orphans(), 2);
    EXPECT_EQ(data.change(user, {core::ItemId(zoe.bytes())}, change).value(), 0) << "gone";
    EXPECT_EQ(count("user_data"), 2);
    put({{item_id(2), {{"Zoë", {{"Imdb", "nm2"}}, What::actor, ""}}}});
    EXPECT_FALSE(liked(credits(2)[0].person)) << "somebody else of that name";
    put({{item_id(3), {{"ZOË", {{"Imdb", "nm1"}}, What::writer, ""}, {"bo", {}, What::actor, ""}}}});
    EXPECT_TRUE(liked(credits(3)[0].person));
    EXPECT_TRUE(liked(credits(3)[1].person));
    EXPECT_EQ(count("user_data"), 2);
    EXPECT_EQ(count("vanished_items") + count("vanished_identities"), 0);
}

TEST_P(PeopleContract, data_of_those_who_are_one_is_merged_with_them) {
    insert_person(1, "Ann Lee", "ann lee", "{}", 10);
    insert_person(2, "ANN LEE", "ann lee", "{}", 20);
    const core::UserId user{core::IdBytes{0xcc, 1}};
    ok(store::sql::SqlUsers(*database_).add({user, "Ann", {}}));
    store::sql::SqlUserData data(*database_);
    const auto all = everyone();
    ASSERT_EQ(all.size(), 2U);
    const auto younger = all[0].name == "ANN LEE" ? all[0].id : all[1].id;
    store::UserItemChange change;
    change.favourite = true;
    change.rating = std::optional<double>(8.0);
    EXPECT_EQ(data.change(user, {core::ItemId(younger.bytes())}, change).value(), 1);
    EXPECT_EQ(merge(), 1);
    const core::ItemId kept(everyone().at(0).id.bytes());
    EXPECT_NE(kept, core::ItemId(younger.bytes()));
    EXPECT_TRUE(data.get(user, {kept})->at(kept).favourite);
    EXPECT_EQ(data.get(user, {kept})->at(kept).rating, 8.0);
    EXPECT_EQ(count("user_data"), 1);
}

TEST_P(PeopleContract, data_of_several_who_are_one_ends_with_one) {
    for (std::uint8_t number = 1; number <= 3; ++number) insert_person(number, "Ann Lee", "ann lee", "{}", number);
    const core::UserId user{core::IdBytes{0xcc, 1}};
    ok(store::sql::SqlUsers(*database_).add({user, "Ann", {}}));
    store::sql::SqlUserData data(*database_);
    std::vector<core::ItemId> all;
    for (const auto& person : everyone()) all.emplace_back(person.id.bytes());
    ASSERT_EQ(all.size(), 3U);
    store::UserItemChange change;
    change.favourite = true;
    EXPECT_EQ(data.change(user, all, change).value(), 3);
    EXPECT_EQ(merge(), 2) << "two go into one";
    ASSERT_EQ(everyone().size(), 1U);
    const core::ItemId kept(everyone().at(0).id.bytes());
    EXPECT_TRUE(data.get(user, {kept})->at(kept).favourite);
    EXPECT_EQ(count("user_data"), 1);
}

TEST_P(PeopleContract, a_name_may_be_longer_than_an_index_takes) {
    const auto name = "Ann " + noise(100'000), id = noise(20'000);
    put({{item_id(1), {{name, {{"Imdb", id}}, What::actor, noise(50'000)}}},
         {item_id(2), {{name, {}, What::writer, ""}}}});
    ASSERT_EQ(everyone().size(), 1U) << "it is one name";
    const auto found = everyone().at(0);
    EXPECT_EQ(found.name, name);
    EXPECT_EQ(people_->list(name.substr(0, 400), 0, 10)->size(), 1U);
    const core::UserId user{core::IdBytes{0xcc, 1}};
    ok(store::sql::SqlUsers(*database_).add({user, "Ann", {}}));
    store::sql::SqlUserData data(*database_);
    store::UserItemChange change;
    change.favourite = true;
    EXPECT_EQ(data.change(user, {core::ItemId(found.id.bytes())}, change).value(), 1);
    put({{item_id(1), {}}, {item_id(2), {}}});
    EXPECT_EQ(remove_orphans(), 1) << "though its data is kept aside";
    put({{item_id(1), {{name, {}, What::actor, ""}}}});
    const core::ItemId back(credits(1).at(0).person.bytes());
    EXPECT_TRUE(data.get(user, {back})->at(back).favourite);
}

TEST_P(PeopleContract, a_mark_alone_is_in_no_name) {
    put({{item_id(1), {{"Zoë", {}, What::actor, ""}}}});
    EXPECT_EQ(people_->list("", 0, 10)->size(), 1U);
    for (const char* nothing : {"\xCC\x81", "\xC2\xAD", "\xE2\x80\x8B"})
        EXPECT_TRUE(people_->list(nothing, 0, 10)->empty()) << nothing;
}

TEST_P(PeopleContract, a_list_is_by_name_and_searched_in_any_case) {
    put({{item_id(1), {{"Zoë", {}, What::actor, ""}, {"ann", {}, What::actor, ""}, {"Anna ÖZ", {}, What::actor, ""}}}});
    const auto names = [&](const std::string& search, std::size_t from, std::size_t limit) {
        std::string text;
        const auto page = people_->list(search, from, limit);
        for (const auto& person : *page) text += person.name + "|";
        return text;
    };
    EXPECT_EQ(names("", 0, 10), "ann|Anna ÖZ|Zoë|");
    EXPECT_EQ(names("ANN", 0, 10), "ann|Anna ÖZ|");
    EXPECT_EQ(names("öz", 0, 10), "Anna ÖZ|");
    EXPECT_EQ(names("oz", 0, 10), "Anna ÖZ|");
    EXPECT_EQ(names("ZOE", 0, 10), "Zoë|");
    put({{item_id(2), {{"Åse", {}, What::actor, ""}}}});
    EXPECT_EQ(names("", 0, 3), "ann|Anna ÖZ|Åse|");
    EXPECT_EQ(names("", 1, 1), "Anna ÖZ|");
}

TEST_P(PeopleContract, a_stale_fence_writes_nothing) {
    auto stale = fence_;
    --stale.epoch;
    EXPECT_EQ(people_->put_credits({{item_id(1), {{"A", {}, What::actor, ""}}}}, stale).error().code, Errc::fenced);
    EXPECT_EQ(people_->merge_duplicates("", stale).error().code, Errc::fenced);
    EXPECT_EQ(people_->remove_without_credits("", stale).error().code, Errc::fenced);
    EXPECT_EQ(people_->refresh({}, stale).error().code, Errc::fenced);
    EXPECT_EQ(count("people"), 0);
}

}  // namespace understudy::testing
