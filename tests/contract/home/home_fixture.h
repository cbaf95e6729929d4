// tests/contract/home/home_fixture.h: a film, two series and an album in three libraries, and users who watch them.
#pragma once

#include "contract/media_stores/media_fixture.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"

namespace understudy::testing {

/// Library 1: films 1 to 3. Library 2: series 10 (season 11: 13, 14; specials 12: 15) and series 30 (season 31: 32, and
/// 33 without a season). Library 3: artist 20, album 21 with tracks 22 and 23. An item is older the smaller its number.
class HomeFixture : public MediaFixture {
protected:
    using Numbers = std::vector<std::uint32_t>;

    void SetUp() override {
        MediaFixture::SetUp();
        users_ = std::make_unique<store::sql::SqlUsers>(*database_);
        data_ = std::make_unique<store::sql::SqlUserData>(*database_);
        add_library(1, "Films", {"/media"});
        add_library(2, "Shows", {"/shows"});
        add_library(3, "Music", {"/music"});
        for (const auto number : {std::uint8_t{1}, std::uint8_t{2}})
            ok(users_->add({user_id(number), "User " + std::to_string(number), {}}));
        ok(apply_items({film(1), film(2), film(3)}));
        auto special = episode(15, 12, 0, 1);
        special.about.airs_before_season = 1;
        special.about.airs_before_episode = 2;
        special.about.airs_after_season = 3;
        auto loose = episode(33, 30, 1, 9);
        loose.season_number.reset();
        ok(apply_items({item(10, Kind::series, "Harbour", 0, 2), season(11, 10, 1), season(12, 10, 0),
                        episode(13, 11, 1, 2), episode(14, 11, 1, 1), special, item(30, Kind::series, "Ebb", 0, 2),
                        season(31, 30, 1), episode(32, 31, 1, 1), loose},
                       2));
        ok(apply_items({item(20, Kind::artist, "Piers", 0, 3), item(21, Kind::album, "Coast", 20, 3),
                        media(22, Kind::track, "/music/22", {Stream::audio}, 21, 3),
                        media(23, Kind::track, "/music/23", {Stream::audio}, 21, 3)},
                       3));
    }
    static core::UserId user_id(std::uint8_t number) { return core::UserId{core::IdBytes{0xcc, number}}; }
    static model::Item season(std::uint32_t number, std::uint32_t series, int of) {
        auto made = item(number, Kind::season, "Season " + std::to_string(of), series, 2);
        made.season_number = of;
        return made;
    }
    static model::Item episode(std::uint32_t number, std::uint32_t parent, int season, int in_season) {
        auto made = media(number, Kind::episode, "/shows/" + std::to_string(number), {Stream::video}, parent, 2);
        made.season_number = season;
        made.episode_number = in_season;
        return made;
    }
    void watched(std::uint32_t item, std::int64_t at_ms, std::uint8_t user = 1) {
        store::UserItemData data;
        data.played = true;
        if (at_ms != 0) data.last_played_at = core::from_unix_ms(at_ms);
        put(item, data, user);
    }
    void put(std::uint32_t item, const store::UserItemData& data, std::uint8_t user = 1) {
        ok(data_->put({{user_id(user), item_id(item), data}}));
    }
    /// Sees these libraries alone.
    static store::Viewer viewer(std::vector<core::LibraryId> libraries) { return {user_id(1), std::move(libraries)}; }
    /// The number that item_id() was made of.
    static std::uint32_t number_of(core::ItemId id) {
        std::uint32_t number = 0;
        for (std::size_t i = 12; i < 16; ++i) number = number << 8 | id.bytes()[i];
        return number;
    }
    template <class Ids>
    static Numbers numbers(const Ids& ids) {
        Numbers found;
        for (const auto& id : ids) found.push_back(number_of(id));
        return found;
    }

    std::unique_ptr<store::Users> users_;
    std::unique_ptr<store::UserData> data_;
};

}  // namespace understudy::testing
