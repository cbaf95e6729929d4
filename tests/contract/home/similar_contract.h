// tests/contract/home/similar_contract.h: what every Discovery must say of what is alike, of mixes and of hints.
#pragma once

#include "contract/home/home_fixture.h"
#include "core/random.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_discovery.h"
#include "store/sql/sql_names.h"
#include "store/sql/sql_people.h"

namespace understudy::testing {

class SimilarContract : public HomeFixture {
protected:
    void SetUp() override {
        HomeFixture::SetUp();
        discovery_ = std::make_unique<store::sql::SqlDiscovery>(*database_);
        people_ = std::make_unique<store::sql::SqlPeople>(*database_, random_);
    }
    static model::Item about(model::Item item, std::vector<std::string> genres, std::optional<int> year = {},
                             std::vector<std::string> tags = {}, std::vector<std::string> studios = {}) {
        item.genres = std::move(genres);
        item.year = year;
        item.about.tags = std::move(tags);
        item.about.studios = std::move(studios);
        return item;
    }
    static model::Item named(model::Item item, const std::string& name) {
        item.name = item.sort_name = name;
        return item;
    }
    void credit(std::uint32_t item, const std::string& name, model::CreditKind kind) {
        credits_[item].push_back({name, {}, kind, ""});
    }
    void put_credits() {
        std::vector<store::ItemCredits> all;
        for (const auto& [item, credits] : credits_) all.push_back({item_id(item), credits});
        ok(fenced([&](const core::Fence& fence) { return people_->put_credits(all, fence); }));
    }
    Numbers similar(std::uint32_t to, std::size_t limit = 50, std::optional<store::Viewer> viewer = {}) {
        store::SimilarQuery query{item_id(to), std::move(viewer), {}, limit};
        const auto found = discovery_->similar(query);
        ok(found);
        return numbers(*found);
    }
    /// Numbers of items, names of people.
    std::string hints(store::HintQuery query) {
        const auto found = discovery_->hints(query);
        ok(found);
        total_ = found->total;
        std::string all;
        for (const auto& hint : found->found) {
            if (!all.empty()) all += ' ';
            if (!hint.item.empty()) {
                all += std::to_string(number_of(hint.item));
                continue;
            }
            if (!hint.name.empty()) {
                store::NameQuery by_id;
                by_id.ids = {hint.name};
                by_id.items.recursive = true;
                const auto names = store::sql::SqlNames(*database_).list(by_id);
                ok(names);
                all += std::string(store::to_string(names->names.at(0).kind)) + ":" + names->names.at(0).name;
                continue;
            }
            const auto people = people_->find({hint.person});
            ok(people);
            all += people->front().name;
        }
        return all;
    }
    static store::HintQuery term(const std::string& text) {
        store::HintQuery query;
        query.term = text;
        query.kinds = {Kind::movie, Kind::series, Kind::episode, Kind::album};
        return query;
    }

    core::SeededRandom random_{5};
    std::unique_ptr<store::Discovery> discovery_;
    std::unique_ptr<store::People> people_;
    std::map<std::uint32_t, std::vector<store::NamedCredit>> credits_;
    std::size_t total_ = 0;
};

TEST_P(SimilarContract, is_what_shares_most_of_genres_tags_people_studios_and_time) {
    ok(apply_items({about(film(1), {"Drama", "Sea \"fog\""}, 2000, {"harbour"}, {"Foam"}),
                    about(film(2), {"Drama"}, 2001), about(film(3), {"Drama"}, 1950), about(film(4), {"drama"}, 2000),
                    about(film(5), {"Comedy"}, 2000), about(film(6), {"Comedy"}, 1980, {}, {"Foam"}),
                    about(film(7), {"Sea \"fog\"", "Drama"}, 1980), about(film(8), {"Comedy"}, 1980, {"harbour"}),
                    about(film(9), {"Dramatic"}, 2000), film(50), film(51), film(52)}));
    credit(1, "Ann", model::CreditKind::director);
    credit(1, "Ann", model::CreditKind::writer);
    credit(1, "Bo", model::CreditKind::actor);
    credit(1, "Cy", model::CreditKind::writer);
    credit(50, "Ann", model::CreditKind::director);
    credit(50, "Ann", model::CreditKind::actor);
    credit(51, "bo", model::CreditKind::guest_star);
    credit(51, "Dee", model::CreditKind::director);
    credit(52, "Cy", model::CreditKind::writer);
    put_credits();
    // 7: 20; 2: 10 + 4; 3 and 8: 10; 50: 5, a person once; 6 and 51: 3; 52: 2. 4, 5 and 9 have only the year in common.
    EXPECT_EQ(similar(1), (Numbers{7, 2, 3, 8, 50, 51, 6, 52}));
    EXPECT_EQ(similar(1, 2), (Numbers{7, 2}));
    EXPECT_EQ(similar(1, 50, viewer({library_id(2)})), Numbers{}) << "the film is closed, too";
    EXPECT_EQ(similar(13), Numbers{}) << "an episode";
    EXPECT_EQ(similar(99), Numbers{});
    EXPECT_EQ(similar(52), (Numbers{1}));
}

TEST_P(SimilarContract, is_of_the_same_kind_and_leaves_out_what_is_closed) {
    ok(apply_items({about(film(1), {"Drama"})}));
    ok(apply_items({about(item(10, Kind::series, "Harbour", 0, 2), {"Drama"}), about(film(4, 2), {"Drama"})}, 2));
    ok(apply_items(
        {about(item(21, Kind::album, "Coast", 20, 3), {"Drama"}),
         about(item(25, Kind::album, "Kelp", 20, 3), {"Drama"}), about(item(26, Kind::album, "Sand", 0, 3), {"Drama"})},
        3));
    EXPECT_EQ(similar(1), (Numbers{4}));
    EXPECT_EQ(similar(1, 50, viewer({library_id(1)})), Numbers{});
    EXPECT_EQ(similar(10), Numbers{});
    EXPECT_EQ(similar(21), (Numbers{25, 26}));
    store::SimilarQuery query{item_id(21), std::nullopt, {item_id(20)}, 50};
    EXPECT_EQ(numbers(*discovery_->similar(query)), (Numbers{26})) << "not by that artist";
}

TEST_P(SimilarContract, a_mix_has_tracks_of_its_genres_in_an_order_of_its_own) {
    std::vector<model::Item> tracks;
    for (std::uint32_t number = 300; number < 340; ++number) {
        auto track = media(number, Kind::track, "/music/" + std::to_string(number), {Stream::audio}, 21, 3);
        track.genres = {number % 2 == 0 ? "Folk" : "Folk metal"};
        core::IdBytes bytes{};
        random_.fill(bytes);
        track.id = core::ItemId{bytes};
        tracks.push_back(std::move(track));
    }
    ok(apply_items(std::move(tracks), 3));
    const auto ids = [&](std::vector<std::string> genres, std::uint8_t seed, std::size_t limit = 200,
                         std::optional<store::Viewer> viewer = {}) {
        const auto found = discovery_->mix({std::move(genres), std::move(viewer), seed, limit});
        ok(found);
        return *found;
    };
    const auto mixed = ids({"Folk"}, 3);
    EXPECT_EQ(mixed.size(), 20U);
    EXPECT_EQ(ids({"Folk"}, 3), mixed) << "the same each time";
    EXPECT_NE(ids({"Folk"}, 4), mixed);
    EXPECT_EQ(ids({"Folk", "Folk metal"}, 3).size(), 40U);
    EXPECT_EQ(ids({"Folk"}, 3, 5), std::vector(mixed.begin(), mixed.begin() + 5)) << "a longer one begins alike";
    EXPECT_TRUE(ids({"folk"}, 3).empty());
    EXPECT_TRUE(ids({}, 3).empty());
    EXPECT_TRUE(ids({"Folk"}, 3, 200, viewer({library_id(1)})).empty());
}

TEST_P(SimilarContract, hints_come_by_how_they_fit_then_by_name) {
    ok(apply_items({named(film(1), "Low tide"), named(film(2), "Tide"), named(film(3), "Riptide"),
                    named(film(4), "TIDE pool"), named(film(5), "Ärger an der Tide")}));
    credit(1, "Tida Berg", model::CreditKind::actor);
    credit(1, "Ann Tidewell", model::CreditKind::actor);
    put_credits();
    EXPECT_EQ(hints(term("tide")), "2 4 Ann Tidewell 5 1 3");
    EXPECT_EQ(total_, 6U);
    EXPECT_EQ(hints(term("TID")), "Tida Berg 2 4 Ann Tidewell 5 1 3");
    EXPECT_EQ(hints(term("ärger")), "5") << "in any case";
    auto query = term("tide");
    query.start_index = 1;
    query.limit = 2;
    EXPECT_EQ(hints(query), "4 Ann Tidewell");
    EXPECT_EQ(total_, 6U);
    query = term("tide");
    query.people = false;
    EXPECT_EQ(hints(query), "2 4 5 1 3");
    query.kinds.clear();
    EXPECT_EQ(hints(query), "");
    query.people = true;
    EXPECT_EQ(hints(query), "Ann Tidewell");
    EXPECT_EQ(hints(term("100%_")), "");
    EXPECT_EQ(hints(term("")), "");
}

TEST_P(SimilarContract, hints_know_no_accents) {
    ok(apply_items({named(film(1), "Amélie"), named(film(2), "Über Straßen"), named(film(3), "Ame\xCC\x81lie")}));
    credit(1, "Amélie Foß", model::CreditKind::actor);
    put_credits();
    EXPECT_EQ(hints(term("amelie")), "1 3 Amélie Foß");
    EXPECT_EQ(hints(term("AMÉLIE")), "1 3 Amélie Foß");
    EXPECT_EQ(hints(term("foss")), "Amélie Foß");
    for (const char* street : {"strasse", "straße", "STRASSE", "STRAẞE"}) EXPECT_EQ(hints(term(street)), "2") << street;
    EXPECT_EQ(hints(term("uber")), "2");
}

TEST_P(SimilarContract, hints_name_genres_studios_and_artists) {
    using store::NameKind;
    ok(apply_items({about(named(film(1), "Sea"), {"Séa tale"}, {}, {"sea"}, {"Seafoam"}), about(film(2), {"Gone"})}));
    auto track = media(24, Kind::track, "/music/24", {model::StreamKind::audio}, 21, 3);
    track.genres = {"Sea tale"};
    track.artists = {"Seabird", "Piers"};
    ok(apply_items({track}, 3));
    auto query = term("sea");
    query.kinds = {Kind::movie};
    EXPECT_EQ(hints(query), "1") << "nobody asked for names";
    query.names = {NameKind::genre, NameKind::music_genre, NameKind::studio, NameKind::artist};
    EXPECT_EQ(hints(query).substr(0, 2), "1 ");
    EXPECT_EQ(total_, 5U) << "tags are no hints";
    query.kinds.clear();
    query.names = {NameKind::genre, NameKind::studio};
    EXPECT_EQ(hints(query), "genre:Séa tale studio:Seafoam");
    query.names = {NameKind::artist};
    EXPECT_EQ(hints(query), "artist:Seabird");
    query.term = "piers";
    EXPECT_EQ(hints(query), "") << "an item, and as such a hint";
    query.term = "sea";
    query.names = {NameKind::genre, NameKind::music_genre, NameKind::studio, NameKind::artist};
    query.viewer = viewer({library_id(1)});
    EXPECT_EQ(hints(query), "genre:Séa tale studio:Seafoam") << "nor what closed libraries alone have";
    query.viewer = viewer({library_id(2)});
    EXPECT_EQ(hints(query), "");
    query.viewer.reset();
    query.library = library_id(1);
    EXPECT_EQ(hints(query), "") << "of a place, items alone";
    query.library.reset();
    query.term = "gone";
    EXPECT_EQ(hints(query), "genre:Gone");
    ok(remove_items({item_id(2)}));
    EXPECT_EQ(hints(query), "") << "nothing has it any more";
}

TEST_P(SimilarContract, hints_keep_to_a_place_and_a_viewer) {
    ok(apply_items({named(film(1), "Harbour light")}));
    credit(1, "Harbin Lee", model::CreditKind::actor);
    put_credits();
    auto query = term("harb");
    EXPECT_EQ(hints(query), "Harbin Lee 10 1");
    query.viewer = viewer({library_id(2)});
    EXPECT_EQ(hints(query), "10") << "nor who is in closed films alone";
    query.viewer = viewer({library_id(1)});
    EXPECT_EQ(hints(query), "Harbin Lee 1");
    query.viewer.reset();
    query.library = library_id(1);
    EXPECT_EQ(hints(query), "1");
    query = term("item 1");
    query.parent = item_id(10);
    EXPECT_EQ(hints(query), "13 14 15");
}

}  // namespace understudy::testing
